/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_RENO_WINDOW_H
#define LINUX_TCP_RENO_WINDOW_H

#include "congestion-control.h"

namespace ns3
{
namespace linuxtcp
{

/**
 * @brief Reno as Linux 6.1 does it.
 *
 * Slow start up to the threshold, then one segment per window acknowledged (RFC 5681, counted in
 * packets); half of the window after a loss, at least two segments.
 */
class RenoWindow : public CongestionControl
{
  public:
    std::unique_ptr<CongestionControl> Clone() const override;
    void Init(Connection& c) override;
    void IncreaseWindow(Connection& c, uint32_t acked) override;
    uint32_t GetSsThresh(Connection& c) override;
};

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_RENO_WINDOW_H */
