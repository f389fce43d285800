/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "htcp-window.h"
#include "replay-binding.h"

namespace ns3
{
namespace linuxtcp
{

AlgorithmBinding
GetHtcpBinding()
{
    AlgorithmBinding binding;
    binding.name = "htcp";
    binding.build = [](const ReplaySettings& settings, RandomSource&) {
        HtcpParameters p;
        p.hz = settings.Hz();
        p.rttScaling = settings.Switch("use_rtt_scaling", p.rttScaling);
        p.bandwidthSwitch = settings.Switch("use_bandwidth_switch", p.bandwidthSwitch);
        const auto htcp = std::make_shared<HtcpWindow>(p);
        ReplaySubject subject;
        subject.algorithm = htcp;
        const HtcpState& state = htcp->GetState();
        subject.columns = {
            {"alpha", [&state](const ReplayRow&) { return state.alpha; }},
            {"beta", [&state](const ReplayRow&) { return state.beta; }},
            {"modeswitch", [&state](const ReplayRow&) { return state.modeSwitch; }},
            {"pkts_acked", [&state](const ReplayRow&) { return state.packetsAcked; }},
            {"packetcount", [&state](const ReplayRow&) { return state.packetCount; }},
            {"minRTT", [&state](const ReplayRow&) { return state.minRtt; }},
            {"maxRTT", [&state](const ReplayRow&) { return state.maxRtt; }},
            {"last_cong", [&state](const ReplayRow&) { return state.lastCongestion; }},
            {"undo_last_cong", [&state](const ReplayRow&) { return state.undoLastCongestion; }},
            {"undo_maxRTT", [&state](const ReplayRow&) { return state.undoMaxRtt; }},
            {"undo_old_maxB", [&state](const ReplayRow&) { return state.undoOldMaxThroughput; }},
            {"minB", [&state](const ReplayRow&) { return state.minThroughput; }},
            {"maxB", [&state](const ReplayRow&) { return state.maxThroughput; }},
            {"old_maxB", [&state](const ReplayRow&) { return state.oldMaxThroughput; }},
            {"Bi", [&state](const ReplayRow&) { return state.throughput; }},
            {"lasttime", [&state](const ReplayRow&) { return state.lastTime; }},
        };
        return subject;
    };
    return binding;
}

} // namespace linuxtcp
} // namespace ns3
