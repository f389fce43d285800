/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cubic-parameters.h"

#include "parameter-check.h"

#include <array>
#include <limits>
#include <stdexcept>

namespace ns3
{
namespace linuxtcp
{

namespace
{

/// A kernel, by what it changed since the one listed before it.
struct KernelProfile
{
    const char* name;                   ///< version of the kernel
    void (*change)(CubicParameters& p); ///< applies the changes
};

/**
 * The kernels, oldest first. The first one states everything that a later one changes. HyStart's
 * parameters are there as of 2.6.29, its first kernel, though 2.6.24 and 2.6.27 do not use it.
 *
 * 2.6.27 and the limits of cwnd-limited before 2.6.39 are inferred from their neighbours. For the
 * delay gate, all use the form that tolerates a clock near 0 (Linux 3.18 and newer). 3.18 and 3.19
 * are without the idle shift, which their stable branches took from 4.3.
 */
const std::array<KernelProfile, 11> KERNELS = {{
    {"2.6.24",
     [](CubicParameters& p) {
         p.beta = 819;
         p.slowStart = SlowStartVariant::STANDARD;
         p.hystart.clock = ClockUnit::TICK;
         p.hystart.delayDivisor = 16;
         p.hystart.delayMarginMinUs = 2000;
         p.hystart.delayMarginMaxUs = 16000;
         p.hystart.aggregationLimitUs = 0;
         p.hystart.pacingAware = false;
         p.hystart.roundMinFromAllSamples = false;
         p.hystart.trainFiresAtThreshold = true;
         p.hystart.maskResult = true;
         p.hystart.rollover = RoundRollover::IN_WINDOW_INCREASE;
         p.initialSsThreshRule = InitialSsThreshRule::ALWAYS;
         p.maxIncrement = 16;
         p.firstEpochRule = FirstEpochRule::SET;
         p.firstEpochDivisor = 50;
         p.minDivisor = 1;
         p.counting = GrowthCounting::ACKS;
         p.delayedAckEstimator = true;
         p.slowStartGrowth = SlowStartGrowth::PER_ACK_AGAINST_GROWING;
         p.slowStartAtThreshold = true;
         p.avoidanceTakesRest = false;
         p.oneUpdatePerTick = false;
         p.wideElapsedTime = false;
         p.shiftEpochByIdleTime = false;
         p.undoRule = UndoRule::LAST_MAX;
         p.resetForgetsLossCwnd = true;
         p.cwndLimitedRule = CwndLimitedRule::OFFLOAD_HEADROOM;
     }},
    {"2.6.27",
     [](CubicParameters& p) {
         p.beta = 717;
         p.maxIncrement = 0;
         p.firstEpochRule = FirstEpochRule::NONE;
         p.firstEpochDivisor = 20;
         p.delayedAckMask = 0xffff;
     }},
    {"2.6.29",
     [](CubicParameters& p) {
         p.slowStart = SlowStartVariant::HYSTART;
         p.initialSsThreshRule = InitialSsThreshRule::WITHOUT_HYSTART;
     }},
    {"2.6.39",
     [](CubicParameters& p) {
         p.hystart.clock = ClockUnit::MILLISECOND;
         p.hystart.delayMarginMinUs = 4000;
         p.hystart.trainFiresAtThreshold = false;
         p.firstEpochRule = FirstEpochRule::CAP;
         p.delayedAckMax = 512;
         p.slowStartGrowth = SlowStartGrowth::PER_ACK;
         p.undoRule = UndoRule::LOSS_CWND;
         p.resetForgetsLossCwnd = false;
         p.cwndLimitedRule = CwndLimitedRule::HEADROOM;
     }},
    {"3.18",
     [](CubicParameters& p) {
         p.delayedAckMin = 1;
         p.slowStartGrowth = SlowStartGrowth::ONE_BEYOND_THRESHOLD;
         p.wideElapsedTime = true;
         p.cwndLimitedRule = CwndLimitedRule::FLAG;
     }},
    {"3.19",
     [](CubicParameters& p) {
         p.hystart.delayDivisor = 8;
         p.hystart.maskResult = false;
     }},
    {"4.0",
     [](CubicParameters& p) {
         p.minDivisor = 2;
         p.counting = GrowthCounting::PACKETS;
         p.delayedAckEstimator = false;
         p.delayedAckMin = 0;
         p.delayedAckMax = std::numeric_limits<uint32_t>::max();
         p.delayedAckMask = std::numeric_limits<uint32_t>::max();
         p.avoidanceTakesRest = true;
         p.oneUpdatePerTick = true;
     }},
    {"4.4",
     [](CubicParameters& p) {
         p.slowStartGrowth = SlowStartGrowth::UP_TO_THRESHOLD;
         p.slowStartAtThreshold = false;
         p.shiftEpochByIdleTime = true;
     }},
    {"5.6",
     [](CubicParameters& p) {
         p.hystart.clock = ClockUnit::MICROSECOND;
         p.hystart.aggregationLimitUs = 1000;
         p.hystart.pacingAware = true;
         p.undoRule = UndoRule::PRIOR_CWND;
     }},
    {"5.8", [](CubicParameters& p) { p.hystart.roundMinFromAllSamples = true; }},
    {"5.16", [](CubicParameters& p) { p.hystart.rollover = RoundRollover::BEFORE_TEST; }},
}};

} // namespace

std::vector<std::string>
GetCubicProfiles()
{
    std::vector<std::string> names;
    for (const auto& kernel : KERNELS)
    {
        names.emplace_back(kernel.name);
    }
    return names;
}

CubicParameters
MakeCubicParameters(const std::string& profile)
{
    CubicParameters parameters;
    std::string known;
    for (const auto& kernel : KERNELS)
    {
        kernel.change(parameters);
        if (profile == kernel.name)
        {
            return parameters;
        }
        known += (known.empty() ? "" : ", ") + std::string(kernel.name);
    }
    throw std::invalid_argument("profile = " + profile + ": must be one of " + known);
}

void
CheckCubicParameters(const CubicParameters& p)
{
    constexpr uint32_t ANY = std::numeric_limits<uint32_t>::max();
    constexpr uint32_t HOUR_US = 3600000000;
    CheckRange<uint32_t>("hz", p.hz, 1, 1000000);
    CheckRange<uint32_t>("beta", p.beta, 1, 1023);
    CheckRange<uint32_t>("scale", p.scale, 1, 100000);
    CheckRange<uint32_t>("firstEpochDivisor", p.firstEpochDivisor, 1, ANY);
    CheckRange<uint32_t>("minDivisor", p.minDivisor, 1, ANY);
    CheckRange<uint32_t>("delayedAckMin", p.delayedAckMin, 0, p.delayedAckMax);
    CheckRange<uint32_t>("offloadWindowDivisor", p.offloadWindowDivisor, 1, ANY);
    CheckRange<uint32_t>("hystart.ackDeltaUs", p.hystart.ackDeltaUs, 0, HOUR_US / 2);
    CheckRange<uint32_t>("hystart.minSamples", p.hystart.minSamples, 1, ANY);
    CheckRange<uint32_t>("hystart.delayDivisor", p.hystart.delayDivisor, 1, ANY);
    CheckRange<uint32_t>("hystart.delayMarginMaxUs", p.hystart.delayMarginMaxUs, 0, HOUR_US);
    CheckRange<uint32_t>("hystart.delayMarginMinUs",
                         p.hystart.delayMarginMinUs,
                         0,
                         p.hystart.delayMarginMaxUs);
    CheckRange<uint32_t>("hystartPlusPlus.maxRttThresholdUs",
                         p.hystartPlusPlus.maxRttThresholdUs,
                         0,
                         HOUR_US);
    CheckRange<uint32_t>("hystartPlusPlus.minRttThresholdUs",
                         p.hystartPlusPlus.minRttThresholdUs,
                         0,
                         p.hystartPlusPlus.maxRttThresholdUs);
    CheckRange<uint32_t>("hystartPlusPlus.minRttDivisor", p.hystartPlusPlus.minRttDivisor, 1, ANY);
    CheckRange<uint32_t>("hystartPlusPlus.minSamples", p.hystartPlusPlus.minSamples, 1, ANY);
    CheckRange<uint32_t>("hystartPlusPlus.growthDivisor", p.hystartPlusPlus.growthDivisor, 1, ANY);
    CheckRange<uint32_t>("hystartPlusPlus.conservativeRounds",
                         p.hystartPlusPlus.conservativeRounds,
                         1,
                         ANY);
}

} // namespace linuxtcp
} // namespace ns3
