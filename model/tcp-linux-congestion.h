/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TCP_LINUX_CONGESTION_H
#define TCP_LINUX_CONGESTION_H

#include "ns3/congestion-control.h"
#include "ns3/nstime.h"
#include "ns3/sequence-number.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-socket-state.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>
#include <memory>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief What a socket can tell a congestion control beyond TcpSocketState.
 *
 * LinuxTcpSocket implements it; with other sockets the congestion control does without.
 */
class TcpLinuxTransport
{
  public:
    virtual ~TcpLinuxTransport() = default;

    /// @return whether anything paces the transmissions of the socket
    virtual bool IsPaced() const = 0;

    /// @return pacing rate of the socket (bytes/s), 0 if not known yet
    virtual uint64_t GetPacingRate() const = 0;

    /// @return departure time of the data segment handed down last
    virtual Time GetDepartureTime() const = 0;

    /**
     * @brief Enter the state CWR, as if the peer had reported congestion.
     *
     * Asks the congestion control for the threshold before it returns.
     * @return whether the socket could
     */
    virtual bool EnterCwrState() = 0;
};

/**
 * @ingroup linux-tcp
 * @brief The adapter between ns-3's TCP sockets and the algorithms of linuxtcp::CongestionControl.
 *
 * ns-3 calls a congestion control in another order than Linux, and gives it other inputs. This
 * class evens that out in one place, for every socket derived from TcpSocketBase:
 *
 * - RTT: ns-3 passes a smoothed RTT. The adapter records each first transmission (through the
 *   trace "HighestSequence" of the socket state) and samples the RTT of the newest segment that
 *   an acknowledgement covers. It gives no RTT when the acknowledgement covers data that was
 *   retransmitted, or that had been acknowledged selectively before.
 * - In flight: as it was when that segment was sent, or as delivered since.
 * - Order: the sample first, then state changes with the threshold before the state callback,
 *   then the increase of the window. One sample is late on sockets other than LinuxTcpSocket:
 *   that of the acknowledgement with the ECN echo that starts a reduction comes after the
 *   threshold.
 * - State CWR: seen from the trace "CongState", as ns-3 reports it from 3.48 on only.
 * - A threshold is asked once a window: a timeout during CWR or recovery does not reduce again.
 * - Window limited: kept for the current window, as Linux does, from own observations; the flag
 *   of newer ns-3 versions is not used.
 * - CWR on the algorithm's own account (as CDG does): the socket's state where the socket is a
 *   LinuxTcpSocket, emulated otherwise by a linear descent of the window over one window of
 *   deliveries.
 * - Windows: segments on one side, bytes on the other. A part of a segment in the socket's window
 *   stays there. A window that the socket (recovery, timeout) has written is taken over.
 *
 * Known differences that remain: the window after a timeout is one segment (Linux: packets in
 * flight plus one), which ns-3 sets after all hooks; the window does not grow on acknowledgements
 * in DISORDER that leave the state unchanged; there is no undo; selective acknowledgements without
 * a cumulative one give no sample.
 *
 * The object belongs to one socket at a time. A copy (see Fork()) takes the attributes and the
 * trace sinks, not the connection.
 */
class TcpLinuxCongestion : public TcpCongestionOps
{
  public:
    /// Where RTT samples come from
    enum RttSource
    {
        SEND_RECORDS, ///< the time each segment was sent (as Linux)
        SMOOTHED      ///< the smoothed RTT of the socket (as ns-3)
    };

    /// What counts as in flight with a segment
    enum InFlightDefinition
    {
        AS_SENT,        ///< bytes in flight when it was sent, itself included (Linux 4.8 to 5.15)
        DELIVERED_SINCE ///< bytes delivered since it was sent (Linux 5.16 and later)
    };

    /**
     * @brief Signature of the trace source AckSample.
     * @param rtt RTT sample, negative if there is none
     * @param packetsAcked packets cumulatively acknowledged
     * @param inFlight bytes in flight belonging to the newest of them, 0 if there is none
     */
    typedef void (*AckSampleTracedCallback)(Time rtt, uint32_t packetsAcked, uint32_t inFlight);

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TcpLinuxCongestion() = default;

    /**
     * @brief Copy the attributes and trace sinks, not the connection.
     * @param other the object to copy
     */
    TcpLinuxCongestion(const TcpLinuxCongestion& other);
    TcpLinuxCongestion& operator=(const TcpLinuxCongestion&) = delete;
    ~TcpLinuxCongestion() override;

    void Init(Ptr<TcpSocketState> tcb) override;
    uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight) override;
    void IncreaseWindow(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked) override;
    void PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override;
    void CongestionStateSet(Ptr<TcpSocketState> tcb,
                            const TcpSocketState::TcpCongState_t newState) override;
    void CwndEvent(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCAEvent_t event) override;

    /**
     * @brief Connect with a socket that tells more than TcpSocketState.
     * @param transport the socket, or null before it goes away
     */
    void SetTransport(TcpLinuxTransport* transport);

    /**
     * @brief An acknowledgement without selective ones is about to be processed.
     *
     * Optional; lets the sample come before the threshold also when the acknowledgement carries
     * an ECN echo. Does nothing while data is selectively acknowledged.
     * @param ackNumber its acknowledgement number; not beyond what was sent
     */
    void BeginAck(SequenceNumber32 ackNumber);

    /// The socket holds back data that the window alone would not allow to send in full.
    void SetWindowLimited();

    /// @return state of loss recovery as the algorithm sees it
    linuxtcp::CongestionState GetState() const;

    /// @return congestion window as the algorithm saw it last (segments)
    uint32_t GetWindow() const;

    /**
     * @brief Linux's rule for whether the window limits the connection.
     *
     * It was filled in the window under observation; or slow start has not yet doubled the largest
     * number of packets outstanding in it.
     * @return whether it does
     */
    bool IsWindowLimited() const;

  protected:
    void DoDispose() override;

    /**
     * @brief Make the algorithm of one connection, as the attributes say.
     * @return the algorithm; its Init() has not been called
     */
    virtual std::unique_ptr<linuxtcp::CongestionControl> MakeAlgorithm() const = 0;

    /// Called after each call of the algorithm; a subclass fires its traces from here.
    virtual void AlgorithmCalled();

    /// @return which in-flight value AckSample carries; DELIVERED_SINCE unless overridden
    virtual InFlightDefinition GetInFlightDefinition() const;

    /// @return the algorithm, null before the connection is established
    linuxtcp::CongestionControl* GetAlgorithm() const;

    /// @return the connection as the algorithm sees it
    const linuxtcp::Connection& GetConnection() const;

    /// @return timer ticks per second (HZ) for the parameters of the algorithm
    uint32_t GetTicksPerSecond() const;

    /// @return Linux's clock (us): the simulation time plus the attribute ClockOffset
    uint64_t GetClockUs() const;

  private:
    /// One segment that was sent and is not yet cumulatively acknowledged
    struct SendRecord
    {
        uint32_t end;       ///< sequence number after its last byte
        uint32_t una;       ///< oldest unacknowledged sequence number when it was sent
        uint64_t sentUs;    ///< clock when it was sent (us)
        uint64_t delivered; ///< bytes of the connection delivered when it was sent
        bool valid;         ///< false if it may have been retransmitted
    };

    /**
     * @brief Take over a socket state, unless it is the present one.
     * @param tcb the socket state
     */
    void Attach(Ptr<TcpSocketState> tcb);

    /// Let go of the socket state.
    void Detach();

    /// Start the algorithm, as the connection is established.
    void Start();

    /**
     * @brief Make sure that the algorithm runs on a socket state.
     * @param tcb the socket state
     */
    void Prepare(Ptr<TcpSocketState> tcb);

    /**
     * @brief A segment was sent for the first time (trace of the socket state).
     * @param oldValue highest sequence number before
     * @param newValue highest sequence number after
     */
    void SegmentSent(SequenceNumber32 oldValue, SequenceNumber32 newValue);

    /**
     * @brief The socket's state of loss recovery changed (trace of the socket state).
     * @param oldValue state before
     * @param newValue state after
     */
    void StateTraced(TcpSocketState::TcpCongState_t oldValue,
                     TcpSocketState::TcpCongState_t newValue);

    /**
     * @brief Give the algorithm the sample of the present acknowledgement, if not done yet.
     *
     * Then come the state changes that waited for it.
     * @param ackNumber acknowledgement number
     * @param deliveredBytes bytes newly delivered by the acknowledgement
     * @param priorInFlight bytes in flight before the acknowledgement
     */
    void TakeSample(uint32_t ackNumber, uint32_t deliveredBytes, uint64_t priorInFlight);

    /// Give the algorithm the sample of the acknowledgement that the socket state shows.
    void TakeSample();

    /// Carry out state changes that waited for a sample.
    void FlushPending();

    /**
     * @brief Change the state of loss recovery.
     * @param next the new state
     */
    void ChangeState(linuxtcp::CongestionState next);

    /**
     * @brief Pass an event to the algorithm.
     * @param event the event
     */
    void RaiseEvent(linuxtcp::CwndEvent event);

    /**
     * @brief Ask the algorithm for a threshold.
     * @return slow start threshold (segments)
     */
    uint32_t AskThreshold();

    /// Bring down the window of an emulated CWR state, or end it.
    void StepEmulatedCwr();

    /**
     * @brief The algorithm entered CWR by itself.
     * @param mayUseSocket whether the socket's state may change now
     */
    void BeginOwnCwr(bool mayUseSocket);

    /// Records of segments in flight will not give samples any more.
    void InvalidateRecords();

    /**
     * @brief Count delivered data.
     * @param bytes bytes newly delivered
     */
    void CountDelivered(uint32_t bytes);

    /// Set the environment of a call of the algorithm from the socket state.
    void ReadState();

    /// Bring the windows that the algorithm changed to the socket state.
    void WriteState();

    /**
     * @brief Convert a threshold.
     * @param segments threshold (segments)
     * @return threshold (bytes)
     */
    uint32_t ThresholdBytes(uint32_t segments) const;

    // Attributes
    uint32_t m_ticksPerSecond{1000};     ///< timer ticks per second (HZ)
    Time m_clockOffset{Seconds(1)};      ///< Linux's clock at the start of the simulation
    RttSource m_rttSource{SEND_RECORDS}; ///< where RTT samples come from

    // Connection
    Ptr<TcpSocketState> m_tcb;                                ///< socket state, null if none
    TcpLinuxTransport* m_transport{nullptr};                  ///< socket that tells more, or null
    std::unique_ptr<linuxtcp::CongestionControl> m_algorithm; ///< null until established
    linuxtcp::Connection m_connection; ///< connection as the algorithm sees it

    // Windows as last exchanged with the socket state
    uint32_t m_seenCwndBytes{0};     ///< socket's window (bytes)
    uint32_t m_seenSsthreshBytes{0}; ///< socket's threshold (bytes)
    uint32_t m_seenCwnd{0};          ///< algorithm's window (segments)
    uint32_t m_seenSsthresh{0};      ///< algorithm's threshold (segments)
    uint32_t m_seenMss{0};           ///< segment size (bytes)

    // Send records and delivery
    std::deque<SendRecord> m_records; ///< segments sent and not cumulatively acknowledged
    bool m_handshakeSeen{false};      ///< whether the SYN has been counted
    uint32_t m_una{1};                ///< oldest unacknowledged sequence number
    uint32_t m_highest{1};            ///< highest sequence number sent
    uint64_t m_cumulative{0};         ///< bytes cumulatively acknowledged
    uint64_t m_delivered{0};          ///< bytes delivered, selectively acknowledged ones included
    uint64_t m_priorInFlight{0};      ///< bytes in flight before the present acknowledgement
    uint32_t m_deliveredRemainder{0}; ///< bytes delivered, short of a packet
    uint32_t m_packetsForIncrease{0}; ///< packets by which the present ack may raise the window
    uint32_t m_duplicateAcks{0};      ///< duplicate acknowledgements since the last new one
    bool m_ackTaken{false};           ///< whether the present acknowledgement was sampled
    bool m_increasePending{false};    ///< whether m_packetsForIncrease has not been used yet

    // Use of the window
    uint32_t m_usageEnd{1};        ///< end of the window under observation
    uint32_t m_maxOutstanding{0};  ///< largest number of packets outstanding in it
    bool m_windowWasFilled{false}; ///< whether the window stopped transmission in it

    // State changes
    bool m_recoveryLatched{false};   ///< RECOVERY waits for the threshold
    bool m_thresholdAsked{false};    ///< a threshold was asked since the last event LOSS
    bool m_pendingComplete{false};   ///< event COMPLETE_CWR waits for the sample
    bool m_pendingOpen{false};       ///< state OPEN waits for the sample
    bool m_pendingCwr{false};        ///< state CWR waits for the sample
    uint32_t m_recoveryPoint{1};     ///< highest sequence number sent when the reduction began
    bool m_requestingCwr{false};     ///< the socket enters CWR on our request
    bool m_emulatedCwr{false};       ///< CWR on own account, unknown to the socket
    uint32_t m_cwrPriorCwnd{0};      ///< window before the emulated reduction (segments)
    uint64_t m_cwrPriorDelivered{0}; ///< bytes delivered before the emulated reduction

    /// Trace of the samples
    TracedCallback<Time, uint32_t, uint32_t> m_ackSampleTrace;
};

} // namespace ns3

#endif /* TCP_LINUX_CONGESTION_H */
