/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-linux-htcp.h"

#include "ns3-compat.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/log.h"

#include <cmath>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("TcpLinuxHtcp");

NS_OBJECT_ENSURE_REGISTERED(TcpLinuxHtcp);

TypeId
TcpLinuxHtcp::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TcpLinuxHtcp")
            .SetParent<TcpLinuxCongestion>()
            .SetGroupName("LinuxTcp")
            .AddConstructor<TcpLinuxHtcp>()
            .AddAttribute(
                "Variant",
                "Which H-TCP: that of Linux 6.1 in fixed point, or the published one in real "
                "arithmetic.",
                EnumValue(LINUX_FIXED_POINT),
                linuxtcp::MakeEnumAttributeAccessor<Variant>(&TcpLinuxHtcp::m_variant),
                MakeEnumChecker(LINUX_FIXED_POINT, "Linux", PUBLISHED, "Published"))
            .AddAttribute("RttScaling",
                          "Whether the increase is scaled by the ratio of the minimum RTT and "
                          "100 ms, for fairness between flows of different RTT.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TcpLinuxHtcp::m_rttScaling),
                          MakeBooleanChecker())
            .AddAttribute("BandwidthSwitch",
                          "Whether a throughput that differs by more than 20 % from that of the "
                          "previous congestion event halves the window.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TcpLinuxHtcp::m_bandwidthSwitch),
                          MakeBooleanChecker())
            .AddAttribute("AdaptiveBackoff",
                          "Whether the part of the window kept at a congestion event follows the "
                          "ratio of minimum and maximum RTT; otherwise it is 0.5.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TcpLinuxHtcp::m_adaptiveBackoff),
                          MakeBooleanChecker())
            .AddAttribute("SlowStartPerAck",
                          "Whether the window grows by one segment per acknowledgement in slow "
                          "start, as in Linux to 3.12; otherwise by what it acknowledges.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TcpLinuxHtcp::m_slowStartPerAck),
                          MakeBooleanChecker())
            .AddTraceSource("Alpha",
                            "Increase of the window (segments per RTT).",
                            MakeTraceSourceAccessor(&TcpLinuxHtcp::m_alpha),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("Beta",
                            "Part of the window kept at the last congestion event.",
                            MakeTraceSourceAccessor(&TcpLinuxHtcp::m_beta),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("Delta",
                            "Time since the last congestion event.",
                            MakeTraceSourceAccessor(&TcpLinuxHtcp::m_delta),
                            "ns3::TracedValueCallback::Time")
            .AddTraceSource("MinRtt",
                            "Smallest RTT of the connection, 0 if unknown.",
                            MakeTraceSourceAccessor(&TcpLinuxHtcp::m_minRtt),
                            "ns3::TracedValueCallback::Time")
            .AddTraceSource("MaxRtt",
                            "Largest RTT that is remembered, 0 if unknown.",
                            MakeTraceSourceAccessor(&TcpLinuxHtcp::m_maxRtt),
                            "ns3::TracedValueCallback::Time")
            .AddTraceSource("Throughput",
                            "Throughput that the next bandwidth test will use.",
                            MakeTraceSourceAccessor(&TcpLinuxHtcp::m_throughput),
                            "ns3::TracedValueCallback::DataRate");
    return tid;
}

std::string
TcpLinuxHtcp::GetName() const
{
    return "TcpLinuxHtcp";
}

Ptr<TcpCongestionOps>
TcpLinuxHtcp::Fork()
{
    return CopyObject<TcpLinuxHtcp>(this);
}

std::unique_ptr<linuxtcp::CongestionControl>
TcpLinuxHtcp::MakeAlgorithm() const
{
    linuxtcp::HtcpParameters parameters;
    parameters.variant = m_variant == PUBLISHED ? linuxtcp::HtcpVariant::PUBLISHED
                                                : linuxtcp::HtcpVariant::LINUX_FIXED_POINT;
    parameters.rttScaling = m_rttScaling;
    parameters.bandwidthSwitch = m_bandwidthSwitch;
    parameters.adaptiveBackoff = m_adaptiveBackoff;
    parameters.slowStartPerAck = m_slowStartPerAck;
    parameters.hz = GetTicksPerSecond();
    return linuxtcp::MakeHtcp(parameters);
}

void
TcpLinuxHtcp::AlgorithmCalled()
{
    const auto* htcp = static_cast<const linuxtcp::HtcpControl*>(GetAlgorithm());
    const linuxtcp::HtcpSummary summary = htcp->Summarize(GetConnection());
    m_alpha = summary.alpha;
    m_beta = summary.beta;
    m_delta = MicroSeconds(summary.deltaUs);
    m_minRtt = MicroSeconds(summary.minRttUs);
    m_maxRtt = MicroSeconds(summary.maxRttUs);
    const double bitRate = summary.throughput * GetConnection().mss * 8;
    m_throughput = DataRate(static_cast<uint64_t>(std::llround(bitRate)));
}

} // namespace ns3
