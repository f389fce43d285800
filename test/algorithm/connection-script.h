/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_CONNECTION_SCRIPT_H
#define LINUX_TCP_CONNECTION_SCRIPT_H

#include "congestion-control.h"

#include <algorithm>
#include <cstdint>
#include <vector>

/**
 * @file
 * A minimal transport for tests: it makes the calls of a congestion control in Linux's order.
 */

/// A connection whose acknowledgements a test sends one by one.
class ConnectionScript
{
  public:
    /**
     * @param algorithm the algorithm
     * @param startUs clock at the start (us)
     * @param cwnd initial window (segments)
     * @param ssthresh initial threshold (segments)
     */
    ConnectionScript(ns3::linuxtcp::CongestionControl& algorithm,
                     uint64_t startUs,
                     uint32_t cwnd = 10,
                     uint32_t ssthresh = ns3::linuxtcp::INFINITE_SSTHRESH)
        : m_algorithm(algorithm)
    {
        c.nowUs = startUs;
        c.cwnd = cwnd;
        c.ssthresh = ssthresh;
        c.cwndLimited = true;
        m_algorithm.Init(c);
        FillWindow();
    }

    /**
     * @brief Let time pass.
     * @param us how long (us)
     */
    void Wait(uint64_t us)
    {
        c.nowUs += us;
    }

    /**
     * @brief Acknowledge packets and send new ones.
     * @param rttUs RTT (us), -1 for none
     * @param packets packets
     */
    void Ack(int64_t rttUs, uint32_t packets = 1)
    {
        using ns3::linuxtcp::CongestionState;
        c.packetsInFlight = Outstanding();
        c.sndUna += packets * c.mss;
        ns3::linuxtcp::AckSample sample;
        sample.rttUs = rttUs;
        sample.packetsAcked = packets;
        m_algorithm.OnAck(c, sample);
        if (c.state != CongestionState::CWR && c.state != CongestionState::RECOVERY)
        {
            m_algorithm.IncreaseWindow(c, packets);
        }
        FillWindow();
    }

    /// Reduce the window after a loss, all at once.
    void Lose()
    {
        using ns3::linuxtcp::CongestionState;
        c.ssthresh = m_algorithm.GetSsThresh(c);
        c.credit = 0;
        m_algorithm.OnStateChange(c, CongestionState::RECOVERY);
        c.state = CongestionState::RECOVERY;
        c.cwnd = c.ssthresh;
        m_algorithm.OnStateChange(c, CongestionState::OPEN);
        c.state = CongestionState::OPEN;
        m_algorithm.OnEvent(c, ns3::linuxtcp::CwndEvent::COMPLETE_CWR);
    }

    /// Have a retransmission timeout and recover from it.
    void TimeOut()
    {
        using ns3::linuxtcp::CongestionState;
        c.ssthresh = m_algorithm.GetSsThresh(c);
        c.credit = 0;
        m_algorithm.OnEvent(c, ns3::linuxtcp::CwndEvent::LOSS);
        c.cwnd = 1;
        m_algorithm.OnStateChange(c, CongestionState::LOSS);
        c.state = CongestionState::LOSS;
        m_algorithm.OnStateChange(c, CongestionState::OPEN);
        c.state = CongestionState::OPEN;
    }

    /// Send what the window allows.
    void FillWindow()
    {
        if (Outstanding() < c.cwnd)
        {
            c.sndNxt = c.sndUna + c.cwnd * c.mss;
            c.lastSendUs = c.nowUs;
        }
    }

    /// @return packets outstanding
    uint32_t Outstanding() const
    {
        return (c.sndNxt - c.sndUna) / c.mss;
    }

    ns3::linuxtcp::Connection c; ///< the connection

  private:
    ns3::linuxtcp::CongestionControl& m_algorithm; ///< the algorithm
};

/**
 * @brief The windows of a connection on a path that loses a packet when the window is too large.
 * @param algorithm the algorithm
 * @param startUs clock at the start (us)
 * @param rttUs RTT of the empty path (us)
 * @param limit window that loses a packet (segments)
 * @param rounds how long
 * @return the window after each acknowledgement (segments)
 */
inline std::vector<uint32_t>
RunOnPath(ns3::linuxtcp::CongestionControl& algorithm,
          uint64_t startUs,
          uint64_t rttUs,
          uint32_t limit,
          uint32_t rounds)
{
    std::vector<uint32_t> windows;
    ConnectionScript script(algorithm, startUs);
    for (uint32_t round = 0; round < rounds; ++round)
    {
        const uint32_t acks = std::max<uint32_t>(script.c.cwnd / 2, 1);
        for (uint32_t ack = 0; ack < acks; ++ack)
        {
            script.Wait(rttUs / acks);
            script.Ack(static_cast<int64_t>(rttUs + 20 * script.c.cwnd), 2);
            windows.push_back(script.c.cwnd);
        }
        if (script.c.cwnd > limit)
        {
            round % 40 == 39 ? script.TimeOut() : script.Lose();
        }
    }
    return windows;
}

#endif /* LINUX_TCP_CONNECTION_SCRIPT_H */
