/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_TCP_APPLICATION_H
#define LINUX_TCP_TCP_APPLICATION_H

#include "ns3/address.h"
#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <functional>
#include <list>

namespace ns3
{

/// Makes a socket on a node, with congestion control and attributes as its maker wishes.
using SocketCreator = std::function<Ptr<Socket>(Ptr<Node>)>;

/**
 * @ingroup linux-tcp
 * @brief Writes a known number of bytes to a socket without storing more than its send buffer.
 *
 * Like Linux it writes again only when a third of the buffer is free, in one large piece.
 */
class StreamWriter
{
  public:
    /**
     * @brief Use a socket.
     * @param socket the socket, not yet written to
     */
    void SetSocket(Ptr<Socket> socket);

    /**
     * @brief Have more bytes to send.
     * @param bytes number of bytes
     */
    void Add(uint64_t bytes);

    /// Write as much as the send buffer takes.
    void Write();

    /// @return bytes written to the socket so far
    uint64_t GetWritten() const;

    /// @return bytes that the peer has acknowledged so far
    uint64_t GetAcked() const;

    /// @return bytes that wait to be written
    uint64_t GetPending() const;

  private:
    Ptr<Socket> m_socket;   ///< the socket
    uint32_t m_capacity{0}; ///< its send buffer (bytes)
    uint64_t m_pending{0};  ///< bytes to write
    uint64_t m_written{0};  ///< bytes written
};

/**
 * @ingroup linux-tcp
 * @brief An application that opens one TCP connection.
 */
class ConnectingApplication : public Application
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Make the socket by other means than the attribute Protocol.
     * @param creator makes the socket when the application starts
     */
    void SetSocketCreator(SocketCreator creator);

    /// @return the socket, null before the start
    Ptr<Socket> GetSocket() const;

    /// @return whether the connection is established and not closed by this side
    bool IsConnected() const;

  protected:
    void DoDispose() override;
    void StartApplication() override;
    void StopApplication() override;

    /// The connection is established.
    virtual void HandleConnected() = 0;

    /// Data has been acknowledged; there may be room in the send buffer.
    virtual void HandleSendSpace() = 0;

    /**
     * @brief Data has come.
     * @param bytes number of bytes
     */
    virtual void HandleReceived(uint64_t bytes) = 0;

    /// Close this side of the connection; nothing is sent after it.
    void Close();

    StreamWriter m_writer; ///< what is sent

  private:
    /**
     * @brief The handshake is complete.
     * @param socket the socket
     */
    void ConnectionSucceeded(Ptr<Socket> socket);

    /**
     * @brief The handshake failed, or the connection was reset.
     * @param socket the socket
     */
    void ConnectionFailed(Ptr<Socket> socket);

    /**
     * @brief There is room in the send buffer.
     * @param socket the socket
     * @param available room (bytes)
     */
    void SendSpace(Ptr<Socket> socket, uint32_t available);

    /**
     * @brief There is something to read.
     * @param socket the socket
     */
    void Readable(Ptr<Socket> socket);

    TypeId m_protocol;       ///< factory of the socket
    Address m_remote;        ///< where to connect to
    Address m_local;         ///< own address, any if invalid
    uint8_t m_tos{0};        ///< type of service (IPv4) or traffic class (IPv6)
    SocketCreator m_creator; ///< makes the socket, may be empty
    Ptr<Socket> m_socket;    ///< the socket
    bool m_connected{false}; ///< whether data may be sent

    TracedCallback<Ptr<Socket>> m_createdTrace;   ///< the socket was made
    TracedCallback<Ptr<Socket>> m_connectedTrace; ///< the connection was established
    TracedCallback<Ptr<Socket>> m_failedTrace;    ///< the connection failed
};

/**
 * @ingroup linux-tcp
 * @brief An application that accepts TCP connections and reads what comes.
 */
class StreamSink : public Application
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @copydoc ConnectingApplication::SetSocketCreator
    void SetSocketCreator(SocketCreator creator);

    /// @return bytes read from all connections
    uint64_t GetReceivedBytes() const;

    /**
     * @brief Signature of the trace of accepted connections.
     * @param socket the connection's socket
     * @param from address of the peer
     */
    typedef void (*AcceptedCallback)(Ptr<Socket> socket, const Address& from);

    /**
     * @brief Signature of the trace of received data.
     * @param socket the connection's socket
     * @param bytes bytes read
     */
    typedef void (*ReceivedCallback)(Ptr<Socket> socket, uint64_t bytes);

  protected:
    void DoDispose() override;
    void StartApplication() override;
    void StopApplication() override;

    /**
     * @brief A connection was accepted.
     * @param socket its socket
     */
    virtual void HandleAccepted(Ptr<Socket> socket);

    /**
     * @brief Data was read.
     * @param socket the connection's socket
     * @param bytes number of bytes
     */
    virtual void HandleReceived(Ptr<Socket> socket, uint64_t bytes);

    /**
     * @brief A connection was closed by the peer.
     * @param socket its socket
     */
    virtual void HandleClosed(Ptr<Socket> socket);

  private:
    /**
     * @brief A connection was accepted.
     * @param socket its socket
     * @param from address of the peer
     */
    void Accepted(Ptr<Socket> socket, const Address& from);

    /**
     * @brief There is something to read.
     * @param socket the connection's socket
     */
    void Readable(Ptr<Socket> socket);

    /**
     * @brief The peer has closed its side.
     * @param socket the connection's socket
     */
    void Closed(Ptr<Socket> socket);

    TypeId m_protocol;                ///< factory of the socket
    Address m_local;                  ///< address and port to listen on
    SocketCreator m_creator;          ///< makes the socket, may be empty
    Ptr<Socket> m_listener;           ///< listening socket
    std::list<Ptr<Socket>> m_sockets; ///< sockets of the connections
    uint64_t m_received{0};           ///< bytes read from all connections

    TracedCallback<Ptr<Socket>, const Address&> m_acceptedTrace; ///< a connection was accepted
    TracedCallback<Ptr<Socket>, uint64_t> m_receivedTrace;       ///< data was read
};

} // namespace ns3

#endif /* LINUX_TCP_TCP_APPLICATION_H */
