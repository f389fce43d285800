/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cubic-root.h"
#include "cubic-window.h"
#include "replay-binding.h"

namespace ns3
{
namespace linuxtcp
{

namespace
{

/**
 * @param settings parameters by their Linux names, and "profile" for a kernel
 * @return the parameters
 * @throws std::invalid_argument if there is no such profile
 */
CubicParameters
ReadCubicParameters(const ReplaySettings& settings)
{
    const std::string profile = settings.Text("profile", "");
    CubicParameters p = profile.empty() ? CubicParameters() : MakeCubicParameters(profile);
    p.hz = settings.Hz();
    p.fastConvergence = settings.Switch("fast_convergence", p.fastConvergence);
    p.beta = settings.Number("beta", p.beta, 1, 1023);
    p.scale = settings.Number("bic_scale", p.scale, 1, 100000);
    p.renoFriendly = settings.Switch("tcp_friendliness", p.renoFriendly);
    p.initialSsThresh = settings.Number("initial_ssthresh", p.initialSsThresh);
    p.maxIncrement = settings.Number("max_increment", p.maxIncrement);
    p.maxSsThresh = settings.Number("max_ssthresh", p.maxSsThresh);
    p.slowStart = settings.Switch("hystart", p.slowStart == SlowStartVariant::HYSTART)
                      ? SlowStartVariant::HYSTART
                      : SlowStartVariant::STANDARD;
    const uint32_t detect = settings.Number("hystart_detect", 3, 0, 3);
    p.hystart.detectAckTrain = (detect & 1) != 0;
    p.hystart.detectDelay = (detect & 2) != 0;
    p.hystart.lowWindow = settings.Number("hystart_low_window", p.hystart.lowWindow);
    p.hystart.ackDeltaUs =
        1000 * settings.Number("hystart_ack_delta", p.hystart.ackDeltaUs / 1000, 0, 1000000);
    p.hystart.ackDeltaUs =
        settings.Number("hystart_ack_delta_us", p.hystart.ackDeltaUs, 0, 1000000000);
    uint32_t shift = 0;
    while ((p.hystart.delayDivisor >> shift) > 1)
    {
        ++shift;
    }
    p.hystart.delayDivisor = uint32_t{1} << settings.Number("hystart_delay_shift", shift, 0, 31);
    p.hystart.gsoMaxSize = settings.Number("gso_max_size", p.hystart.gsoMaxSize);
    return p;
}

} // namespace

AlgorithmBinding
GetCubicBinding()
{
    AlgorithmBinding binding;
    binding.name = "cubic";
    binding.build = [](const ReplaySettings& settings, RandomSource&) {
        const CubicParameters p = ReadCubicParameters(settings);
        const auto cubic = std::make_shared<CubicWindow>(p);
        ReplaySubject subject;
        subject.algorithm = cubic;
        subject.trainDetections = [cubic] { return cubic->GetHystart().GetCounters().trainDetect; };
        subject.delayDetections = [cubic] { return cubic->GetHystart().GetCounters().delayDetect; };
        const CubicState& state = cubic->GetState();
        const HystartState& hystart = cubic->GetHystart().GetState();
        subject.columns = {
            {"cnt", [&state](const ReplayRow&) { return state.divisor; }},
            {"last_max_cwnd", [&state](const ReplayRow&) { return state.lastMax; }},
            {"last_cwnd", [&state](const ReplayRow&) { return state.lastCwnd; }},
            {"last_time", [&state](const ReplayRow&) { return state.lastTime; }},
            {"bic_origin_point", [&state](const ReplayRow&) { return state.origin; }},
            {"bic_K", [&state](const ReplayRow&) { return state.k; }},
            {"delay_min", [&state](const ReplayRow&) { return state.delayMin; }},
            {"epoch_start", [&state](const ReplayRow&) { return state.epochStart; }},
            {"ack_cnt", [&state](const ReplayRow&) { return state.ackCount; }},
            {"tcp_cwnd", [&state](const ReplayRow&) { return state.renoCwnd; }},
            {"loss_cwnd", [&state](const ReplayRow&) { return state.lossCwnd; }},
            {"delayed_ack", [&state](const ReplayRow&) { return state.delayedAck; }},
            {"sample_cnt", [&hystart](const ReplayRow&) { return hystart.samples; }},
            {"found", [&hystart](const ReplayRow&) { return hystart.found != 0 ? 1 : 0; }},
            {"round_start", [&hystart](const ReplayRow&) { return hystart.roundStart; }},
            {"end_seq", [&hystart](const ReplayRow& row) { return row.ToPackets(hystart.endSeq); }},
            {"last_ack", [&hystart](const ReplayRow&) { return hystart.lastAck; }},
            {"curr_rtt", [&hystart](const ReplayRow&) { return hystart.roundMin; }},
            {"ack_delay_us",
             [p](const ReplayRow& row) {
                 return HystartDetector::AggregationAllowance(row.connection.pacingRate,
                                                              p.hystart.gsoMaxSize,
                                                              p.hystart.aggregationLimitUs);
             }},
        };
        return subject;
    };
    binding.tables = [](const ReplaySettings& settings) -> std::vector<ReplayTable> {
        const auto constants = CubicWindow::ComputeConstants(ReadCubicParameters(settings));
        return {
            {"table_cubic_root", "a", "cubic_root", [](uint64_t a) { return CubicRoot(a); }},
            {"table_K_of_wmax_cwnd",
             "wmax_minus_cwnd",
             "K_bictcpHZ",
             [constants](uint64_t distance) {
                 return CubicWindow::ComputeK(constants, static_cast<uint32_t>(distance));
             }},
        };
    };
    binding.constants = [](const ReplaySettings& settings) -> std::map<std::string, uint64_t> {
        const CubicParameters p = ReadCubicParameters(settings);
        const auto constants = CubicWindow::ComputeConstants(p);
        return {{"HZ", p.hz},
                {"beta_scale", constants.renoScale},
                {"cube_rtt_scale", constants.cubeScale},
                {"cube_factor", constants.cubeFactor}};
    };
    return binding;
}

} // namespace linuxtcp
} // namespace ns3
