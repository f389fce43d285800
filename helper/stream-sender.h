/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_STREAM_SENDER_H
#define LINUX_TCP_STREAM_SENDER_H

#include "tcp-application.h"

#include <deque>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief Sends a stream of bytes: one transfer, or bursts with silence between them.
 *
 * With BurstBytes of 0 it sends MaxBytes (or without end) as fast as TCP lets it, closes the
 * connection when the last byte is acknowledged, and tells when that was. Otherwise it writes
 * BurstBytes at the start of each period, up to MaxBytes altogether.
 */
class StreamSender : public ConnectingApplication
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @return bytes acknowledged so far
    uint64_t GetAckedBytes() const;

    /**
     * @brief Signature of the trace of a complete transfer.
     * @param start when the connection was opened
     * @param completion when the last byte was acknowledged
     */
    typedef void (*CompletedCallback)(Time start, Time completion);

    /**
     * @brief Signature of the trace of acknowledged bursts.
     * @param index number of the burst, from 0
     * @param start when it was written
     * @param completion when its last byte was acknowledged
     * @param bytes its size (bytes)
     */
    typedef void (*BurstCallback)(uint64_t index, Time start, Time completion, uint64_t bytes);

  protected:
    void DoDispose() override;
    void StartApplication() override;
    void StopApplication() override;
    void HandleConnected() override;
    void HandleSendSpace() override;
    void HandleReceived(uint64_t bytes) override;

  private:
    /// A burst that is not yet acknowledged
    struct Burst
    {
        uint64_t index{0}; ///< its number
        uint64_t end{0};   ///< bytes of the stream up to its end
        uint64_t bytes{0}; ///< its size (bytes)
        Time start;        ///< when it was written
    };

    /// Write a burst and wait for the next one.
    void StartBurst();

    uint64_t m_maxBytes{0};   ///< bytes to send, 0 for no limit
    uint64_t m_burstBytes{0}; ///< size of a burst (bytes), 0 for a continuous stream
    Time m_burstPeriod;       ///< time between two bursts

    Time m_start;               ///< when the connection was opened
    uint64_t m_added{0};        ///< bytes given to the writer
    uint64_t m_burstIndex{0};   ///< number of the next burst
    std::deque<Burst> m_bursts; ///< bursts under way
    EventId m_burstEvent;       ///< next burst
    bool m_completed{false};    ///< whether everything is acknowledged

    TracedCallback<Time, Time> m_completedTrace;                 ///< everything was acknowledged
    TracedCallback<uint64_t, Time, Time, uint64_t> m_burstTrace; ///< a burst was acknowledged
};

} // namespace ns3

#endif /* LINUX_TCP_STREAM_SENDER_H */
