/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_CONGESTION_CONTROL_H
#define LINUX_TCP_CONGESTION_CONTROL_H

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

namespace ns3
{
namespace linuxtcp
{

/// Slow start threshold of a connection that has not met congestion yet (segments).
constexpr uint32_t INFINITE_SSTHRESH = 0x7fffffff;

/// State of loss recovery, as numbered by Linux (tcp_info, RFC 6675 in prose).
enum class CongestionState : uint8_t
{
    OPEN = 0,
    DISORDER = 1,
    CWR = 2,
    RECOVERY = 3,
    LOSS = 4
};

/// Events that the transport reports besides acknowledgements.
enum class CwndEvent : uint8_t
{
    TX_START,     ///< first transmission with nothing in flight
    CWND_RESTART, ///< the window was restarted after an idle period
    COMPLETE_CWR, ///< a window reduction has completed
    LOSS          ///< a retransmission timeout happened
};

/**
 * @brief What a congestion control sees of its connection.
 *
 * The first group belongs to the transport and is changed by the algorithm; the second group is
 * the environment of the call, which the transport sets before each call. Windows are in
 * segments, sequence numbers in bytes modulo 2^32.
 */
struct Connection
{
    uint32_t cwnd{10};                            ///< congestion window (segments)
    uint32_t ssthresh{INFINITE_SSTHRESH};         ///< slow start threshold (segments)
    uint32_t credit{0};                           ///< packets counted towards the next increase
    uint32_t cwndClamp{0xffffffff};               ///< upper bound of cwnd (segments)
    CongestionState state{CongestionState::OPEN}; ///< state of loss recovery

    uint64_t nowUs{0};           ///< clock (us); never 0 once the connection exists
    uint32_t mss{1448};          ///< payload of a full segment (bytes)
    uint32_t sndUna{0};          ///< oldest unacknowledged sequence number (bytes)
    uint32_t sndNxt{0};          ///< next sequence number to send (bytes)
    uint32_t packetsInFlight{0}; ///< packets in flight before this acknowledgement (segments)
    uint32_t sackedOut{0};       ///< packets selectively acknowledged (segments)
    bool cwndLimited{false};     ///< whether the window limits the connection
    bool paced{false};           ///< whether transmissions are paced
    uint64_t pacingRate{0};      ///< pacing rate (bytes/s), 0 if unknown
    uint64_t lastSendUs{0};      ///< clock at the last data transmission (us), 0 if none
};

/// What one acknowledgement tells.
struct AckSample
{
    int64_t rttUs{-1};        ///< RTT of the newest packet acknowledged (us), -1 if not usable
    uint32_t packetsAcked{0}; ///< packets cumulatively acknowledged
    uint32_t inFlight{0}; ///< bytes in flight belonging to that packet (see NvWindow), 0 if none
};

/// Source of the random numbers that an algorithm draws.
class RandomSource
{
  public:
    virtual ~RandomSource() = default;

    /// @return a number uniform over all 32-bit values
    virtual uint32_t Draw() = 0;
};

/**
 * @brief A window-based congestion control without its transport.
 *
 * Calls for one acknowledgement come in Linux's order: sndUna advances, OnAck(), state changes
 * (GetSsThresh() before OnStateChange(), the state itself last), IncreaseWindow() unless in CWR
 * or RECOVERY. No call allocates memory, none uses floating point unless its specification does.
 */
class CongestionControl
{
  public:
    virtual ~CongestionControl() = default;

    /// @return a copy with the same parameters, to be used by another connection after Init()
    virtual std::unique_ptr<CongestionControl> Clone() const = 0;

    /**
     * @brief Start a connection.
     * @param c the connection
     */
    virtual void Init(Connection& c) = 0;

    /**
     * @brief Take the sample of an acknowledgement, before anything else happens with it.
     * @param c the connection
     * @param sample what was acknowledged
     */
    virtual void OnAck(Connection& c, const AckSample& sample);

    /**
     * @brief Let the window grow; called for new data outside CWR and RECOVERY.
     * @param c the connection; its cwnd grows
     * @param acked packets newly delivered (cumulatively or selectively)
     */
    virtual void IncreaseWindow(Connection& c, uint32_t acked) = 0;

    /**
     * @brief The threshold for a reduction that starts now.
     * @param c the connection, in its old state
     * @return slow start threshold (segments), at least 2
     */
    virtual uint32_t GetSsThresh(Connection& c) = 0;

    /**
     * @brief The state of loss recovery is about to change.
     * @param c the connection, still in its old state
     * @param next the state to come
     */
    virtual void OnStateChange(Connection& c, CongestionState next);

    /**
     * @brief An event of the transport.
     * @param c the connection
     * @param event what happened
     */
    virtual void OnEvent(Connection& c, CwndEvent event);

    /**
     * @brief The window after a reduction that turned out to be unfounded.
     * @param c the connection
     * @param priorCwnd the window before the reduction (segments)
     * @return the window to use (segments)
     */
    virtual uint32_t UndoCwnd(Connection& c, uint32_t priorCwnd);

  protected:
    /**
     * @brief Start a window reduction on the algorithm's own account.
     *
     * Does nothing unless the state is OPEN or DISORDER. Sets ssthresh, clears the credit and
     * puts the connection into CWR; the transport then brings cwnd down.
     * @param c the connection
     */
    void EnterCwr(Connection& c);
};

/**
 * @brief Slow start up to the threshold.
 * @param c the connection; its cwnd grows
 * @param acked packets acknowledged
 * @return packets left for congestion avoidance
 */
uint32_t SlowStart(Connection& c, uint32_t acked);

/**
 * @brief Additive increase: one segment per @p divisor packets acknowledged.
 * @param c the connection; its cwnd and credit change
 * @param divisor packets per segment of growth, at least 1
 * @param acked packets acknowledged
 */
void AdditiveIncrease(Connection& c, uint32_t divisor, uint32_t acked);

/**
 * @brief Compare sequence numbers modulo 2^32.
 * @param a first sequence number
 * @param b second sequence number
 * @return whether a comes after b
 */
constexpr bool
IsAfter(uint32_t a, uint32_t b)
{
    return static_cast<int32_t>(a - b) > 0;
}

/**
 * @brief Convert a clock to timer ticks.
 * @param us clock (us)
 * @param hz ticks per second
 * @return ticks, modulo 2^32
 */
constexpr uint32_t
ToTicks(uint64_t us, uint32_t hz)
{
    return static_cast<uint32_t>((us / 1000000) * hz + (us % 1000000) * hz / 1000000);
}

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_CONGESTION_CONTROL_H */
