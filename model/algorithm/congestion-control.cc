/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "congestion-control.h"

#include <algorithm>

namespace ns3
{
namespace linuxtcp
{

void
CongestionControl::OnAck(Connection& /* c */, const AckSample& /* sample */)
{
}

void
CongestionControl::OnStateChange(Connection& /* c */, CongestionState /* next */)
{
}

void
CongestionControl::OnEvent(Connection& /* c */, CwndEvent /* event */)
{
}

uint32_t
CongestionControl::UndoCwnd(Connection& c, uint32_t priorCwnd)
{
    return std::max(c.cwnd, priorCwnd);
}

void
CongestionControl::EnterCwr(Connection& c)
{
    if (c.state != CongestionState::OPEN && c.state != CongestionState::DISORDER)
    {
        return;
    }
    c.credit = 0;
    c.ssthresh = GetSsThresh(c);
    OnStateChange(c, CongestionState::CWR);
    c.state = CongestionState::CWR;
}

uint32_t
SlowStart(Connection& c, uint32_t acked)
{
    const auto target =
        static_cast<uint32_t>(std::min<uint64_t>(uint64_t{c.cwnd} + acked, c.ssthresh));
    acked -= target - c.cwnd;
    c.cwnd = std::min(target, c.cwndClamp);
    return acked;
}

void
AdditiveIncrease(Connection& c, uint32_t divisor, uint32_t acked)
{
    if (c.credit >= divisor)
    {
        c.credit = 0;
        c.cwnd++;
    }
    c.credit += acked;
    if (c.credit >= divisor)
    {
        const uint32_t delta = c.credit / divisor;
        c.credit -= delta * divisor;
        c.cwnd += delta;
    }
    c.cwnd = std::min(c.cwnd, c.cwndClamp);
}

} // namespace linuxtcp
} // namespace ns3
