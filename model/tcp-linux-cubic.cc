/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-linux-cubic.h"

#include "ns3-compat.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("TcpLinuxCubic");

NS_OBJECT_ENSURE_REGISTERED(TcpLinuxCubic);

namespace
{

/**
 * @brief Set a switch, unless the profile decides.
 * @param parameter the switch
 * @param choice what was chosen
 */
void
Override(bool& parameter, TcpLinuxCubic::Choice choice)
{
    if (choice != TcpLinuxCubic::CHOICE_PROFILE)
    {
        parameter = choice == TcpLinuxCubic::CHOICE_ON;
    }
}

/**
 * @brief Set a number, unless the profile decides.
 * @param parameter the number
 * @param value what was set
 */
void
Override(uint32_t& parameter, uint32_t value)
{
    if (value != TcpLinuxCubic::FROM_PROFILE)
    {
        parameter = value;
    }
}

/**
 * @brief Set a time, unless the profile decides.
 * @param parameterUs the time (us)
 * @param value what was set
 */
void
Override(uint32_t& parameterUs, const Time& value)
{
    if (!value.IsStrictlyNegative())
    {
        parameterUs = static_cast<uint32_t>(value.GetMicroSeconds());
    }
}

/**
 * @brief Set a choice, unless the profile decides.
 *
 * The enumerations of the attributes have "as the profile says" in front of the values of the
 * parameters' enumerations.
 * @tparam Parameter enumeration of the parameter
 * @tparam Attribute enumeration of the attribute
 * @param parameter the choice
 * @param value what was set
 */
template <typename Parameter, typename Attribute>
void
OverrideEnum(Parameter& parameter, Attribute value)
{
    if (value != 0)
    {
        parameter = static_cast<Parameter>(value - 1);
    }
}

} // namespace

TypeId
TcpLinuxCubic::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TcpLinuxCubic")
            .SetParent<TcpLinuxCongestion>()
            .SetGroupName("LinuxTcp")
            .AddConstructor<TcpLinuxCubic>()
            .AddAttribute(
                "Profile",
                "Version of the Linux kernel whose CUBIC and HyStart to follow: 2.6.24, 2.6.27, "
                "2.6.29, 2.6.39, 3.18, 3.19, 4.0, 4.4, 5.6, 5.8 or 5.16.",
                StringValue("5.16"),
                MakeStringAccessor(&TcpLinuxCubic::SetProfile, &TcpLinuxCubic::GetProfile),
                MakeStringChecker())
            .AddAttribute("FastConvergence",
                          "After a loss below the last maximum, take a smaller maximum, to make "
                          "room for newcomers.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TcpLinuxCubic::m_fastConvergence),
                          MakeBooleanChecker())
            .AddAttribute("Beta",
                          "Window kept at a loss (1/1024). 4294967295: as the profile says.",
                          UintegerValue(FROM_PROFILE),
                          MakeUintegerAccessor(&TcpLinuxCubic::m_beta),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Scale",
                          "Constant C of the cubic curve (10/1024 segments/s^3).",
                          UintegerValue(41),
                          MakeUintegerAccessor(&TcpLinuxCubic::m_scale),
                          MakeUintegerChecker<uint32_t>(1, 100000))
            .AddAttribute("RenoFriendly",
                          "Grow at least as Reno would.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TcpLinuxCubic::m_renoFriendly),
                          MakeBooleanChecker())
            .AddAttribute("InitialSlowStartThreshold",
                          "Initial slow start threshold (segments), used as InitialThresholdRule "
                          "says; 0 for infinite.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TcpLinuxCubic::m_initialSsThresh),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "SlowStartVariant",
                "What ends slow start before a loss: nothing, HyStart of Linux, or HyStart++ (RFC "
                "9406).",
                EnumValue(SLOW_START_PROFILE),
                linuxtcp::MakeEnumAttributeAccessor<SlowStartVariant>(&TcpLinuxCubic::m_slowStart),
                MakeEnumChecker(SLOW_START_PROFILE,
                                "Profile",
                                SLOW_START_STANDARD,
                                "Standard",
                                SLOW_START_HYSTART,
                                "HyStart",
                                SLOW_START_HYSTART_PLUS_PLUS,
                                "HyStartPlusPlus"))
            .AddAttribute("HystartClock",
                          "Clock of HyStart and unit of the delays.",
                          EnumValue(CLOCK_PROFILE),
                          linuxtcp::MakeEnumAttributeAccessor<Clock>(&TcpLinuxCubic::m_clock),
                          MakeEnumChecker(CLOCK_PROFILE,
                                          "Profile",
                                          CLOCK_TICK,
                                          "Tick",
                                          CLOCK_MILLISECOND,
                                          "Millisecond",
                                          CLOCK_MICROSECOND,
                                          "Microsecond"))
            .AddAttribute("HystartAckTrain",
                          "HyStart ends slow start when a train of acknowledgements gets too long.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TcpLinuxCubic::m_detectAckTrain),
                          MakeBooleanChecker())
            .AddAttribute("HystartDelay",
                          "HyStart ends slow start when the RTTs of a round get too long.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TcpLinuxCubic::m_detectDelay),
                          MakeBooleanChecker())
            .AddAttribute("HystartLowWindow",
                          "Window below which HyStart does not detect (segments).",
                          UintegerValue(16),
                          MakeUintegerAccessor(&TcpLinuxCubic::m_lowWindow),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("HystartAckGap",
                          "Largest gap between the acknowledgements of a train.",
                          TimeValue(MicroSeconds(2000)),
                          MakeTimeAccessor(&TcpLinuxCubic::m_ackGap),
                          MakeTimeChecker(Seconds(0), Seconds(1000)))
            .AddAttribute("HystartMinSamples",
                          "RTT samples of a round before its delay counts.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&TcpLinuxCubic::m_minSamples),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("HystartDelayDivisor",
                          "The margin of the delay detector is the smallest RTT divided by this. "
                          "4294967295: as the profile says.",
                          UintegerValue(FROM_PROFILE),
                          MakeUintegerAccessor(&TcpLinuxCubic::m_delayDivisor),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("HystartDelayMarginMin",
                          "Smallest margin of the delay detector; 1 ms stands for one tick with "
                          "the clock Tick. Negative: as the profile says.",
                          TimeValue(Seconds(-1)),
                          MakeTimeAccessor(&TcpLinuxCubic::m_delayMarginMin),
                          MakeTimeChecker())
            .AddAttribute("HystartDelayMarginMax",
                          "Largest margin of the delay detector; 1 ms stands for one tick with the "
                          "clock Tick. Negative: as the profile says.",
                          TimeValue(Seconds(-1)),
                          MakeTimeAccessor(&TcpLinuxCubic::m_delayMarginMax),
                          MakeTimeChecker())
            .AddAttribute("HystartBurstSize",
                          "Largest burst of segmentation offload, for the allowance that prolongs "
                          "a train (bytes).",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&TcpLinuxCubic::m_burstSize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("HystartAggregationLimit",
                          "Limit of the allowance that prolongs a train; 0 for no allowance. "
                          "Negative: as the profile says.",
                          TimeValue(Seconds(-1)),
                          MakeTimeAccessor(&TcpLinuxCubic::m_aggregationLimit),
                          MakeTimeChecker())
            .AddAttribute(
                "HystartPacingAware",
                "The train of a paced connection may last a whole RTT instead of half of one.",
                EnumValue(CHOICE_PROFILE),
                linuxtcp::MakeEnumAttributeAccessor<Choice>(&TcpLinuxCubic::m_pacingAware),
                MakeEnumChecker(CHOICE_PROFILE, "Profile", CHOICE_OFF, "Off", CHOICE_ON, "On"))
            .AddAttribute(
                "HystartAllSamples",
                "All samples of a round, not only the first ones, may lower its smallest RTT.",
                EnumValue(CHOICE_PROFILE),
                linuxtcp::MakeEnumAttributeAccessor<Choice>(&TcpLinuxCubic::m_allSamples),
                MakeEnumChecker(CHOICE_PROFILE, "Profile", CHOICE_OFF, "Off", CHOICE_ON, "On"))
            .AddAttribute(
                "HystartTrainAtThreshold",
                "A train of exactly the threshold is too long.",
                EnumValue(CHOICE_PROFILE),
                linuxtcp::MakeEnumAttributeAccessor<Choice>(&TcpLinuxCubic::m_trainAtThreshold),
                MakeEnumChecker(CHOICE_PROFILE, "Profile", CHOICE_OFF, "Off", CHOICE_ON, "On"))
            .AddAttribute(
                "HystartMaskResult",
                "A detector that is off runs nevertheless, unheard.",
                EnumValue(CHOICE_PROFILE),
                linuxtcp::MakeEnumAttributeAccessor<Choice>(&TcpLinuxCubic::m_maskResult),
                MakeEnumChecker(CHOICE_PROFILE, "Profile", CHOICE_OFF, "Off", CHOICE_ON, "On"))
            .AddAttribute("HystartRollover",
                          "When a new round begins: after the test, as the window increases, or "
                          "before the test.",
                          EnumValue(ROLLOVER_PROFILE),
                          linuxtcp::MakeEnumAttributeAccessor<Rollover>(&TcpLinuxCubic::m_rollover),
                          MakeEnumChecker(ROLLOVER_PROFILE,
                                          "Profile",
                                          ROLLOVER_IN_INCREASE,
                                          "InWindowIncrease",
                                          ROLLOVER_BEFORE_TEST,
                                          "BeforeTest"))
            .AddAttribute("HystartPlusPlusMinRttThreshold",
                          "HyStart++: smallest rise of the RTT that counts (MIN_RTT_THRESH).",
                          TimeValue(MicroSeconds(4000)),
                          MakeTimeAccessor(&TcpLinuxCubic::m_plusMinRttThreshold),
                          MakeTimeChecker(Seconds(0), Seconds(1000)))
            .AddAttribute(
                "HystartPlusPlusMaxRttThreshold",
                "HyStart++: largest rise of the RTT that does not count (MAX_RTT_THRESH).",
                TimeValue(MicroSeconds(16000)),
                MakeTimeAccessor(&TcpLinuxCubic::m_plusMaxRttThreshold),
                MakeTimeChecker(Seconds(0), Seconds(1000)))
            .AddAttribute("HystartPlusPlusRttDivisor",
                          "HyStart++: the threshold is the RTT divided by this (MIN_RTT_DIVISOR).",
                          UintegerValue(8),
                          MakeUintegerAccessor(&TcpLinuxCubic::m_plusRttDivisor),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("HystartPlusPlusMinSamples",
                          "HyStart++: samples of a round before it is judged (N_RTT_SAMPLE).",
                          UintegerValue(8),
                          MakeUintegerAccessor(&TcpLinuxCubic::m_plusMinSamples),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "HystartPlusPlusGrowthDivisor",
                "HyStart++: by how much conservative slow start is slower (CSS_GROWTH_DIVISOR).",
                UintegerValue(4),
                MakeUintegerAccessor(&TcpLinuxCubic::m_plusGrowthDivisor),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("HystartPlusPlusConservativeRounds",
                          "HyStart++: rounds of conservative slow start (CSS_ROUNDS).",
                          UintegerValue(5),
                          MakeUintegerAccessor(&TcpLinuxCubic::m_plusConservativeRounds),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "HystartPlusPlusBurstLimit",
                "HyStart++: growth per acknowledgement unless paced (L, segments); 0 for no limit.",
                UintegerValue(8),
                MakeUintegerAccessor(&TcpLinuxCubic::m_plusBurstLimit),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute("InitialThresholdRule",
                          "When InitialSlowStartThreshold is used.",
                          EnumValue(INITIAL_PROFILE),
                          linuxtcp::MakeEnumAttributeAccessor<InitialThresholdRule>(
                              &TcpLinuxCubic::m_initialRule),
                          MakeEnumChecker(INITIAL_PROFILE,
                                          "Profile",
                                          INITIAL_ALWAYS,
                                          "Always",
                                          INITIAL_WITHOUT_HYSTART,
                                          "WithoutHyStart"))
            .AddAttribute("MaxIncrement",
                          "Limit of the growth (segments per 100 ms); 0 for none. 4294967295: as "
                          "the profile says.",
                          UintegerValue(FROM_PROFILE),
                          MakeUintegerAccessor(&TcpLinuxCubic::m_maxIncrement),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("FirstEpochRule",
                          "What happens to the increase divisor before the first loss: nothing, it "
                          "is FirstEpochDivisor, or it is at most that.",
                          EnumValue(FIRST_EPOCH_PROFILE),
                          linuxtcp::MakeEnumAttributeAccessor<FirstEpochRule>(
                              &TcpLinuxCubic::m_firstEpochRule),
                          MakeEnumChecker(FIRST_EPOCH_PROFILE,
                                          "Profile",
                                          FIRST_EPOCH_NONE,
                                          "None",
                                          FIRST_EPOCH_SET,
                                          "Set",
                                          FIRST_EPOCH_CAP,
                                          "Cap"))
            .AddAttribute("FirstEpochDivisor",
                          "Increase divisor of FirstEpochRule (packets per segment of growth). "
                          "4294967295: as the profile says.",
                          UintegerValue(FROM_PROFILE),
                          MakeUintegerAccessor(&TcpLinuxCubic::m_firstEpochDivisor),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MinDivisor",
                          "Smallest increase divisor (packets per segment of growth). 4294967295: "
                          "as the profile says.",
                          UintegerValue(FROM_PROFILE),
                          MakeUintegerAccessor(&TcpLinuxCubic::m_minDivisor),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "GrowthCounting",
                "What counts as progress outside slow start: acknowledgements or packets.",
                EnumValue(COUNTING_PROFILE),
                linuxtcp::MakeEnumAttributeAccessor<GrowthCounting>(&TcpLinuxCubic::m_counting),
                MakeEnumChecker(COUNTING_PROFILE,
                                "Profile",
                                COUNTING_ACKS,
                                "Acks",
                                COUNTING_PACKETS,
                                "Packets"))
            .AddAttribute(
                "DelayedAckEstimator",
                "Correct the increase divisor by the number of packets per acknowledgement.",
                EnumValue(CHOICE_PROFILE),
                linuxtcp::MakeEnumAttributeAccessor<Choice>(&TcpLinuxCubic::m_delayedAckEstimator),
                MakeEnumChecker(CHOICE_PROFILE, "Profile", CHOICE_OFF, "Off", CHOICE_ON, "On"))
            .AddAttribute("SlowStartGrowth",
                          "How the window grows in slow start: by one per acknowledgement (credit "
                          "compared with the growing window, or with the window before), or by "
                          "packets acknowledged (to one beyond the threshold, or up to it).",
                          EnumValue(GROWTH_PROFILE),
                          linuxtcp::MakeEnumAttributeAccessor<SlowStartGrowth>(
                              &TcpLinuxCubic::m_slowStartGrowth),
                          MakeEnumChecker(GROWTH_PROFILE,
                                          "Profile",
                                          GROWTH_PER_ACK_AGAINST_GROWING,
                                          "PerAckAgainstGrowing",
                                          GROWTH_PER_ACK,
                                          "PerAck",
                                          GROWTH_ONE_BEYOND_THRESHOLD,
                                          "OneBeyondThreshold",
                                          GROWTH_UP_TO_THRESHOLD,
                                          "UpToThreshold"))
            .AddAttribute("LimitedSlowStart",
                          "Window above which slow start is limited (RFC 3742, segments), where "
                          "growth is per acknowledgement; 0 for never.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TcpLinuxCubic::m_limitedSlowStart),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "SlowStartAtThreshold",
                "A window equal to the threshold is still in slow start.",
                EnumValue(CHOICE_PROFILE),
                linuxtcp::MakeEnumAttributeAccessor<Choice>(&TcpLinuxCubic::m_slowStartAtThreshold),
                MakeEnumChecker(CHOICE_PROFILE, "Profile", CHOICE_OFF, "Off", CHOICE_ON, "On"))
            .AddAttribute(
                "AvoidanceTakesRest",
                "What slow start leaves of an acknowledgement goes to congestion avoidance.",
                EnumValue(CHOICE_PROFILE),
                linuxtcp::MakeEnumAttributeAccessor<Choice>(&TcpLinuxCubic::m_avoidanceTakesRest),
                MakeEnumChecker(CHOICE_PROFILE, "Profile", CHOICE_OFF, "Off", CHOICE_ON, "On"))
            .AddAttribute(
                "OneUpdatePerTick",
                "Follow the curve once a timer tick only.",
                EnumValue(CHOICE_PROFILE),
                linuxtcp::MakeEnumAttributeAccessor<Choice>(&TcpLinuxCubic::m_oneUpdatePerTick),
                MakeEnumChecker(CHOICE_PROFILE, "Profile", CHOICE_OFF, "Off", CHOICE_ON, "On"))
            .AddAttribute(
                "WideElapsedTime",
                "The time on the curve has 64 bits instead of 32.",
                EnumValue(CHOICE_PROFILE),
                linuxtcp::MakeEnumAttributeAccessor<Choice>(&TcpLinuxCubic::m_wideElapsedTime),
                MakeEnumChecker(CHOICE_PROFILE, "Profile", CHOICE_OFF, "Off", CHOICE_ON, "On"))
            .AddAttribute(
                "ShiftEpochByIdleTime",
                "Idle time is taken off the time on the curve.",
                EnumValue(CHOICE_PROFILE),
                linuxtcp::MakeEnumAttributeAccessor<Choice>(&TcpLinuxCubic::m_shiftEpochByIdleTime),
                MakeEnumChecker(CHOICE_PROFILE, "Profile", CHOICE_OFF, "Off", CHOICE_ON, "On"))
            .AddAttribute("DelayGateWithoutEpoch",
                          "Ignore RTTs in the first second of the kernel's clock, as some kernels "
                          "do by accident.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TcpLinuxCubic::m_delayGateWithoutEpoch),
                          MakeBooleanChecker())
            .AddAttribute("WindowLimitedRule",
                          "When the window counts as the connection's limit.",
                          EnumValue(LIMITED_PROFILE),
                          linuxtcp::MakeEnumAttributeAccessor<WindowLimitedRule>(
                              &TcpLinuxCubic::m_limitedRule),
                          MakeEnumChecker(LIMITED_PROFILE,
                                          "Profile",
                                          LIMITED_OFFLOAD_HEADROOM,
                                          "OffloadHeadroom",
                                          LIMITED_HEADROOM,
                                          "Headroom",
                                          LIMITED_FLAG,
                                          "Flag"))
            .AddAttribute("LimitedRuleKnowsOffload",
                          "WindowLimitedRule takes segmentation offload into account.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TcpLinuxCubic::m_segmentationOffload),
                          MakeBooleanChecker())
            .AddAttribute("OffloadWindowDivisor",
                          "Part of the window that offload may leave unused (1/n).",
                          UintegerValue(3),
                          MakeUintegerAccessor(&TcpLinuxCubic::m_offloadWindowDivisor),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxBurst",
                          "Headroom that WindowLimitedRule always allows (segments).",
                          UintegerValue(3),
                          MakeUintegerAccessor(&TcpLinuxCubic::m_maxBurst),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("OffloadMaxSegments",
                          "Largest burst of segmentation offload (segments).",
                          UintegerValue(65535),
                          MakeUintegerAccessor(&TcpLinuxCubic::m_offloadMaxSegments),
                          MakeUintegerChecker<uint32_t>())
            .AddTraceSource("SlowStartExit",
                            "Slow start has ended: detector, window (segments), smallest RTT, "
                            "smallest RTT of the round.",
                            MakeTraceSourceAccessor(&TcpLinuxCubic::m_slowStartExitTrace),
                            "ns3::TcpLinuxCubic::SlowStartExitTracedCallback")
            .AddTraceSource(
                "HystartTrainDetect",
                "Exits of slow start by the ACK train detector (TCPHystartTrainDetect).",
                MakeTraceSourceAccessor(&TcpLinuxCubic::m_trainDetect),
                "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("HystartTrainCwnd",
                            "Sum of the windows at these exits in segments (TCPHystartTrainCwnd).",
                            MakeTraceSourceAccessor(&TcpLinuxCubic::m_trainCwnd),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("HystartDelayDetect",
                            "Exits of slow start by the delay detector (TCPHystartDelayDetect).",
                            MakeTraceSourceAccessor(&TcpLinuxCubic::m_delayDetect),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("HystartDelayCwnd",
                            "Sum of the windows at these exits in segments (TCPHystartDelayCwnd).",
                            MakeTraceSourceAccessor(&TcpLinuxCubic::m_delayCwnd),
                            "ns3::TracedValueCallback::Uint32");
    return tid;
}

void
TcpLinuxCubic::SetProfile(std::string profile)
{
    linuxtcp::MakeCubicParameters(profile); // throws if there is no such profile
    m_profile = std::move(profile);
}

std::string
TcpLinuxCubic::GetProfile() const
{
    return m_profile;
}

std::string
TcpLinuxCubic::GetName() const
{
    return "TcpLinuxCubic";
}

Ptr<TcpCongestionOps>
TcpLinuxCubic::Fork()
{
    return CopyObject<TcpLinuxCubic>(this);
}

linuxtcp::CubicParameters
TcpLinuxCubic::GetParameters() const
{
    linuxtcp::CubicParameters p = linuxtcp::MakeCubicParameters(m_profile);
    p.hz = GetTicksPerSecond();
    p.fastConvergence = m_fastConvergence;
    Override(p.beta, m_beta);
    p.scale = m_scale;
    p.renoFriendly = m_renoFriendly;
    p.initialSsThresh = m_initialSsThresh;
    OverrideEnum(p.slowStart, m_slowStart);

    OverrideEnum(p.hystart.clock, m_clock);
    p.hystart.detectAckTrain = m_detectAckTrain;
    p.hystart.detectDelay = m_detectDelay;
    p.hystart.lowWindow = m_lowWindow;
    Override(p.hystart.ackDeltaUs, m_ackGap);
    p.hystart.minSamples = m_minSamples;
    Override(p.hystart.delayDivisor, m_delayDivisor);
    Override(p.hystart.delayMarginMinUs, m_delayMarginMin);
    Override(p.hystart.delayMarginMaxUs, m_delayMarginMax);
    p.hystart.gsoMaxSize = m_burstSize;
    Override(p.hystart.aggregationLimitUs, m_aggregationLimit);
    Override(p.hystart.pacingAware, m_pacingAware);
    Override(p.hystart.roundMinFromAllSamples, m_allSamples);
    Override(p.hystart.trainFiresAtThreshold, m_trainAtThreshold);
    Override(p.hystart.maskResult, m_maskResult);
    OverrideEnum(p.hystart.rollover, m_rollover);

    Override(p.hystartPlusPlus.minRttThresholdUs, m_plusMinRttThreshold);
    Override(p.hystartPlusPlus.maxRttThresholdUs, m_plusMaxRttThreshold);
    p.hystartPlusPlus.minRttDivisor = m_plusRttDivisor;
    p.hystartPlusPlus.minSamples = m_plusMinSamples;
    p.hystartPlusPlus.growthDivisor = m_plusGrowthDivisor;
    p.hystartPlusPlus.conservativeRounds = m_plusConservativeRounds;
    p.hystartPlusPlus.burstLimit = m_plusBurstLimit;

    OverrideEnum(p.initialSsThreshRule, m_initialRule);
    Override(p.maxIncrement, m_maxIncrement);
    OverrideEnum(p.firstEpochRule, m_firstEpochRule);
    Override(p.firstEpochDivisor, m_firstEpochDivisor);
    Override(p.minDivisor, m_minDivisor);
    OverrideEnum(p.counting, m_counting);
    Override(p.delayedAckEstimator, m_delayedAckEstimator);
    OverrideEnum(p.slowStartGrowth, m_slowStartGrowth);
    p.maxSsThresh = m_limitedSlowStart;
    Override(p.slowStartAtThreshold, m_slowStartAtThreshold);
    Override(p.avoidanceTakesRest, m_avoidanceTakesRest);
    Override(p.oneUpdatePerTick, m_oneUpdatePerTick);
    Override(p.wideElapsedTime, m_wideElapsedTime);
    Override(p.shiftEpochByIdleTime, m_shiftEpochByIdleTime);
    p.delayGateWithoutEpoch = m_delayGateWithoutEpoch;
    OverrideEnum(p.cwndLimitedRule, m_limitedRule);
    p.segmentationOffload = m_segmentationOffload;
    p.offloadWindowDivisor = m_offloadWindowDivisor;
    p.maxBurst = m_maxBurst;
    p.offloadMaxSegments = m_offloadMaxSegments;
    linuxtcp::CheckCubicParameters(p);
    return p;
}

std::unique_ptr<linuxtcp::CongestionControl>
TcpLinuxCubic::MakeAlgorithm() const
{
    return std::make_unique<linuxtcp::CubicWindow>(GetParameters());
}

linuxtcp::HystartCounters
TcpLinuxCubic::GetHystartCounters() const
{
    const auto* cubic = static_cast<const linuxtcp::CubicWindow*>(GetAlgorithm());
    return cubic ? cubic->GetHystart().GetCounters() : linuxtcp::HystartCounters();
}

void
TcpLinuxCubic::AlgorithmCalled()
{
    const auto* cubic = static_cast<const linuxtcp::CubicWindow*>(GetAlgorithm());
    const linuxtcp::SlowStartExit& exit = cubic->GetSlowStartExit();
    if (exit.count == m_exits)
    {
        return;
    }
    m_exits = exit.count;
    const linuxtcp::HystartCounters& counters = cubic->GetHystart().GetCounters();
    m_trainDetect = static_cast<uint32_t>(counters.trainDetect);
    m_trainCwnd = static_cast<uint32_t>(counters.trainCwnd);
    m_delayDetect = static_cast<uint32_t>(counters.delayDetect);
    m_delayCwnd = static_cast<uint32_t>(counters.delayCwnd);
    if (m_exits == 0)
    {
        return; // a new connection
    }
    std::string detector = "hystart++";
    if (!exit.conservative)
    {
        detector = exit.ackTrain && exit.delay ? "train+delay" : exit.ackTrain ? "train" : "delay";
    }
    NS_LOG_INFO(this << " slow start ends by " << detector << " at " << exit.cwnd << " segments");
    m_slowStartExitTrace(detector,
                         exit.cwnd,
                         MicroSeconds(exit.minRttUs),
                         MicroSeconds(exit.roundMinRttUs));
}

uint32_t
TcpLinuxCubic::GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight)
{
    const bool slowStart = tcb->m_cWnd < tcb->m_ssThresh;
    const auto state = GetState();
    const uint32_t threshold = TcpLinuxCongestion::GetSsThresh(tcb, bytesInFlight);
    if (slowStart &&
        (state == linuxtcp::CongestionState::OPEN || state == linuxtcp::CongestionState::DISORDER))
    {
        const bool echo = tcb->m_congState != TcpSocketState::CA_RECOVERY &&
                          tcb->m_ecnState == TcpSocketState::ECN_ECE_RCVD;
        m_slowStartExitTrace(echo ? "ecn" : "loss",
                             tcb->m_cWnd / std::max<uint32_t>(tcb->m_segmentSize, 1),
                             Time(0),
                             Time(0));
    }
    return threshold;
}

} // namespace ns3
