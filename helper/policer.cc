/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "policer.h"

#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("Policer");

NS_OBJECT_ENSURE_REGISTERED(TokenBucket);
NS_OBJECT_ENSURE_REGISTERED(Policer);

namespace
{

constexpr uint64_t UNITS_PER_BYTE = 8000000000; ///< a byte in bits x 10^9

} // namespace

TypeId
TokenBucket::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TokenBucket")
            .SetParent<Object>()
            .SetGroupName("LinuxTcp")
            .AddConstructor<TokenBucket>()
            .AddAttribute("Rate",
                          "The rate at which tokens come.",
                          DataRateValue(DataRate("1Gbps")),
                          MakeDataRateAccessor(&TokenBucket::m_rate),
                          MakeDataRateChecker())
            .AddAttribute(
                "Burst",
                "The depth of the bucket (bytes), 1 to 10^9. Setting it fills the bucket.",
                UintegerValue(100000),
                MakeUintegerAccessor(&TokenBucket::SetBurst, &TokenBucket::GetBurst),
                MakeUintegerChecker<uint64_t>(1, 1000000000));
    return tid;
}

void
TokenBucket::SetBurst(uint64_t bytes)
{
    m_capacity = bytes * UNITS_PER_BYTE;
    m_tokens = m_capacity;
    m_updatedNs = Simulator::Now().GetNanoSeconds();
}

uint64_t
TokenBucket::GetBurst() const
{
    return m_capacity / UNITS_PER_BYTE;
}

bool
TokenBucket::Take(uint32_t bytes)
{
    const int64_t now = Simulator::Now().GetNanoSeconds();
    const auto elapsed = static_cast<uint64_t>(now - m_updatedNs);
    m_updatedNs = now;
    const uint64_t rate = m_rate.GetBitRate();
    const uint64_t missing = m_capacity - m_tokens;
    // the product fits: it is below what is missing
    m_tokens = (rate != 0 && elapsed > missing / rate) ? m_capacity : m_tokens + elapsed * rate;
    const uint64_t needed = bytes * UNITS_PER_BYTE;
    if (needed > m_tokens)
    {
        return false;
    }
    m_tokens -= needed;
    return true;
}

TypeId
Policer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::Policer")
            .SetParent<ReceiveStage>()
            .SetGroupName("LinuxTcp")
            .AddConstructor<Policer>()
            .AddAttribute("Bucket",
                          "The token bucket, which other policers may share.",
                          PointerValue(),
                          MakePointerAccessor(&Policer::m_bucket),
                          MakePointerChecker<TokenBucket>())
            .AddAttribute("Overhead",
                          "Bytes charged for each packet besides the IP packet itself; the default "
                          "is an Ethernet header.",
                          UintegerValue(14),
                          MakeUintegerAccessor(&Policer::m_overhead),
                          MakeUintegerChecker<uint32_t>(0, 1000))
            .AddTraceSource("Drop",
                            "A packet exceeded the token bucket.",
                            MakeTraceSourceAccessor(&Policer::m_dropTrace),
                            "ns3::Packet::TracedCallback");
    return tid;
}

uint64_t
Policer::GetHeldPackets() const
{
    return 0;
}

uint64_t
Policer::GetDroppedPackets() const
{
    return m_droppedPackets;
}

uint64_t
Policer::GetDroppedBytes() const
{
    return m_droppedBytes;
}

void
Policer::DoDispose()
{
    m_bucket = nullptr;
    ReceiveStage::DoDispose();
}

void
Policer::Process(Arrival&& arrival)
{
    NS_ASSERT_MSG(m_bucket, "A policer needs a token bucket");
    if (m_bucket->Take(arrival.packet->GetSize() + m_overhead))
    {
        PassOn(std::move(arrival));
        return;
    }
    NS_LOG_DEBUG("Exceeds: " << arrival.packet);
    ++m_droppedPackets;
    m_droppedBytes += arrival.packet->GetSize();
    m_dropTrace(arrival.packet);
}

} // namespace ns3
