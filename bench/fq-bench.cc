/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup linux-tcp
 * What a packet costs in FqQueueDisc (enqueue and dequeue), next to ns-3's FqCoDelQueueDisc and
 * FifoQueueDisc with the same packets, for 1 to 1,000,000 flows:
 *
 * * backlogged: every flow holds a packet; sparse: the queue disc holds one packet at a time;
 * * unpaced: packets may leave at once; paced: each carries a departure time, which FqQueueDisc
 *   waits for, while the others send at once;
 *
 * and what an idle flow occupies. Packets are made shortly before they are enqueued, as by a
 * sender. --json FILE writes the ratios. Times are of the processor, so that other programs disturb
 * little.
 */

#include "ns3/core-module.h"
#include "ns3/fq-codel-queue-disc.h"
#include "ns3/fq-packet-tag.h"
#include "ns3/fq-queue-disc.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/queue-disc.h"
#include "ns3/simulator-impl.h"
#include "ns3/tcp-header.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <limits>
#include <malloc.h>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t BATCH = 50;           ///< packets made and measured at a time
constexpr uint32_t BATCHES = 1500;       ///< batches in each repetition
constexpr uint32_t REPETITIONS = 5;      ///< repetitions, the fastest of which counts
constexpr uint32_t LEAST_BACKLOG = 100;  ///< packets held in a backlogged queue, at least
constexpr uint32_t MEMORY_FLOWS = 50000; ///< flows for the measurement of memory
constexpr int64_t SPREAD_NS = 10000000;  ///< departure times lie up to this far ahead (ns)

/// Simulator whose clock is set by hand and whose events are forgotten
class ManualSimulator : public SimulatorImpl
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::linuxtcp::ManualSimulator").SetParent<SimulatorImpl>();
        return tid;
    }

    /**
     * @brief Forget an event.
     * @param event the event
     * @return the ID of no event
     */
    static EventId Forget(EventImpl* event)
    {
        event->Unref();
        return EventId();
    }

    void Destroy() override
    {
    }

    bool IsFinished() const override
    {
        return true;
    }

    void Stop() override
    {
    }

    /// What Stop() returns: an event in newer versions of ns-3, nothing in older ones
    using StopResult = decltype(std::declval<SimulatorImpl&>().Stop(Time()));

    StopResult Stop(const Time&) override
    {
        return StopResult();
    }

    EventId Schedule(const Time&, EventImpl* event) override
    {
        return Forget(event);
    }

    void ScheduleWithContext(uint32_t, const Time&, EventImpl* event) override
    {
        Forget(event);
    }

    EventId ScheduleNow(EventImpl* event) override
    {
        return Forget(event);
    }

    EventId ScheduleDestroy(EventImpl* event) override
    {
        return Forget(event);
    }

    void Remove(const EventId&) override
    {
    }

    void Cancel(const EventId&) override
    {
    }

    bool IsExpired(const EventId&) const override
    {
        return true;
    }

    void Run() override
    {
    }

    Time Now() const override
    {
        return m_now;
    }

    Time GetDelayLeft(const EventId&) const override
    {
        return Time(0);
    }

    Time GetMaximumSimulationTime() const override
    {
        return Time::Max();
    }

    void SetScheduler(ObjectFactory) override
    {
    }

    uint32_t GetSystemId() const override
    {
        return 0;
    }

    uint32_t GetContext() const override
    {
        return Simulator::NO_CONTEXT;
    }

    uint64_t GetEventCount() const override
    {
        return 0;
    }

    Time m_now; ///< the clock
};

Ptr<ManualSimulator> g_simulator; ///< the simulator of the benchmark
Ptr<Node> g_node;                 ///< the host that sends, whose tags FqQueueDisc heeds

/// Queue disc that is measured
enum Kind
{
    FQ,
    FQ_CODEL,
    FIFO
};

/// What is measured
struct Case
{
    Kind kind;       ///< queue disc
    uint32_t flows;  ///< number of flows
    bool backlogged; ///< every flow holds a packet
    bool paced;      ///< packets have departure times

    /**
     * @brief Name of the load.
     * @return for example backlogged paced 100 flows
     */
    std::string GetLoad() const
    {
        return std::string(backlogged ? "backlogged" : "sparse") +
               (paced ? " paced " : " unpaced ") + std::to_string(flows) +
               (flows == 1 ? " flow" : " flows");
    }
};

/**
 * @brief Name of a queue disc.
 * @param kind the queue disc
 * @return the name of its class
 */
std::string
GetName(Kind kind)
{
    return kind == FQ ? "FqQueueDisc" : kind == FQ_CODEL ? "FqCoDelQueueDisc" : "FifoQueueDisc";
}

/**
 * @brief Make a queue disc that drops nothing.
 * @param kind which
 * @param flows number of flows it must keep apart
 * @return the queue disc
 */
Ptr<QueueDisc>
MakeDisc(Kind kind, uint32_t flows)
{
    ObjectFactory factory("ns3::" + GetName(kind));
    factory.Set("MaxSize", StringValue("4000000p"));
    if (kind == FQ)
    {
        factory.Set("FlowLimit", UintegerValue(4000000));
    }
    if (kind == FQ_CODEL)
    {
        factory.Set("Flows", UintegerValue(flows));
        factory.Set("Target", StringValue("1000s"));
        factory.Set("Interval", StringValue("1000s"));
    }
    Ptr<QueueDisc> disc = factory.Create<QueueDisc>();
    disc->SetQuota(1);
    if (Ptr<FqQueueDisc> fq = DynamicCast<FqQueueDisc>(disc))
    {
        fq->SetNode(g_node);
    }
    if (Ptr<FqCoDelQueueDisc> codel = DynamicCast<FqCoDelQueueDisc>(disc))
    {
        codel->SetQuantum(1500); // there is no device to take it from
    }
    return disc;
}

/**
 * @brief Make a packet of a flow.
 * @param flow the flow
 * @param departure departure time (ns), 0 if none
 * @return the packet
 */
Ptr<QueueDiscItem>
MakeItem(uint32_t flow, int64_t departure)
{
    Ptr<Packet> packet = Create<Packet>(1448);
    TcpHeader tcp;
    tcp.SetSourcePort(static_cast<uint16_t>(flow));
    tcp.SetDestinationPort(5001);
    packet->AddHeader(tcp);
    packet->AddPacketTag(FqPacketTag(g_node->GetId(), flow + 1, departure, 0, 0));
    Ipv4Header ip;
    ip.SetSource(Ipv4Address(0x0a000000 + (flow >> 16)));
    ip.SetDestination(Ipv4Address("10.1.0.1"));
    ip.SetProtocol(6);
    ip.SetPayloadSize(packet->GetSize());
    return Create<Ipv4QueueDiscItem>(packet, Address(), 0x0800, ip);
}

/**
 * @brief Processor time of this thread.
 * @return seconds
 */
double
GetProcessorTime()
{
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/**
 * @brief Bytes allocated in the process.
 * @return bytes
 */
std::size_t
GetAllocated()
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/**
 * @brief Dequeue, and wait for the next departure if there is nothing yet.
 * @param disc the queue disc
 * @param fq the same if it is an FqQueueDisc
 * @return the packet
 */
Ptr<QueueDiscItem>
Dequeue(const Ptr<QueueDisc>& disc, const Ptr<FqQueueDisc>& fq)
{
    Ptr<QueueDiscItem> item = disc->Dequeue();
    if (!item && fq)
    {
        g_simulator->m_now = fq->GetNextDeparture();
        item = disc->Dequeue();
    }
    return item;
}

/**
 * @brief Measure a case.
 * @param state the benchmark
 * @param what the case
 */
void
Measure(benchmark::State& state, Case what)
{
    g_simulator->m_now = Seconds(1);
    Ptr<QueueDisc> disc = MakeDisc(what.kind, what.flows);
    disc->Initialize();
    const Ptr<FqQueueDisc> fq = DynamicCast<FqQueueDisc>(disc);
    std::mt19937 random(1);
    std::vector<Ptr<QueueDiscItem>> items(BATCH);
    std::vector<Ptr<QueueDiscItem>> done(BATCH);
    // Departure times of packets that are made now but enqueued up to a batch later: by then the
    // clock has moved on as far as the backlog drains.
    const uint32_t backlog = what.backlogged ? std::max(what.flows, LEAST_BACKLOG) : 0;
    const auto departure = [&](int64_t elapsed) -> int64_t {
        return what.paced ? g_simulator->m_now.GetNanoSeconds() + elapsed + 1 +
                                static_cast<int64_t>(random() % SPREAD_NS)
                          : 0;
    };
    for (uint32_t i = 0; i < backlog; i++)
    {
        disc->Enqueue(MakeItem(i % what.flows, departure(0)));
    }
    for (uint32_t flow = 0; !what.backlogged && flow < what.flows; flow++)
    {
        // Every flow is known before the measurement begins.
        disc->Enqueue(MakeItem(flow, 0));
        disc->Dequeue();
    }
    for (auto _ : state)
    {
        // In a stationary state, half the spread passes while the backlog is sent once.
        const double step = backlog > 0 ? 0.5 * SPREAD_NS / backlog : 1000.0 + 0.5 * SPREAD_NS;
        for (uint32_t i = 0; i < BATCH; i++)
        {
            items[i] = MakeItem(random() % what.flows, departure(static_cast<int64_t>(step * i)));
        }
        const double begin = GetProcessorTime();
        for (uint32_t i = 0; i < BATCH; i++)
        {
            disc->Enqueue(items[i]);
            done[i] = Dequeue(disc, fq);
        }
        state.SetIterationTime(GetProcessorTime() - begin);
        for (uint32_t i = 0; i < BATCH; i++)
        {
            if (!done[i])
            {
                state.SkipWithError("a packet was lost");
            }
            items[i] = nullptr;
            done[i] = nullptr;
        }
    }
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * BATCH);
    disc->Dispose();
}

/// Prints as usual and keeps the time per packet of each case
class KeepingReporter : public benchmark::ConsoleReporter
{
  public:
    void ReportRuns(const std::vector<Run>& runs) override
    {
        benchmark::ConsoleReporter::ReportRuns(runs);
        for (const Run& run : runs)
        {
            if (run.run_type == Run::RT_Iteration && !run.error_occurred && run.iterations > 0)
            {
                const double ns =
                    run.real_accumulated_time / static_cast<double>(run.iterations) / BATCH * 1e9;
                const std::string name = run.run_name.function_name;
                const auto it = m_nsPerPacket.find(name);
                // Of several repetitions the fastest is the least disturbed.
                m_nsPerPacket[name] = it == m_nsPerPacket.end() ? ns : std::min(it->second, ns);
            }
        }
    }

    std::map<std::string, double> m_nsPerPacket; ///< time per packet by name (ns)
};

/**
 * @brief Memory of an idle flow.
 * @param kind queue disc
 * @return bytes
 */
double
GetBytesPerIdleFlow(Kind kind)
{
    g_simulator->m_now = Seconds(1);
    Ptr<QueueDisc> disc = MakeDisc(kind, MEMORY_FLOWS);
    disc->Initialize();
    const std::size_t before = GetAllocated();
    for (uint32_t flow = 0; flow < MEMORY_FLOWS; flow++)
    {
        disc->Enqueue(MakeItem(flow, 0));
        disc->Dequeue();
    }
    const double bytes = static_cast<double>(GetAllocated() - before) / MEMORY_FLOWS;
    disc->Dispose();
    return bytes;
}

/// One line of the result
struct Ratio
{
    std::string name; ///< what is compared
    double ours;      ///< value of FqQueueDisc
    double peer;      ///< value it is compared with
    std::string unit; ///< unit of both
};

/**
 * @brief Write the result.
 * @param os where to
 * @param ratios the lines
 * @param notes remarks
 */
void
WriteJson(std::ostream& os, const std::vector<Ratio>& ratios, const std::vector<std::string>& notes)
{
    os << std::setprecision(6) << "{\n  \"ratios\": [\n";
    for (std::size_t i = 0; i < ratios.size(); i++)
    {
        const Ratio& ratio = ratios[i];
        os << "    {\"name\": \"" << ratio.name << "\", \"ours\": " << ratio.ours
           << ", \"peer\": " << ratio.peer << ", \"ratio\": " << ratio.ours / ratio.peer
           << ", \"unit\": \"" << ratio.unit << "\"}" << (i + 1 < ratios.size() ? "," : "") << "\n";
    }
    os << "  ],\n  \"notes\": [";
    for (std::size_t i = 0; i < notes.size(); i++)
    {
        os << (i > 0 ? ", " : "") << "\"" << notes[i] << "\"";
    }
    os << "]\n}\n";
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string json;
    // What disturbs for a while disturbs all cases then.
    std::string interleaving = "--benchmark_enable_random_interleaving=true";
    std::vector<char*> arguments{argv[0], interleaving.data()};
    for (int i = 1; i < argc; i++)
    {
        const std::string word = argv[i];
        if (word == "--json" && i + 1 < argc)
        {
            json = argv[++i];
        }
        else if (word.rfind("--json=", 0) == 0)
        {
            json = word.substr(7);
        }
        else
        {
            arguments.push_back(argv[i]);
        }
    }
    std::ofstream file;
    if (!json.empty())
    {
        file.open(json);
        if (!file)
        {
            std::cerr << "--json " << json << " is not allowed: it must be a file that can be "
                      << "written\n";
            return 2;
        }
    }
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data()))
    {
        return 2;
    }

    g_simulator = CreateObject<ManualSimulator>();
    Simulator::SetImplementation(g_simulator);
    g_node = CreateObject<Node>();
    // Until the first run, every Time is entered in a list, which no simulation pays for later on.
    Simulator::Run();

    // FqCoDelQueueDisc makes a queue disc of some kilobytes for each flow: a million of them take
    // longer and more memory than a benchmark should.
    constexpr uint32_t largestCodel = 100000;
    const std::vector<uint32_t> sizes{1, 100, 10000, 100000, 1000000};
    std::vector<Case> cases;
    for (bool backlogged : {true, false})
    {
        for (bool paced : {false, true})
        {
            for (uint32_t flows : sizes)
            {
                for (Kind kind : {FQ, FQ_CODEL, FIFO})
                {
                    if (kind != FQ_CODEL || flows <= largestCodel)
                    {
                        cases.push_back({kind, flows, backlogged, paced});
                    }
                }
            }
        }
    }
    const auto getName = [](const Case& what) { return GetName(what.kind) + " " + what.GetLoad(); };
    for (const Case& what : cases)
    {
        benchmark::RegisterBenchmark(getName(what).c_str(), Measure, what)
            ->UseManualTime()
            ->Unit(benchmark::kMicrosecond)
            ->Iterations(BATCHES)
            ->Repetitions(REPETITIONS);
    }
    KeepingReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);

    std::vector<Ratio> ratios;
    const auto& times = reporter.m_nsPerPacket;
    for (const Case& what : cases)
    {
        Case ours = what;
        ours.kind = FQ;
        const auto mine = times.find(getName(ours));
        const auto other = times.find(getName(what));
        if (what.kind != FQ && mine != times.end() && other != times.end())
        {
            ratios.push_back({"FqQueueDisc / " + GetName(what.kind) + ", " + what.GetLoad(),
                              mine->second,
                              other->second,
                              "ns/packet"});
        }
    }
    for (const Case& what : cases)
    {
        Case one = what;
        one.flows = 1;
        const auto many = times.find(getName(what));
        const auto single = times.find(getName(one));
        if (what.kind != FQ_CODEL && what.flows == sizes.back() && many != times.end() &&
            single != times.end())
        {
            ratios.push_back({GetName(what.kind) + " 1000000 flows / 1 flow, " +
                                  (what.backlogged ? "backlogged" : "sparse") +
                                  (what.paced ? " paced" : " unpaced"),
                              many->second,
                              single->second,
                              "ns/packet"});
        }
    }
    if (times.size() == cases.size()) // no filter was given
    {
        ratios.push_back({"FqQueueDisc / FqCoDelQueueDisc, idle flow",
                          GetBytesPerIdleFlow(FQ),
                          GetBytesPerIdleFlow(FQ_CODEL),
                          "bytes/flow"});
    }

    for (const Ratio& ratio : ratios)
    {
        std::cout << std::left << std::setw(62) << ratio.name << std::right << std::fixed
                  << std::setprecision(1) << std::setw(10) << ratio.ours << std::setw(10)
                  << ratio.peer << " " << ratio.unit << "  " << std::setprecision(3)
                  << ratio.ours / ratio.peer << std::endl;
        std::cout.unsetf(std::ios::fixed);
    }
    if (file.is_open())
    {
        WriteJson(file,
                  ratios,
                  {"FqCoDelQueueDisc is measured up to 100000 flows: it makes a queue disc of some "
                   "kilobytes for each flow",
                   "times are processor time, the fastest of five repetitions"});
    }
    g_node = nullptr;
    Simulator::Destroy();
    g_simulator = nullptr;
    return 0;
}
