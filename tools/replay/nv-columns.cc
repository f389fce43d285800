/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "nv-window.h"
#include "replay-binding.h"
#include "replay-error.h"

namespace ns3
{
namespace linuxtcp
{

namespace
{

/**
 * @param settings parameters by their Linux names, "profile" for a kernel, "base_rtt_us"
 * @return the parameters
 */
NvParameters
ReadNvParameters(const ReplaySettings& settings)
{
    const std::string profile = settings.Text("profile", "");
    NvParameters p;
    try
    {
        p = profile.empty() ? NvParameters() : NvParameters::FromProfile(profile);
    }
    catch (const std::invalid_argument& error)
    {
        throw ReplayError(error.what());
    }
    p.hz = settings.Hz();
    p.pad = settings.Number("nv_pad", p.pad, 0, 65535);
    p.padBuffer = settings.Number("nv_pad_buffer", p.padBuffer, 0, 65535);
    p.resetPeriodUs = uint64_t{1000000} * settings.Number("nv_reset_period", 5, 1, 3600);
    p.minimumWindow = settings.Number("nv_min_cwnd", p.minimumWindow, 2, 65535);
    p.congestionDecrease = settings.Number("nv_cong_dec_mult", p.congestionDecrease, 0, 128);
    p.ssThreshFactor = settings.Number("nv_ssthresh_factor", p.ssThreshFactor, 1, 64);
    p.rttFactor = settings.Number("nv_rtt_factor", p.rttFactor, 0, 256);
    p.lossFactor = settings.Number("nv_loss_dec_factor", p.lossFactor, 0, 1024);
    p.slowGrowthDecisions =
        settings.Number("nv_cwnd_growth_rate_neg", p.slowGrowthDecisions, 0, 255);
    p.fastGrowthDecisions =
        settings.Number("nv_cwnd_growth_rate_pos", p.fastGrowthDecisions, 0, 255);
    p.decreaseSamples = settings.Number("nv_dec_eval_min_calls", p.decreaseSamples, 1, 255);
    p.increaseSamples = settings.Number("nv_inc_eval_min_calls", p.increaseSamples, 1, 255);
    p.slowStartSamples = settings.Number("nv_ssthresh_eval_min_calls", p.slowStartSamples, 1, 255);
    p.stopRounds = settings.Number("nv_stop_rtt_cnt", p.stopRounds, 0, 254);
    p.decreaseRounds = settings.Number("nv_rtt_min_cnt", p.decreaseRounds, 0, 255);
    p.baseRttUs = settings.Number("base_rtt_us", p.baseRttUs, 0, 0x7fffffff);
    return p;
}

} // namespace

AlgorithmBinding
GetNvBinding()
{
    AlgorithmBinding binding;
    binding.name = "nv";
    binding.build = [](const ReplaySettings& settings, RandomSource& random) {
        // The source belongs to the driver, which outlives the algorithm.
        const std::shared_ptr<RandomSource> draws(std::shared_ptr<RandomSource>(), &random);
        const auto nv = std::make_shared<NvWindow>(ReadNvParameters(settings), draws);
        ReplaySubject subject;
        subject.algorithm = nv;
        const NvState& state = nv->GetState();
        subject.columns = {
            {"nv_min_rtt_reset_jiffies", [&state](const ReplayRow&) { return state.resetTime; }},
            {"cwnd_growth_factor", [&state](const ReplayRow&) { return state.growthFactor; }},
            {"nv_allow_cwnd_growth", [&state](const ReplayRow&) { return state.allowGrowth; }},
            {"nv_reset", [&state](const ReplayRow&) { return state.resetPending; }},
            {"nv_catchup", [&state](const ReplayRow&) { return state.catchUp; }},
            {"nv_eval_call_cnt", [&state](const ReplayRow&) { return state.evalCalls; }},
            {"nv_min_cwnd", [&state](const ReplayRow&) { return state.flowMinimumWindow; }},
            {"nv_rtt_cnt", [&state](const ReplayRow&) { return state.rttCount; }},
            {"nv_last_rtt", [&state](const ReplayRow&) { return state.lastRttUs; }},
            {"nv_min_rtt", [&state](const ReplayRow&) { return state.minRttUs; }},
            {"nv_min_rtt_new", [&state](const ReplayRow&) { return state.newMinRttUs; }},
            {"nv_base_rtt", [&state](const ReplayRow&) { return state.baseRttUs; }},
            {"nv_lower_bound_rtt", [&state](const ReplayRow&) { return state.lowerRttUs; }},
            {"nv_rtt_max_rate", [&state](const ReplayRow&) { return state.maxRate; }},
            {"nv_rtt_start_seq",
             [&state](const ReplayRow& row) { return row.ToPackets(state.rttStartSequence); }},
            {"nv_last_snd_una",
             [&state](const ReplayRow& row) { return row.ToPackets(state.lastUna); }},
            {"nv_no_cong_cnt", [&state](const ReplayRow&) { return state.noCongestionCount; }},
        };
        return subject;
    };
    return binding;
}

} // namespace linuxtcp
} // namespace ns3
