/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_TCP_LINUX_HELPER_H
#define LINUX_TCP_TCP_LINUX_HELPER_H

#include "scenario.h"
#include "tcp-application.h"

#include "ns3/node-container.h"
#include "ns3/socket.h"
#include "ns3/type-id.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief Chooses congestion control and socket, for whole nodes or for single sockets.
 *
 * @code
 *   TcpLinuxHelper tcp;
 *   tcp.SetCongestionControl("cubic", {{"SlowStartVariant", "HyStart"}});
 *   tcp.Install(nodes);                            // for every application on the nodes, or
 *   sender->SetSocketCreator(tcp.GetSocketCreator()); // for one application
 * @endcode
 *
 * All methods that take names throw std::invalid_argument with one line when a name or a value
 * is not known.
 */
class TcpLinuxHelper
{
  public:
    /// Linux sockets with CUBIC.
    TcpLinuxHelper();

    /**
     * @brief Choose the congestion control.
     * @param name "reno", "cubic", "htcp", "nv", "cdg" or the TypeId of any TcpCongestionOps
     * @param attributes its attributes
     * @param option name used in messages
     */
    void SetCongestionControl(const std::string& name,
                              const AttributeMap& attributes = {},
                              const std::string& option = "congestionControl");

    /**
     * @brief Choose the kind of socket.
     * @param kind "linux" or "stock"
     * @param option name used in messages
     */
    void SetSocket(const std::string& kind, const std::string& option = "socket");

    /**
     * @brief Set an attribute of the sockets.
     * @param name its name, such as "SegmentSize"
     * @param value its value
     * @param option name used in messages
     */
    void SetSocketAttribute(const std::string& name,
                            const std::string& value,
                            const std::string& option = "socketAttributes");

    /**
     * @brief Use a fixed random stream in congestion controls that draw random numbers.
     * @param stream the stream; all sockets made by this helper share it
     * @return the number of streams used, 1
     */
    int64_t AssignStreams(int64_t stream);

    /// @return class of the congestion control
    TypeId GetCongestionControl() const;

    /// @return whether sockets are of the kind "linux"
    bool IsLinuxSocket() const;

    /**
     * @brief Make a socket; what it needs is installed on the node.
     * @param node a node with an internet stack
     * @return the socket, neither bound nor connected
     */
    Ptr<Socket> CreateSocket(Ptr<Node> node) const;

    /// @return a function that makes sockets like CreateSocket(), independent of this object
    SocketCreator GetSocketCreator() const;

    /**
     * @brief Make all applications on nodes use the congestion control.
     *
     * Sets the attribute SocketType of TcpL4Protocol and aggregates the factory of Linux sockets,
     * which applications choose by "ns3::LinuxTcpSocketFactory". Attributes of the congestion
     * control and the sockets are not set this way: ns-3 takes their defaults (Config::SetDefault).
     * @param nodes nodes with an internet stack
     */
    void Install(const NodeContainer& nodes) const;

    /// @return TypeIds' names of the congestion controls by short name
    static const AttributeMap& GetNames();

  private:
    TypeId m_congestionControl;                                    ///< congestion control
    std::vector<std::pair<std::string, std::string>> m_attributes; ///< its attributes
    TypeId m_factory;                                              ///< factory of the sockets
    int64_t m_stream{-1}; ///< random stream of the congestion control, -1 for any
    bool m_linux{true};   ///< kind of socket
    std::vector<std::pair<std::string, std::string>> m_socketAttributes; ///< the sockets' ones
};

} // namespace ns3

#endif /* LINUX_TCP_TCP_LINUX_HELPER_H */
