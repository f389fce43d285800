/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-linux-helper.h"

#include "attribute-check.h"

#include "ns3/abort.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/socket-factory.h"
#include "ns3/string.h"
#include "ns3/tcp-cdg.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-nv.h"
#include "ns3/tcp-socket-base.h"

#include <stdexcept>

namespace ns3
{

namespace
{

const char* const LINUX_FACTORY = "ns3::LinuxTcpSocketFactory"; ///< factory of Linux sockets
const char* const LINUX_SOCKET = "ns3::LinuxTcpSocket";         ///< Linux socket
const char* const STOCK_FACTORY = "ns3::TcpSocketFactory";      ///< factory of ns-3's sockets
const char* const STOCK_SOCKET = "ns3::TcpSocketBase";          ///< ns-3's socket

/**
 * @brief Aggregate the factory of Linux sockets to a node that has none.
 * @param node the node
 * @param factory class of the factory
 */
void
EnsureFactory(Ptr<Node> node, TypeId factory)
{
    if (!node->GetObject<SocketFactory>(factory))
    {
        ObjectFactory make;
        make.SetTypeId(factory);
        node->AggregateObject(make.Create<Object>());
    }
}

} // namespace

const AttributeMap&
TcpLinuxHelper::GetNames()
{
    static const AttributeMap names{{"cdg", "ns3::TcpCdg"},
                                    {"cubic", "ns3::TcpLinuxCubic"},
                                    {"htcp", "ns3::TcpLinuxHtcp"},
                                    {"nv", "ns3::TcpNv"},
                                    {"reno", "ns3::TcpReno"}};
    return names;
}

TcpLinuxHelper::TcpLinuxHelper()
{
    SetCongestionControl("cubic");
    SetSocket("linux");
}

void
TcpLinuxHelper::SetCongestionControl(const std::string& name,
                                     const AttributeMap& attributes,
                                     const std::string& option)
{
    const TypeId tid =
        FindType(option, name, GetNames(), "ns3::TcpCongestionOps", "congestion control");
    std::vector<std::pair<std::string, std::string>> checked;
    for (const auto& [attribute, value] : attributes)
    {
        checked.emplace_back(attribute, CheckAttribute(option, tid, attribute, value));
    }
    m_congestionControl = tid;
    m_attributes = checked;
}

void
TcpLinuxHelper::SetSocket(const std::string& kind, const std::string& option)
{
    if (kind != "linux" && kind != "stock")
    {
        throw std::invalid_argument(option + ": '" + kind +
                                    "' is no kind of socket; give one of linux, stock");
    }
    m_linux = kind == "linux";
    m_factory = TypeId::LookupByName(m_linux ? LINUX_FACTORY : STOCK_FACTORY);
}

void
TcpLinuxHelper::SetSocketAttribute(const std::string& name,
                                   const std::string& value,
                                   const std::string& option)
{
    const TypeId tid = TypeId::LookupByName(m_linux ? LINUX_SOCKET : STOCK_SOCKET);
    m_socketAttributes.emplace_back(name, CheckAttribute(option, tid, name, value));
}

int64_t
TcpLinuxHelper::AssignStreams(int64_t stream)
{
    m_stream = stream;
    return 1;
}

TypeId
TcpLinuxHelper::GetCongestionControl() const
{
    return m_congestionControl;
}

bool
TcpLinuxHelper::IsLinuxSocket() const
{
    return m_linux;
}

Ptr<Socket>
TcpLinuxHelper::CreateSocket(Ptr<Node> node) const
{
    EnsureFactory(node, m_factory);
    const auto socket = DynamicCast<TcpSocketBase>(Socket::CreateSocket(node, m_factory));
    NS_ABORT_MSG_UNLESS(socket, "The socket factory of the node makes no TcpSocketBase");
    ObjectFactory make;
    make.SetTypeId(m_congestionControl);
    for (const auto& [name, value] : m_attributes)
    {
        make.Set(name, StringValue(value));
    }
    const auto ops = make.Create<TcpCongestionOps>();
    if (m_stream >= 0)
    {
        if (const auto nv = DynamicCast<TcpNv>(ops))
        {
            nv->AssignStreams(m_stream);
        }
        else if (const auto cdg = DynamicCast<TcpCdg>(ops))
        {
            cdg->AssignStreams(m_stream);
        }
    }
    socket->SetCongestionControlAlgorithm(ops);
    for (const auto& [name, value] : m_socketAttributes)
    {
        socket->SetAttribute(name, StringValue(value));
    }
    return socket;
}

SocketCreator
TcpLinuxHelper::GetSocketCreator() const
{
    return [copy = *this](Ptr<Node> node) { return copy.CreateSocket(node); };
}

void
TcpLinuxHelper::Install(const NodeContainer& nodes) const
{
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        const auto tcp = (*node)->GetObject<TcpL4Protocol>();
        NS_ABORT_MSG_UNLESS(tcp, "TcpLinuxHelper::Install() needs nodes with an internet stack");
        tcp->SetAttribute("SocketType", TypeIdValue(m_congestionControl));
        EnsureFactory(*node, m_factory);
    }
}

} // namespace ns3
