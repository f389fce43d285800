/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TCP_LINUX_HTCP_H
#define TCP_LINUX_HTCP_H

#include "ns3/data-rate.h"
#include "ns3/htcp-window.h"
#include "ns3/nstime.h"
#include "ns3/tcp-linux-congestion.h"
#include "ns3/traced-value.h"

#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief H-TCP, as in Linux 6.1 or as published.
 *
 * The algorithm is linuxtcp::HtcpWindow or linuxtcp::HtcpPublishedWindow; this class gives it
 * attributes and trace sources.
 */
class TcpLinuxHtcp : public TcpLinuxCongestion
{
  public:
    /// Which H-TCP
    enum Variant
    {
        LINUX_FIXED_POINT, ///< as in Linux 6.1
        PUBLISHED          ///< as published by Leith and Shorten
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TcpLinuxHtcp() = default;

    /**
     * @brief Copy the attributes, not the connection.
     *
     * As everywhere in ns-3, the sinks of traced values stay behind.
     * @param other the object to copy
     */
    TcpLinuxHtcp(const TcpLinuxHtcp& other) = default;

    std::string GetName() const override;
    Ptr<TcpCongestionOps> Fork() override;

  protected:
    std::unique_ptr<linuxtcp::CongestionControl> MakeAlgorithm() const override;
    void AlgorithmCalled() override;

  private:
    // Attributes
    Variant m_variant{LINUX_FIXED_POINT}; ///< which H-TCP
    bool m_rttScaling{true};              ///< whether the increase is scaled by the RTT
    bool m_bandwidthSwitch{true};         ///< whether throughput changes force the factor 0.5
    bool m_adaptiveBackoff{true};         ///< whether the decrease follows the RTTs
    bool m_slowStartPerAck{false};        ///< whether slow start counts ACKs

    // Traces
    TracedValue<double> m_alpha{1};     ///< increase (segments per RTT)
    TracedValue<double> m_beta{0.5};    ///< fraction of the window kept
    TracedValue<Time> m_delta;          ///< time since the last congestion event
    TracedValue<Time> m_minRtt;         ///< smallest RTT
    TracedValue<Time> m_maxRtt;         ///< largest RTT remembered
    TracedValue<DataRate> m_throughput; ///< throughput of the next bandwidth test
};

} // namespace ns3

#endif /* TCP_LINUX_HTCP_H */
