/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_SLOW_START_EXIT_H
#define LINUX_TCP_SLOW_START_EXIT_H

#include <cstdint>

namespace ns3
{
namespace linuxtcp
{

/**
 * @brief How a detector ended slow start, the last time it did.
 *
 * To notice an exit, compare the count before and after CongestionControl::OnAck().
 */
struct SlowStartExit
{
    uint64_t count{0};         ///< exits of this connection so far
    bool ackTrain{false};      ///< the ACK train of a round was too long
    bool delay{false};         ///< the RTTs of a round were too long
    bool conservative{false};  ///< HyStart++ finished its conservative slow start
    uint64_t timeUs{0};        ///< clock at the exit (us)
    uint32_t cwnd{0};          ///< window at the exit (segments)
    uint32_t minRttUs{0};      ///< what the round was compared with (us), 0 if unknown
    uint32_t roundMinRttUs{0}; ///< smallest RTT of the round (us), 0 if it had no sample
};

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_SLOW_START_EXIT_H */
