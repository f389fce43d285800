/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-cdg.h"

#include "ns3-compat.h"
#include "stream-random-source.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("TcpCdg");

NS_OBJECT_ENSURE_REGISTERED(TcpCdg);

TypeId
TcpCdg::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TcpCdg")
            .SetParent<TcpLinuxCongestion>()
            .SetGroupName("LinuxTcp")
            .AddConstructor<TcpCdg>()
            .AddAttribute(
                "GradientWindow",
                "Length of the moving window of gradients (round trips), a power of two "
                "from 1 to 256. BackoffFactor should change in inverse proportion.",
                UintegerValue(8),
                MakeUintegerAccessor(&TcpCdg::SetGradientWindow, &TcpCdg::GetGradientWindow),
                MakeUintegerChecker<uint32_t>(1, 256))
            .AddAttribute("BackoffBeta",
                          "Part of the window kept by a delay back-off (1/1024).",
                          UintegerValue(724),
                          MakeUintegerAccessor(&TcpCdg::m_backoffBeta),
                          MakeUintegerChecker<uint32_t>(0, 1024))
            .AddAttribute("BackoffFactor",
                          "Slope of the back-off exponent (1e-6 per us of the gradient's sum). The "
                          "default is a scale of 3 ms per round trip with a window of 8.",
                          UintegerValue(42),
                          MakeUintegerAccessor(&TcpCdg::m_backoffFactor),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("SlowStartDetectors",
                          "What may end slow start before a loss: the length of the ACK train, the "
                          "rise of the RTT, both or none.",
                          EnumValue(DETECT_BOTH),
                          linuxtcp::MakeEnumAttributeAccessor<SlowStartDetectors>(
                              &TcpCdg::m_slowStartDetectors),
                          MakeEnumChecker(DETECT_NONE,
                                          "None",
                                          DETECT_ACK_TRAIN,
                                          "AckTrain",
                                          DETECT_DELAY,
                                          "Delay",
                                          DETECT_BOTH,
                                          "Both"))
            .AddAttribute(
                "IneffectualLimit",
                "Consecutive back-offs without effect on the gradient after which further "
                "ones are suppressed; 0 for no limit.",
                UintegerValue(5),
                MakeUintegerAccessor(&TcpCdg::m_ineffectualLimit),
                MakeUintegerChecker<uint32_t>(0, 65534))
            .AddAttribute("ShadowWindow",
                          "Whether a loss gives back window that delay back-offs have cost.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TcpCdg::m_shadowWindow),
                          MakeBooleanChecker())
            .AddAttribute("LossTolerance",
                          "Whether a loss costs nothing while the queue is judged not full.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TcpCdg::m_lossTolerance),
                          MakeBooleanChecker())
            .AddTraceSource(
                "Gradient",
                "Change of the RTT per round trip, summed over the window of gradients.",
                MakeTraceSourceAccessor(&TcpCdg::m_gradientTrace),
                "ns3::TcpCdg::GradientTracedCallback")
            .AddTraceSource("BackOff",
                            "A delay back-off: window before it, new threshold, gradient.",
                            MakeTraceSourceAccessor(&TcpCdg::m_backoffTrace),
                            "ns3::TcpCdg::BackOffTracedCallback")
            .AddTraceSource("IneffectualBackOff",
                            "A delay back-off that was suppressed: window, threshold, gradient.",
                            MakeTraceSourceAccessor(&TcpCdg::m_ineffectualTrace),
                            "ns3::TcpCdg::BackOffTracedCallback")
            .AddTraceSource(
                "SlowStartExit",
                "Slow start has ended before a loss: detector, window (segments), smallest "
                "RTT, smallest RTT of the round.",
                MakeTraceSourceAccessor(&TcpCdg::m_slowStartExitTrace),
                "ns3::TcpCdg::SlowStartExitTracedCallback")
            .AddTraceSource("ShadowWindow",
                            "Window that a loss-based flow would have (segments).",
                            MakeTraceSourceAccessor(&TcpCdg::m_shadow),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("QueueState",
                            "What is thought of the queue: 0 unknown, 1 not full, 2 full, 3 a "
                            "back-off is under way.",
                            MakeTraceSourceAccessor(&TcpCdg::m_queueState),
                            "ns3::TracedValueCallback::Uint8")
            .AddTraceSource(
                "HystartTrainDetect",
                "Exits of slow start by the ACK train detector (TCPHystartTrainDetect).",
                MakeTraceSourceAccessor(&TcpCdg::m_trainDetect),
                "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("HystartTrainCwnd",
                            "Sum of the windows at these exits in segments (TCPHystartTrainCwnd).",
                            MakeTraceSourceAccessor(&TcpCdg::m_trainCwnd),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("HystartDelayDetect",
                            "Exits of slow start by the delay detector (TCPHystartDelayDetect).",
                            MakeTraceSourceAccessor(&TcpCdg::m_delayDetect),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("HystartDelayCwnd",
                            "Sum of the windows at these exits in segments (TCPHystartDelayCwnd).",
                            MakeTraceSourceAccessor(&TcpCdg::m_delayCwnd),
                            "ns3::TracedValueCallback::Uint32");
    return tid;
}

TcpCdg::TcpCdg()
    : m_seeds(CreateObject<UniformRandomVariable>())
{
}

std::string
TcpCdg::GetName() const
{
    return "TcpCdg";
}

Ptr<TcpCongestionOps>
TcpCdg::Fork()
{
    return CopyObject<TcpCdg>(this);
}

int64_t
TcpCdg::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_seeds->SetStream(stream);
    return 1;
}

bool
TcpCdg::SetGradientWindow(uint32_t roundTrips)
{
    if (roundTrips == 0 || roundTrips > 256 || (roundTrips & (roundTrips - 1)) != 0)
    {
        NS_LOG_ERROR("GradientWindow is " << roundTrips
                                          << ", but must be a power of two from 1 to 256");
        return false;
    }
    m_gradientWindow = roundTrips;
    return true;
}

uint32_t
TcpCdg::GetGradientWindow() const
{
    return m_gradientWindow;
}

std::unique_ptr<linuxtcp::CongestionControl>
TcpCdg::MakeAlgorithm() const
{
    linuxtcp::CdgParameters parameters;
    parameters.window = m_gradientWindow;
    parameters.backoffBeta = m_backoffBeta;
    parameters.backoffFactor = m_backoffFactor;
    parameters.hystartDetect = static_cast<uint8_t>(m_slowStartDetectors);
    parameters.ineffectualLimit = m_ineffectualLimit;
    parameters.shadowWindow = m_shadowWindow;
    parameters.lossTolerance = m_lossTolerance;
    return std::make_unique<linuxtcp::CdgWindow>(parameters, MakeRandomSource(m_seeds));
}

void
TcpCdg::AlgorithmCalled()
{
    const linuxtcp::Connection& c = GetConnection();
    const linuxtcp::CdgState before = m_traced;
    m_traced = static_cast<const linuxtcp::CdgWindow*>(GetAlgorithm())->GetState();
    const linuxtcp::CdgState& now = m_traced;
    m_shadow = now.shadowWindow;
    m_queueState = static_cast<uint8_t>(now.queue);
    m_trainDetect = static_cast<uint32_t>(now.hystart.trainDetect);
    m_trainCwnd = static_cast<uint32_t>(now.hystart.trainCwnd);
    m_delayDetect = static_cast<uint32_t>(now.hystart.delayDetect);
    m_delayCwnd = static_cast<uint32_t>(now.hystart.delayCwnd);
    if (now.gradients > before.gradients)
    {
        m_gradientTrace(MicroSeconds(now.lastGradient));
    }
    if (now.backoffs > before.backoffs)
    {
        m_backoffTrace(c.cwnd, c.ssthresh, MicroSeconds(now.lastGradient));
    }
    if (now.ineffectual > before.ineffectual)
    {
        m_ineffectualTrace(c.cwnd, c.ssthresh, MicroSeconds(now.lastGradient));
    }
    const Time minRtt = MicroSeconds(now.delayMinUs);
    const Time roundRtt = MicroSeconds(now.rtt.min != 0 ? now.rtt.min : now.previous.min);
    if (now.hystart.trainDetect > before.hystart.trainDetect)
    {
        m_slowStartExitTrace("train", c.cwnd, minRtt, roundRtt);
    }
    if (now.hystart.delayDetect > before.hystart.delayDetect)
    {
        m_slowStartExitTrace("delay", c.cwnd, minRtt, roundRtt);
    }
}

} // namespace ns3
