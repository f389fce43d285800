/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_RPC_SERVER_H
#define LINUX_TCP_RPC_SERVER_H

#include "tcp-application.h"

#include <map>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief Answers each request of fixed size with a response of fixed size.
 *
 * Serves any number of connections; see RpcClient for the other side.
 */
class RpcServer : public StreamSink
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @return number of requests read from all connections
    uint64_t GetReceivedRequests() const;

  protected:
    void DoDispose() override;
    void HandleAccepted(Ptr<Socket> socket) override;
    void HandleReceived(Ptr<Socket> socket, uint64_t bytes) override;
    void HandleClosed(Ptr<Socket> socket) override;

  private:
    /// One connection
    struct Connection
    {
        StreamWriter writer;  ///< responses
        uint64_t received{0}; ///< bytes of the request that is coming in
    };

    /**
     * @brief There is room in a send buffer.
     * @param socket the connection's socket
     * @param available room (bytes)
     */
    void SendSpace(Ptr<Socket> socket, uint32_t available);

    uint64_t m_requestSize{0};                       ///< size of a request (bytes)
    uint64_t m_responseSize{0};                      ///< size of a response (bytes)
    std::map<Ptr<Socket>, Connection> m_connections; ///< the connections
    uint64_t m_requests{0};                          ///< requests read
};

} // namespace ns3

#endif /* LINUX_TCP_RPC_SERVER_H */
