/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "linux-tcp-socket-factory.h"

#include "linux-tcp-socket.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/rtt-estimator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/type-id.h"

#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("LinuxTcpSocketFactory");

NS_OBJECT_ENSURE_REGISTERED(LinuxTcpSocketFactory);

namespace
{

/**
 * @brief Make the object that an attribute of TcpL4Protocol names.
 * @tparam T base class of the object
 * @param tcp the protocol
 * @param attribute name of the attribute, a TypeId
 * @return the object
 */
template <typename T>
Ptr<T>
CreateNamed(Ptr<TcpL4Protocol> tcp, const std::string& attribute)
{
    TypeIdValue type;
    tcp->GetAttribute(attribute, type);
    ObjectFactory factory;
    factory.SetTypeId(type.Get());
    return factory.Create<T>();
}

} // namespace

TypeId
LinuxTcpSocketFactory::GetTypeId()
{
    static TypeId tid = TypeId("ns3::LinuxTcpSocketFactory")
                            .SetParent<SocketFactory>()
                            .SetGroupName("LinuxTcp")
                            .AddConstructor<LinuxTcpSocketFactory>();
    return tid;
}

Ptr<LinuxTcpSocketFactory>
LinuxTcpSocketFactory::Install(Ptr<Node> node)
{
    Ptr<LinuxTcpSocketFactory> factory = node->GetObject<LinuxTcpSocketFactory>();
    if (!factory)
    {
        factory = CreateObject<LinuxTcpSocketFactory>();
        node->AggregateObject(factory);
    }
    return factory;
}

Ptr<Socket>
LinuxTcpSocketFactory::CreateSocket()
{
    ObjectFactory congestionControl;
    TypeIdValue type;
    Ptr<TcpL4Protocol> tcp = GetObject<TcpL4Protocol>();
    NS_ABORT_MSG_UNLESS(tcp, "LinuxTcpSocketFactory: the node has no internet stack");
    tcp->GetAttribute("SocketType", type);
    congestionControl.SetTypeId(type.Get());
    return CreateSocket(congestionControl);
}

Ptr<Socket>
LinuxTcpSocketFactory::CreateSocket(const ObjectFactory& congestionControl)
{
    Ptr<Node> node = GetObject<Node>();
    Ptr<TcpL4Protocol> tcp = GetObject<TcpL4Protocol>();
    NS_ABORT_MSG_UNLESS(node && tcp, "LinuxTcpSocketFactory: the node has no internet stack");
    Ptr<LinuxTcpSocket> socket = CreateObject<LinuxTcpSocket>();
    socket->SetNode(node);
    socket->SetTcp(tcp);
    socket->SetRtt(CreateNamed<RttEstimator>(tcp, "RttEstimatorType"));
    socket->SetCongestionControlAlgorithm(congestionControl.Create<TcpCongestionOps>());
    socket->SetRecoveryAlgorithm(CreateNamed<TcpRecoveryOps>(tcp, "RecoveryType"));
    tcp->AddSocket(socket);
    return socket;
}

} // namespace ns3
