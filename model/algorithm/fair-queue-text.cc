/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fair-queue-text.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace ns3
{
namespace linuxtcp
{

namespace
{

/**
 * @brief Time until the first waiting flow may go, with the slack of the timer.
 * @param parameters the parameters
 * @param statistics the counters
 * @param now the clock (ns)
 * @return the time (ns), 0 or less if there is none
 */
int64_t
GetNextDelay(const FairQueueParameters& parameters,
             const FairQueueStatistics& statistics,
             int64_t now)
{
    return statistics.nextDelayed == NEVER ? 0
                                           : statistics.nextDelayed - now + parameters.timerSlack;
}

/**
 * @brief Join the elements of an array.
 * @tparam Array type of the array
 * @param array the array
 * @param separator what stands between two elements
 * @return the text
 */
template <typename Array>
std::string
Join(const Array& array, const char* separator)
{
    std::string text;
    for (auto element : array)
    {
        text += (text.empty() ? "" : separator) + std::to_string(element);
    }
    return text;
}

/**
 * @brief A number, or null if it stands for no limit.
 * @tparam T type of the number
 * @param value the number
 * @param unlimited the value that stands for no limit
 * @return the text
 */
template <typename T>
std::string
NumberOrNull(T value, T unlimited)
{
    return value == unlimited ? "null" : std::to_string(value);
}

} // namespace

std::string
GetModelName(FairQueueModel model)
{
    switch (model)
    {
    case FairQueueModel::LINUX_3_12:
        return "3.12";
    case FairQueueModel::LINUX_3_13:
        return "3.13";
    case FairQueueModel::LINUX_4_0:
        return "4.0";
    case FairQueueModel::LINUX_4_9:
        return "4.9";
    case FairQueueModel::LINUX_6_1:
        return "6.1";
    case FairQueueModel::LINUX_6_7:
        return "6.7";
    case FairQueueModel::LINUX_6_13:
        return "6.13";
    }
    return "unknown";
}

std::string
FormatTcRate(uint64_t bytesPerSecond)
{
    static const char* const units[] = {"", "K", "M", "G", "T", "P", "E"};
    uint64_t rate = std::min(bytesPerSecond, UINT64_MAX / 8) * 8;
    std::size_t unit = 0;
    while (unit + 1 < sizeof(units) / sizeof(units[0]) && rate >= 1000 &&
           (rate % 1000 == 0 || rate >= 1000000))
    {
        rate /= 1000;
        unit++;
    }
    return std::to_string(rate) + units[unit] + "bit";
}

std::string
FormatTcTime(int64_t ns)
{
    static const struct
    {
        int64_t length;   // ns
        const char* name; // as tc writes it
    } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}};

    for (const auto& unit : units)
    {
        if (ns >= unit.length)
        {
            const double value = static_cast<double>(ns) / static_cast<double>(unit.length);
            char text[40];
            std::snprintf(text,
                          sizeof(text),
                          value < 999.5 ? "%.3g%s" : "%.0f%s",
                          value,
                          unit.name);
            return text;
        }
    }
    return std::to_string(ns) + "ns";
}

std::string
FormatTcOptions(const FairQueueParameters& p)
{
    const auto since = [&p](FairQueueModel model) { return p.model >= model; };
    std::ostringstream text;
    text << "limit " << p.limit << "p flow_limit " << p.flowLimit << "p buckets " << p.buckets;
    if (since(FairQueueModel::LINUX_4_0))
    {
        text << " orphan_mask " << p.orphanMask;
    }
    if (!p.pacing)
    {
        text << " nopacing";
    }
    if (since(FairQueueModel::LINUX_6_7))
    {
        text << " bands " << FAIR_QUEUE_BANDS << " priomap " << Join(p.priomap, " ") << " weights "
             << Join(p.weights, " ");
    }
    text << " quantum " << p.quantum << "b initial_quantum " << p.initialQuantum << "b";
    if (p.maxRate != UNLIMITED_RATE)
    {
        text << " maxrate " << FormatTcRate(p.maxRate);
    }
    if (p.defaultRate != 0)
    {
        text << " defrate " << FormatTcRate(p.defaultRate);
    }
    if (since(FairQueueModel::LINUX_4_9))
    {
        text << " low_rate_threshold " << FormatTcRate(p.lowRateThreshold);
    }
    if (since(FairQueueModel::LINUX_3_13))
    {
        text << " refill_delay " << FormatTcTime(p.refillDelay);
    }
    if (since(FairQueueModel::LINUX_6_1))
    {
        if (p.ceThreshold != NEVER)
        {
            text << " ce_threshold " << FormatTcTime(p.ceThreshold);
        }
        text << " timer_slack " << FormatTcTime(p.timerSlack) << " horizon "
             << FormatTcTime(p.horizon) << (p.horizonDrop ? " horizon_drop" : " horizon_cap");
    }
    if (since(FairQueueModel::LINUX_6_13))
    {
        text << " offload_horizon " << FormatTcTime(p.offloadHorizon);
    }
    return text.str();
}

std::string
FormatTcStatistics(const FairQueueParameters& parameters,
                   const FairQueueStatistics& s,
                   const FairQueueTextContext& context)
{
    const int64_t nextDelay = GetNextDelay(parameters, s, context.now);
    std::ostringstream text;
    text << "qdisc fq " << context.handle << " root refcnt " << context.references << " "
         << FormatTcOptions(parameters) << "\n"
         << " Sent " << s.sentBytes << " bytes " << s.sentPackets << " pkt (dropped "
         << s.droppedPackets << ", overlimits 0 requeues " << context.requeues << ")\n"
         << " backlog " << s.bytes << "b " << s.packets << "p requeues " << context.requeues
         << "\n";
    if (parameters.model <= FairQueueModel::LINUX_3_13)
    {
        text << "  " << s.flows << " flows (" << s.inactiveFlows << " inactive, "
             << s.throttledFlows << " throttled)";
        if (nextDelay > 0)
        {
            text << ", next packet delay " << nextDelay << " ns";
        }
        text << "\n  " << s.collectedFlows << " gc, " << s.controlPackets << " highprio, "
             << s.retransmissions << " retrans, " << s.throttled << " throttled, "
             << s.flowLimitDrops << " flows_plimit\n";
        if (s.tooLongDelays != 0 || s.allocationErrors != 0)
        {
            text << "  " << s.tooLongDelays << " too long pkts, " << s.allocationErrors
                 << " alloc errors\n";
        }
        return text.str();
    }

    text << "  flows " << s.flows << " (inactive " << s.inactiveFlows << " throttled "
         << s.throttledFlows << ")";
    if (parameters.model >= FairQueueModel::LINUX_6_7)
    {
        for (uint32_t band = 0; band < FAIR_QUEUE_BANDS; band++)
        {
            text << " band" << band << "_pkts " << s.bandPackets[band];
        }
    }
    if (nextDelay > 0)
    {
        text << " next_packet_delay " << FormatTcTime(nextDelay);
    }
    text << "\n  gc " << s.collectedFlows << " highprio " << s.controlPackets;
    const auto optional = [](std::ostream& os, const std::string& name, uint64_t value) {
        if (value != 0)
        {
            os << " " << name << " " << value;
        }
    };
    optional(text, "fastpath", s.fastPathPackets);
    optional(text, "retrans", s.retransmissions);
    text << " throttled " << s.throttled;
    if (s.latencyNs != 0)
    {
        text << " latency " << FormatTcTime(static_cast<int64_t>(s.latencyNs));
    }
    optional(text, "ce_mark", s.ceMarks);
    optional(text, "flows_plimit", s.flowLimitDrops);
    text << "\n";

    std::ostringstream rare;
    optional(rare, "pkts_too_long", s.tooLongDelays);
    optional(rare, "alloc_errors", s.allocationErrors);
    optional(rare, "horizon_drops", s.horizonDrops);
    optional(rare, "horizon_caps", s.horizonCaps);
    for (uint32_t band = 0; band < FAIR_QUEUE_BANDS; band++)
    {
        optional(rare, "band" + std::to_string(band) + "_drops", s.bandDrops[band]);
    }
    if (!rare.str().empty())
    {
        text << " " << rare.str() << "\n";
    }
    return text.str();
}

std::string
FormatJson(const FairQueueParameters& p,
           const FairQueueStatistics& s,
           const FairQueueTextContext& context)
{
    std::ostringstream text;
    text << "{\"kind\": \"fq\", \"handle\": \"" << context.handle
         << "\", \"root\": true, \"refcnt\": " << context.references << ", \"model\": \""
         << GetModelName(p.model) << "\", \"options\": {\"limit\": " << p.limit
         << ", \"flow_limit\": " << p.flowLimit << ", \"buckets\": " << p.buckets
         << ", \"orphan_mask\": " << p.orphanMask
         << ", \"pacing\": " << (p.pacing ? "true" : "false") << ", \"bands\": " << FAIR_QUEUE_BANDS
         << ", \"priomap\": [" << Join(p.priomap, ", ") << "], \"weights\": ["
         << Join(p.weights, ", ") << "], \"quantum\": " << p.quantum
         << ", \"initial_quantum\": " << p.initialQuantum
         << ", \"maxrate\": " << NumberOrNull(p.maxRate, UNLIMITED_RATE)
         << ", \"defrate\": " << p.defaultRate << ", \"low_rate_threshold\": " << p.lowRateThreshold
         << ", \"refill_delay\": " << p.refillDelay
         << ", \"ce_threshold\": " << NumberOrNull(p.ceThreshold, NEVER)
         << ", \"timer_slack\": " << p.timerSlack << ", \"horizon\": " << p.horizon
         << ", \"horizon_drop\": " << (p.horizonDrop ? "true" : "false")
         << ", \"offload_horizon\": " << p.offloadHorizon << "}, \"bytes\": " << s.sentBytes
         << ", \"packets\": " << s.sentPackets << ", \"drops\": " << s.droppedPackets
         << ", \"overlimits\": 0, \"requeues\": " << context.requeues
         << ", \"backlog\": " << s.bytes << ", \"qlen\": " << s.packets
         << ", \"flows\": " << s.flows << ", \"inactive\": " << s.inactiveFlows
         << ", \"throttled_flows\": " << s.throttledFlows << ", \"band_pkts\": ["
         << Join(s.bandPackets, ", ") << "], \"next_packet_delay\": "
         << (s.nextDelayed == NEVER ? std::string("null")
                                    : std::to_string(GetNextDelay(p, s, context.now)))
         << ", \"gc\": " << s.collectedFlows << ", \"highprio\": " << s.controlPackets
         << ", \"fastpath\": " << s.fastPathPackets << ", \"retrans\": " << s.retransmissions
         << ", \"throttled\": " << s.throttled << ", \"latency\": " << s.latencyNs
         << ", \"ce_mark\": " << s.ceMarks << ", \"flows_plimit\": " << s.flowLimitDrops
         << ", \"pkts_too_long\": " << s.tooLongDelays
         << ", \"alloc_errors\": " << s.allocationErrors
         << ", \"horizon_drops\": " << s.horizonDrops << ", \"horizon_caps\": " << s.horizonCaps
         << ", \"band_drops\": [" << Join(s.bandDrops, ", ")
         << "], \"limit_drops\": " << s.limitDrops << ", \"trim_drops\": " << s.trimDrops
         << ", \"reset_drops\": " << s.resetDrops << "}";
    return text.str();
}

} // namespace linuxtcp
} // namespace ns3
