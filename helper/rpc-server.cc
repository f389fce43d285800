/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rpc-server.h"

#include "ns3/log.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RpcServer");

NS_OBJECT_ENSURE_REGISTERED(RpcServer);

TypeId
RpcServer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RpcServer")
                            .SetParent<StreamSink>()
                            .SetGroupName("LinuxTcp")
                            .AddConstructor<RpcServer>()
                            .AddAttribute("RequestSize",
                                          "The size of a request (bytes), at least 1.",
                                          UintegerValue(1000000),
                                          MakeUintegerAccessor(&RpcServer::m_requestSize),
                                          MakeUintegerChecker<uint64_t>(1))
                            .AddAttribute("ResponseSize",
                                          "The size of a response (bytes), at least 1.",
                                          UintegerValue(100),
                                          MakeUintegerAccessor(&RpcServer::m_responseSize),
                                          MakeUintegerChecker<uint64_t>(1));
    return tid;
}

uint64_t
RpcServer::GetReceivedRequests() const
{
    return m_requests;
}

void
RpcServer::DoDispose()
{
    m_connections.clear();
    StreamSink::DoDispose();
}

void
RpcServer::HandleAccepted(Ptr<Socket> socket)
{
    m_connections[socket].writer.SetSocket(socket);
    socket->SetSendCallback(MakeCallback(&RpcServer::SendSpace, this));
}

void
RpcServer::HandleReceived(Ptr<Socket> socket, uint64_t bytes)
{
    auto& connection = m_connections[socket];
    connection.received += bytes;
    while (connection.received >= m_requestSize)
    {
        connection.received -= m_requestSize;
        ++m_requests;
        NS_LOG_LOGIC("Request " << m_requests);
        connection.writer.Add(m_responseSize);
    }
    connection.writer.Write();
}

void
RpcServer::HandleClosed(Ptr<Socket> socket)
{
    m_connections.erase(socket);
}

void
RpcServer::SendSpace(Ptr<Socket> socket, uint32_t /* available */)
{
    const auto connection = m_connections.find(socket);
    if (connection != m_connections.end())
    {
        connection->second.writer.Write();
    }
}

} // namespace ns3
