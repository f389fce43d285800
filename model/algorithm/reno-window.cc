/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "reno-window.h"

#include <algorithm>

namespace ns3
{
namespace linuxtcp
{

std::unique_ptr<CongestionControl>
RenoWindow::Clone() const
{
    return std::make_unique<RenoWindow>();
}

void
RenoWindow::Init(Connection& /* c */)
{
}

void
RenoWindow::IncreaseWindow(Connection& c, uint32_t acked)
{
    if (!c.cwndLimited)
    {
        return;
    }
    if (c.cwnd < c.ssthresh)
    {
        acked = SlowStart(c, acked);
        if (acked == 0)
        {
            return;
        }
    }
    AdditiveIncrease(c, c.cwnd, acked);
}

uint32_t
RenoWindow::GetSsThresh(Connection& c)
{
    return std::max<uint32_t>(c.cwnd / 2, 2);
}

} // namespace linuxtcp
} // namespace ns3
