/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-runner.h"

#include "dumbbell-helper.h"
#include "incast-helper.h"
#include "quantity.h"
#include "queue-disc-line.h"
#include "star-helper.h"
#include "tcp-linux-helper.h"

#include "ns3/ns3-compat.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <chrono>
#include <utility>

namespace ns3
{

namespace
{

constexpr int64_t FIRST_STREAM = 1000;  ///< first random stream of a scenario
constexpr int64_t PROGRESS_STEPS = 100; ///< reports of progress in a run

/**
 * @brief Names of a map.
 * @param map the map
 * @return its keys, sorted
 */
std::vector<std::string>
GetKeys(const AttributeMap& map)
{
    std::vector<std::string> names;
    for (const auto& entry : map)
    {
        names.push_back(entry.first);
    }
    return names;
}

/**
 * @brief Makes sure that nothing of a simulation is left, however it ends.
 */
class SimulatorGuard
{
  public:
    SimulatorGuard() = default;
    SimulatorGuard(const SimulatorGuard&) = delete;
    SimulatorGuard& operator=(const SimulatorGuard&) = delete;

    ~SimulatorGuard()
    {
        Simulator::Destroy();
    }
};

/**
 * @brief Runs one simulation that is set up.
 */
class Run
{
  public:
    /**
     * @brief Constructor
     * @param common what all scenarios have in common
     * @param topology the network
     * @param flows the flows
     * @param progress told how far the run is
     */
    Run(const ScenarioSpec& common,
        WiredTopology& topology,
        FlowHelper& flows,
        const ProgressCallback& progress)
        : m_common(common),
          m_topology(topology),
          m_flows(flows),
          m_progress(progress),
          m_origin(NanoSeconds(ParseTime("startTime", common.startTime))),
          m_duration(NanoSeconds(ParseTime("duration", common.duration))),
          m_interval(NanoSeconds(ParseTime("sampleInterval", common.sampleInterval)))
    {
    }

    /**
     * @brief Run to the end.
     * @param startedAt when the whole began, for the wall time
     * @return the results
     */
    RunResult Execute(std::chrono::steady_clock::time_point startedAt)
    {
        m_topology.RecordPackets(m_common.recordPackets, m_common.recordPacketsLimit, m_origin);
        if (!m_common.pcapPrefix.empty())
        {
            m_topology.EnablePcap(m_common.pcapPrefix);
        }
        if (m_interval.IsStrictlyPositive())
        {
            Simulator::Schedule(m_origin, &Run::Sample, this);
        }
        if (m_progress)
        {
            Simulator::Schedule(m_origin, &Run::Report, this);
        }
        if (m_common.stopWhenComplete)
        {
            m_flows.SetCompletionCallback(MakeCallback(&Run::Stop, this));
        }
        Simulator::Stop(m_origin + m_duration);
        Simulator::Run();
        if (m_interval.IsStrictlyPositive() && m_sampledAt != Simulator::Now())
        {
            Record(); // the time series reach to the end
        }

        RunResult result;
        result.topology = m_topology.GetTopology();
        result.ns3Version = GetNs3Version();
        m_flows.Collect(result);
        m_topology.Collect(result);
        if (m_stoppedByUser)
        {
            result.warnings.push_back("the run was ended early, at the caller's wish");
        }
        const Time end = Simulator::Now() - m_origin;
        result.simulatedTime = static_cast<double>(end.GetNanoSeconds()) / 1e9;
        result.events = Simulator::GetEventCount();
        if (m_progress && !m_stoppedByUser)
        {
            m_progress(result.simulatedTime, result.simulatedTime);
        }
        result.wallTime =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - startedAt).count();
        return result;
    }

    /// End the run now.
    void Stop()
    {
        Simulator::Stop();
    }

  private:
    /// @return version of ns-3, as "3.37"
    static std::string GetNs3Version()
    {
        constexpr int development = 3999;
        constexpr int version = LINUX_TCP_NS3_VERSION;
        return version == development
                   ? "3-dev"
                   : std::to_string(version / 1000) + "." + std::to_string(version % 1000);
    }

    /// Take a sample of everything, and again after the interval.
    void Sample()
    {
        Record();
        Simulator::Schedule(m_interval, &Run::Sample, this);
    }

    /// Take a sample of everything.
    void Record()
    {
        m_sampledAt = Simulator::Now();
        if (m_common.sampleFlows)
        {
            m_flows.Sample();
        }
        if (m_common.sampleQueues)
        {
            const Time at = Simulator::Now() - m_origin;
            m_topology.SampleQueues(static_cast<double>(at.GetNanoSeconds()) / 1e9);
        }
    }

    /// Tell how far the run is.
    void Report()
    {
        const Time at = Simulator::Now() - m_origin;
        if (!m_progress(static_cast<double>(at.GetNanoSeconds()) / 1e9,
                        static_cast<double>(m_duration.GetNanoSeconds()) / 1e9))
        {
            m_stoppedByUser = true;
            Simulator::Stop();
            return;
        }
        const int64_t step = m_duration.GetNanoSeconds() / PROGRESS_STEPS + 1;
        Simulator::Schedule(NanoSeconds(step), &Run::Report, this);
    }

    const ScenarioSpec& m_common;      ///< what all scenarios have in common
    WiredTopology& m_topology;         ///< the network
    FlowHelper& m_flows;               ///< the flows
    const ProgressCallback m_progress; ///< told how far the run is
    Time m_origin;                     ///< the scenario's time 0
    Time m_duration;                   ///< length of the run
    Time m_interval;                   ///< period of the time series
    Time m_sampledAt{-1};              ///< when the last sample was taken
    bool m_stoppedByUser{false};       ///< whether the run was ended by the callback
};

/**
 * @brief Set the seed and the run number.
 * @param common what all scenarios have in common
 */
void
SetSeed(const ScenarioSpec& common)
{
    RngSeedManager::SetSeed(common.seed);
    RngSeedManager::SetRun(common.run);
}

} // namespace

RunResult
RunDumbbell(const DumbbellSpec& spec, const ProgressCallback& progress)
{
    const auto startedAt = std::chrono::steady_clock::now();
    spec.Validate();
    SimulatorGuard guard;
    SetSeed(spec);
    DumbbellHelper dumbbell(spec);
    dumbbell.InstallFlows();
    dumbbell.ScheduleChanges();
    int64_t stream = FIRST_STREAM;
    stream += dumbbell.AssignStreams(stream);
    dumbbell.GetFlows().AssignStreams(stream);
    return Run(spec, dumbbell, dumbbell.GetFlows(), progress).Execute(startedAt);
}

RunResult
RunStar(const StarSpec& spec, const ProgressCallback& progress)
{
    const auto startedAt = std::chrono::steady_clock::now();
    spec.Validate();
    SimulatorGuard guard;
    SetSeed(spec);
    StarHelper star(spec);
    star.InstallFlows();
    int64_t stream = FIRST_STREAM;
    stream += star.AssignStreams(stream);
    star.GetFlows().AssignStreams(stream);
    return Run(spec, star, star.GetFlows(), progress).Execute(startedAt);
}

RunResult
RunIncast(const IncastSpec& spec, const ProgressCallback& progress)
{
    const auto startedAt = std::chrono::steady_clock::now();
    spec.Validate();
    SimulatorGuard guard;
    SetSeed(spec);
    IncastHelper incast(spec);
    incast.Install();
    int64_t stream = FIRST_STREAM;
    stream += incast.GetTopology().AssignStreams(stream);
    incast.AssignStreams(stream);
    Run run(spec, incast.GetTopology(), incast.GetTopology().GetFlows(), progress);
    incast.SetCompletionCallback(MakeCallback(&Run::Stop, &run));
    auto result = run.Execute(startedAt);
    result.rounds = incast.GetRounds();
    if (result.rounds.start.size() < spec.rounds)
    {
        result.warnings.push_back(std::to_string(result.rounds.start.size()) + " of " +
                                  std::to_string(spec.rounds) +
                                  " rounds were complete when the run ended");
    }
    return result;
}

std::vector<std::string>
GetCongestionControlNames()
{
    return GetKeys(TcpLinuxHelper::GetNames());
}

std::vector<std::string>
GetQueueDiscNames()
{
    return GetKeys(GetQueueDiscTypes());
}

} // namespace ns3
