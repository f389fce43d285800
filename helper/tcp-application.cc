/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-application.h"

#include "ns3/abort.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("TcpApplication");

NS_OBJECT_ENSURE_REGISTERED(ConnectingApplication);
NS_OBJECT_ENSURE_REGISTERED(StreamSink);

namespace
{

/**
 * @brief Read everything that a socket holds.
 * @param socket the socket
 * @return bytes read
 */
uint64_t
Drain(Ptr<Socket> socket)
{
    uint64_t bytes = 0;
    while (Ptr<Packet> packet = socket->Recv())
    {
        if (packet->GetSize() == 0)
        {
            break;
        }
        bytes += packet->GetSize();
    }
    return bytes;
}

} // namespace

void
StreamWriter::SetSocket(Ptr<Socket> socket)
{
    UintegerValue capacity;
    socket->GetAttribute("SndBufSize", capacity);
    m_capacity = static_cast<uint32_t>(capacity.Get());
    m_socket = socket;
}

void
StreamWriter::Add(uint64_t bytes)
{
    m_pending += bytes;
}

void
StreamWriter::Write()
{
    while (m_pending > 0)
    {
        const uint32_t room = m_socket->GetTxAvailable();
        const auto piece = static_cast<uint32_t>(std::min<uint64_t>(m_pending, room));
        if (piece == 0 || (piece < m_pending && room < m_capacity / 3))
        {
            return;
        }
        if (m_socket->Send(Create<Packet>(piece)) < 0)
        {
            return;
        }
        m_pending -= piece;
        m_written += piece;
    }
}

uint64_t
StreamWriter::GetWritten() const
{
    return m_written;
}

uint64_t
StreamWriter::GetAcked() const
{
    return m_socket ? m_written - (m_capacity - m_socket->GetTxAvailable()) : 0;
}

uint64_t
StreamWriter::GetPending() const
{
    return m_pending;
}

TypeId
ConnectingApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ConnectingApplication")
            .SetParent<Application>()
            .SetGroupName("LinuxTcp")
            .AddAttribute("Remote",
                          "The address and port to connect to.",
                          AddressValue(),
                          MakeAddressAccessor(&ConnectingApplication::m_remote),
                          MakeAddressChecker())
            .AddAttribute("Local",
                          "The address to bind to; any if it is not set.",
                          AddressValue(),
                          MakeAddressAccessor(&ConnectingApplication::m_local),
                          MakeAddressChecker())
            .AddAttribute("Protocol",
                          "The factory of the socket, such as ns3::LinuxTcpSocketFactory; not used "
                          "when a socket creator is set.",
                          TypeIdValue(TcpSocketFactory::GetTypeId()),
                          MakeTypeIdAccessor(&ConnectingApplication::m_protocol),
                          MakeTypeIdChecker())
            .AddAttribute("Tos",
                          "The type of service (IPv4) or traffic class (IPv6) of the packets.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ConnectingApplication::m_tos),
                          MakeUintegerChecker<uint8_t>())
            .AddTraceSource("SocketCreated",
                            "The socket was made and not yet connected.",
                            MakeTraceSourceAccessor(&ConnectingApplication::m_createdTrace),
                            "ns3::TracedCallback::Socket")
            .AddTraceSource("Connected",
                            "The connection was established.",
                            MakeTraceSourceAccessor(&ConnectingApplication::m_connectedTrace),
                            "ns3::TracedCallback::Socket")
            .AddTraceSource("Failed",
                            "The connection could not be established or was given up.",
                            MakeTraceSourceAccessor(&ConnectingApplication::m_failedTrace),
                            "ns3::TracedCallback::Socket");
    return tid;
}

void
ConnectingApplication::SetSocketCreator(SocketCreator creator)
{
    m_creator = std::move(creator);
}

Ptr<Socket>
ConnectingApplication::GetSocket() const
{
    return m_socket;
}

bool
ConnectingApplication::IsConnected() const
{
    return m_connected;
}

void
ConnectingApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_socket = nullptr;
    m_creator = nullptr;
    m_writer = StreamWriter();
    Application::DoDispose();
}

void
ConnectingApplication::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_socket = m_creator ? m_creator(GetNode()) : Socket::CreateSocket(GetNode(), m_protocol);
    NS_ABORT_MSG_UNLESS(m_socket->GetSocketType() == Socket::NS3_SOCK_STREAM,
                        "The application needs a stream socket, that is TCP");
    m_socket->SetIpTos(m_tos);
    m_socket->SetIpv6Tclass(m_tos);
    int bound;
    if (!m_local.IsInvalid())
    {
        bound = m_socket->Bind(m_local);
    }
    else
    {
        bound = Inet6SocketAddress::IsMatchingType(m_remote) ? m_socket->Bind6() : m_socket->Bind();
    }
    NS_ABORT_MSG_IF(bound < 0, "The application cannot bind its socket");
    m_writer.SetSocket(m_socket);
    m_socket->SetConnectCallback(MakeCallback(&ConnectingApplication::ConnectionSucceeded, this),
                                 MakeCallback(&ConnectingApplication::ConnectionFailed, this));
    m_socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                MakeCallback(&ConnectingApplication::ConnectionFailed, this));
    m_socket->SetSendCallback(MakeCallback(&ConnectingApplication::SendSpace, this));
    m_socket->SetRecvCallback(MakeCallback(&ConnectingApplication::Readable, this));
    m_createdTrace(m_socket);
    m_socket->Connect(m_remote);
}

void
ConnectingApplication::StopApplication()
{
    NS_LOG_FUNCTION(this);
    Close();
}

void
ConnectingApplication::Close()
{
    if (m_socket)
    {
        m_socket->Close();
    }
    m_connected = false;
}

void
ConnectingApplication::ConnectionSucceeded(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    m_connected = true;
    m_connectedTrace(socket);
    HandleConnected();
}

void
ConnectingApplication::ConnectionFailed(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    m_connected = false;
    m_failedTrace(socket);
}

void
ConnectingApplication::SendSpace(Ptr<Socket> socket, uint32_t available)
{
    NS_LOG_FUNCTION(this << socket << available);
    if (m_connected)
    {
        m_writer.Write();
        HandleSendSpace();
    }
}

void
ConnectingApplication::Readable(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    const uint64_t bytes = Drain(socket);
    if (bytes > 0)
    {
        HandleReceived(bytes);
    }
}

TypeId
StreamSink::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::StreamSink")
            .SetParent<Application>()
            .SetGroupName("LinuxTcp")
            .AddConstructor<StreamSink>()
            .AddAttribute("Local",
                          "The address and port to listen on.",
                          AddressValue(),
                          MakeAddressAccessor(&StreamSink::m_local),
                          MakeAddressChecker())
            .AddAttribute("Protocol",
                          "The factory of the socket, such as ns3::LinuxTcpSocketFactory; not used "
                          "when a socket creator is set.",
                          TypeIdValue(TcpSocketFactory::GetTypeId()),
                          MakeTypeIdAccessor(&StreamSink::m_protocol),
                          MakeTypeIdChecker())
            .AddTraceSource("Accepted",
                            "A connection was accepted.",
                            MakeTraceSourceAccessor(&StreamSink::m_acceptedTrace),
                            "ns3::StreamSink::AcceptedCallback")
            .AddTraceSource("Received",
                            "Data was read from a connection.",
                            MakeTraceSourceAccessor(&StreamSink::m_receivedTrace),
                            "ns3::StreamSink::ReceivedCallback");
    return tid;
}

void
StreamSink::SetSocketCreator(SocketCreator creator)
{
    m_creator = std::move(creator);
}

uint64_t
StreamSink::GetReceivedBytes() const
{
    return m_received;
}

void
StreamSink::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_listener = nullptr;
    m_sockets.clear();
    m_creator = nullptr;
    Application::DoDispose();
}

void
StreamSink::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_listener = m_creator ? m_creator(GetNode()) : Socket::CreateSocket(GetNode(), m_protocol);
    NS_ABORT_MSG_IF(m_listener->Bind(m_local) < 0, "The application cannot bind its socket");
    m_listener->Listen();
    m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeCallback(&StreamSink::Accepted, this));
}

void
StreamSink::StopApplication()
{
    NS_LOG_FUNCTION(this);
    for (auto& socket : m_sockets)
    {
        socket->Close();
    }
    if (m_listener)
    {
        m_listener->Close();
    }
}

void
StreamSink::Accepted(Ptr<Socket> socket, const Address& from)
{
    NS_LOG_FUNCTION(this << socket << from);
    socket->SetRecvCallback(MakeCallback(&StreamSink::Readable, this));
    socket->SetCloseCallbacks(MakeCallback(&StreamSink::Closed, this),
                              MakeCallback(&StreamSink::Closed, this));
    m_sockets.push_back(socket);
    m_acceptedTrace(socket, from);
    HandleAccepted(socket);
}

void
StreamSink::Readable(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    const uint64_t bytes = Drain(socket);
    if (bytes > 0)
    {
        m_received += bytes;
        m_receivedTrace(socket, bytes);
        HandleReceived(socket, bytes);
    }
}

void
StreamSink::Closed(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    HandleClosed(socket);
    socket->Close();
    m_sockets.remove(socket);
}

void
StreamSink::HandleAccepted(Ptr<Socket> /* socket */)
{
}

void
StreamSink::HandleReceived(Ptr<Socket> /* socket */, uint64_t /* bytes */)
{
}

void
StreamSink::HandleClosed(Ptr<Socket> /* socket */)
{
}

} // namespace ns3
