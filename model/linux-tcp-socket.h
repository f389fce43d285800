/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_SOCKET_H
#define LINUX_TCP_SOCKET_H

#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/ns3-compat.h"
#include "ns3/nstime.h"
#include "ns3/pacing-registry.h"
#include "ns3/socket-pacing.h"
#include "ns3/tcp-linux-congestion.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>
#include <map>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief A TCP socket that sends as Linux does.
 *
 * It adds to TcpSocketBase, without changing it:
 * - Linux's pacing rate, limited by MaxPacingRate (SO_MAX_PACING_RATE);
 * - a tag (FqPacketTag) on every packet, by which FqQueueDisc knows the flow, its rate and the
 *   earliest departure time of the packet;
 * - earliest departure times (EDT, Linux 4.20 and later): the socket stamps each packet, and the
 *   RTT counts from the stamp. Switched off, the queue disc paces by the rate, and waiting in it
 *   counts as RTT (Linux 3.12 to 4.19);
 * - pacing of its own, if a maximum rate is set and no queue disc of the node paces (4.13);
 * - TCP small queues: the bytes of the socket that wait below it are limited;
 * - an RTT with the resolution of the simulator, also with the Timestamp option on;
 * - proportional rate reduction (RFC 6937) in fast recovery and after ECN echoes, in place of that
 *   of ns-3, whose arithmetic overflows in windows above 64 KB;
 * - retransmissions that are lost in turn, found by what arrives of what was sent after them
 *   (RFC 8985); TcpSocketBase waits for the retransmission timeout;
 * - slow start after idle, and decay of a window that is not used;
 * - bursts as segmentation offload makes them;
 * - quick acknowledgements at the start, and an acknowledgement at once for segments that were
 *   merged on reception.
 *
 * Small queues and pacing by rate need a FqQueueDisc at the node; it reports through the node's
 * PacingRegistry what waits. Sockets are made by LinuxTcpSocketFactory. An accepted socket has the
 * attributes of the listening one, an identity of its own, and the default clock.
 */
class LinuxTcpSocket : public TcpSocketBase, public TcpLinuxTransport
{
  public:
    /**
     * @brief Signature of the trace source PacingNotEnforced.
     * @param rate the maximum rate that was set
     */
    typedef void (*PacingNotEnforcedTracedCallback)(DataRate rate);

    /// By what a retransmission is known to be lost
    enum LostRetransmissionRule
    {
        TIMEOUT,  ///< the retransmission timeout
        NEW_DATA, ///< new data that was sent after it has arrived
        ANY_DATA, ///< anything that was sent after it has arrived
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    LINUX_TCP_DECLARE_INSTANCE_TYPE_ID

    LinuxTcpSocket();

    /**
     * @brief Copy the settings of a listening socket.
     * @param other the listening socket
     */
    LinuxTcpSocket(const LinuxTcpSocket& other);
    LinuxTcpSocket& operator=(const LinuxTcpSocket&) = delete;
    ~LinuxTcpSocket() override;

    // Socket
    int Send(Ptr<Packet> packet, uint32_t flags) override;

    // TcpLinuxTransport
    bool IsPaced() const override;
    uint64_t GetPacingRate() const override;
    Time GetDepartureTime() const override;
    bool EnterCwrState() override;

    /**
     * @brief Limit the pacing rate (SO_MAX_PACING_RATE), at any time.
     * @param rate the limit; 0 for none
     */
    void SetMaxPacingRate(DataRate rate);

    /// @return limit of the pacing rate; 0 for none
    DataRate GetMaxPacingRate() const;

    /// @return whether a maximum pacing rate is enforced, by a queue disc or by the socket
    bool IsPacingEnforced() const;

    /// @return identity of the socket at its node; 0 before it has sent anything
    uint64_t GetCookie() const;

  protected:
    // TcpSocketBase
    uint32_t Window() const override;
    uint32_t AvailableWindow() const override;
    uint32_t BytesInFlight() const override;
    Ptr<TcpSocketBase> Fork() override;
    void DoForwardUp(Ptr<Packet> packet,
                     const Address& fromAddress,
                     const Address& toAddress) override;
    void ReceivedAck(Ptr<Packet> packet, const TcpHeader& tcpHeader) override;
    void ReceivedData(Ptr<Packet> packet, const TcpHeader& tcpHeader) override;
    void EstimateRtt(const TcpHeader& tcpHeader) override;
    void UpdateRttHistory(const SequenceNumber32& seq, uint32_t sz, bool isRetransmission) override;
    void ReTxTimeout() override;

  private:
    /// Segments that are handed down in one go
    struct Burst
    {
        Time time{Seconds(-1)}; ///< when it was begun
        uint32_t segments{0};   ///< segments still to send
        bool stamped{false};    ///< whether its departure time is set
    };

    /// Reduction of the window in fast recovery or CWR (RFC 6937)
    struct Reduction
    {
        uint32_t priorWindow{1}; ///< window when it began (bytes)
        uint64_t delivered{0};   ///< bytes delivered since
        uint64_t sent{0};        ///< bytes sent since
    };

    /// A retransmission of which no arrival is known
    struct Retransmission
    {
        SequenceNumber32 begin;   ///< its first byte
        SequenceNumber32 end;     ///< byte after its last one
        SequenceNumber32 highest; ///< first byte that had not been sent at that time
        Time sent;                ///< when it was handed down
    };

    /// Connect the socket's own trace sinks.
    void ConnectTraces();

    /**
     * @brief The state of loss recovery changes (trace of the socket state).
     * @param oldValue state before
     * @param newValue state after
     */
    void StateTraced(TcpSocketState::TcpCongState_t oldValue,
                     TcpSocketState::TcpCongState_t newValue);

    /**
     * @param state a state of loss recovery
     * @return whether the window is being reduced in it
     */
    static bool IsReducing(TcpSocketState::TcpCongState_t state);

    /// Set the window during a reduction, once for each acknowledgement.
    void ReduceWindow();

    /// Make the congestion control know this socket, whenever it was replaced.
    void LinkCongestionControl();

    /**
     * @brief A packet is about to be handed down (trace of the socket): stamp and tag it.
     * @param packet the packet
     * @param header its TCP header
     * @param socket this socket
     */
    void PacketSent(Ptr<const Packet> packet,
                    const TcpHeader& header,
                    Ptr<const TcpSocketBase> socket);

    /**
     * @brief Look for retransmissions that an acknowledgement shows to be lost.
     * @param header the TCP header of the acknowledgement
     */
    void FindLostRetransmissions(const TcpHeader& header);

    /**
     * @brief Forget that a retransmission is lost.
     * @param begin its first byte
     */
    void ForgetLostRetransmission(const SequenceNumber32& begin);

    /// @return bytes that may be handed down now
    uint32_t GetRoom();

    /**
     * @brief Send again the first segment whose retransmission is lost.
     * @param room bytes that may be handed down
     * @return whether a segment was sent
     */
    bool SendLostRetransmission(uint32_t room);

    /**
     * @brief Send a segment of new data in the plain case, in which nothing is lost.
     *
     * TcpSocketBase would send the same, after it has walked through all that is in flight.
     * @param room bytes that may be handed down
     * @return whether a segment was sent
     */
    bool SendNewSegment(uint32_t room);

    /**
     * @brief Whether more may be handed down now.
     * @param room bytes that the window allows
     * @return bytes that may be sent: the same, or 0
     */
    uint32_t GateTransmission(uint32_t room);

    /// @return whether too much of the socket waits below it
    bool IsThrottled() const;

    /// @return segments a burst aims at
    uint32_t GetBurstGoal() const;

    /**
     * @brief Whether it is better to wait for room for a whole burst.
     * @param room bytes that the window allows
     * @param goal segments of a whole burst
     * @return true to wait
     */
    bool ShouldDefer(uint32_t room, uint32_t goal) const;

    /// Packets have left, or a gap has passed: try to send again.
    void Resume();

    /// Compute the pacing rate, if an acknowledgement was processed since the last time.
    void UpdateRate();

    /// @return whether the socket has to pace by itself
    bool PacesItself() const;

    /**
     * @brief Restart slow start if the connection was idle (RFC 2861 as in Linux).
     */
    void RestartAfterIdle();

    /// Bring down a window that was not used for a retransmission timeout.
    void DecayUnusedWindow();

    /**
     * @brief Write a window reduced for lack of use, and a threshold that remembers it.
     * @param segments the window (segments)
     * @param threshold the threshold (bytes)
     */
    void WriteUnusedWindow(uint32_t segments, uint32_t threshold);

    /// @return threshold to keep when a window is not used: at least 3/4 of the window (bytes)
    uint32_t GetRememberedThreshold() const;

    /// @return bytes of headers of IP and TCP in front of a data segment
    uint32_t GetHeaderBytes() const;

    /// Tell once if a maximum rate is set and nothing enforces it.
    void CheckEnforcement();

    // Attributes
    bool m_earliestDeparture{true};   ///< stamp departure times (EDT)
    bool m_smallQueues{true};         ///< limit what waits below the socket (TSQ)
    uint32_t m_smallQueueMinimum{0};  ///< least limit (bytes), 0 for two segments
    uint32_t m_smallQueueShift{10};   ///< limit as part of the rate (2^-n s)
    uint32_t m_outputLimit{1048576};  ///< greatest limit (bytes)
    bool m_outputLimitAlways{false};  ///< the greatest limit holds for paced sockets too
    uint32_t m_slowStartPercent{200}; ///< pacing gain in slow start (percent)
    uint32_t m_avoidancePercent{120}; ///< pacing gain otherwise (percent)
    bool m_slowStartGainOnly{false};  ///< the first gain holds always
    uint64_t m_maxRate{linuxtcp::UNLIMITED_PACING_RATE}; ///< limit of the pacing rate (bytes/s)
    bool m_internalPacing{true};                         ///< pace without a pacing queue disc
    bool m_proportionalReduction{true};                  ///< reduce the window as RFC 6937 says
    LostRetransmissionRule m_lostRule{ANY_DATA};         ///< what finds lost retransmissions
    bool m_restartAfterIdle{true};                       ///< slow start after idle
    uint32_t m_windowLimit{0};            ///< limit of the window (segments), 0 for none
    bool m_segmentationOffload{false};    ///< hand down bursts
    uint32_t m_segmentationMinimum{2};    ///< least burst to aim at (segments)
    uint32_t m_segmentationMaximum{44};   ///< largest burst (segments)
    uint32_t m_segmentationDivisor{1024}; ///< burst as part of the rate (1/n s)
    uint32_t m_quickAcks{0};              ///< segments acknowledged at once at the start
    bool m_ackCoalesced{true};            ///< acknowledge merged segments at once

    // Connection
    Ptr<PacingRegistry> m_registry;   ///< registry of the node, null before the first packet
    uint64_t m_cookie{0};             ///< identity at the node
    Ptr<TcpLinuxCongestion> m_linked; ///< congestion control that knows this socket
    Ptr<TcpCongestionOps> m_seenOps;  ///< congestion control seen last
    uint64_t m_rate{linuxtcp::UNLIMITED_PACING_RATE}; ///< pacing rate (bytes/s)
    bool m_rateDue{false};       ///< whether an acknowledgement calls for a new rate
    Reduction m_reduction;       ///< reduction under way
    bool m_reductionDue{false};  ///< whether an acknowledgement calls for a new window
    SequenceNumber32 m_priorUna; ///< oldest unacknowledged sequence number before it
    std::deque<Retransmission> m_retransmissions; ///< retransmissions, in the order sent
    std::map<SequenceNumber32, uint32_t> m_lost;  ///< lost ones: first byte, size (bytes)
    uint32_t m_lostBytes{0};                      ///< size of all lost ones (bytes)
    bool m_answering{false};          ///< whether what calls for data is not the application
    linuxtcp::DepartureClock m_clock; ///< clock of departure times
    int64_t m_stampNs{0};             ///< departure time of the packet sent last (ns)
    uint32_t m_dataSegments{0};       ///< data segments sent, saturating
    Burst m_burst;                    ///< burst under way
    EventId m_paceEvent;              ///< end of a gap of the socket's own pacing
    Time m_lastData;                  ///< last transmission of data
    Time m_windowUsed;                ///< last time the window was the limit
    uint32_t m_usedSegments{0};       ///< segments outstanding at most since then
    uint32_t m_receivedSegments{0};   ///< segments received, up to m_quickAcks
    bool m_warned{false};             ///< whether CheckEnforcement() has told

    /// Trace of a maximum rate that nothing enforces
    TracedCallback<DataRate> m_notEnforcedTrace;
};

} // namespace ns3

#endif /* LINUX_TCP_SOCKET_H */
