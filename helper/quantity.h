/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_QUANTITY_H
#define LINUX_TCP_QUANTITY_H

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief Read a rate such as "10Mbps" or "2.5gbit".
 *
 * Units (in any case): bps, kbps, Mbps, Gbps, Tbps; the same with "bit" or "b/s" in place of
 * "bps". Prefixes are decimal.
 * @param option name of the option, for the message
 * @param text what the user gave
 * @return bits per second, at least 1
 * @throw std::invalid_argument with one line if the text is no rate
 */
uint64_t ParseRate(const std::string& option, const std::string& text);

/**
 * @ingroup linux-tcp
 * @brief Read a time such as "20ms".
 *
 * Units: ns, us, ms, s, min, h, d.
 * @param option name of the option, for the message
 * @param text what the user gave
 * @return nanoseconds, at least 0
 * @throw std::invalid_argument with one line if the text is no time
 */
int64_t ParseTime(const std::string& option, const std::string& text);

/**
 * @ingroup linux-tcp
 * @brief Read a size such as "64KB".
 *
 * Units: B, KB, MB, GB (powers of 1000), KiB, MiB, GiB (powers of 1024).
 * @param option name of the option, for the message
 * @param text what the user gave
 * @return bytes
 * @throw std::invalid_argument with one line if the text is no size
 */
uint64_t ParseSize(const std::string& option, const std::string& text);

/**
 * @ingroup linux-tcp
 * @brief Capacity of a queue.
 */
struct BufferCapacity
{
    bool inBytes{false}; ///< whether the value is in bytes, otherwise in packets
    uint64_t value{0};   ///< capacity (bytes or packets), at least 1

    /**
     * @brief Textual form that ns3::QueueSize reads.
     * @return such as "100p" or "64000B"
     */
    std::string ToQueueSize() const;
};

/**
 * @ingroup linux-tcp
 * @brief Read a buffer such as "100p", "64KB", "50ms" or "1.5bdp".
 *
 * Times and bandwidth-delay products become whole packets, rounded up.
 * @param option name of the option, for the message
 * @param text what the user gave
 * @param rate rate of the link that drains the buffer (bit/s)
 * @param rttNs round-trip time (ns)
 * @param packetBytes size of a full packet on the link (bytes)
 * @return the capacity
 * @throw std::invalid_argument with one line if the text is no buffer or a buffer of nothing
 */
BufferCapacity ParseBuffer(const std::string& option,
                           const std::string& text,
                           uint64_t rate,
                           int64_t rttNs,
                           uint32_t packetBytes);

} // namespace ns3

#endif /* LINUX_TCP_QUANTITY_H */
