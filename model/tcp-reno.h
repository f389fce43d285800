/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TCP_RENO_H
#define TCP_RENO_H

#include "ns3/tcp-linux-congestion.h"

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief Reno as Linux 6.1 does it (RFC 5681, counted in packets), see linuxtcp::RenoWindow.
 *
 * Not to be confused with ns-3's own class TcpLinuxReno, whose name it must not have.
 */
class TcpReno : public TcpLinuxCongestion
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetName() const override;
    Ptr<TcpCongestionOps> Fork() override;

  protected:
    std::unique_ptr<linuxtcp::CongestionControl> MakeAlgorithm() const override;
};

} // namespace ns3

#endif /* TCP_RENO_H */
