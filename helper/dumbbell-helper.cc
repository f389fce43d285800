/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dumbbell-helper.h"

#include "quantity.h"
#include "queue-disc-line.h"

#include "ns3/data-rate.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iomanip>
#include <map>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

/**
 * @brief Hosts of one side, and which flow uses which.
 */
class Side
{
  public:
    /**
     * @brief Constructor
     * @param prefix prefix of the hosts' names
     * @param count number of hosts, 0 for one per flow
     */
    Side(const std::string& prefix, uint32_t count)
        : m_prefix(prefix),
          m_count(count)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            Add(prefix + std::to_string(i));
        }
    }

    /**
     * @brief The host of a flow.
     * @param wanted its name, may be empty
     * @return its name
     */
    std::string Choose(const std::string& wanted)
    {
        std::string name = wanted;
        if (name.empty())
        {
            name = m_prefix + std::to_string(m_count > 0 ? m_next % m_count : m_next);
            ++m_next;
        }
        Add(name);
        return name;
    }

    /// @return the hosts in order
    const std::vector<std::string>& GetHosts() const
    {
        return m_hosts;
    }

  private:
    /**
     * @brief Add a host, unless it is there.
     * @param name its name
     */
    void Add(const std::string& name)
    {
        if (m_known.insert(name).second)
        {
            m_hosts.push_back(name);
        }
    }

    std::string m_prefix;             ///< prefix of the hosts' names
    uint32_t m_count;                 ///< number of hosts, 0 for one per flow
    uint32_t m_next{0};               ///< flows without a named host so far
    std::vector<std::string> m_hosts; ///< hosts in order
    std::set<std::string> m_known;    ///< hosts
};

} // namespace

DumbbellHelper::DumbbellHelper(const DumbbellSpec& spec)
    : WiredTopology(spec),
      m_spec(spec)
{
    spec.ValidateNetwork();
    const int64_t commonRtt = ParseTime("rtt", spec.rtt);
    m_rate = ParseRate("bottleneckRate", spec.bottleneckRate);
    const uint64_t leftRate = ParseRate("accessRate", spec.accessRate);
    const uint64_t rightRate =
        spec.receiverRate.empty() ? leftRate : ParseRate("receiverRate", spec.receiverRate);
    const uint64_t reverseRate =
        spec.reverseRate.empty() ? m_rate : ParseRate("reverseRate", spec.reverseRate);

    Side left("left", spec.left);
    Side right("right", spec.right);
    std::map<std::string, int64_t> rttOf; // base RTT by host on the right
    std::set<std::string> sending;
    m_smallestRttNs = spec.flows.empty() ? commonRtt : INT64_MAX;
    for (const auto& flow : spec.flows)
    {
        Ends ends;
        if (flow.reverse)
        {
            ends = {right.Choose(flow.sender), left.Choose(flow.receiver)};
        }
        else
        {
            ends = {left.Choose(flow.sender), right.Choose(flow.receiver)};
        }
        m_ends.push_back(ends);
        sending.insert(ends.first);
        const int64_t rtt = flow.rtt.empty() ? commonRtt : ParseTime("rtt", flow.rtt);
        rttOf[flow.reverse ? ends.first : ends.second] = rtt;
        m_smallestRttNs = std::min(m_smallestRttNs, rtt);
    }
    m_left = left.GetHosts();
    m_right = right.GetHosts();

    m_buffer = ParseBuffer("buffer", spec.buffer, m_rate, commonRtt, GetFullPacket());
    const auto reverseBuffer =
        ParseBuffer("reverseBuffer", spec.reverseBuffer, reverseRate, commonRtt, GetFullPacket());

    m_leftRouter = AddRouter("router-left");
    m_rightRouter = AddRouter("router-right");
    PortOptions forward;
    forward.rate = m_rate;
    forward.disc = ParseQueueDisc("bottleneckQueue", spec.bottleneckQueue);
    forward.buffer = m_buffer;
    forward.name = "bottleneck";
    PortOptions backward;
    backward.rate = reverseRate;
    backward.disc.deviceQueueOnly = true;
    backward.disc.name = "fifo";
    backward.buffer = reverseBuffer;
    backward.name = "reverse";
    m_bottleneck =
        AddLink(m_leftRouter, m_rightRouter, forward, backward, NanoSeconds(m_smallestRttNs / 2));
    SetDefaultRoute(m_leftRouter, m_bottleneck);
    SetDefaultRoute(m_rightRouter, m_bottleneck);
    MarkBottleneck(m_leftRouter, m_bottleneck);
    MarkBottleneck(m_rightRouter, m_bottleneck);
    if (spec.lossRate > 0)
    {
        InstallLoss(m_rightRouter, m_bottleneck, spec.lossRate);
    }

    Ptr<TokenBucket> bucket;
    if (!spec.policer.rate.empty())
    {
        bucket = CreateObject<TokenBucket>();
        bucket->SetAttribute("Rate",
                             DataRateValue(DataRate(ParseRate("policer.rate", spec.policer.rate))));
        bucket->SetAttribute("Burst",
                             UintegerValue(ParseSize("policer.burst", spec.policer.burst)));
        if (spec.policer.place == "egress")
        {
            InstallPolicer(m_rightRouter, m_bottleneck, bucket, spec.policer.overhead);
        }
    }
    for (const auto& [hosts, router, rate] : {std::tuple(&m_left, m_leftRouter, leftRate),
                                              std::tuple(&m_right, m_rightRouter, rightRate)})
    {
        for (const auto& name : *hosts)
        {
            const auto host =
                AddHost(name, sending.count(name) > 0 ? Role::SENDER : Role::RECEIVER);
            PortOptions toHost;
            toHost.rate = rate;
            toHost.disc.deviceQueueOnly = true;
            toHost.disc.name = "fifo";
            toHost.buffer.value = UNLIMITED_QUEUE;
            toHost.name = "router to " + name;
            const auto own = rttOf.find(name);
            const int64_t rtt = own == rttOf.end() ? m_smallestRttNs : own->second;
            const auto link = AddLink(host,
                                      router,
                                      MakeHostPort(host, rate),
                                      toHost,
                                      NanoSeconds((rtt - m_smallestRttNs) / 2));
            SetDefaultRoute(host, link);
            InstallHostStages(host);
            if (bucket && spec.policer.place == "ingress" && hosts == &m_left)
            {
                InstallPolicer(m_leftRouter, link, bucket, spec.policer.overhead);
            }
        }
    }
    InstallSwitches();
    Draw();
    m_flows = std::make_unique<FlowHelper>(*this, m_spec);
}

void
DumbbellHelper::InstallFlows()
{
    const uint64_t queueBytes =
        m_buffer.inBytes ? m_buffer.value : m_buffer.value * GetFullPacket();
    const int64_t commonRtt = ParseTime("rtt", m_spec.rtt);
    for (std::size_t i = 0; i < m_spec.flows.size(); ++i)
    {
        const auto& flow = m_spec.flows[i];
        const int64_t rtt = flow.rtt.empty() ? commonRtt : ParseTime("rtt", flow.rtt);
        m_flows->Install(static_cast<uint32_t>(i),
                         flow,
                         m_ends[i].first,
                         m_ends[i].second,
                         FlowHelper::GetBufferBytes(flow, m_spec.mss, m_rate, rtt, queueBytes));
    }
}

FlowHelper&
DumbbellHelper::GetFlows()
{
    return *m_flows;
}

const std::vector<std::string>&
DumbbellHelper::GetLeft() const
{
    return m_left;
}

const std::vector<std::string>&
DumbbellHelper::GetRight() const
{
    return m_right;
}

void
DumbbellHelper::ScheduleChanges()
{
    const int64_t origin = ParseTime("startTime", m_spec.startTime);
    for (const auto& change : m_spec.changes)
    {
        const Time at = NanoSeconds(origin + ParseTime("changes.at", change.at));
        Simulator::Schedule(at - Simulator::Now(), [this, change]() { Change(change); });
    }
}

void
DumbbellHelper::Change(const PathChange& change)
{
    if (!change.rtt.empty())
    {
        const int64_t shift = ParseTime("changes.rtt", change.rtt) - ParseTime("rtt", m_spec.rtt);
        SetDelay(m_bottleneck, NanoSeconds((m_smallestRttNs + shift) / 2));
    }
    if (!change.rate.empty())
    {
        SetRate(m_leftRouter, m_bottleneck, ParseRate("changes.rate", change.rate));
    }
}

void
DumbbellHelper::Draw()
{
    const auto queue = ParseQueueDisc("bottleneckQueue", m_spec.bottleneckQueue);
    std::ostringstream middle;
    middle << "[router-left]=== " << m_spec.bottleneckRate << ", "
           << static_cast<double>(m_smallestRttNs / 2) / 1e6 << " ms, "
           << (queue.deviceQueueOnly ? "fifo" : queue.name) << " "
           << (queue.limited ? "limit as given" : m_buffer.ToQueueSize()) << " ===[router-right]";
    std::ostringstream drawing;
    drawing << DrawSides(m_left,
                         m_right,
                         m_spec.accessRate,
                         m_spec.receiverRate.empty() ? m_spec.accessRate : m_spec.receiverRate,
                         middle.str());
    if (!m_spec.policer.rate.empty())
    {
        drawing << "policer at "
                << (m_spec.policer.place == "ingress" ? "router-left, before the bottleneck: "
                                                      : "router-right, after the bottleneck: ")
                << m_spec.policer.rate << ", burst " << m_spec.policer.burst << "\n";
    }
    drawing << "base RTT " << m_spec.rtt << "; hosts that send data have the queue disc "
            << m_spec.senderQueue.disc << "\n";
    m_drawing = drawing.str();
}

} // namespace ns3
