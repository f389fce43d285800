/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TCP_NV_H
#define TCP_NV_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/nv-window.h"
#include "ns3/random-variable-stream.h"
#include "ns3/tcp-linux-congestion.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief TCP-NV (New Vegas), a delay-based congestion control for data centres, as in Linux.
 *
 * The algorithm is linuxtcp::NvWindow; this class gives it attributes and trace sources.
 *
 * The attribute Profile chooses the Linux version. The attributes LossFactor, InFlight and Undo
 * follow it unless they are set.
 */
class TcpNv : public TcpLinuxCongestion
{
  public:
    /// A number that the profile decides
    static constexpr uint32_t FROM_PROFILE = std::numeric_limits<uint32_t>::max();

    /// Linux versions that changed NV
    enum Profile
    {
        LINUX_4_8,  ///< as merged: loss factor 512/1024, in flight when sent
        LINUX_4_15, ///< loss factor 819/1024, base RTT
        LINUX_5_16  ///< in flight as delivered since, until today
    };

    /// What counts as in flight with an acknowledged segment
    enum InFlight
    {
        IN_FLIGHT_OF_PROFILE,     ///< as the profile says
        IN_FLIGHT_WHEN_SENT,      ///< bytes in flight when it was sent
        IN_FLIGHT_DELIVERED_SINCE ///< bytes delivered since it was sent
    };

    /// The window after a reduction that was unfounded
    enum Undo
    {
        UNDO_OF_PROFILE,   ///< as the profile says
        UNDO_SAVED_WINDOW, ///< that of the last loss
        UNDO_PRIOR_WINDOW  ///< that before the reduction
    };

    /**
     * @brief Signature of the trace source Evaluation.
     * @param evaluation what NV found at the end of a round trip
     */
    typedef void (*EvaluationTracedCallback)(const linuxtcp::NvEvaluation& evaluation);

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TcpNv();

    /**
     * @brief Copy the attributes, not the connection.
     *
     * As everywhere in ns-3, the sinks of traced values stay behind.
     * @param other the object to copy
     */
    TcpNv(const TcpNv& other) = default;

    std::string GetName() const override;
    Ptr<TcpCongestionOps> Fork() override;

    /**
     * @brief Assign a fixed stream to the random numbers of this object and its later forks.
     *
     * Each connection draws the seed of a generator of its own from the stream when it starts.
     * @param stream number of the stream
     * @return number of streams used, 1
     */
    int64_t AssignStreams(int64_t stream);

  protected:
    std::unique_ptr<linuxtcp::CongestionControl> MakeAlgorithm() const override;
    void AlgorithmCalled() override;
    InFlightDefinition GetInFlightDefinition() const override;

  private:
    /**
     * @brief Set the part of the window that is kept at a loss.
     * @param factor 0 to 1024 (1/1024), or FROM_PROFILE
     * @return whether it is one of these
     */
    bool SetLossFactor(uint32_t factor);

    /// @return the part of the window that is kept at a loss (1/1024), or FROM_PROFILE
    uint32_t GetLossFactor() const;

    /// @return the parameters that the attributes ask for
    linuxtcp::NvParameters GetParameters() const;

    // Attributes
    Profile m_profile{LINUX_5_16};             ///< Linux version
    InFlight m_inFlight{IN_FLIGHT_OF_PROFILE}; ///< definition of in flight
    Undo m_undo{UNDO_OF_PROFILE};              ///< window after an undo
    uint32_t m_lossFactor{0};       ///< window kept at a loss (1/1024), 0 for that of the profile
    Time m_resetPeriod{Seconds(5)}; ///< nominal period of the min-RTT replacement
    Time m_baseRtt;                 ///< known RTT of the empty path, 0 if none
    uint32_t m_pad{10};             ///< queue tolerated in the network (segments)
    uint32_t m_padBuffer{2};        ///< dead band (segments)
    uint32_t m_minimumWindow{2};    ///< least window after a decrease (segments)
    uint32_t m_congestionDecrease{38}; ///< part of the excess taken away (1/128)
    uint32_t m_ssThreshFactor{8};      ///< threshold over largest window (1/8)
    uint32_t m_rttFactor{128};         ///< weight of a new RTT (1/256)
    uint32_t m_slowGrowthDecisions{8}; ///< verdicts for a step back to Reno
    uint32_t m_fastGrowthDecisions{0}; ///< verdicts for a step beyond Reno
    uint32_t m_decreaseSamples{60};    ///< samples needed to decrease
    uint32_t m_increaseSamples{20};    ///< samples needed to permit growth
    uint32_t m_slowStartSamples{30};   ///< samples needed to decrease in slow start
    uint32_t m_stopRounds{10};         ///< round trips after which growth stops
    uint32_t m_decreaseRounds{2};      ///< round trips needed to decrease

    Ptr<UniformRandomVariable> m_seeds; ///< seeds of the connections' generators

    // Traces
    uint64_t m_evaluations{0};               ///< evaluations traced
    TracedValue<Time> m_minRtt;              ///< minimum RTT in use
    TracedValue<DataRate> m_rate;            ///< best rate since the last verdict
    TracedValue<uint32_t> m_maxWindow{0};    ///< largest window without congestion (segments)
    TracedValue<bool> m_growthAllowed{true}; ///< whether the window may grow
    TracedValue<int8_t> m_growthFactor{0};   ///< binary logarithm of the growth over Reno's
    TracedCallback<const linuxtcp::NvEvaluation&> m_evaluationTrace; ///< trace of the evaluations
};

} // namespace ns3

#endif /* TCP_NV_H */
