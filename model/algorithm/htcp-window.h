/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_HTCP_WINDOW_H
#define LINUX_TCP_HTCP_WINDOW_H

#include "congestion-control.h"

#include <cstdint>
#include <memory>

namespace ns3
{
namespace linuxtcp
{

/// The two H-TCPs, which differ in more than rounding.
enum class HtcpVariant : uint8_t
{
    LINUX_FIXED_POINT, ///< as in Linux 6.1, in ticks and 1/128ths
    PUBLISHED          ///< as published by Leith and Shorten, in real arithmetic
};

/// Parameters of H-TCP.
struct HtcpParameters
{
    HtcpVariant variant{HtcpVariant::LINUX_FIXED_POINT}; ///< which H-TCP
    bool rttScaling{true};       ///< whether the increase is scaled by RTT / 100 ms
    bool bandwidthSwitch{true};  ///< whether a change of throughput forces the factor 0.5
    bool adaptiveBackoff{true};  ///< whether the decrease follows minimum RTT / maximum RTT
    bool slowStartPerAck{false}; ///< whether slow start counts ACKs, not packets (to Linux 3.12)
    uint32_t hz{1000};           ///< timer ticks per second (1 to 1000000), Linux variant only

    /**
     * @brief Check every parameter.
     * @throws std::invalid_argument naming the parameter, its value and what is allowed
     */
    void Validate() const;
};

/// What both variants have in common, in units that do not depend on the variant.
struct HtcpSummary
{
    double alpha{1};      ///< increase (segments per RTT)
    double beta{0.5};     ///< fraction of the window kept at the last congestion event
    uint64_t deltaUs{0};  ///< time since the last congestion event (us)
    uint64_t minRttUs{0}; ///< smallest RTT of the connection (us), 0 if unknown
    uint64_t maxRttUs{0}; ///< largest RTT remembered (us), 0 if unknown
    double throughput{0}; ///< throughput that the next bandwidth test will use (segments/s)
};

/// An H-TCP of either variant.
class HtcpControl : public CongestionControl
{
  public:
    /**
     * @brief Report the state in common units.
     * @param c the connection, whose clock gives the time since the last event
     * @return the summary
     */
    virtual HtcpSummary Summarize(const Connection& c) const = 0;
};

/**
 * @brief Make the H-TCP that the parameters ask for.
 * @param parameters which variant, with which switches
 * @return the algorithm
 * @throws std::invalid_argument if a parameter is not allowed
 */
std::unique_ptr<HtcpControl> MakeHtcp(const HtcpParameters& parameters);

/// State of the Linux variant. Times in ticks, throughput in segments/s.
struct HtcpState
{
    uint32_t alpha{128};              ///< increase (1/128 segment per RTT)
    uint32_t beta{64};                ///< last decrease factor (1/128), 64 to 102
    bool modeSwitch{false};           ///< whether the adaptive factor is armed
    uint32_t packetsAcked{1};         ///< size of the last ACK (packets) as the increase sees it
    uint32_t packetCount{0};          ///< packets of the throughput measurement under way
    uint32_t lastTime{0};             ///< start of that measurement
    uint32_t minRtt{0};               ///< smallest RTT, 0 if unknown
    uint32_t maxRtt{0};               ///< largest RTT remembered, 0 if unknown
    uint32_t lastCongestion{0};       ///< start or end of the last congestion event
    bool undoSaved{false};            ///< whether the undo fields hold anything
    uint32_t undoLastCongestion{0};   ///< lastCongestion before the event, 0 if not saved
    uint32_t undoMaxRtt{0};           ///< maxRtt at the event
    uint32_t undoOldMaxThroughput{0}; ///< oldMaxThroughput at the event
    uint32_t throughput{0};           ///< smoothed throughput of this epoch
    uint32_t minThroughput{0};        ///< smallest throughput of this epoch
    uint32_t maxThroughput{0};        ///< largest throughput of this epoch
    uint32_t oldMaxThroughput{0};     ///< largest throughput of the previous epoch
};

/**
 * @brief H-TCP as in Linux 6.1.
 *
 * The increase per RTT grows with the time since the last congestion event, the decrease follows
 * the ratio of minimum and maximum RTT. Fixed point: 1/128ths, and RTTs in whole ticks, rounded
 * up. Products are computed in 64 bits and saturate, so that a flow without losses for hours
 * keeps a monotone increase.
 */
class HtcpWindow : public HtcpControl
{
  public:
    /**
     * @brief Constructor
     * @param parameters switches and tick rate; the variant is not looked at
     * @throws std::invalid_argument if a parameter is not allowed
     */
    explicit HtcpWindow(const HtcpParameters& parameters = HtcpParameters());

    std::unique_ptr<CongestionControl> Clone() const override;
    void Init(Connection& c) override;
    void OnAck(Connection& c, const AckSample& sample) override;
    void IncreaseWindow(Connection& c, uint32_t acked) override;
    uint32_t GetSsThresh(Connection& c) override;
    void OnStateChange(Connection& c, CongestionState next) override;
    uint32_t UndoCwnd(Connection& c, uint32_t priorCwnd) override;
    HtcpSummary Summarize(const Connection& c) const override;

    /// @return the parameters
    const HtcpParameters& GetParameters() const;

    /// @return the state
    const HtcpState& GetState() const;

  private:
    /**
     * @brief The clock in ticks.
     * @param c the connection
     * @return ticks modulo 2^32
     */
    uint32_t Now(const Connection& c) const;

    /**
     * @brief Measure the throughput once per RTT.
     * @param c the connection
     * @param packetsAcked packets acknowledged
     */
    void MeasureThroughput(const Connection& c, uint32_t packetsAcked);

    /**
     * @brief Renew the increase from the time since the last congestion event.
     * @param c the connection
     */
    void UpdateAlpha(const Connection& c);

    /// Renew the decrease factor from the throughput and RTT extremes.
    void UpdateBeta();

    HtcpParameters m_parameters; ///< parameters
    HtcpState m_state;           ///< state
};

/// State of the published variant.
struct HtcpPublishedState
{
    double alpha{1};                  ///< increase (segments per RTT)
    double beta{0.5};                 ///< last decrease factor, 0.5 to 0.8
    double fraction{0};               ///< part of a segment that the window has grown by
    uint64_t lastEventUs{0};          ///< last congestion event, or the start (us)
    uint64_t minRttUs{0};             ///< smallest RTT (us), 0 if unknown
    uint64_t maxRttUs{0};             ///< largest RTT remembered (us), 0 if unknown
    uint64_t packetCount{0};          ///< packets of the throughput measurement under way
    uint64_t measureStartUs{0};       ///< start of that measurement (us)
    double throughput{0};             ///< last throughput measured (segments/s), 0 if none
    double previousThroughput{0};     ///< throughput just before the previous event, 0 if none
    bool undoSaved{false};            ///< whether the undo fields hold anything
    uint64_t undoLastEventUs{0};      ///< lastEventUs before the event
    uint64_t undoMaxRttUs{0};         ///< maxRttUs before the event
    double undoPreviousThroughput{0}; ///< previousThroughput before the event
};

/**
 * @brief H-TCP as published (Leith and Shorten 2004, draft-leith-tcp-htcp), in real arithmetic.
 *
 * Choices where the publications leave room: the RTT scaling uses the minimum RTT and applies
 * after the first second only, with the scaled increase not below 1 before the factor
 * 2(1 - beta); throughput is that of the last interval of at least one minimum RTT; the maximum
 * RTT loses 5 % of its excess over the minimum at each event; the first event has no throughput
 * to compare with and counts as a change.
 */
class HtcpPublishedWindow : public HtcpControl
{
  public:
    /**
     * @brief Constructor
     * @param parameters switches; the variant and the tick rate are not looked at
     * @throws std::invalid_argument if a parameter is not allowed
     */
    explicit HtcpPublishedWindow(const HtcpParameters& parameters = HtcpParameters());

    std::unique_ptr<CongestionControl> Clone() const override;
    void Init(Connection& c) override;
    void OnAck(Connection& c, const AckSample& sample) override;
    void IncreaseWindow(Connection& c, uint32_t acked) override;
    uint32_t GetSsThresh(Connection& c) override;
    void OnStateChange(Connection& c, CongestionState next) override;
    uint32_t UndoCwnd(Connection& c, uint32_t priorCwnd) override;
    HtcpSummary Summarize(const Connection& c) const override;

    /**
     * @brief Increase as a function of the time since the last event, before any scaling.
     * @param deltaUs time since the last congestion event (us)
     * @return segments per RTT, at least 1
     */
    static double BaseIncrease(uint64_t deltaUs);

    /// @return the parameters
    const HtcpParameters& GetParameters() const;

    /// @return the state
    const HtcpPublishedState& GetState() const;

  private:
    /**
     * @brief Renew the increase from the time since the last congestion event.
     * @param c the connection
     */
    void UpdateAlpha(const Connection& c);

    /// Renew the decrease factor from the throughput and RTT extremes.
    void UpdateBeta();

    HtcpParameters m_parameters; ///< parameters
    HtcpPublishedState m_state;  ///< state
};

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_HTCP_WINDOW_H */
