/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TCP_CDG_H
#define TCP_CDG_H

#include "ns3/cdg-window.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/tcp-linux-congestion.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief TCP-CDG (CAIA Delay-Gradient), as in Linux.
 *
 * The algorithm is linuxtcp::CdgWindow; this class gives it attributes and trace sources. For a
 * scavenger, which yields to other flows, set ShadowWindow to false and IneffectualLimit to 0.
 */
class TcpCdg : public TcpLinuxCongestion
{
  public:
    /// Detectors that may end slow start
    enum SlowStartDetectors
    {
        DETECT_NONE = 0,      ///< none
        DETECT_ACK_TRAIN = 1, ///< length of the ACK train
        DETECT_DELAY = 2,     ///< rise of the RTT
        DETECT_BOTH = 3       ///< both
    };

    /**
     * @brief Signature of the trace source Gradient.
     * @param gradient change of the RTT per round trip, summed over the window
     */
    typedef void (*GradientTracedCallback)(Time gradient);

    /**
     * @brief Signature of the trace sources BackOff and IneffectualBackOff.
     * @param window congestion window before it (segments)
     * @param threshold slow start threshold (segments)
     * @param gradient gradient that brought it about
     */
    typedef void (*BackOffTracedCallback)(uint32_t window, uint32_t threshold, Time gradient);

    /**
     * @brief Signature of the trace source SlowStartExit.
     * @param detector "train" or "delay"
     * @param window congestion window (segments)
     * @param minRtt smallest RTT that the detector compared with
     * @param roundRtt smallest RTT of the round
     */
    typedef void (*SlowStartExitTracedCallback)(std::string detector,
                                                uint32_t window,
                                                Time minRtt,
                                                Time roundRtt);

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TcpCdg();

    /**
     * @brief Copy the attributes, not the connection.
     *
     * As everywhere in ns-3, the sinks of traced values stay behind.
     * @param other the object to copy
     */
    TcpCdg(const TcpCdg& other) = default;

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

  private:
    /**
     * @brief Set the length of the moving window of gradients.
     * @param roundTrips a power of two from 1 to 256
     * @return whether it is one
     */
    bool SetGradientWindow(uint32_t roundTrips);

    /// @return the length of the moving window of gradients (round trips)
    uint32_t GetGradientWindow() const;

    // Attributes
    uint32_t m_gradientWindow{8}; ///< length of the moving window of gradients (round trips)
    uint32_t m_backoffBeta{724};  ///< window kept by a back-off (1/1024)
    uint32_t m_backoffFactor{42}; ///< slope of the back-off exponent (1e-6 per us)
    SlowStartDetectors m_slowStartDetectors{DETECT_BOTH}; ///< detectors that may end slow start
    uint32_t m_ineffectualLimit{5}; ///< back-offs without effect before they stop
    bool m_shadowWindow{true};      ///< whether losses give back what back-offs have cost
    bool m_lossTolerance{false};    ///< whether losses without a full queue cost nothing

    Ptr<UniformRandomVariable> m_seeds; ///< seeds of the connections' generators

    // Traces
    linuxtcp::CdgState m_traced;            ///< state as last traced
    TracedValue<uint32_t> m_shadow{0};      ///< shadow window (segments)
    TracedValue<uint8_t> m_queueState{0};   ///< linuxtcp::CdgQueueState
    TracedValue<uint32_t> m_trainDetect{0}; ///< exits for the length of the ACK train
    TracedValue<uint32_t> m_trainCwnd{0};   ///< sum of the windows at these exits (segments)
    TracedValue<uint32_t> m_delayDetect{0}; ///< exits for the rise of the RTT
    TracedValue<uint32_t> m_delayCwnd{0};   ///< sum of the windows at these exits (segments)
    TracedCallback<Time> m_gradientTrace;   ///< trace of the gradients
    TracedCallback<uint32_t, uint32_t, Time> m_backoffTrace;     ///< trace of the back-offs
    TracedCallback<uint32_t, uint32_t, Time> m_ineffectualTrace; ///< trace of suppressed ones
    /// Trace of the ends of slow start
    TracedCallback<std::string, uint32_t, Time, Time> m_slowStartExitTrace;
};

} // namespace ns3

#endif /* TCP_CDG_H */
