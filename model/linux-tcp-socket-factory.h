/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_SOCKET_FACTORY_H
#define LINUX_TCP_SOCKET_FACTORY_H

#include "ns3/object-factory.h"
#include "ns3/socket-factory.h"

namespace ns3
{

class Node;
class Socket;

/**
 * @ingroup linux-tcp
 * @brief Makes LinuxTcpSocket objects.
 *
 * Aggregate it to a node that has an internet stack (see Install()); applications then choose it
 * by the TypeId "ns3::LinuxTcpSocketFactory". The congestion control, recovery and RTT estimator
 * are those that the attributes SocketType, RecoveryType and RttEstimatorType of the node's
 * TcpL4Protocol name.
 */
class LinuxTcpSocketFactory : public SocketFactory
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Aggregate a factory to a node, unless it has one.
     * @param node the node; it must have an internet stack
     * @return the node's factory
     */
    static Ptr<LinuxTcpSocketFactory> Install(Ptr<Node> node);

    Ptr<Socket> CreateSocket() override;

    /**
     * @brief Make a socket with a congestion control of its own.
     * @param congestionControl makes the TcpCongestionOps
     * @return the socket
     */
    Ptr<Socket> CreateSocket(const ObjectFactory& congestionControl);
};

} // namespace ns3

#endif /* LINUX_TCP_SOCKET_FACTORY_H */
