/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "star-helper.h"

#include "quantity.h"
#include "queue-disc-line.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace ns3
{

StarHelper::StarHelper(const StarSpec& spec,
                       const std::string& clientPrefix,
                       const std::string& serverPrefix)
    : WiredTopology(spec),
      m_spec(spec),
      m_clientPrefix(clientPrefix),
      m_serverPrefix(serverPrefix)
{
    const int64_t rtt = ParseTime("rtt", spec.rtt);
    const uint64_t clientRate = ParseRate("clientRate", spec.clientRate);
    const uint64_t serverRate = ParseRate("serverRate", spec.serverRate);
    Ptr<SharedBufferPool> pool;
    if (spec.sharedBuffer)
    {
        pool = CreateObject<SharedBufferPool>();
        pool->SetAttribute("Size", UintegerValue(ParseSize("buffer", spec.buffer)));
        pool->SetAttribute("Alpha", DoubleValue(spec.sharedBufferAlpha));
    }
    Ptr<TokenBucket> bucket;
    if (!spec.policer.rate.empty())
    {
        bucket = CreateObject<TokenBucket>();
        bucket->SetAttribute("Rate",
                             DataRateValue(DataRate(ParseRate("policer.rate", spec.policer.rate))));
        bucket->SetAttribute("Burst",
                             UintegerValue(ParseSize("policer.burst", spec.policer.burst)));
    }
    std::set<std::string> sending;
    for (const auto& flow : spec.flows)
    {
        sending.insert(flow.sender);
    }
    const auto disc = ParseQueueDisc("portQueue", spec.portQueue);
    const auto centre = AddRouter("switch");
    // servers first: their ports are the bottlenecks, in the order of their numbers
    for (const bool server : {true, false})
    {
        const uint32_t count = server ? spec.servers : spec.clients;
        const uint64_t rate = server ? serverRate : clientRate;
        for (uint32_t i = 0; i < count; ++i)
        {
            const auto name = server ? GetServer(i) : GetClient(i);
            const auto host =
                AddHost(name, sending.count(name) > 0 ? Role::SENDER : Role::RECEIVER);
            PortOptions toHost;
            toHost.rate = rate;
            toHost.disc = disc;
            toHost.pool = pool;
            toHost.name = "switch to " + name;
            toHost.buffer.value = UNLIMITED_QUEUE;
            if (!pool)
            {
                toHost.buffer = ParseBuffer("buffer", spec.buffer, rate, rtt, GetFullPacket());
            }
            const auto link =
                AddLink(host, centre, MakeHostPort(host, rate), toHost, NanoSeconds(rtt / 4));
            SetDefaultRoute(host, link);
            InstallHostStages(host);
            if (server)
            {
                MarkBottleneck(centre, link);
                if (spec.lossRate > 0)
                {
                    InstallLoss(host, link, spec.lossRate);
                }
            }
            else if (bucket)
            {
                InstallPolicer(centre, link, bucket, spec.policer.overhead);
            }
        }
    }
    InstallSwitches();
    Draw();
    m_flows = std::make_unique<FlowHelper>(*this, m_spec);
}

std::string
StarHelper::GetClient(uint32_t i) const
{
    return m_clientPrefix + std::to_string(i);
}

std::string
StarHelper::GetServer(uint32_t i) const
{
    return m_serverPrefix + std::to_string(i);
}

uint64_t
StarHelper::GetBufferBytes(const FlowSpec& flow) const
{
    const int64_t rtt = ParseTime("rtt", m_spec.rtt);
    const uint64_t rate = std::max(ParseRate("clientRate", m_spec.clientRate),
                                   ParseRate("serverRate", m_spec.serverRate));
    const auto buffer = ParseBuffer("buffer", m_spec.buffer, rate, rtt, GetFullPacket());
    const uint64_t queueBytes = buffer.inBytes ? buffer.value : buffer.value * GetFullPacket();
    return FlowHelper::GetBufferBytes(flow, m_spec.mss, rate, rtt, queueBytes);
}

void
StarHelper::InstallFlows()
{
    for (std::size_t i = 0; i < m_spec.flows.size(); ++i)
    {
        const auto& flow = m_spec.flows[i];
        m_flows->Install(static_cast<uint32_t>(i),
                         flow,
                         flow.sender,
                         flow.receiver,
                         GetBufferBytes(flow));
    }
}

FlowHelper&
StarHelper::GetFlows()
{
    return *m_flows;
}

void
StarHelper::Draw()
{
    std::vector<std::string> clients;
    for (uint32_t i = 0; i < m_spec.clients; ++i)
    {
        clients.push_back(GetClient(i));
    }
    std::vector<std::string> servers;
    for (uint32_t i = 0; i < m_spec.servers; ++i)
    {
        servers.push_back(GetServer(i));
    }
    const auto disc = ParseQueueDisc("portQueue", m_spec.portQueue);
    std::ostringstream drawing;
    drawing << DrawSides(clients, servers, m_spec.clientRate, m_spec.serverRate, "[switch]");
    drawing << "base RTT " << m_spec.rtt
            << "; every port of the switch: " << (disc.deviceQueueOnly ? "fifo" : disc.name) << ", "
            << (m_spec.sharedBuffer ? "shared buffer of " : "buffer of ") << m_spec.buffer << "\n";
    m_drawing = drawing.str();
}

} // namespace ns3
