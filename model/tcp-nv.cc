/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-nv.h"

#include "ns3-compat.h"
#include "stream-random-source.h"

#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("TcpNv");

NS_OBJECT_ENSURE_REGISTERED(TcpNv);

TypeId
TcpNv::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TcpNv")
            .SetParent<TcpLinuxCongestion>()
            .SetGroupName("LinuxTcp")
            .AddConstructor<TcpNv>()
            .AddAttribute("Profile",
                          "The Linux version whose NV this is: 4.8 as merged; 4.15 with the loss "
                          "factor 819/1024; 5.16 with in flight counted as delivered.",
                          EnumValue(LINUX_5_16),
                          linuxtcp::MakeEnumAttributeAccessor<Profile>(&TcpNv::m_profile),
                          MakeEnumChecker(LINUX_4_8, "4.8", LINUX_4_15, "4.15", LINUX_5_16, "5.16"))
            .AddAttribute("LossFactor",
                          "Part of the window kept at a loss (1/1024): 512 in 4.8, 819 later. "
                          "4294967295: as the profile says.",
                          UintegerValue(FROM_PROFILE),
                          MakeUintegerAccessor(&TcpNv::SetLossFactor, &TcpNv::GetLossFactor),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("InFlight",
                          "What counts as in flight with an acknowledged segment: the bytes in "
                          "flight when it was sent (to 5.15), or those delivered since (5.16).",
                          EnumValue(IN_FLIGHT_OF_PROFILE),
                          linuxtcp::MakeEnumAttributeAccessor<InFlight>(&TcpNv::m_inFlight),
                          MakeEnumChecker(IN_FLIGHT_OF_PROFILE,
                                          "Profile",
                                          IN_FLIGHT_WHEN_SENT,
                                          "WhenSent",
                                          IN_FLIGHT_DELIVERED_SINCE,
                                          "DeliveredSince"))
            .AddAttribute("Undo",
                          "The window after a reduction that was unfounded: that of the last loss "
                          "(to 4.13), or that before the reduction. The sockets of ns-3 never ask.",
                          EnumValue(UNDO_OF_PROFILE),
                          linuxtcp::MakeEnumAttributeAccessor<Undo>(&TcpNv::m_undo),
                          MakeEnumChecker(UNDO_OF_PROFILE,
                                          "Profile",
                                          UNDO_SAVED_WINDOW,
                                          "SavedWindow",
                                          UNDO_PRIOR_WINDOW,
                                          "PriorWindow"))
            .AddAttribute("Pad",
                          "Queue tolerated in the network (segments).",
                          UintegerValue(10),
                          MakeUintegerAccessor(&TcpNv::m_pad),
                          MakeUintegerChecker<uint32_t>(0, 65535))
            .AddAttribute("PadBuffer",
                          "Dead band below the largest window without congestion, in which "
                          "nothing happens (segments).",
                          UintegerValue(2),
                          MakeUintegerAccessor(&TcpNv::m_padBuffer),
                          MakeUintegerChecker<uint32_t>(0, 65535))
            .AddAttribute("MinimumWindow",
                          "Window below which the decrease for congestion does not go (segments).",
                          UintegerValue(2),
                          MakeUintegerAccessor(&TcpNv::m_minimumWindow),
                          MakeUintegerChecker<uint32_t>(2, 65535))
            .AddAttribute("CongestionDecrease",
                          "Part of the excess over the largest window without congestion that is "
                          "taken away at once (1/128).",
                          UintegerValue(38),
                          MakeUintegerAccessor(&TcpNv::m_congestionDecrease),
                          MakeUintegerChecker<uint32_t>(0, 128))
            .AddAttribute("SlowStartThresholdFactor",
                          "Slow start threshold after congestion, over the largest window without "
                          "congestion (1/8).",
                          UintegerValue(8),
                          MakeUintegerAccessor(&TcpNv::m_ssThreshFactor),
                          MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute("RttFactor",
                          "Weight of a new RTT in the average (1/256); 0 for no average.",
                          UintegerValue(128),
                          MakeUintegerAccessor(&TcpNv::m_rttFactor),
                          MakeUintegerChecker<uint32_t>(0, 256))
            .AddAttribute("SlowGrowthDecisions",
                          "Verdicts without congestion that must be exceeded for a step back "
                          "towards the growth of Reno after timeouts; 0 for never slower than "
                          "Reno.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&TcpNv::m_slowGrowthDecisions),
                          MakeUintegerChecker<uint32_t>(0, 255))
            .AddAttribute("FastGrowthDecisions",
                          "Verdicts without congestion that must be exceeded for a step beyond "
                          "the growth of Reno; 0 for never.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TcpNv::m_fastGrowthDecisions),
                          MakeUintegerChecker<uint32_t>(0, 255))
            .AddAttribute("DecreaseSamples",
                          "Samples needed to decrease the window in congestion avoidance.",
                          UintegerValue(60),
                          MakeUintegerAccessor(&TcpNv::m_decreaseSamples),
                          MakeUintegerChecker<uint32_t>(1, 255))
            .AddAttribute("IncreaseSamples",
                          "Samples needed to permit growth.",
                          UintegerValue(20),
                          MakeUintegerAccessor(&TcpNv::m_increaseSamples),
                          MakeUintegerChecker<uint32_t>(1, 255))
            .AddAttribute("SlowStartSamples",
                          "Samples needed to decrease the window in the initial slow start.",
                          UintegerValue(30),
                          MakeUintegerAccessor(&TcpNv::m_slowStartSamples),
                          MakeUintegerChecker<uint32_t>(1, 255))
            .AddAttribute("StopRounds",
                          "Round trips after which growth stops if there is congestion but too "
                          "few samples.",
                          UintegerValue(10),
                          MakeUintegerAccessor(&TcpNv::m_stopRounds),
                          MakeUintegerChecker<uint32_t>(0, 254))
            .AddAttribute("DecreaseRounds",
                          "Round trips since the last verdict that are needed to decrease the "
                          "window.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&TcpNv::m_decreaseRounds),
                          MakeUintegerChecker<uint32_t>(0, 255))
            .AddAttribute("ResetPeriod",
                          "Nominal period after which the minimum RTT is replaced by that of the "
                          "period; the first comes after 2 s, each other after 0.75 to 1.25 of it.",
                          TimeValue(Seconds(5)),
                          MakeTimeAccessor(&TcpNv::m_resetPeriod),
                          MakeTimeChecker(MilliSeconds(1), Hours(1)))
            .AddAttribute(
                "BaseRtt",
                "Known RTT of the empty path, which bounds the minimum RTT to 80 to 100 % "
                "of it (from 4.15 on, by a BPF program there); 0 for none.",
                TimeValue(Time(0)),
                MakeTimeAccessor(&TcpNv::m_baseRtt),
                MakeTimeChecker(Time(0), Minutes(30)))
            .AddTraceSource("Evaluation",
                            "What was found and done at the end of each round trip.",
                            MakeTraceSourceAccessor(&TcpNv::m_evaluationTrace),
                            "ns3::TcpNv::EvaluationTracedCallback")
            .AddTraceSource("MinRtt",
                            "The minimum RTT in use, 0 if unknown.",
                            MakeTraceSourceAccessor(&TcpNv::m_minRtt),
                            "ns3::TracedValueCallback::Time")
            .AddTraceSource("Rate",
                            "Best rate since the last verdict.",
                            MakeTraceSourceAccessor(&TcpNv::m_rate),
                            "ns3::TracedValueCallback::DataRate")
            .AddTraceSource("MaxWindow",
                            "Largest window without congestion, as last computed (segments).",
                            MakeTraceSourceAccessor(&TcpNv::m_maxWindow),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("GrowthAllowed",
                            "Whether the window may grow.",
                            MakeTraceSourceAccessor(&TcpNv::m_growthAllowed),
                            "ns3::TracedValueCallback::Bool")
            .AddTraceSource("GrowthFactor",
                            "Binary logarithm of the growth over that of Reno, -8 or more.",
                            MakeTraceSourceAccessor(&TcpNv::m_growthFactor),
                            "ns3::TracedValueCallback::Int8");
    return tid;
}

TcpNv::TcpNv()
    : m_seeds(CreateObject<UniformRandomVariable>())
{
}

std::string
TcpNv::GetName() const
{
    return "TcpNv";
}

Ptr<TcpCongestionOps>
TcpNv::Fork()
{
    return CopyObject<TcpNv>(this);
}

int64_t
TcpNv::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_seeds->SetStream(stream);
    return 1;
}

bool
TcpNv::SetLossFactor(uint32_t factor)
{
    if (factor > 1024 && factor != FROM_PROFILE)
    {
        NS_LOG_ERROR("LossFactor is " << factor << ", but must be between 0 and 1024");
        return false;
    }
    m_lossFactor = factor;
    return true;
}

uint32_t
TcpNv::GetLossFactor() const
{
    return m_lossFactor;
}

linuxtcp::NvParameters
TcpNv::GetParameters() const
{
    const char* profile =
        m_profile == LINUX_4_8 ? "4.8" : (m_profile == LINUX_4_15 ? "4.15" : "5.16");
    linuxtcp::NvParameters parameters = linuxtcp::NvParameters::FromProfile(profile);
    if (m_lossFactor != FROM_PROFILE)
    {
        parameters.lossFactor = m_lossFactor;
    }
    if (m_inFlight != IN_FLIGHT_OF_PROFILE)
    {
        parameters.inFlightDefinition = m_inFlight == IN_FLIGHT_WHEN_SENT
                                            ? linuxtcp::NvInFlight::WHEN_SENT
                                            : linuxtcp::NvInFlight::DELIVERED_SINCE;
    }
    if (m_undo != UNDO_OF_PROFILE)
    {
        parameters.undo = m_undo == UNDO_SAVED_WINDOW ? linuxtcp::NvUndo::SAVED_WINDOW
                                                      : linuxtcp::NvUndo::PRIOR_WINDOW;
    }
    parameters.pad = m_pad;
    parameters.padBuffer = m_padBuffer;
    parameters.minimumWindow = m_minimumWindow;
    parameters.congestionDecrease = m_congestionDecrease;
    parameters.ssThreshFactor = m_ssThreshFactor;
    parameters.rttFactor = m_rttFactor;
    parameters.slowGrowthDecisions = m_slowGrowthDecisions;
    parameters.fastGrowthDecisions = m_fastGrowthDecisions;
    parameters.decreaseSamples = m_decreaseSamples;
    parameters.increaseSamples = m_increaseSamples;
    parameters.slowStartSamples = m_slowStartSamples;
    parameters.stopRounds = m_stopRounds;
    parameters.decreaseRounds = m_decreaseRounds;
    parameters.resetPeriodUs = static_cast<uint64_t>(m_resetPeriod.GetMicroSeconds());
    parameters.baseRttUs = static_cast<uint32_t>(m_baseRtt.GetMicroSeconds());
    parameters.hz = GetTicksPerSecond();
    return parameters;
}

std::unique_ptr<linuxtcp::CongestionControl>
TcpNv::MakeAlgorithm() const
{
    return std::make_unique<linuxtcp::NvWindow>(GetParameters(), MakeRandomSource(m_seeds));
}

TcpLinuxCongestion::InFlightDefinition
TcpNv::GetInFlightDefinition() const
{
    const bool whenSent = m_inFlight == IN_FLIGHT_OF_PROFILE ? m_profile != LINUX_5_16
                                                             : m_inFlight == IN_FLIGHT_WHEN_SENT;
    return whenSent ? AS_SENT : DELIVERED_SINCE;
}

void
TcpNv::AlgorithmCalled()
{
    const auto* nv = static_cast<const linuxtcp::NvWindow*>(GetAlgorithm());
    const linuxtcp::NvState& state = nv->GetState();
    const bool known = state.minRttUs != linuxtcp::NvState::INFINITE_RTT;
    m_minRtt = known ? MicroSeconds(state.minRttUs) : Time(0);
    m_rate = DataRate(uint64_t{state.maxRate} * 100);
    m_growthAllowed = state.allowGrowth;
    m_growthFactor = state.growthFactor;
    if (state.evaluations > m_evaluations)
    {
        m_maxWindow = state.lastEvaluation.maxWindow;
        m_evaluationTrace(state.lastEvaluation);
    }
    m_evaluations = state.evaluations;
}

} // namespace ns3
