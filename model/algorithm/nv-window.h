/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_NV_WINDOW_H
#define LINUX_TCP_NV_WINDOW_H

#include "congestion-control.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace linuxtcp
{

/// What the transport has to report as the bytes in flight of an acknowledged packet.
enum class NvInFlight : uint8_t
{
    WHEN_SENT,      ///< bytes in flight when the packet was sent, itself included (to Linux 5.15)
    DELIVERED_SINCE ///< bytes delivered since the packet was sent (from Linux 5.16)
};

/// Which window a reduction that turned out to be unfounded is taken back to.
enum class NvUndo : uint8_t
{
    SAVED_WINDOW, ///< the window at the last loss, forgotten at the reset after it (to Linux 4.13)
    PRIOR_WINDOW  ///< the window before the reduction (from Linux 4.14)
};

/// Parameters of NV. The defaults are those of Linux 5.16 and later.
struct NvParameters
{
    uint32_t pad{10};                ///< queue tolerated in the network (0 to 65535 segments)
    uint32_t padBuffer{2};           ///< dead band below the largest window (0 to 65535 segments)
    uint64_t resetPeriodUs{5000000}; ///< nominal period of the min-RTT replacement (1 ms to 1 h,
                                     ///< in us)
    uint32_t minimumWindow{2};       ///< NV's own decrease stops here (2 to 65535 segments)
    uint32_t congestionDecrease{38}; ///< part of the excess taken away (0 to 128, in 1/128)
    uint32_t ssThreshFactor{8};      ///< slow start threshold over largest window (1 to 64, in 1/8)
    uint32_t rttFactor{128};         ///< weight of a new RTT in the average (0 to 256, in 1/256)
    uint32_t lossFactor{819};        ///< window kept at a loss (0 to 1024, in 1/1024)
    uint32_t slowGrowthDecisions{8}; ///< verdicts before a step back towards Reno, 0 for never
                                     ///< slower than Reno (0 to 255)
    uint32_t fastGrowthDecisions{0}; ///< verdicts before a step beyond Reno, 0 for never (0 to
                                     ///< 255)
    uint32_t decreaseSamples{60};    ///< samples needed to decrease (1 to 255)
    uint32_t increaseSamples{20};    ///< samples needed to permit growth (1 to 255)
    uint32_t slowStartSamples{30}; ///< samples needed to decrease in initial slow start (1 to 255)
    uint32_t stopRounds{10};    ///< round trips after which growth stops without samples (0 to 254)
    uint32_t decreaseRounds{2}; ///< round trips needed to decrease (0 to 255)
    uint32_t baseRttUs{0};      ///< known RTT of the empty path (us), 0 if none
    NvInFlight inFlightDefinition{NvInFlight::DELIVERED_SINCE}; ///< what a sample's inFlight is
    NvUndo undo{NvUndo::PRIOR_WINDOW};                          ///< window after an undo
    uint32_t hz{1000}; ///< timer ticks per second (1 to 1000000)

    /**
     * @brief Check every parameter.
     * @throws std::invalid_argument naming the parameter, its value and what is allowed
     */
    void Validate() const;

    /**
     * @brief The parameters of a Linux version.
     * @param profile one of GetProfiles()
     * @return the parameters
     * @throws std::invalid_argument if there is no such profile
     */
    static NvParameters FromProfile(const std::string& profile);

    /// @return the Linux versions that changed NV, oldest first: 4.8, 4.15, 5.16
    static std::vector<std::string> GetProfiles();
};

/// Verdict of NV at the end of a round trip.
enum class NvVerdict : uint8_t
{
    NONE,            ///< nothing was judged yet
    CONGESTED,       ///< the window was brought down
    TOO_EARLY,       ///< congested, but too few round trips or samples to act on it
    GROWTH_STOPPED,  ///< congested with too few samples for too long: growth stopped
    NOT_CONGESTED,   ///< growth is permitted
    TOO_FEW_SAMPLES, ///< not congested, but too few samples to say so
    DEAD_BAND,       ///< neither
    AGGREGATED       ///< one large ACK for the round trip: nothing could be measured
};

/// One look of NV at its window.
struct NvEvaluation
{
    NvVerdict verdict{NvVerdict::NONE}; ///< what was found
    uint32_t rate{0};                   ///< best rate since the last verdict (100 bit/s)
    uint32_t minRttUs{0};               ///< minimum RTT used (us)
    uint32_t maxWindow{0}; ///< largest window without congestion (segments); 0 if not computed
    uint32_t window{0};    ///< window that was judged (segments)
    uint32_t samples{0};   ///< samples since the last verdict
    uint32_t rounds{0};    ///< round trips since the last verdict
};

/// State of NV. Times in ticks, sequence numbers in bytes modulo 2^32.
struct NvState
{
    static constexpr uint32_t INFINITE_RTT =
        std::numeric_limits<uint32_t>::max(); ///< no RTT known (us)

    bool allowGrowth{true};             ///< whether the window may grow
    bool resetPending{false};           ///< whether the measurements restart on return to OPEN
    bool catchUp{false};                ///< vestige of Linux, never set
    int8_t growthFactor{0};             ///< growth 2^growthFactor times that of Reno, -8 or more
    uint8_t evalCalls{0};               ///< samples since the last verdict, saturating
    uint8_t rttCount{0};                ///< round trips since the last verdict, saturating
    uint32_t noCongestionCount{0};      ///< consecutive verdicts without congestion
    uint8_t flowMinimumWindow{4};       ///< adapts to aggregation (4 to 81 segments)
    uint32_t lastRttUs{0};              ///< averaged RTT (us), 0 if none
    uint32_t minRttUs{INFINITE_RTT};    ///< minimum RTT in use (us)
    uint32_t newMinRttUs{INFINITE_RTT}; ///< minimum RTT being collected (us)
    uint32_t baseRttUs{0};              ///< upper bound of the minimum RTT (us), 0 if none
    uint32_t lowerRttUs{0};             ///< lower bound of the minimum RTT (us), 0 if none
    uint32_t maxRate{0};          ///< best rate since the last verdict (100 bit/s), saturating
    uint32_t rttStartSequence{0}; ///< end of the current round trip
    uint32_t lastUna{0};          ///< sndUna at the last sample
    uint32_t resetTime{0};        ///< time of the next min-RTT replacement
    uint32_t lossWindow{0};       ///< window at the last loss (segments), 0 if none
    uint64_t evaluations{0};      ///< number of evaluations
    NvEvaluation lastEvaluation;  ///< the latest of them
};

/**
 * @brief TCP-NV (New Vegas), as in Linux 4.8 and later.
 *
 * Once per round trip the window that sustains the best rate seen without any queue is compared
 * with the window in use; growth stops and the window shrinks when it is too large. The sample's
 * inFlight must be what NvParameters::inFlightDefinition says.
 */
class NvWindow : public CongestionControl
{
  public:
    /**
     * @brief Constructor
     * @param parameters the parameters
     * @param random what the reset period is drawn from; without one, a generator of fixed seed
     * @throws std::invalid_argument if a parameter is not allowed
     */
    explicit NvWindow(const NvParameters& parameters = NvParameters(),
                      std::shared_ptr<RandomSource> random = nullptr);

    /// @return a copy, which draws from the same random source until SetRandomSource()
    std::unique_ptr<CongestionControl> Clone() const override;
    void Init(Connection& c) override;
    void OnAck(Connection& c, const AckSample& sample) override;
    void IncreaseWindow(Connection& c, uint32_t acked) override;
    uint32_t GetSsThresh(Connection& c) override;
    void OnStateChange(Connection& c, CongestionState next) override;
    uint32_t UndoCwnd(Connection& c, uint32_t priorCwnd) override;

    /**
     * @brief Give the connection a random source of its own.
     * @param random the source; null for a generator of fixed seed
     */
    void SetRandomSource(std::shared_ptr<RandomSource> random);

    /// @return the parameters
    const NvParameters& GetParameters() const;

    /// @return the state
    const NvState& GetState() const;

  private:
    /**
     * @brief The clock in ticks.
     * @param c the connection
     * @return ticks modulo 2^32
     */
    uint32_t Now(const Connection& c) const;

    /**
     * @brief Restart the measurements.
     * @param c the connection
     */
    void Reset(const Connection& c);

    /**
     * @brief Take an RTT into the average.
     * @param rttUs the RTT (us)
     * @return the average (us)
     */
    uint32_t AverageRtt(uint32_t rttUs);

    /**
     * @brief Follow the minimum RTT and replace it when its time has come.
     * @param c the connection
     * @param averageUs averaged RTT (us)
     */
    void TrackMinimumRtt(const Connection& c, uint32_t averageUs);

    /**
     * @brief Judge the window at the end of a round trip.
     * @param c the connection; its cwnd and ssthresh may change
     */
    void Evaluate(Connection& c);

    /**
     * @brief Act on a window that is too large.
     * @param c the connection; its cwnd and ssthresh may change
     * @param maxWindow largest window without congestion (segments)
     * @return what was done
     */
    NvVerdict OnCongested(Connection& c, uint32_t maxWindow);

    /// @return what was done about a window that is not too large
    NvVerdict OnNotCongested();

    NvParameters m_parameters;              ///< parameters
    std::shared_ptr<RandomSource> m_random; ///< source of the reset period
    NvState m_state;                        ///< state
};

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_NV_WINDOW_H */
