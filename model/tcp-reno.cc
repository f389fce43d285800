/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-reno.h"

#include "algorithm/reno-window.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TcpReno);

TypeId
TcpReno::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TcpReno")
                            .SetParent<TcpLinuxCongestion>()
                            .SetGroupName("LinuxTcp")
                            .AddConstructor<TcpReno>();
    return tid;
}

std::string
TcpReno::GetName() const
{
    return "TcpReno";
}

Ptr<TcpCongestionOps>
TcpReno::Fork()
{
    return CopyObject<TcpReno>(this);
}

std::unique_ptr<linuxtcp::CongestionControl>
TcpReno::MakeAlgorithm() const
{
    return std::make_unique<linuxtcp::RenoWindow>();
}

} // namespace ns3
