/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pacing-registry.h"

#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("PacingRegistry");

NS_OBJECT_ENSURE_REGISTERED(PacingRegistry);

TypeId
PacingRegistry::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PacingRegistry")
                            .SetParent<Object>()
                            .SetGroupName("LinuxTcp")
                            .AddConstructor<PacingRegistry>();
    return tid;
}

Ptr<PacingRegistry>
PacingRegistry::GetOf(Ptr<Node> node)
{
    NS_LOG_FUNCTION(node);
    Ptr<PacingRegistry> registry = node->GetObject<PacingRegistry>();
    if (!registry)
    {
        registry = CreateObject<PacingRegistry>();
        node->AggregateObject(registry);
    }
    return registry;
}

void
PacingRegistry::DoDispose()
{
    NS_LOG_FUNCTION(this);
    for (auto& [cookie, entry] : m_entries)
    {
        entry.wakeEvent.Cancel();
    }
    m_entries.clear();
    Object::DoDispose();
}

uint64_t
PacingRegistry::Register(RateCallback rate, WakeCallback wake)
{
    const uint64_t cookie = m_nextCookie++;
    NS_LOG_FUNCTION(this << cookie);
    Entry& entry = m_entries[cookie];
    entry.rate = rate;
    entry.wake = wake;
    return cookie;
}

void
PacingRegistry::Unregister(uint64_t cookie)
{
    NS_LOG_FUNCTION(this << cookie);
    auto it = m_entries.find(cookie);
    if (it != m_entries.end())
    {
        it->second.wakeEvent.Cancel();
        m_entries.erase(it);
    }
}

uint64_t
PacingRegistry::GetPacingRate(uint64_t cookie, uint64_t fallback) const
{
    auto it = m_entries.find(cookie);
    return it == m_entries.end() || it->second.rate.IsNull() ? fallback : it->second.rate();
}

void
PacingRegistry::AddBacklog(uint64_t cookie, uint32_t bytes)
{
    auto it = m_entries.find(cookie);
    if (it != m_entries.end())
    {
        it->second.backlog += bytes;
    }
}

void
PacingRegistry::RemoveBacklog(uint64_t cookie, uint32_t bytes)
{
    auto it = m_entries.find(cookie);
    if (it == m_entries.end())
    {
        return;
    }
    Entry& entry = it->second;
    // Never below 0: a packet may have entered before its socket was known.
    entry.backlog -= std::min<uint64_t>(entry.backlog, bytes);
    if (entry.waiting && !entry.wake.IsNull())
    {
        entry.waiting = false;
        // Not called from here: the caller is in the midst of dequeuing.
        entry.wakeEvent = Simulator::ScheduleNow([wake = entry.wake]() { wake(); });
    }
}

uint64_t
PacingRegistry::GetBacklog(uint64_t cookie) const
{
    auto it = m_entries.find(cookie);
    return it == m_entries.end() ? 0 : it->second.backlog;
}

void
PacingRegistry::RequestWake(uint64_t cookie)
{
    auto it = m_entries.find(cookie);
    // A wake-up that is under way will do.
    if (it != m_entries.end() && it->second.wakeEvent.IsExpired())
    {
        it->second.waiting = true;
    }
}

void
PacingRegistry::AnnouncePacer()
{
    NS_LOG_FUNCTION(this);
    m_hasPacer = true;
}

bool
PacingRegistry::HasPacer() const
{
    return m_hasPacer;
}

} // namespace ns3
