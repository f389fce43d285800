/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-linux-reno.h"

#include "algorithm/reno-window.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TcpLinuxReno);

TypeId
TcpLinuxReno::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TcpLinuxReno")
                            .SetParent<TcpLinuxCongestion>()
                            .SetGroupName("LinuxTcp")
                            .AddConstructor<TcpLinuxReno>();
    return tid;
}

std::string
TcpLinuxReno::GetName() const
{
    return "TcpLinuxReno";
}

Ptr<TcpCongestionOps>
TcpLinuxReno::Fork()
{
    return CopyObject<TcpLinuxReno>(this);
}

std::unique_ptr<linuxtcp::CongestionControl>
TcpLinuxReno::MakeAlgorithm() const
{
    return std::make_unique<linuxtcp::RenoWindow>();
}

} // namespace ns3
