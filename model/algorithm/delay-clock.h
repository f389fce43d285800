/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_DELAY_CLOCK_H
#define LINUX_TCP_DELAY_CLOCK_H

#include <cstdint>

namespace ns3
{
namespace linuxtcp
{

/// What CUBIC's clock counts, which decides also in what unit it keeps delays.
enum class ClockUnit : uint8_t
{
    TICK,        ///< timer ticks, delays in 1/8 tick (to Linux 2.6.38)
    MILLISECOND, ///< milliseconds, delays in 1/8 ms (Linux 2.6.39 to 5.5)
    MICROSECOND  ///< microseconds for both (Linux 5.6 and newer)
};

/**
 * @brief The clock and the delay unit of one generation of CUBIC and HyStart.
 *
 * All values are 32 bits wide and wrap; a difference of two clock readings is to be taken modulo
 * 2^32.
 */
class DelayClock
{
  public:
    /**
     * @param unit what the clock counts
     * @param hz timer ticks per second, at least 1
     */
    DelayClock(ClockUnit unit, uint32_t hz);

    /**
     * @param nowUs the time (us)
     * @return the clock's reading
     */
    uint32_t Read(uint64_t nowUs) const;

    /**
     * @param rttUs a round trip time (us)
     * @return the same in delay units, at least 1
     */
    uint32_t DelayFromRtt(int64_t rttUs) const;

    /**
     * @brief Convert a parameter in microseconds to delay units.
     *
     * With ClockUnit::TICK, 1000 us stand for one tick whatever the tick's length is, as the
     * constants of that time did.
     * @param us the parameter (us)
     * @return the same in delay units
     */
    uint32_t DelayFromParameter(uint32_t us) const;

    /**
     * @param us a length of time (us)
     * @return the same in units of the clock, ticks rounded up
     */
    uint32_t SpanFromUs(uint32_t us) const;

    /**
     * @param delay a delay (delay units)
     * @return the same in timer ticks, rounded as the kernel of that clock does
     */
    uint32_t DelayToTicks(uint32_t delay) const;

    /**
     * @param delay a delay (delay units)
     * @return the same in microseconds
     */
    uint32_t DelayToUs(uint32_t delay) const;

    /// @return delay units in one unit of the clock
    uint32_t DelaysPerUnit() const;

    /// @return delay units in one second
    uint32_t DelaysPerSecond() const;

  private:
    ClockUnit m_unit; ///< what the clock counts
    uint32_t m_hz;    ///< timer ticks per second
};

/**
 * @brief Convert a length of time to timer ticks.
 * @param us a length of time (us)
 * @param hz ticks per second
 * @return ticks, rounded up
 */
constexpr uint32_t
ToTicksRoundedUp(uint64_t us, uint32_t hz)
{
    return static_cast<uint32_t>((us / 1000000) * hz + ((us % 1000000) * hz + 999999) / 1000000);
}

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_DELAY_CLOCK_H */
