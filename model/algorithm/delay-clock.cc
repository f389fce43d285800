/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "delay-clock.h"

#include "congestion-control.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace linuxtcp
{

DelayClock::DelayClock(ClockUnit unit, uint32_t hz)
    : m_unit(unit),
      m_hz(hz)
{
}

uint32_t
DelayClock::Read(uint64_t nowUs) const
{
    switch (m_unit)
    {
    case ClockUnit::TICK:
        return ToTicks(nowUs, m_hz);
    case ClockUnit::MILLISECOND:
        return static_cast<uint32_t>(nowUs / 1000);
    case ClockUnit::MICROSECOND:
        break;
    }
    return static_cast<uint32_t>(nowUs);
}

uint32_t
DelayClock::DelayFromRtt(int64_t rttUs) const
{
    const auto rtt =
        static_cast<uint64_t>(std::clamp<int64_t>(rttUs, 0, std::numeric_limits<uint32_t>::max()));
    uint32_t delay = 0;
    switch (m_unit)
    {
    case ClockUnit::TICK:
        delay = 8 * ToTicksRoundedUp(rtt, m_hz);
        break;
    case ClockUnit::MILLISECOND:
        delay = static_cast<uint32_t>(8 * rtt / 1000);
        break;
    case ClockUnit::MICROSECOND:
        delay = static_cast<uint32_t>(rtt);
        break;
    }
    return std::max<uint32_t>(delay, 1);
}

uint32_t
DelayClock::DelayFromParameter(uint32_t us) const
{
    return m_unit == ClockUnit::MICROSECOND
               ? us
               : static_cast<uint32_t>(static_cast<uint64_t>(us) * 8 / 1000);
}

uint32_t
DelayClock::SpanFromUs(uint32_t us) const
{
    switch (m_unit)
    {
    case ClockUnit::TICK:
        return ToTicksRoundedUp(us, m_hz);
    case ClockUnit::MILLISECOND:
        return us / 1000;
    case ClockUnit::MICROSECOND:
        break;
    }
    return us;
}

uint32_t
DelayClock::DelayToTicks(uint32_t delay) const
{
    switch (m_unit)
    {
    case ClockUnit::TICK:
        return delay / 8;
    case ClockUnit::MILLISECOND:
        return ToTicksRoundedUp(static_cast<uint64_t>(delay / 8) * 1000, m_hz);
    case ClockUnit::MICROSECOND:
        break;
    }
    return ToTicksRoundedUp(delay, m_hz);
}

uint32_t
DelayClock::DelayToUs(uint32_t delay) const
{
    return static_cast<uint32_t>(
        std::min<uint64_t>(static_cast<uint64_t>(delay) * 1000000 / DelaysPerSecond(),
                           std::numeric_limits<uint32_t>::max()));
}

uint32_t
DelayClock::DelaysPerUnit() const
{
    return m_unit == ClockUnit::MICROSECOND ? 1 : 8;
}

uint32_t
DelayClock::DelaysPerSecond() const
{
    switch (m_unit)
    {
    case ClockUnit::TICK:
        return 8 * m_hz;
    case ClockUnit::MILLISECOND:
        return 8000;
    case ClockUnit::MICROSECOND:
        break;
    }
    return 1000000;
}

} // namespace linuxtcp
} // namespace ns3
