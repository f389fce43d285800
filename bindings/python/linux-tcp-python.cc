/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup linux-tcp
 * The Python extension _linux_tcp: scenarios in, plain data out.
 *
 * Records have the names of the C++ side in Python's spelling (bottleneck_rate for
 * bottleneckRate); the only other name is run_number for ScenarioSpec::run. Tables of results come
 * as dictionaries of columns, numbers as numpy arrays that own their memory.
 */

#include "ns3/linux-tcp-config.h"
#include "ns3/scenario-runner.h"
#include "ns3/scenario.h"

#include <memory>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace nb = nanobind;

namespace
{

using namespace nb::literals;

/// Writer of one table as CSV.
using CsvWriter = void (*)(std::ostream&, const ns3::RunResult&);

/**
 * @brief Give a column to Python without copying it.
 * @tparam T type of the numbers
 * @param values the column
 * @return a numpy array that owns the numbers
 */
template <typename T>
nb::object
ToArray(std::vector<T> values)
{
    auto owner = std::make_unique<std::vector<T>>(std::move(values));
    T* data = owner->data();
    const size_t size = owner->size();
    nb::capsule keeper(owner.release(),
                       [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {size}, keeper));
}

/**
 * @brief Collect one member of all records as a column of numbers.
 * @tparam R type of the records
 * @tparam T type of the member
 * @param records the records
 * @param member which member
 * @return a numpy array
 */
template <typename R, typename T>
nb::object
ToColumn(const std::vector<R>& records, T R::*member)
{
    std::vector<T> values;
    values.reserve(records.size());
    for (const auto& record : records)
    {
        values.push_back(record.*member);
    }
    return ToArray(std::move(values));
}

/**
 * @brief Collect one member of all records as a list of texts.
 * @tparam R type of the records
 * @param records the records
 * @param member which member
 * @return a list
 */
template <typename R>
nb::object
ToColumn(const std::vector<R>& records, std::string R::*member)
{
    nb::list values;
    for (const auto& record : records)
    {
        values.append(nb::str((record.*member).c_str(), (record.*member).size()));
    }
    return values;
}

/**
 * @brief Append a column to another.
 * @tparam T type of the numbers
 * @param to column that grows
 * @param from column to append
 */
template <typename T>
void
Append(std::vector<T>& to, const std::vector<T>& from)
{
    to.insert(to.end(), from.begin(), from.end());
}

/**
 * @brief One row per connection.
 * @param flows what the connections achieved
 * @return columns by name
 */
nb::dict
FlowTable(const std::vector<ns3::FlowResult>& flows)
{
    using Flow = ns3::FlowResult;
    std::vector<ns3::HystartCounters> counters;
    counters.reserve(flows.size());
    for (const auto& flow : flows)
    {
        counters.push_back(flow.hystart);
    }
    nb::dict table;
    table["name"] = ToColumn(flows, &Flow::name);
    table["spec"] = ToColumn(flows, &Flow::spec);
    table["congestion_control"] = ToColumn(flows, &Flow::congestionControl);
    table["sender"] = ToColumn(flows, &Flow::sender);
    table["receiver"] = ToColumn(flows, &Flow::receiver);
    table["start"] = ToColumn(flows, &Flow::start);
    table["established"] = ToColumn(flows, &Flow::established);
    table["completion"] = ToColumn(flows, &Flow::completion);
    table["bytes_acked"] = ToColumn(flows, &Flow::bytesAcked);
    table["steady_bytes"] = ToColumn(flows, &Flow::steadyBytes);
    table["goodput"] = ToColumn(flows, &Flow::goodput);
    table["steady_goodput"] = ToColumn(flows, &Flow::steadyGoodput);
    table["segments_sent"] = ToColumn(flows, &Flow::segmentsSent);
    table["retransmits"] = ToColumn(flows, &Flow::retransmits);
    table["timeouts"] = ToColumn(flows, &Flow::timeouts);
    table["recoveries"] = ToColumn(flows, &Flow::recoveries);
    table["reductions"] = ToColumn(flows, &Flow::reductions);
    table["base_rtt"] = ToColumn(flows, &Flow::baseRtt);
    table["min_rtt"] = ToColumn(flows, &Flow::minRtt);
    table["mean_rtt"] = ToColumn(flows, &Flow::meanRtt);
    table["max_rtt"] = ToColumn(flows, &Flow::maxRtt);
    table["max_cwnd"] = ToColumn(flows, &Flow::maxCwnd);
    table["train_detect"] = ToColumn(counters, &ns3::HystartCounters::trainDetect);
    table["train_cwnd"] = ToColumn(counters, &ns3::HystartCounters::trainCwnd);
    table["delay_detect"] = ToColumn(counters, &ns3::HystartCounters::delayDetect);
    table["delay_cwnd"] = ToColumn(counters, &ns3::HystartCounters::delayCwnd);
    return table;
}

/**
 * @brief One row per end of a slow start.
 * @param flows what the connections achieved
 * @return columns by name
 */
nb::dict
ExitTable(const std::vector<ns3::FlowResult>& flows)
{
    using Exit = ns3::SlowStartExit;
    std::vector<uint32_t> indices;
    std::vector<Exit> exits;
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        indices.insert(indices.end(), flows[i].exits.size(), i);
        Append(exits, flows[i].exits);
    }
    nb::dict table;
    table["flow"] = ToArray(std::move(indices));
    table["time"] = ToColumn(exits, &Exit::time);
    table["detector"] = ToColumn(exits, &Exit::detector);
    table["cwnd"] = ToColumn(exits, &Exit::cwnd);
    table["min_rtt"] = ToColumn(exits, &Exit::minRtt);
    table["round_rtt"] = ToColumn(exits, &Exit::roundRtt);
    return table;
}

/**
 * @brief Time series of all connections, one after the other.
 * @param series the time series
 * @return columns by name
 */
nb::dict
SampleTable(const std::vector<ns3::FlowSeries>& series)
{
    ns3::FlowSeries all;
    std::vector<uint32_t> indices;
    for (const auto& one : series)
    {
        indices.insert(indices.end(), one.time.size(), one.flow);
        Append(all.time, one.time);
        Append(all.cwnd, one.cwnd);
        Append(all.ssthresh, one.ssthresh);
        Append(all.srtt, one.srtt);
        Append(all.bytesAcked, one.bytesAcked);
        Append(all.inFlight, one.inFlight);
        Append(all.pacingRate, one.pacingRate);
        Append(all.state, one.state);
    }
    nb::dict table;
    table["flow"] = ToArray(std::move(indices));
    table["time"] = ToArray(std::move(all.time));
    table["cwnd"] = ToArray(std::move(all.cwnd));
    table["ssthresh"] = ToArray(std::move(all.ssthresh));
    table["srtt"] = ToArray(std::move(all.srtt));
    table["bytes_acked"] = ToArray(std::move(all.bytesAcked));
    table["in_flight"] = ToArray(std::move(all.inFlight));
    table["pacing_rate"] = ToArray(std::move(all.pacingRate));
    table["state"] = ToArray(std::move(all.state));
    return table;
}

/**
 * @brief One row per queue.
 * @param queues counters of the queues
 * @return columns by name
 */
nb::dict
QueueTable(const std::vector<ns3::QueueResult>& queues)
{
    using Queue = ns3::QueueResult;
    nb::dict table;
    table["name"] = ToColumn(queues, &Queue::name);
    table["place"] = ToColumn(queues, &Queue::place);
    table["disc"] = ToColumn(queues, &Queue::disc);
    table["received_packets"] = ToColumn(queues, &Queue::receivedPackets);
    table["received_bytes"] = ToColumn(queues, &Queue::receivedBytes);
    table["sent_packets"] = ToColumn(queues, &Queue::sentPackets);
    table["sent_bytes"] = ToColumn(queues, &Queue::sentBytes);
    table["dropped_packets"] = ToColumn(queues, &Queue::droppedPackets);
    table["dropped_bytes"] = ToColumn(queues, &Queue::droppedBytes);
    table["marked_packets"] = ToColumn(queues, &Queue::markedPackets);
    table["backlog_packets"] = ToColumn(queues, &Queue::backlogPackets);
    table["backlog_bytes"] = ToColumn(queues, &Queue::backlogBytes);
    table["max_backlog_packets"] = ToColumn(queues, &Queue::maxBacklogPackets);
    table["max_backlog_bytes"] = ToColumn(queues, &Queue::maxBacklogBytes);
    table["text"] = ToColumn(queues, &Queue::text);
    return table;
}

/**
 * @brief Time series of all queues, one after the other.
 * @param series the time series
 * @return columns by name
 */
nb::dict
QueueSampleTable(const std::vector<ns3::QueueSeries>& series)
{
    ns3::QueueSeries all;
    std::vector<uint32_t> indices;
    for (const auto& one : series)
    {
        indices.insert(indices.end(), one.time.size(), one.queue);
        Append(all.time, one.time);
        Append(all.packets, one.packets);
        Append(all.bytes, one.bytes);
        Append(all.sentBytes, one.sentBytes);
        Append(all.drops, one.drops);
    }
    nb::dict table;
    table["queue"] = ToArray(std::move(indices));
    table["time"] = ToArray(std::move(all.time));
    table["packets"] = ToArray(std::move(all.packets));
    table["bytes"] = ToArray(std::move(all.bytes));
    table["sent_bytes"] = ToArray(std::move(all.sentBytes));
    table["drops"] = ToArray(std::move(all.drops));
    return table;
}

/**
 * @brief Packets recorded at all places, one place after the other.
 * @param series the packets
 * @return columns by name
 */
nb::dict
PacketTable(const std::vector<ns3::PacketSeries>& series)
{
    ns3::PacketSeries all;
    nb::list places;
    for (const auto& one : series)
    {
        const nb::str place(one.place.c_str());
        for (size_t i = 0; i < one.time.size(); ++i)
        {
            places.append(place);
        }
        Append(all.time, one.time);
        Append(all.size, one.size);
        Append(all.node, one.node);
    }
    nb::dict table;
    table["place"] = places;
    table["time"] = ToArray(std::move(all.time));
    table["size"] = ToArray(std::move(all.size));
    table["node"] = ToArray(std::move(all.node));
    return table;
}

/**
 * @brief Turn a result into plain data.
 * @param result what a run gave; its columns are taken
 * @param csv whether the tables are wanted as CSV, too
 * @return tables by name, facts by name and, if wanted, texts by table
 */
nb::dict
ToPython(ns3::RunResult result, bool csv)
{
    nb::dict out;
    if (csv)
    {
        const std::pair<const char*, CsvWriter> writers[] = {
            {"flows", ns3::WriteFlowsCsv},
            {"samples", ns3::WriteFlowSeriesCsv},
            {"queues", ns3::WriteQueuesCsv},
            {"queue_samples", ns3::WriteQueueSeriesCsv},
            {"drops", ns3::WriteDropsCsv},
            {"exits", ns3::WriteExitsCsv},
            {"requests", ns3::WriteRequestsCsv},
            {"rounds", ns3::WriteRoundsCsv},
            {"packets", ns3::WritePacketsCsv},
        };
        nb::dict texts;
        for (const auto& [table, write] : writers)
        {
            std::ostringstream text;
            write(text, result);
            texts[table] = text.str();
        }
        out["csv"] = texts;
    }

    nb::dict drops;
    drops["place"] = ToColumn(result.drops, &ns3::DropRecord::place);
    drops["name"] = ToColumn(result.drops, &ns3::DropRecord::name);
    drops["reason"] = ToColumn(result.drops, &ns3::DropRecord::reason);
    drops["packets"] = ToColumn(result.drops, &ns3::DropRecord::packets);
    drops["bytes"] = ToColumn(result.drops, &ns3::DropRecord::bytes);

    nb::dict requests;
    requests["flow"] = ToArray(std::move(result.requests.flow));
    requests["index"] = ToArray(std::move(result.requests.index));
    requests["start"] = ToArray(std::move(result.requests.start));
    requests["completion"] = ToArray(std::move(result.requests.completion));
    requests["bytes"] = ToArray(std::move(result.requests.bytes));

    nb::dict rounds;
    rounds["start"] = ToArray(std::move(result.rounds.start));
    rounds["completion"] = ToArray(std::move(result.rounds.completion));
    rounds["bytes"] = ToArray(std::move(result.rounds.bytes));

    nb::dict tables;
    tables["flows"] = FlowTable(result.flows);
    tables["exits"] = ExitTable(result.flows);
    tables["samples"] = SampleTable(result.flowSeries);
    tables["queues"] = QueueTable(result.queues);
    tables["queue_samples"] = QueueSampleTable(result.queueSeries);
    tables["drops"] = drops;
    tables["packets"] = PacketTable(result.packetSeries);
    tables["requests"] = requests;
    tables["rounds"] = rounds;
    out["tables"] = tables;

    nb::dict facts;
    facts["topology"] = result.topology;
    facts["ns3_version"] = result.ns3Version;
    facts["warnings"] = nb::cast(result.warnings);
    facts["packets_sent"] = result.packetsSent;
    facts["packets_received"] = result.packetsReceived;
    facts["packets_dropped"] = result.packetsDropped;
    facts["packets_inside"] = result.packetsInside;
    facts["simulated_time"] = result.simulatedTime;
    facts["events"] = result.events;
    out["facts"] = facts;
    out["wall_time"] = result.wallTime;
    return out;
}

/**
 * @brief Perform a run without holding up other Python threads; Ctrl-C ends it.
 * @tparam Spec kind of scenario
 * @param run runs that kind
 * @param spec what to simulate
 * @param csv whether the tables are wanted as CSV, too
 * @return see ToPython()
 */
template <typename Spec>
nb::dict
Run(ns3::RunResult (*run)(const Spec&, const ns3::ProgressCallback&), const Spec& spec, bool csv)
{
    bool interrupted = false;
    ns3::RunResult result;
    {
        nb::gil_scoped_release release;
        result = run(spec, [&interrupted](double, double) {
            nb::gil_scoped_acquire acquire;
            interrupted = PyErr_CheckSignals() != 0;
            return !interrupted;
        });
    }
    if (interrupted)
    {
        throw nb::python_error();
    }
    return ToPython(std::move(result), csv);
}

/**
 * @brief Bind a kind of scenario: its record has validate() and run() besides its fields.
 * @tparam Spec kind of scenario
 * @param record the record
 * @param run runs that kind
 */
template <typename Spec>
void
BindScenario(nb::class_<Spec, ns3::ScenarioSpec>& record,
             ns3::RunResult (*run)(const Spec&, const ns3::ProgressCallback&))
{
    record.def(nb::init<>());
    record.def("validate",
               &Spec::Validate,
               "Check everything that can be checked before a simulation is built.");
    record.def(
        "run",
        [run](const Spec& spec, bool csv) { return Run<Spec>(run, spec, csv); },
        "csv"_a = false,
        "Simulate; returns tables of columns, facts and the wall-clock time (s).");
}

/**
 * @brief Bind the records that scenarios are made of.
 * @param m the module
 */
void
BindParts(nb::module_& m)
{
    using namespace ns3;

    nb::class_<RpcSpec>(m, "Rpc")
        .def(nb::init<>())
        .def_rw("request_bytes", &RpcSpec::requestBytes)
        .def_rw("response_bytes", &RpcSpec::responseBytes)
        .def_rw("connections", &RpcSpec::connections)
        .def_rw("requests", &RpcSpec::requests)
        .def_rw("think_time", &RpcSpec::thinkTime)
        .def_rw("start_jitter", &RpcSpec::startJitter);

    nb::class_<BurstSpec>(m, "Bursts")
        .def(nb::init<>())
        .def_rw("bytes", &BurstSpec::bytes)
        .def_rw("period", &BurstSpec::period)
        .def_rw("count", &BurstSpec::count);

    nb::class_<FlowSpec>(m, "Flow")
        .def(nb::init<>())
        .def_rw("name", &FlowSpec::name)
        .def_rw("congestion_control", &FlowSpec::congestionControl)
        .def_rw("congestion_attributes", &FlowSpec::congestionAttributes)
        .def_rw("socket", &FlowSpec::socket)
        .def_rw("socket_attributes", &FlowSpec::socketAttributes)
        .def_rw("receiver_socket_attributes", &FlowSpec::receiverSocketAttributes)
        .def_rw("start", &FlowSpec::start)
        .def_rw("stop", &FlowSpec::stop)
        .def_rw("workload", &FlowSpec::workload)
        .def_rw("bytes", &FlowSpec::bytes)
        .def_rw("rpc", &FlowSpec::rpc)
        .def_rw("bursts", &FlowSpec::bursts)
        .def_rw("rtt", &FlowSpec::rtt)
        .def_rw("window_limit", &FlowSpec::windowLimit)
        .def_rw("initial_window", &FlowSpec::initialWindow)
        .def_rw("delayed_ack_count", &FlowSpec::delayedAckCount)
        .def_rw("delayed_ack_timeout", &FlowSpec::delayedAckTimeout)
        .def_rw("min_rto", &FlowSpec::minRto)
        .def_rw("max_pacing_rate", &FlowSpec::maxPacingRate)
        .def_rw("reverse", &FlowSpec::reverse)
        .def_rw("sender", &FlowSpec::sender)
        .def_rw("receiver", &FlowSpec::receiver);

    nb::class_<HostSpec>(m, "Host")
        .def(nb::init<>())
        .def_rw("segmentation_offload", &HostSpec::segmentationOffload)
        .def_rw("segmentation_min_segments", &HostSpec::segmentationMinSegments)
        .def_rw("segmentation_max_segments", &HostSpec::segmentationMaxSegments)
        .def_rw("receive_poll_interval", &HostSpec::receivePollInterval)
        .def_rw("receive_max_segments", &HostSpec::receiveMaxSegments)
        .def_rw("receive_max_bytes", &HostSpec::receiveMaxBytes)
        .def_rw("receive_random_phase", &HostSpec::receiveRandomPhase)
        .def_rw("ack_jitter", &HostSpec::ackJitter)
        .def_rw("data_jitter", &HostSpec::dataJitter)
        .def_rw("pause_length", &HostSpec::pauseLength)
        .def_rw("pause_interval", &HostSpec::pauseInterval)
        .def_rw("quick_acks", &HostSpec::quickAcks);

    nb::class_<QueueSpec>(m, "Queue")
        .def(nb::init<>())
        .def_rw("disc", &QueueSpec::disc)
        .def_rw("attributes", &QueueSpec::attributes);

    nb::class_<PolicerSpec>(m, "Policer")
        .def(nb::init<>())
        .def_rw("rate", &PolicerSpec::rate)
        .def_rw("burst", &PolicerSpec::burst)
        .def_rw("place", &PolicerSpec::place)
        .def_rw("overhead", &PolicerSpec::overhead);

    nb::class_<PathChange>(m, "PathChange")
        .def(nb::init<>())
        .def_rw("at", &PathChange::at)
        .def_rw("rtt", &PathChange::rtt)
        .def_rw("rate", &PathChange::rate);

    nb::class_<ScenarioSpec>(m, "Scenario")
        .def_rw("rtt", &ScenarioSpec::rtt)
        .def_rw("sender_queue", &ScenarioSpec::senderQueue)
        .def_rw("sender_host", &ScenarioSpec::senderHost)
        .def_rw("receiver_host", &ScenarioSpec::receiverHost)
        .def_rw("mtu", &ScenarioSpec::mtu)
        .def_rw("mss", &ScenarioSpec::mss)
        .def_rw("ipv6", &ScenarioSpec::ipv6)
        .def_rw("timestamps", &ScenarioSpec::timestamps)
        .def_rw("ecn", &ScenarioSpec::ecn)
        .def_rw("loss_rate", &ScenarioSpec::lossRate)
        .def_rw("device_queue", &ScenarioSpec::deviceQueue)
        .def_rw("start_time", &ScenarioSpec::startTime)
        .def_rw("duration", &ScenarioSpec::duration)
        .def_rw("warmup", &ScenarioSpec::warmup)
        .def_rw("stop_when_complete", &ScenarioSpec::stopWhenComplete)
        .def_rw("sample_interval", &ScenarioSpec::sampleInterval)
        .def_rw("sample_flows", &ScenarioSpec::sampleFlows)
        .def_rw("sample_queues", &ScenarioSpec::sampleQueues)
        .def_rw("record_acks", &ScenarioSpec::recordAcks)
        .def_rw("record_packets", &ScenarioSpec::recordPackets)
        .def_rw("record_packets_limit", &ScenarioSpec::recordPacketsLimit)
        .def_rw("pcap_prefix", &ScenarioSpec::pcapPrefix)
        .def_rw("seed", &ScenarioSpec::seed)
        .def_rw("run_number", &ScenarioSpec::run);
}

/**
 * @brief Bind the kinds of scenario.
 * @param m the module
 */
void
BindScenarios(nb::module_& m)
{
    using namespace ns3;

    auto dumbbell = nb::class_<DumbbellSpec, ScenarioSpec>(m, "Dumbbell");
    BindScenario(dumbbell, &RunDumbbell);
    dumbbell.def_rw("flows", &DumbbellSpec::flows)
        .def_rw("left", &DumbbellSpec::left)
        .def_rw("right", &DumbbellSpec::right)
        .def_rw("bottleneck_rate", &DumbbellSpec::bottleneckRate)
        .def_rw("access_rate", &DumbbellSpec::accessRate)
        .def_rw("receiver_rate", &DumbbellSpec::receiverRate)
        .def_rw("reverse_rate", &DumbbellSpec::reverseRate)
        .def_rw("bottleneck_queue", &DumbbellSpec::bottleneckQueue)
        .def_rw("buffer", &DumbbellSpec::buffer)
        .def_rw("reverse_buffer", &DumbbellSpec::reverseBuffer)
        .def_rw("policer", &DumbbellSpec::policer)
        .def_rw("changes", &DumbbellSpec::changes);

    auto star = nb::class_<StarSpec, ScenarioSpec>(m, "Star");
    BindScenario(star, &RunStar);
    star.def_rw("clients", &StarSpec::clients)
        .def_rw("servers", &StarSpec::servers)
        .def_rw("flows", &StarSpec::flows)
        .def_rw("client_rate", &StarSpec::clientRate)
        .def_rw("server_rate", &StarSpec::serverRate)
        .def_rw("port_queue", &StarSpec::portQueue)
        .def_rw("buffer", &StarSpec::buffer)
        .def_rw("shared_buffer", &StarSpec::sharedBuffer)
        .def_rw("shared_buffer_alpha", &StarSpec::sharedBufferAlpha)
        .def_rw("policer", &StarSpec::policer);

    auto incast = nb::class_<IncastSpec, ScenarioSpec>(m, "Incast");
    BindScenario(incast, &RunIncast);
    incast.def_rw("senders", &IncastSpec::senders)
        .def_rw("total_bytes", &IncastSpec::totalBytes)
        .def_rw("bytes_per_sender", &IncastSpec::bytesPerSender)
        .def_rw("request_bytes", &IncastSpec::requestBytes)
        .def_rw("rounds", &IncastSpec::rounds)
        .def_rw("round_gap", &IncastSpec::roundGap)
        .def_rw("request_jitter", &IncastSpec::requestJitter)
        .def_rw("flow", &IncastSpec::flow)
        .def_rw("congestion_controls", &IncastSpec::congestionControls)
        .def_rw("sender_rate", &IncastSpec::senderRate)
        .def_rw("receiver_rate", &IncastSpec::receiverRate)
        .def_rw("port_queue", &IncastSpec::portQueue)
        .def_rw("buffer", &IncastSpec::buffer)
        .def_rw("shared_buffer", &IncastSpec::sharedBuffer)
        .def_rw("shared_buffer_alpha", &IncastSpec::sharedBufferAlpha);
}

} // namespace

NB_MODULE(_linux_tcp, m)
{
    m.doc() = "Simulates scenarios of linux_tcp with ns-3.";
    m.attr("ns3_version") = LINUX_TCP_NS3_VERSION == 3999
                                ? std::string("3-dev")
                                : "3." + std::to_string(LINUX_TCP_NS3_VERSION - 3000);
    BindParts(m);
    BindScenarios(m);
    m.def("congestion_controls",
          &ns3::GetCongestionControlNames,
          "Names accepted for a congestion control besides TypeIds.");
    m.def("queue_discs",
          &ns3::GetQueueDiscNames,
          "Names accepted for a queue disc besides TypeIds.");
}
