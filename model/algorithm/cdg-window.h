/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_CDG_WINDOW_H
#define LINUX_TCP_CDG_WINDOW_H

#include "congestion-control.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace linuxtcp
{

/// Parameters of CDG. The defaults are those of Linux.
struct CdgParameters
{
    static constexpr uint8_t ACK_TRAIN = 1; ///< bit of hystartDetect: end of an ACK train
    static constexpr uint8_t DELAY = 2;     ///< bit of hystartDetect: rise of the RTT

    uint32_t window{8};           ///< round trips in the gradient (power of two, 1 to 256)
    uint32_t backoffBeta{724};    ///< window kept by a delay back-off (0 to 1024, in 1/1024)
    uint32_t backoffFactor{42};   ///< slope of the back-off exponent (1e-6 per us of gradient)
    uint8_t hystartDetect{3};     ///< sum of ACK_TRAIN and DELAY, 0 for off
    uint32_t ineffectualLimit{5}; ///< back-offs without effect before they stop, 0 for no limit
    bool shadowWindow{true};      ///< whether losses give back what back-offs have cost
    bool lossTolerance{false};    ///< whether losses without a full queue cost nothing

    /**
     * @brief Check every parameter.
     * @throws std::invalid_argument naming the parameter, its value and what is allowed
     */
    void Validate() const;
};

/// What CDG thinks of the bottleneck's queue.
enum class CdgQueueState : uint8_t
{
    UNKNOWN = 0, ///< nothing is known
    NONFULL = 1, ///< the queue has room
    FULL = 2,    ///< the queue is full
    BACKOFF = 3  ///< a delay back-off is under way
};

/// Smallest and largest of something of a round trip.
struct CdgExtremes
{
    int64_t min{0}; ///< of the smallest RTTs (us)
    int64_t max{0}; ///< of the largest RTTs (us)
};

/// Detections of CDG's slow start heuristic.
struct CdgHystartCounters
{
    uint64_t trainDetect{0}; ///< exits for the length of the ACK train
    uint64_t trainCwnd{0};   ///< sum of the windows at these exits (segments)
    uint64_t delayDetect{0}; ///< exits for the rise of the RTT
    uint64_t delayCwnd{0};   ///< sum of the windows at these exits (segments)
};

/// State of CDG. Clocks in us and sequence numbers in bytes, modulo 2^32.
struct CdgState
{
    CdgExtremes rtt;             ///< RTTs of this round trip (us), 0 if none
    CdgExtremes previous;        ///< RTTs of the previous round trip (us), 0 if none
    CdgExtremes gradientSum;     ///< sums over the ring of gradients (us)
    bool gradientsFilled{false}; ///< whether the ring was filled once
    uint32_t tail{0};            ///< position in the ring
    CdgQueueState queue{CdgQueueState::UNKNOWN}; ///< what is thought of the queue
    uint8_t delayedAckScore{0};                  ///< evidence for delayed ACKs (0 to 5)
    uint32_t rttSequence{0};                     ///< end of the current round trip
    uint32_t shadowWindow{0};   ///< window that a loss-based flow would have (segments)
    uint16_t backoffCount{0};   ///< consecutive back-offs without effect
    uint32_t sampleCount{0};    ///< delay samples of slow start in this round trip
    uint32_t delayMinUs{0};     ///< smallest RTT seen by slow start (us), 0 if none
    uint32_t lastAckUs{0};      ///< last ACK of the train, 0 if there is none
    uint32_t roundStartUs{0};   ///< start of the train
    int64_t lastGradient{0};    ///< gradient of the last round trip that had one (us)
    uint64_t gradients{0};      ///< number of gradients computed
    uint64_t backoffs{0};       ///< number of delay back-offs
    uint64_t ineffectual{0};    ///< number of back-offs suppressed as ineffectual
    CdgHystartCounters hystart; ///< exits from slow start
};

/**
 * @brief TCP-CDG (CAIA Delay-Gradient), as in Linux 4.2 and later.
 *
 * Once per round trip the change of the smallest and largest RTT gives a probability with which
 * the window is brought down. The algorithm starts these reductions itself: IncreaseWindow() may
 * leave the connection in CWR with a new threshold, and the transport then brings cwnd down and
 * raises CwndEvent::COMPLETE_CWR.
 */
class CdgWindow : public CongestionControl
{
  public:
    /**
     * @brief Constructor
     * @param parameters the parameters
     * @param random what the back-offs are drawn from; without one, a generator of fixed seed
     * @throws std::invalid_argument if a parameter is not allowed
     */
    explicit CdgWindow(const CdgParameters& parameters = CdgParameters(),
                       std::shared_ptr<RandomSource> random = nullptr);

    /// @return a copy, which draws from the same random source until SetRandomSource()
    std::unique_ptr<CongestionControl> Clone() const override;
    void Init(Connection& c) override;
    void OnAck(Connection& c, const AckSample& sample) override;
    void IncreaseWindow(Connection& c, uint32_t acked) override;
    uint32_t GetSsThresh(Connection& c) override;
    void OnEvent(Connection& c, CwndEvent event) override;

    /**
     * @brief Give the connection a random source of its own.
     * @param random the source; null for a generator of fixed seed
     */
    void SetRandomSource(std::shared_ptr<RandomSource> random);

    /**
     * @brief exp(-x / 10^6) in the fixed point of Linux.
     * @param x exponent (1e-6)
     * @return (2^32 - 1) exp(-x / 10^6), 0 from x = 2^24 on
     */
    static uint32_t NegativeExponential(uint32_t x);

    /// @return the parameters
    const CdgParameters& GetParameters() const;

    /// @return the state
    const CdgState& GetState() const;

    /// @return the ring of gradients; empty if the window is 1
    const std::vector<CdgExtremes>& GetGradients() const;

  private:
    /**
     * @brief Forget everything but the counters.
     * @param c the connection
     */
    void Restart(const Connection& c);

    /**
     * @brief Look for the end of slow start.
     * @param c the connection; its ssthresh may change
     */
    void DetectSlowStartExit(Connection& c);

    /**
     * @brief Compute the gradient of the round trip that ends now.
     * @return gradient over the window (us)
     */
    int64_t UpdateGradient();

    /**
     * @brief Scale a gradient to a full window until there have been enough round trips.
     * @param gradient gradient so far (us)
     * @return gradient (us)
     */
    int64_t Extrapolate(int64_t gradient);

    /**
     * @brief Judge the queue from the gradients, for the loss tolerance.
     * @param gradient gradients of the extremes (us)
     */
    void JudgeQueue(const CdgExtremes& gradient);

    /**
     * @brief Bring the window down with the probability that the gradient gives.
     * @param c the connection
     * @param gradient gradient, more than 0 (us)
     * @return whether a back-off took place
     */
    bool BackOff(Connection& c, int64_t gradient);

    CdgParameters m_parameters;             ///< parameters
    std::shared_ptr<RandomSource> m_random; ///< source of the back-off draws
    std::vector<CdgExtremes> m_gradients;   ///< ring of gradients (us)
    CdgState m_state;                       ///< state
};

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_CDG_WINDOW_H */
