/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_CUBIC_PARAMETERS_H
#define LINUX_TCP_CUBIC_PARAMETERS_H

#include "hystart-detector.h"
#include "hystart-plus-plus.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace linuxtcp
{

/// How slow start is watched.
enum class SlowStartVariant : uint8_t
{
    STANDARD,         ///< not at all: until the threshold or a loss
    HYSTART,          ///< by Linux's HyStart
    HYSTART_PLUS_PLUS ///< by HyStart++ (RFC 9406)
};

/// When an initial slow start threshold other than 0 is used.
enum class InitialSsThreshRule : uint8_t
{
    ALWAYS,         ///< in any case (to Linux 2.6.28)
    WITHOUT_HYSTART ///< only in standard slow start (Linux 2.6.29 and newer)
};

/// What happens to the increase divisor before the first loss.
enum class FirstEpochRule : uint8_t
{
    NONE, ///< nothing (Linux 2.6.25 to 2.6.38)
    SET,  ///< it is set to firstEpochDivisor (to Linux 2.6.24)
    CAP   ///< it is at most firstEpochDivisor (Linux 2.6.39 and newer)
};

/// How growth is counted outside slow start.
enum class GrowthCounting : uint8_t
{
    ACKS,   ///< one per ACK, and one segment every divisor + 1 of them (to Linux 3.19)
    PACKETS ///< by packets acknowledged (Linux 4.0 and newer)
};

/// How the window grows in slow start.
enum class SlowStartGrowth : uint8_t
{
    PER_ACK_AGAINST_GROWING, ///< 1 per ACK, credit compared with the growing window (to 2.6.38)
    PER_ACK,                 ///< 1 per ACK, credit compared with the window at entry (to 3.12)
    ONE_BEYOND_THRESHOLD,    ///< by packets acknowledged, up to threshold + 1 (3.13 to 4.2)
    UP_TO_THRESHOLD          ///< by packets acknowledged, up to the threshold (4.3 and newer)
};

/// To what window an unfounded reduction is undone, if that is larger than the present one.
enum class UndoRule : uint8_t
{
    LAST_MAX,  ///< W_last_max, after fast convergence (to Linux 3.2)
    LOSS_CWND, ///< the window at the last loss (to Linux 4.13)
    PRIOR_CWND ///< the window before the reduction, as the transport knows it (4.14 and newer)
};

/// When the window counts as the connection's limit.
enum class CwndLimitedRule : uint8_t
{
    OFFLOAD_HEADROOM, ///< headroom below a third of the window, offload only (to 2.6.38)
    HEADROOM,         ///< that within the limits of a burst, or 3 segments of headroom (to 3.15)
    FLAG              ///< Connection::cwndLimited (Linux 3.16 and newer)
};

/**
 * @brief Parameters of CUBIC as in Linux; the defaults are those of 5.16 and newer.
 *
 * The first group are the module parameters of Linux, the second its behaviour where that changed
 * from one kernel to another. MakeCubicParameters() fills all of them for a kernel.
 */
struct CubicParameters
{
    uint32_t hz{1000};           ///< timer ticks per second
    bool fastConvergence{true};  ///< whether W_last_max shrinks for newcomers
    uint32_t beta{717};          ///< window kept at a loss (1/1024)
    uint32_t scale{41};          ///< constant C of the curve (10/1024 segments/s^3)
    bool renoFriendly{true};     ///< whether the window is at least what Reno would have
    uint32_t initialSsThresh{0}; ///< initial slow start threshold, 0: infinite (segments)
    SlowStartVariant slowStart{SlowStartVariant::HYSTART}; ///< how slow start is watched
    HystartParameters hystart;                 ///< HyStart, and the clock that it shares with CUBIC
    HystartPlusPlusParameters hystartPlusPlus; ///< HyStart++

    InitialSsThreshRule initialSsThreshRule{
        InitialSsThreshRule::WITHOUT_HYSTART}; ///< when initialSsThresh is used
    uint32_t maxIncrement{0};                  ///< growth limit, 0: none (segments per 100 ms)
    FirstEpochRule firstEpochRule{FirstEpochRule::CAP}; ///< increase before the first loss
    uint32_t firstEpochDivisor{20};                     ///< divisor of that rule
    uint32_t minDivisor{2};                             ///< smallest increase divisor
    GrowthCounting counting{GrowthCounting::PACKETS};   ///< what counts as progress
    bool delayedAckEstimator{false};     ///< whether the divisor is corrected by the ACK ratio
    uint32_t delayedAckMin{0};           ///< smallest ACK ratio (1/16 packet per ACK)
    uint32_t delayedAckMax{0xffffffff};  ///< largest ACK ratio (1/16 packet per ACK)
    uint32_t delayedAckMask{0xffffffff}; ///< bits in which the ACK ratio is kept
    SlowStartGrowth slowStartGrowth{SlowStartGrowth::UP_TO_THRESHOLD}; ///< growth in slow start
    uint32_t maxSsThresh{0}; ///< limited slow start above this, per-ACK growth only, 0: never
    bool slowStartAtThreshold{false}; ///< whether cwnd = ssthresh is still slow start
    bool avoidanceTakesRest{true};    ///< whether one ACK may do both
    bool oneUpdatePerTick{true};      ///< whether the curve is followed once a tick only
    bool wideElapsedTime{true};       ///< whether the time on the curve has 64 bits
    bool shiftEpochByIdleTime{true};  ///< whether idle time is taken off the curve
    bool delayGateWithoutEpoch{
        false}; ///< whether RTTs are ignored in the first second of the clock
    UndoRule undoRule{UndoRule::PRIOR_CWND}; ///< how a reduction is undone
    bool resetForgetsLossCwnd{false};        ///< whether a timeout forgets the window at the loss
    CwndLimitedRule cwndLimitedRule{CwndLimitedRule::FLAG}; ///< when cwnd is the limit
    bool segmentationOffload{true};     ///< whether that rule takes offload into account
    uint32_t offloadWindowDivisor{3};   ///< headroom that offload may defer (1/window)
    uint32_t maxBurst{3};               ///< headroom that is always allowed (segments)
    uint32_t offloadMaxSegments{65535}; ///< largest burst handed to the device (segments)
};

/// @return the names of the kernels that MakeCubicParameters() knows, oldest first
std::vector<std::string> GetCubicProfiles();

/**
 * @brief CUBIC with HyStart as in a kernel.
 * @param profile version of the kernel, one of GetCubicProfiles()
 * @return its parameters
 * @throws std::invalid_argument if there is no such profile; the text lists those there are
 */
CubicParameters MakeCubicParameters(const std::string& profile);

/**
 * @brief Check that parameters are usable.
 * @param parameters the parameters
 * @throws std::invalid_argument naming the parameter, its value and what is allowed
 */
void CheckCubicParameters(const CubicParameters& parameters);

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_CUBIC_PARAMETERS_H */
