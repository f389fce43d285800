/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_OPTIONS_H
#define SCENARIO_OPTIONS_H

#include "ns3/command-line.h"
#include "ns3/scenario-runner.h"
#include "ns3/scenario.h"

#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup linux-tcp
 * Command-line options that the example programs share.
 */

namespace ns3
{

/**
 * @brief Read the option of a queue disc: its line, then attributes, as in "fq;Model=3.13".
 * @param is the option's text
 * @param queue receives the line and the attributes
 * @return the stream
 */
inline std::istream&
operator>>(std::istream& is, QueueSpec& queue)
{
    queue = QueueSpec();
    std::getline(is, queue.disc, ';');
    for (std::string field; std::getline(is, field, ';');)
    {
        const auto equals = field.find('=');
        if (equals == std::string::npos)
        {
            throw std::invalid_argument("queue disc: '" + field +
                                        "' is not allowed; give ATTRIBUTE=VALUE");
        }
        queue.attributes[field.substr(0, equals)] = field.substr(equals + 1);
    }
    is.clear();
    return is;
}

/**
 * @brief Print the line of a queue disc, for the help.
 * @param os where to
 * @param queue the queue disc
 * @return the stream
 */
inline std::ostream&
operator<<(std::ostream& os, const QueueSpec& queue)
{
    return os << queue.disc;
}

} // namespace ns3

/**
 * @brief Read a whole number.
 * @param option name of the option
 * @param text what the user gave
 * @return the number
 */
inline uint64_t
ReadNumber(const std::string& option, const std::string& text)
{
    if (text.empty() || text.size() > 18 ||
        text.find_first_not_of("0123456789") != std::string::npos)
    {
        throw std::invalid_argument(option + ": '" + text + "' is not allowed; give a number");
    }
    return std::stoull(text);
}

/**
 * @brief Set a field of a flow.
 * @param flow the flow
 * @param key name of the field; "cc.NAME", "socket.NAME" and "receiver.NAME" set attributes
 * @param value its value
 */
inline void
SetFlowField(ns3::FlowSpec& flow, const std::string& key, const std::string& value)
{
    const std::map<std::string, std::string*> texts{{"name", &flow.name},
                                                    {"cc", &flow.congestionControl},
                                                    {"socket", &flow.socket},
                                                    {"start", &flow.start},
                                                    {"stop", &flow.stop},
                                                    {"workload", &flow.workload},
                                                    {"thinkTime", &flow.rpc.thinkTime},
                                                    {"startJitter", &flow.rpc.startJitter},
                                                    {"burstPeriod", &flow.bursts.period},
                                                    {"rtt", &flow.rtt},
                                                    {"delayedAckTimeout", &flow.delayedAckTimeout},
                                                    {"minRto", &flow.minRto},
                                                    {"maxPacingRate", &flow.maxPacingRate},
                                                    {"from", &flow.sender},
                                                    {"to", &flow.receiver}};
    const std::map<std::string, uint64_t*> numbers{{"bytes", &flow.bytes},
                                                   {"requestBytes", &flow.rpc.requestBytes},
                                                   {"responseBytes", &flow.rpc.responseBytes},
                                                   {"requests", &flow.rpc.requests},
                                                   {"burstBytes", &flow.bursts.bytes},
                                                   {"bursts", &flow.bursts.count}};
    const std::map<std::string, uint32_t*> counts{{"connections", &flow.rpc.connections},
                                                  {"windowLimit", &flow.windowLimit},
                                                  {"initialWindow", &flow.initialWindow},
                                                  {"delayedAckCount", &flow.delayedAckCount}};
    const std::map<std::string, ns3::AttributeMap*> attributes{
        {"cc", &flow.congestionAttributes},
        {"socket", &flow.socketAttributes},
        {"receiver", &flow.receiverSocketAttributes}};
    const auto dot = key.find('.');
    const auto owner = attributes.find(key.substr(0, dot));
    if (dot != std::string::npos && owner != attributes.end())
    {
        (*owner->second)[key.substr(dot + 1)] = value;
    }
    else if (const auto text = texts.find(key); text != texts.end())
    {
        *text->second = value;
    }
    else if (const auto number = numbers.find(key); number != numbers.end())
    {
        *number->second = ReadNumber("flow." + key, value);
    }
    else if (const auto count = counts.find(key); count != counts.end())
    {
        *count->second = static_cast<uint32_t>(ReadNumber("flow." + key, value));
    }
    else if (key == "reverse" && (value == "true" || value == "false"))
    {
        flow.reverse = value == "true";
    }
    else
    {
        std::string known = "reverse, cc.NAME, socket.NAME, receiver.NAME";
        for (const auto& entry : texts)
        {
            known += ", " + entry.first;
        }
        for (const auto& entry : numbers)
        {
            known += ", " + entry.first;
        }
        for (const auto& entry : counts)
        {
            known += ", " + entry.first;
        }
        throw std::invalid_argument("flow: '" + key + "=" + value + "' is not known; give " +
                                    known);
    }
}

/**
 * @brief Read a flow.
 * @param text fields with their values, such as "cc=cubic;bytes=1000000;start=1s"
 * @return the flow
 */
inline ns3::FlowSpec
ReadFlow(const std::string& text)
{
    ns3::FlowSpec flow;
    std::istringstream fields(text);
    for (std::string field; std::getline(fields, field, ';');)
    {
        const auto equals = field.find('=');
        if (equals == std::string::npos)
        {
            throw std::invalid_argument("flow: '" + field + "' is not allowed; give NAME=VALUE");
        }
        SetFlowField(flow, field.substr(0, equals), field.substr(equals + 1));
    }
    return flow;
}

/// Flows as an option that may be given several times; each time adds a flow
struct FlowList
{
    std::vector<ns3::FlowSpec> flows; ///< the flows
};

/**
 * @brief Read an option that adds a flow.
 * @param is the option's text
 * @param list receives the flow
 * @return the stream
 */
inline std::istream&
operator>>(std::istream& is, FlowList& list)
{
    std::string text;
    std::getline(is, text);
    list.flows.push_back(ReadFlow(text));
    return is;
}

/**
 * @brief Print how many flows there are, for the help.
 * @param os where to
 * @param list the flows
 * @return the stream
 */
inline std::ostream&
operator<<(std::ostream& os, const FlowList& list)
{
    return os << list.flows.size() << " flows";
}

/**
 * @brief Add the options of a host.
 * @param cmd the command line
 * @param prefix prefix of the options' names
 * @param host receives the values
 */
inline void
AddHostOptions(ns3::CommandLine& cmd, const std::string& prefix, ns3::HostSpec& host)
{
    cmd.AddValue(prefix + "Offload", "segmentation offload", host.segmentationOffload);
    cmd.AddValue(prefix + "OffloadMin", "smallest burst (segments)", host.segmentationMinSegments);
    cmd.AddValue(prefix + "OffloadMax", "largest burst (segments)", host.segmentationMaxSegments);
    cmd.AddValue(prefix + "Poll",
                 "interval of receive polls, 0s for none",
                 host.receivePollInterval);
    cmd.AddValue(prefix + "PollSegments", "most segments merged", host.receiveMaxSegments);
    cmd.AddValue(prefix + "PollBytes", "largest merged packet (bytes)", host.receiveMaxBytes);
    cmd.AddValue(prefix + "PollRandom", "random phase of the polls", host.receiveRandomPhase);
    cmd.AddValue(prefix + "AckJitter", "longest wait of acknowledgements", host.ackJitter);
    cmd.AddValue(prefix + "DataJitter", "longest wait of data", host.dataJitter);
    cmd.AddValue(prefix + "PauseLength", "length of pauses, 0s for none", host.pauseLength);
    cmd.AddValue(prefix + "PauseInterval",
                 "mean time from one pause to the next",
                 host.pauseInterval);
    cmd.AddValue(prefix + "QuickAcks", "segments acknowledged at once", host.quickAcks);
}

/**
 * @brief Add the options that all scenarios have.
 * @param cmd the command line
 * @param spec receives the values
 */
inline void
AddScenarioOptions(ns3::CommandLine& cmd, ns3::ScenarioSpec& spec)
{
    cmd.AddValue("rtt", "base RTT", spec.rtt);
    cmd.AddValue("senderQueue",
                 "queue disc of senders: as for tc, then attributes, as in fq;Model=3.13",
                 spec.senderQueue);
    AddHostOptions(cmd, "sender", spec.senderHost);
    AddHostOptions(cmd, "receiver", spec.receiverHost);
    cmd.AddValue("mtu", "MTU (bytes)", spec.mtu);
    cmd.AddValue("mss", "payload of a full segment (bytes)", spec.mss);
    cmd.AddValue("ipv6", "IPv6 instead of IPv4", spec.ipv6);
    cmd.AddValue("timestamps", "Timestamp option", spec.timestamps);
    cmd.AddValue("ecn", "Explicit Congestion Notification", spec.ecn);
    cmd.AddValue("lossRate", "random loss of data, 0 to 1", spec.lossRate);
    cmd.AddValue("deviceQueue", "device queue under a queue disc (packets)", spec.deviceQueue);
    cmd.AddValue("startTime", "simulated time of the start", spec.startTime);
    cmd.AddValue("duration", "length of the run", spec.duration);
    cmd.AddValue("warmup", "start of the steady window", spec.warmup);
    cmd.AddValue("stopWhenComplete", "end with the last limited flow", spec.stopWhenComplete);
    cmd.AddValue("sampleInterval", "period of time series, 0s for none", spec.sampleInterval);
    cmd.AddValue("sampleQueues", "time series of queues too", spec.sampleQueues);
    cmd.AddValue("pcapPrefix", "prefix of pcap files", spec.pcapPrefix);
    cmd.AddValue("seed", "seed of the random numbers", spec.seed);
    cmd.AddValue("run", "run number", spec.run);
}

/**
 * @brief Print one of the tables of a result.
 * @param table "topology", "flows", "samples", "queues", "queue-samples", "drops", "exits",
 *              "requests", "rounds", "packets" or "tc"
 * @param result the result
 */
inline void
PrintTable(const std::string& table, const ns3::RunResult& result)
{
    using Writer = void (*)(std::ostream&, const ns3::RunResult&);
    static const std::map<std::string, Writer> writers{
        {"flows", &ns3::WriteFlowsCsv},
        {"samples", &ns3::WriteFlowSeriesCsv},
        {"queues", &ns3::WriteQueuesCsv},
        {"queue-samples", &ns3::WriteQueueSeriesCsv},
        {"drops", &ns3::WriteDropsCsv},
        {"exits", &ns3::WriteExitsCsv},
        {"requests", &ns3::WriteRequestsCsv},
        {"rounds", &ns3::WriteRoundsCsv},
        {"packets", &ns3::WritePacketsCsv},
        {"topology", [](std::ostream& os, const ns3::RunResult& r) { os << r.topology; }},
        {"tc", [](std::ostream& os, const ns3::RunResult& r) {
             for (const auto& queue : r.queues)
             {
                 os << queue.name << ":\n" << queue.text;
             }
         }}};
    const auto writer = writers.find(table);
    if (writer == writers.end())
    {
        std::string known;
        for (const auto& entry : writers)
        {
            known += (known.empty() ? "" : ", ") + entry.first;
        }
        throw std::invalid_argument("print: '" + table + "' is not known; give one of " + known);
    }
    writer->second(std::cout, result);
}

/**
 * @brief Print several tables.
 * @param tables their names, separated by commas
 * @param result the result
 */
inline void
PrintTables(const std::string& tables, const ns3::RunResult& result)
{
    std::istringstream list(tables);
    for (std::string table; std::getline(list, table, ',');)
    {
        PrintTable(table, result);
    }
    for (const auto& warning : result.warnings)
    {
        std::cerr << "warning: " << warning << "\n";
    }
}

#endif /* SCENARIO_OPTIONS_H */
