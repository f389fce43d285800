/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * What an acknowledgement costs in each congestion control, without its transport: the sample, the
 * window increase and, every 10000th time, a loss. The path has an RTT of 40 ms and an ACK for
 * every two packets.
 */

#include "cdg-window.h"
#include "congestion-control.h"
#include "cubic-parameters.h"
#include "cubic-window.h"
#include "htcp-window.h"
#include "nv-window.h"
#include "reno-window.h"
#include "seeded-random-source.h"

#include <benchmark/benchmark.h>
#include <memory>

namespace
{

using namespace ns3::linuxtcp;

constexpr uint32_t ACKS_PER_LOSS = 10000; ///< acknowledgements between losses
constexpr uint32_t PACKETS_PER_ACK = 2;   ///< packets that one acknowledges
constexpr int64_t RTT_US = 40000;         ///< RTT of the empty path (us)
constexpr uint32_t MAX_WINDOW = 2000;     ///< limit of the window (segments)

/**
 * @brief Measure acknowledgements.
 * @param state the benchmark
 * @param algorithm the algorithm
 */
void
Acknowledge(benchmark::State& state, CongestionControl& algorithm)
{
    Connection c;
    c.nowUs = 10000000;
    c.cwndClamp = MAX_WINDOW;
    c.cwndLimited = true;
    c.pacingRate = 125000000;
    algorithm.Init(c);
    AckSample sample;
    sample.packetsAcked = PACKETS_PER_ACK;
    uint32_t acks = 0;
    for (auto _ : state)
    {
        c.nowUs += RTT_US * PACKETS_PER_ACK / c.cwnd;
        c.sndUna += PACKETS_PER_ACK * c.mss;
        c.sndNxt = c.sndUna + c.cwnd * c.mss;
        c.packetsInFlight = c.cwnd;
        sample.rttUs = RTT_US + c.cwnd;
        sample.inFlight = c.cwnd * c.mss;
        algorithm.OnAck(c, sample);
        algorithm.IncreaseWindow(c, PACKETS_PER_ACK);
        if (++acks == ACKS_PER_LOSS || c.state == CongestionState::CWR)
        {
            acks = 0;
            if (c.state != CongestionState::CWR)
            {
                c.ssthresh = algorithm.GetSsThresh(c);
                c.credit = 0;
            }
            c.cwnd = c.ssthresh;
            algorithm.OnStateChange(c, CongestionState::OPEN);
            c.state = CongestionState::OPEN;
        }
        benchmark::DoNotOptimize(c);
    }
    state.SetItemsProcessed(state.iterations());
}

/// @param state the benchmark
void
Reno(benchmark::State& state)
{
    RenoWindow reno;
    Acknowledge(state, reno);
}

/// @param state the benchmark
void
Cubic(benchmark::State& state)
{
    CubicWindow cubic;
    Acknowledge(state, cubic);
}

/// @param state the benchmark
void
CubicOfLinux318(benchmark::State& state)
{
    CubicWindow cubic(MakeCubicParameters("3.18"));
    Acknowledge(state, cubic);
}

/// @param state the benchmark
void
Htcp(benchmark::State& state)
{
    HtcpWindow htcp;
    Acknowledge(state, htcp);
}

/// @param state the benchmark
void
HtcpPublished(benchmark::State& state)
{
    HtcpPublishedWindow htcp;
    Acknowledge(state, htcp);
}

/// @param state the benchmark
void
Nv(benchmark::State& state)
{
    NvWindow nv(NvParameters(), std::make_shared<SeededRandomSource>(1));
    Acknowledge(state, nv);
}

/// @param state the benchmark
void
Cdg(benchmark::State& state)
{
    CdgWindow cdg(CdgParameters(), std::make_shared<SeededRandomSource>(1));
    Acknowledge(state, cdg);
}

BENCHMARK(Reno);
BENCHMARK(Cubic);
BENCHMARK(CubicOfLinux318);
BENCHMARK(Htcp);
BENCHMARK(HtcpPublished);
BENCHMARK(Nv);
BENCHMARK(Cdg);

} // namespace
