/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_FLOW_RECORDER_H
#define LINUX_TCP_FLOW_RECORDER_H

#include "scenario.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/sequence-number.h"
#include "ns3/simple-ref-count.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-socket-state.h"

#include <cstdint>
#include <deque>

namespace ns3
{

class TcpLinuxTransport;

/**
 * @ingroup linux-tcp
 * @brief Watches the sending socket of one connection and keeps its counters and time series.
 *
 * It works with every TcpSocketBase, through trace sources only.
 */
class FlowRecorder : public SimpleRefCount<FlowRecorder>
{
  public:
    /**
     * @brief Constructor
     * @param origin the scenario's time 0
     * @param steadyStart start of the steady window
     * @param segmentSize payload of a full segment (bytes)
     */
    FlowRecorder(Time origin, Time steadyStart, uint32_t segmentSize);

    /**
     * @brief Watch a socket.
     * @param socket the socket, before it sends data
     */
    void Attach(Ptr<TcpSocketBase> socket);

    /**
     * @brief Note that the connection is opened.
     */
    void NoteStart();

    /// Note that the handshake is complete at the sender.
    void NoteEstablished();

    /// Note that everything was acknowledged.
    void NoteCompletion();

    /// Add a sample to the time series.
    void Sample();

    /**
     * @brief Add a sample with each acknowledgement too.
     */
    void SampleAcks();

    /**
     * @brief Fill in the results.
     * @param end end of the run
     * @param result the flow's record; names and arithmetic are filled in already
     */
    void Finish(Time end, FlowResult& result) const;

    /// @return the time series so far
    FlowSeries& GetSeries();

    /// @return payload acknowledged so far (bytes)
    uint64_t GetBytesAcked() const;

  private:
    /**
     * @brief Name of what ended slow start, if a socket alone tells.
     * @param state state of loss recovery
     * @return "loss", "ecn" or "other"
     */
    static std::string ToDetector(TcpSocketState::TcpCongState_t state);

    /**
     * @brief The congestion control tells that slow start has ended.
     * @param detector what ended it
     * @param window window (segments)
     * @param minRtt smallest RTT, 0 if unknown
     * @param roundRtt smallest RTT of the round, 0 if unknown
     */
    void SlowStartEnded(std::string detector, uint32_t window, Time minRtt, Time roundRtt);

    /**
     * @brief One of HyStart's counters changes.
     * @param counter the counter
     * @param before old value
     * @param after new value
     */
    void CounterChanged(uint64_t HystartCounters::*counter, uint32_t before, uint32_t after);

    /// A data segment under way
    struct Sent
    {
        SequenceNumber32 end;      ///< sequence number that follows it
        Time time;                 ///< when it was handed down
        bool retransmitted{false}; ///< whether it was sent again
    };

    /**
     * @brief A segment is handed down.
     * @param packet its payload
     * @param header its header
     * @param socket the socket
     */
    void Transmitted(Ptr<const Packet> packet,
                     const TcpHeader& header,
                     Ptr<const TcpSocketBase> socket);

    /**
     * @brief A segment has come.
     * @param packet its payload
     * @param header its header
     * @param socket the socket
     */
    void Received(Ptr<const Packet> packet,
                  const TcpHeader& header,
                  Ptr<const TcpSocketBase> socket);

    /**
     * @brief The window changes.
     * @param before old value (bytes)
     * @param after new value (bytes)
     */
    void WindowChanged(uint32_t before, uint32_t after);

    /**
     * @brief The threshold changes.
     * @param before old value (bytes)
     * @param after new value (bytes)
     */
    void ThresholdChanged(uint32_t before, uint32_t after);

    /**
     * @brief The smoothed RTT changes.
     * @param before old value
     * @param after new value
     */
    void RttChanged(Time before, Time after);

    /**
     * @brief The timeout changes.
     * @param before old value
     * @param after new value
     */
    void TimeoutChanged(Time before, Time after);

    /**
     * @brief The state of loss recovery changes.
     * @param before old state
     * @param after new state
     */
    void StateChanged(TcpSocketState::TcpCongState_t before, TcpSocketState::TcpCongState_t after);

    /**
     * @brief The data in flight changes.
     * @param before old value (bytes)
     * @param after new value (bytes)
     */
    void InFlightChanged(uint32_t before, uint32_t after);

    /**
     * @brief The pacing rate changes.
     * @param before old value
     * @param after new value
     */
    void PacingRateChanged(DataRate before, DataRate after);

    /**
     * @brief Seconds since the scenario's time 0.
     * @param time simulated time
     * @return seconds
     */
    double ToSeconds(Time time) const;

    Time m_origin;          ///< the scenario's time 0
    Time m_steadyStart;     ///< start of the steady window
    uint32_t m_segmentSize; ///< payload of a full segment (bytes)

    const TcpLinuxTransport* m_transport{nullptr}; ///< the socket, if it is a LinuxTcpSocket
    bool m_exitsTraced{false};    ///< whether the congestion control tells ends of slow start
    Time m_lastExit{Seconds(-1)}; ///< when the threshold ended slow start last
    int64_t m_completionNs{-1};   ///< when everything was acknowledged (ns), -1 if it was not

    FlowResult m_result;      ///< counters
    FlowSeries m_series;      ///< time series
    bool m_sampleAcks{false}; ///< whether acknowledgements are sampled

    std::deque<Sent> m_sent;            ///< segments under way
    SequenceNumber32 m_nextSequence{1}; ///< highest sequence number sent plus one
    SequenceNumber32 m_acked{1};        ///< highest acknowledgement seen
    uint64_t m_bytesAcked{0};           ///< payload acknowledged (bytes)
    uint64_t m_steadyBase{0};           ///< payload acknowledged before the steady window (bytes)
    uint32_t m_cwnd{0};                 ///< window (bytes)
    uint32_t m_ssthresh;                ///< threshold (bytes)
    Time m_srtt;                        ///< smoothed RTT, 0 before the first sample
    uint32_t m_inFlight{0};             ///< data in flight (bytes)
    uint64_t m_pacingRate{0};           ///< pacing rate (bit/s)
    TcpSocketState::TcpCongState_t m_state{TcpSocketState::CA_OPEN}; ///< loss recovery
    int64_t m_minRttNs{-1}; ///< smallest RTT sample (ns), -1 before the first
    int64_t m_maxRttNs{-1}; ///< largest RTT sample (ns), -1 before the first
    int64_t m_sumRttNs{0};  ///< sum of the smoothed RTT over acknowledgements (ns)
    uint64_t m_rttCount{0}; ///< terms of that sum
};

} // namespace ns3

#endif /* LINUX_TCP_FLOW_RECORDER_H */
