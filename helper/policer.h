/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_POLICER_H
#define LINUX_TCP_POLICER_H

#include "receive-stage.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief A token bucket in integer arithmetic. It starts full.
 */
class TokenBucket : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Take tokens for a packet, if there are enough.
     * @param bytes size of the packet (bytes)
     * @return whether the packet conforms; if not, nothing is taken
     */
    bool Take(uint32_t bytes);

  private:
    /**
     * @brief Set the depth and fill the bucket.
     * @param bytes depth (bytes)
     */
    void SetBurst(uint64_t bytes);

    /// @return the depth (bytes)
    uint64_t GetBurst() const;

    DataRate m_rate;        ///< rate of the tokens
    uint64_t m_capacity{0}; ///< depth (bits x 10^9)
    uint64_t m_tokens{0};   ///< tokens in the bucket (bits x 10^9)
    int64_t m_updatedNs{0}; ///< time to which the tokens are counted (ns)
};

/**
 * @ingroup linux-tcp
 * @brief Drops received packets that exceed a token bucket; none ever waits.
 *
 * Policers of several devices may share a bucket.
 */
class Policer : public ReceiveStage
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    uint64_t GetHeldPackets() const override;
    uint64_t GetDroppedPackets() const override;

    /// @return bytes of the packets dropped (bytes of IP)
    uint64_t GetDroppedBytes() const;

  protected:
    void DoDispose() override;
    void Process(Arrival&& arrival) override;

  private:
    Ptr<TokenBucket> m_bucket;                     ///< tokens
    uint32_t m_overhead{14};                       ///< bytes charged per packet besides IP
    uint64_t m_droppedPackets{0};                  ///< packets dropped
    uint64_t m_droppedBytes{0};                    ///< bytes dropped
    TracedCallback<Ptr<const Packet>> m_dropTrace; ///< packets dropped
};

} // namespace ns3

#endif /* LINUX_TCP_POLICER_H */
