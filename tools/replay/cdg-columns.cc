/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cdg-window.h"
#include "replay-binding.h"
#include "replay-error.h"

namespace ns3
{
namespace linuxtcp
{

namespace
{

/**
 * @param settings parameters by their Linux names
 * @return the parameters
 */
CdgParameters
ReadCdgParameters(const ReplaySettings& settings)
{
    CdgParameters p;
    p.window = settings.Number("window", p.window, 1, 256);
    p.backoffBeta = settings.Number("backoff_beta", p.backoffBeta, 0, 1024);
    p.backoffFactor = settings.Number("backoff_factor", p.backoffFactor);
    p.hystartDetect =
        static_cast<uint8_t>(settings.Number("hystart_detect", p.hystartDetect, 0, 3));
    p.ineffectualLimit = settings.Number("use_ineff", p.ineffectualLimit, 0, 65534);
    p.shadowWindow = settings.Switch("use_shadow", p.shadowWindow);
    p.lossTolerance = settings.Switch("use_tolerance", p.lossTolerance);
    settings.Hz(); // known, although CDG's clock is in microseconds
    try
    {
        p.Validate();
    }
    catch (const std::invalid_argument& error)
    {
        throw ReplayError(error.what());
    }
    return p;
}

} // namespace

AlgorithmBinding
GetCdgBinding()
{
    AlgorithmBinding binding;
    binding.name = "cdg";
    binding.build = [](const ReplaySettings& settings, RandomSource& random) {
        // The source belongs to the driver, which outlives the algorithm.
        const std::shared_ptr<RandomSource> draws(std::shared_ptr<RandomSource>(), &random);
        const auto cdg = std::make_shared<CdgWindow>(ReadCdgParameters(settings), draws);
        ReplaySubject subject;
        subject.algorithm = cdg;
        const CdgState& state = cdg->GetState();
        subject.trainDetections = [&state] { return state.hystart.trainDetect; };
        subject.delayDetections = [&state] { return state.hystart.delayDetect; };
        subject.columns = {
            {"rtt_min", [&state](const ReplayRow&) { return state.rtt.min; }},
            {"rtt_max", [&state](const ReplayRow&) { return state.rtt.max; }},
            {"rtt_prev_min", [&state](const ReplayRow&) { return state.previous.min; }},
            {"rtt_prev_max", [&state](const ReplayRow&) { return state.previous.max; }},
            {"gsum_min", [&state](const ReplayRow&) { return state.gradientSum.min; }},
            {"gsum_max", [&state](const ReplayRow&) { return state.gradientSum.max; }},
            {"gfilled", [&state](const ReplayRow&) { return state.gradientsFilled; }},
            {"tail", [&state](const ReplayRow&) { return state.tail; }},
            {"state", [&state](const ReplayRow&) { return static_cast<int64_t>(state.queue); }},
            {"delack", [&state](const ReplayRow&) { return state.delayedAckScore; }},
            {"rtt_seq",
             [&state](const ReplayRow& row) { return row.ToPackets(state.rttSequence); }},
            {"shadow_wnd", [&state](const ReplayRow&) { return state.shadowWindow; }},
            {"backoff_cnt", [&state](const ReplayRow&) { return state.backoffCount; }},
            {"sample_cnt", [&state](const ReplayRow&) { return state.sampleCount; }},
            {"delay_min", [&state](const ReplayRow&) { return state.delayMinUs; }},
            {"last_ack", [&state](const ReplayRow&) { return state.lastAckUs; }},
            {"round_start", [&state](const ReplayRow&) { return state.roundStartUs; }},
        };
        return subject;
    };
    binding.tables = [](const ReplaySettings& settings) -> std::vector<ReplayTable> {
        const uint32_t factor = ReadCdgParameters(settings).backoffFactor;
        return {
            {"table_nexp_u32",
             "ux",
             "nexp_u32",
             [](uint64_t x) { return CdgWindow::NegativeExponential(static_cast<uint32_t>(x)); }},
            {"table_backoff_threshold_of_grad",
             "grad_us_sum",
             "backoff_if_rand_gt",
             [factor](uint64_t gradient) {
                 return CdgWindow::NegativeExponential(static_cast<uint32_t>(gradient * factor));
             }},
        };
    };
    binding.constants = [](const ReplaySettings& settings) -> std::map<std::string, uint64_t> {
        const CdgParameters p = ReadCdgParameters(settings);
        return {{"HZ", settings.Hz()},
                {"window", p.window},
                {"backoff_beta", p.backoffBeta},
                {"backoff_factor", p.backoffFactor},
                {"use_ineff", p.ineffectualLimit}};
    };
    return binding;
}

} // namespace linuxtcp
} // namespace ns3
