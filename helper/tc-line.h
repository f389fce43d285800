/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TC_LINE_H
#define TC_LINE_H

#include "ns3/attribute.h"
#include "ns3/fq-queue-disc.h"
#include "ns3/net-device-container.h"
#include "ns3/ptr.h"
#include "ns3/queue-disc-container.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief Parameters of FqQueueDisc in the words of Linux's tc, such as
 * `fq maxrate 100mbit flow_limit 200 nopacing`.
 *
 * Units are those of tc: rates in bit/s (bit, kbit, mbit, gbit, tbit, with i for powers of 1024) or
 * bytes/s (bps, kbps, ...), a bare number in bit/s; sizes in bytes (b, k, kb, m, mb, g, gb as
 * powers of 1024; kbit, mbit, gbit), a bare number in bytes; times in s, ms, us, ns, a bare number
 * in us; other numbers decimal or, with 0x, hexadecimal. Options: limit, flow_limit, quantum,
 * initial_quantum, maxrate, defrate, buckets, orphan_mask, pacing, nopacing, refill_delay,
 * low_rate_threshold, ce_threshold, timer_slack, horizon, horizon_drop, horizon_cap, bands 3,
 * priomap, weights, offload_horizon.
 */
class TcLine
{
  public:
    /// Attributes of FqQueueDisc with their values
    typedef std::vector<std::pair<std::string, Ptr<AttributeValue>>> Attributes;

    /**
     * @brief Read a line.
     * @param line the line
     * @throws std::invalid_argument naming the option, its value and what is allowed
     */
    explicit TcLine(const std::string& line);

    /**
     * @brief What the line sets.
     * @return the attributes in the order of the line
     */
    const Attributes& GetAttributes() const;

    /**
     * @brief Change a queue disc, before or after it has started (tc qdisc change).
     * @param disc the queue disc; what the line does not name stays
     */
    void Change(Ptr<FqQueueDisc> disc) const;

    /**
     * @brief Install a queue disc as root of each device (tc qdisc add).
     * @param devices the devices, without root queue disc
     * @param model kernel to follow, as the attribute FqQueueDisc::Model
     * @return the queue discs
     */
    QueueDiscContainer Install(NetDeviceContainer devices, const std::string& model = "6.1") const;

  private:
    Attributes m_attributes; ///< what the line sets
};

} // namespace ns3

#endif /* TC_LINE_H */
