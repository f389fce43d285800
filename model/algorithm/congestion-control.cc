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
    if (c.cwnd >= c.ssthresh)
    {
        return acked;
    }
    const auto reached = static_cast<uint32_t>(
        std::min<uint64_t>(static_cast<uint64_t>(c.cwnd) + acked, c.ssthresh));
    const uint32_t rest = acked - (reached - c.cwnd);
    c.cwnd = std::min(reached, c.cwndClamp);
    return rest;
}

void
AdditiveIncrease(Connection& c, uint32_t divisor, uint32_t acked)
{
    uint64_t cwnd = c.cwnd;
    uint64_t credit = c.credit;
    // Credit gathered under an older, larger divisor counts for one segment only.
    if (credit >= divisor)
    {
        credit = 0;
        ++cwnd;
    }
    credit += acked;
    if (credit >= divisor)
    {
        cwnd += credit / divisor;
        credit %= divisor;
    }
    c.credit = static_cast<uint32_t>(credit);
    c.cwnd = static_cast<uint32_t>(std::min<uint64_t>(cwnd, c.cwndClamp));
}

} // namespace linuxtcp
} // namespace ns3
