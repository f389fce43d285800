/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FQ_STAMPER_H
#define FQ_STAMPER_H

#include "ns3/ip-l4-protocol.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv6-route.h"
#include "ns3/pacing-registry.h"
#include "ns3/sequence-number.h"
#include "ns3/simple-ref-count.h"
#include "ns3/socket-pacing.h"
#include "ns3/tcp-socket-base.h"

#include <cstdint>
#include <map>
#include <tuple>

namespace ns3
{

class TcpHeader;

/**
 * @ingroup linux-tcp
 * @brief Tags the packets of ns-3's own TCP sockets, so that FqQueueDisc can pace them.
 *
 * It sits between TcpL4Protocol and IP, knows each connection by its addresses and ports, and
 * follows window, threshold and RTT of its socket through the socket's traces. From these it
 * computes Linux's pacing rate, at which a FqQueueDisc of the node sends (as Linux 3.12 to 4.19).
 *
 * Unlike LinuxTcpSocket it cannot limit what the socket hands down: a window larger than the
 * flow limit of the queue disc is dropped locally, and waiting in the queue disc counts as RTT.
 * Packets that bear a tag of this node already pass unchanged, so both kinds of socket can be used
 * together.
 */
class FqStamper : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Put a stamper into a node, unless it has one.
     * @param node the node; it must have an internet stack
     * @return the node's stamper
     */
    static Ptr<FqStamper> Install(Ptr<Node> node);

    /// @return number of connections it follows
    std::size_t GetNFlows() const;

  protected:
    void DoDispose() override;

  private:
    /// What is known of one connection
    struct Flow : public SimpleRefCount<Flow>
    {
        uint64_t cookie{0};          ///< identity at the node
        bool closed{false};          ///< whether the socket has closed
        linuxtcp::PacingGains gains; ///< gains when it was found
        uint32_t mss{0};             ///< segment size (bytes)
        uint32_t cwnd{0};            ///< congestion window (bytes)
        uint32_t ssthresh{0};        ///< slow start threshold (bytes)
        SequenceNumber32 sent;       ///< highest sequence number sent
        SequenceNumber32 acked;      ///< highest sequence number acknowledged
        uint64_t smoothedRttUs{0};   ///< smoothed RTT (us), 0 if unknown
    };

    /// Addresses and ports of a connection: local, remote
    typedef std::tuple<Address, uint16_t, Address, uint16_t> Key;

    /**
     * @brief Take the place between TCP and IP.
     * @param tcp the node's TCP
     */
    void Insert(Ptr<IpL4Protocol> tcp);

    /**
     * @brief Tag a packet and pass it to IPv4.
     * @param packet the packet, with TCP header
     * @param source source address
     * @param destination destination address
     * @param protocol protocol number
     * @param route route
     */
    void Send(Ptr<Packet> packet,
              Ipv4Address source,
              Ipv4Address destination,
              uint8_t protocol,
              Ptr<Ipv4Route> route);

    /**
     * @brief Tag a packet and pass it to IPv6.
     * @param packet the packet, with TCP header
     * @param source source address
     * @param destination destination address
     * @param protocol protocol number
     * @param route route
     */
    void Send6(Ptr<Packet> packet,
               Ipv6Address source,
               Ipv6Address destination,
               uint8_t protocol,
               Ptr<Ipv6Route> route);

    /**
     * @brief Tag a packet.
     * @param packet the packet, with TCP header
     * @param source source address
     * @param destination destination address
     */
    void Stamp(Ptr<Packet> packet, const Address& source, const Address& destination);

    /**
     * @brief Find or make the record of a connection.
     * @param key the connection
     * @param header TCP header of the packet at hand
     * @return its record, null if there is no such socket
     */
    Ptr<Flow> FindFlow(const Key& key, const TcpHeader& header);

    /**
     * @brief Find the socket of a connection.
     * @param key the connection
     * @return the socket, null if there is none
     */
    Ptr<TcpSocketBase> FindSocket(const Key& key) const;

    /// Forget the connections that have closed.
    void Sweep();

    /**
     * @param flow a connection
     * @return its pacing rate (bytes/s), 0 if unlimited
     */
    static uint64_t RateOf(Ptr<Flow> flow);

    /// @name Trace sinks
    /// @param flow the connection
    /// @param oldValue value before
    /// @param newValue value after
    /// @{
    static void CwndTraced(Ptr<Flow> flow, uint32_t oldValue, uint32_t newValue);
    static void SsthreshTraced(Ptr<Flow> flow, uint32_t oldValue, uint32_t newValue);
    static void SentTraced(Ptr<Flow> flow, SequenceNumber32 oldValue, SequenceNumber32 newValue);
    static void AckedTraced(Ptr<Flow> flow, SequenceNumber32 oldValue, SequenceNumber32 newValue);
    static void RttTraced(Ptr<Flow> flow, Time oldValue, Time newValue);
    static void StateTraced(Ptr<Flow> flow,
                            TcpSocket::TcpStates_t oldValue,
                            TcpSocket::TcpStates_t newValue);
    /// @}

    uint32_t m_slowStartPercent{200};                ///< gain in slow start (percent)
    uint32_t m_avoidancePercent{120};                ///< gain otherwise (percent)
    bool m_slowStartGainOnly{false};                 ///< the first gain holds always
    Ptr<Node> m_node;                                ///< the node
    Ptr<PacingRegistry> m_registry;                  ///< registry of the node
    IpL4Protocol::DownTargetCallback m_downTarget;   ///< IPv4, may be null
    IpL4Protocol::DownTargetCallback6 m_downTarget6; ///< IPv6, may be null
    std::map<Key, Ptr<Flow>> m_flows;                ///< connections
};

} // namespace ns3

#endif /* FQ_STAMPER_H */
