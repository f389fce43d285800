/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario.h"

#include "flow-helper.h"
#include "quantity.h"
#include "queue-disc-line.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace ns3
{

namespace
{

/**
 * @brief Report a value that is not allowed.
 * @param option name of the option
 * @param value what the user gave
 * @param allowed what is allowed
 */
template <typename T>
[[noreturn]] void
Refuse(const std::string& option, const T& value, const std::string& allowed)
{
    std::ostringstream line;
    line << option << ": '" << value << "' is not allowed; give " << allowed;
    throw std::invalid_argument(line.str());
}

/**
 * @brief Check that a number lies in a range.
 * @param option name of the option
 * @param value the number
 * @param least smallest number allowed
 * @param most largest number allowed
 */
void
CheckRange(const std::string& option, uint64_t value, uint64_t least, uint64_t most = UINT64_MAX)
{
    if (value < least || value > most)
    {
        Refuse(option,
               value,
               most == UINT64_MAX ? "a whole number of at least " + std::to_string(least)
                                  : "a whole number from " + std::to_string(least) + " to " +
                                        std::to_string(most));
    }
}

/**
 * @brief Check that a text is one of several.
 * @param option name of the option
 * @param value the text
 * @param allowed the texts allowed
 */
void
CheckChoice(const std::string& option,
            const std::string& value,
            const std::vector<std::string>& allowed)
{
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
    {
        std::string list;
        for (const auto& entry : allowed)
        {
            list += (list.empty() ? "" : ", ") + entry;
        }
        Refuse(option, value, "one of " + list);
    }
}

/**
 * @brief Check a time that must be above 0.
 * @param option name of the option
 * @param text the time
 * @return ns
 */
int64_t
CheckPositiveTime(const std::string& option, const std::string& text)
{
    const auto ns = ParseTime(option, text);
    if (ns == 0)
    {
        Refuse(option, text, "a time above 0");
    }
    return ns;
}

/**
 * @brief Check what a host adds.
 * @param option name of the option
 * @param host the host
 * @param mtu MTU (bytes)
 */
void
CheckHost(const std::string& option, const HostSpec& host, uint32_t mtu)
{
    CheckRange(option + ".segmentationMinSegments", host.segmentationMinSegments, 1, 64);
    CheckRange(option + ".segmentationMaxSegments",
               host.segmentationMaxSegments,
               host.segmentationMinSegments,
               64);
    ParseTime(option + ".receivePollInterval", host.receivePollInterval);
    CheckRange(option + ".receiveMaxSegments", host.receiveMaxSegments, 1, 1000);
    CheckRange(option + ".receiveMaxBytes", host.receiveMaxBytes, std::min(1500U, mtu), 65535);
    ParseTime(option + ".ackJitter", host.ackJitter);
    ParseTime(option + ".dataJitter", host.dataJitter);
    ParseTime(option + ".pauseLength", host.pauseLength);
    if (ParseTime(option + ".pauseInterval", host.pauseInterval) < 1000)
    {
        Refuse(option + ".pauseInterval", host.pauseInterval, "a time of at least 1us");
    }
    CheckRange(option + ".quickAcks", host.quickAcks, 0, 1000000);
}

/**
 * @brief Check what all scenarios have in common.
 * @param spec the scenario
 */
void
CheckCommon(const ScenarioSpec& spec)
{
    constexpr int64_t longest =
        100LL * 365 * 86400 * 1000000000; // ns; simulated time ends at 292 a
    ParseTime("rtt", spec.rtt);
    ParseQueueDisc("senderQueue", spec.senderQueue);
    CheckRange("mtu", spec.mtu, 576, 65535);
    const uint32_t headers = (spec.ipv6 ? 60 : 40) + (spec.timestamps ? 12 : 0);
    CheckRange("mss", spec.mss, 64, spec.mtu - headers);
    CheckHost("senderHost", spec.senderHost, spec.mtu);
    CheckHost("receiverHost", spec.receiverHost, spec.mtu);
    if (!(spec.lossRate >= 0 && spec.lossRate < 1))
    {
        Refuse("lossRate", spec.lossRate, "a probability from 0 to below 1");
    }
    CheckRange("deviceQueue", spec.deviceQueue, 1, 1000000);
    if (ParseTime("startTime", spec.startTime) > longest)
    {
        Refuse("startTime", spec.startTime, "at most 36500d");
    }
    const auto duration = CheckPositiveTime("duration", spec.duration);
    if (duration > longest)
    {
        Refuse("duration", spec.duration, "at most 36500d");
    }
    if (ParseTime("warmup", spec.warmup) >= duration)
    {
        Refuse("warmup", spec.warmup, "a time below the duration, " + spec.duration);
    }
    const auto interval = ParseTime("sampleInterval", spec.sampleInterval);
    constexpr int64_t mostSamples = 50000000;
    if (interval > 0 && duration / interval > mostSamples)
    {
        Refuse("sampleInterval",
               spec.sampleInterval,
               "0s for none, or a time that gives at most 50 million samples in " + spec.duration);
    }
    for (const auto& place : spec.recordPackets)
    {
        CheckChoice("recordPackets", place, {"sender", "bottleneck", "receiver"});
    }
    if (!spec.pcapPrefix.empty())
    {
        const std::string probe = spec.pcapPrefix + "-probe.pcap";
        std::ofstream file(probe);
        if (!file)
        {
            Refuse("pcapPrefix", spec.pcapPrefix, "a prefix of files that can be written");
        }
        file.close();
        std::remove(probe.c_str());
    }
    CheckRange("seed", spec.seed, 1, UINT32_MAX);
}

/**
 * @brief Check a flow.
 * @param spec the scenario
 * @param flow the flow
 * @param option name of the flow in messages
 */
void
CheckFlow(const ScenarioSpec& spec, const FlowSpec& flow, const std::string& option)
{
    CheckRange(option + ".initialWindow", flow.initialWindow, 1, 1000000);
    CheckRange(option + ".delayedAckCount", flow.delayedAckCount, 1, 1000);
    CheckRange(option + ".windowLimit", flow.windowLimit, 0, 1000000000 / spec.mss);
    CheckPositiveTime(option + ".delayedAckTimeout", flow.delayedAckTimeout);
    CheckPositiveTime(option + ".minRto", flow.minRto);
    const auto start = ParseTime(option + ".start", flow.start);
    if (!flow.stop.empty() && ParseTime(option + ".stop", flow.stop) <= start)
    {
        Refuse(option + ".stop", flow.stop, "a time after the start, " + flow.start);
    }
    CheckChoice(option + ".workload", flow.workload, {"bulk", "rpc", "bursts"});
    CheckRange(option + ".rpc.requestBytes", flow.rpc.requestBytes, 1);
    CheckRange(option + ".rpc.responseBytes", flow.rpc.responseBytes, 1);
    CheckRange(option + ".rpc.connections", flow.rpc.connections, 1, 10000);
    ParseTime(option + ".rpc.thinkTime", flow.rpc.thinkTime);
    ParseTime(option + ".rpc.startJitter", flow.rpc.startJitter);
    CheckRange(option + ".bursts.bytes", flow.bursts.bytes, 1, 1000000000000);
    CheckRange(option + ".bursts.count", flow.bursts.count, 0, 1000000);
    CheckPositiveTime(option + ".bursts.period", flow.bursts.period);
    if (!flow.rtt.empty())
    {
        ParseTime(option + ".rtt", flow.rtt);
    }
    if (!flow.maxPacingRate.empty() && flow.socket != "linux")
    {
        Refuse(option + ".maxPacingRate",
               flow.maxPacingRate,
               "none with the socket '" + flow.socket + "'; only 'linux' sockets have it");
    }
    FlowHelper::MakeTcp(spec, flow, option, true, 1048576);
    FlowHelper::MakeTcp(spec, flow, option, false, 1048576);
}

/**
 * @brief Check a policer.
 * @param policer the policer
 */
void
CheckPolicer(const PolicerSpec& policer)
{
    if (policer.rate.empty())
    {
        return;
    }
    ParseRate("policer.rate", policer.rate);
    const auto burst = ParseSize("policer.burst", policer.burst);
    if (burst == 0 || burst > 1000000000)
    {
        Refuse("policer.burst", policer.burst, "a size from 1B to 1GB");
    }
    CheckChoice("policer.place", policer.place, {"ingress", "egress"});
    CheckRange("policer.overhead", policer.overhead, 0, 1000);
}

/**
 * @brief Check a buffer that ports may share.
 * @param buffer the buffer
 * @param shared whether they share it
 * @param alpha threshold
 * @param queue queue disc of the ports
 */
void
CheckPortBuffer(const std::string& buffer, bool shared, double alpha, const QueueSpec& queue)
{
    const auto disc = ParseQueueDisc("portQueue", queue);
    const auto capacity = ParseBuffer("buffer", buffer, 1000000000, 1000000, 1500);
    if (!shared)
    {
        return;
    }
    if (!capacity.inBytes)
    {
        Refuse("buffer", buffer, "a size such as 4MB, since the ports share it");
    }
    if (!(alpha >= 0.001 && alpha <= 1000))
    {
        Refuse("sharedBufferAlpha", alpha, "a number from 0.001 to 1000");
    }
    if (!disc.deviceQueueOnly)
    {
        Refuse("portQueue.disc", queue.disc, "fifo, since the ports share the buffer");
    }
}

} // namespace

StarSpec::StarSpec()
{
    rtt = "40us";
}

IncastSpec::IncastSpec()
{
    rtt = "100us";
    duration = "60s";
}

void
DumbbellSpec::ValidateNetwork() const
{
    CheckCommon(*this);
    if (flows.empty() && (left == 0 || right == 0))
    {
        Refuse("flows", 0, "at least one flow");
    }
    CheckRange("left", left, 0, 10000);
    CheckRange("right", right, 0, 10000);
    ParseRate("bottleneckRate", bottleneckRate);
    ParseRate("accessRate", accessRate);
    if (!receiverRate.empty())
    {
        ParseRate("receiverRate", receiverRate);
    }
    if (!reverseRate.empty())
    {
        ParseRate("reverseRate", reverseRate);
    }
    ParseQueueDisc("bottleneckQueue", bottleneckQueue);
    ParseBuffer("buffer", buffer, 1000000000, 1000000, 1500);
    ParseBuffer("reverseBuffer", reverseBuffer, 1000000000, 1000000, 1500);
    CheckPolicer(policer);

    std::set<std::string> leftNames{"router-left", "router-right"};
    std::set<std::string> rightNames{"router-left", "router-right"};
    std::map<std::string, std::string> rttOf;
    int64_t smallest = flows.empty() ? ParseTime("rtt", rtt) : INT64_MAX;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const auto& flow = flows[i];
        const std::string option = "flows[" + std::to_string(i) + "]";
        CheckFlow(*this, flow, option);
        const std::string flowRtt = flow.rtt.empty() ? rtt : flow.rtt;
        smallest = std::min(smallest, ParseTime(option + ".rtt", flowRtt));
        const auto& onLeft = flow.reverse ? flow.receiver : flow.sender;
        const auto& onRight = flow.reverse ? flow.sender : flow.receiver;
        const std::string leftOption = option + (flow.reverse ? ".receiver" : ".sender");
        const std::string rightOption = option + (flow.reverse ? ".sender" : ".receiver");
        const auto isAutomatic = [](const std::string& name, const std::string& prefix) {
            return name.compare(0, prefix.size(), prefix) == 0;
        };
        if (!onLeft.empty() && (rightNames.count(onLeft) > 0 || isAutomatic(onLeft, "right")))
        {
            Refuse(leftOption, onLeft, "a name that no host on the right has");
        }
        if (!onRight.empty() && (leftNames.count(onRight) > 0 || isAutomatic(onRight, "left")))
        {
            Refuse(rightOption, onRight, "a name that no host on the left has");
        }
        leftNames.insert(onLeft);
        rightNames.insert(onRight);
        if (!onRight.empty())
        {
            const auto known = rttOf.emplace(onRight, flowRtt);
            if (known.first->second != flowRtt)
            {
                Refuse(option + ".rtt",
                       flowRtt,
                       known.first->second + ", as other flows of the host " + onRight);
            }
        }
        else if (right > 0 && !flow.rtt.empty() &&
                 ParseTime(option, flow.rtt) != ParseTime(option, rtt))
        {
            Refuse(option + ".rtt",
                   flow.rtt,
                   "none: flows share the hosts on the right, or name the receiver");
        }
    }
    int64_t previous = 0;
    for (std::size_t i = 0; i < changes.size(); ++i)
    {
        const std::string option = "changes[" + std::to_string(i) + "]";
        const auto at = ParseTime(option + ".at", changes[i].at);
        if (at < previous)
        {
            Refuse(option + ".at", changes[i].at, "changes in order of time");
        }
        previous = at;
        if (!changes[i].rtt.empty() &&
            smallest + ParseTime(option + ".rtt", changes[i].rtt) - ParseTime("rtt", rtt) < 0)
        {
            Refuse(option + ".rtt",
                   changes[i].rtt,
                   "a time that leaves every flow an RTT of at least 0");
        }
        if (!changes[i].rate.empty())
        {
            ParseRate(option + ".rate", changes[i].rate);
        }
    }
}

void
DumbbellSpec::Validate() const
{
    if (flows.empty())
    {
        Refuse("flows", 0, "at least one flow");
    }
    ValidateNetwork();
}

void
StarSpec::Validate() const
{
    CheckCommon(*this);
    CheckRange("clients", clients, 1, 10000);
    CheckRange("servers", servers, 1, 10000);
    ParseRate("clientRate", clientRate);
    ParseRate("serverRate", serverRate);
    CheckPortBuffer(buffer, sharedBuffer, sharedBufferAlpha, portQueue);
    CheckPolicer(policer);
    if (flows.empty())
    {
        Refuse("flows", 0, "at least one flow");
    }
    std::set<std::string> hosts;
    for (uint32_t i = 0; i < clients; ++i)
    {
        hosts.insert("client" + std::to_string(i));
    }
    for (uint32_t i = 0; i < servers; ++i)
    {
        hosts.insert("server" + std::to_string(i));
    }
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const auto& flow = flows[i];
        const std::string option = "flows[" + std::to_string(i) + "]";
        CheckFlow(*this, flow, option);
        const std::string allowed = "client0 to client" + std::to_string(clients - 1) +
                                    " or server0 to server" + std::to_string(servers - 1);
        if (hosts.count(flow.sender) == 0)
        {
            Refuse(option + ".sender", flow.sender, allowed);
        }
        if (hosts.count(flow.receiver) == 0)
        {
            Refuse(option + ".receiver", flow.receiver, allowed);
        }
        if (flow.sender == flow.receiver)
        {
            Refuse(option + ".receiver", flow.receiver, "another host than the sender");
        }
        if (!flow.rtt.empty())
        {
            Refuse(option + ".rtt", flow.rtt, "none: all flows of a star have its rtt");
        }
        if (flow.reverse)
        {
            Refuse(option + ".reverse", "true", "false: name sender and receiver as wanted");
        }
    }
}

void
IncastSpec::Validate() const
{
    CheckCommon(*this);
    CheckRange("senders", senders, 1, 10000);
    CheckRange("rounds", rounds, 1, 1000000);
    CheckRange("requestBytes", requestBytes, 1, 1000000000);
    if (totalBytes > 0)
    {
        CheckRange("totalBytes", totalBytes, senders, 1000000000000);
    }
    else
    {
        CheckRange("bytesPerSender", bytesPerSender, 1, 1000000000000);
    }
    ParseTime("roundGap", roundGap);
    ParseTime("requestJitter", requestJitter);
    ParseRate("senderRate", senderRate);
    ParseRate("receiverRate", receiverRate);
    CheckPortBuffer(buffer, sharedBuffer, sharedBufferAlpha, portQueue);
    CheckFlow(*this, flow, "flow");
    if (!flow.rtt.empty())
    {
        Refuse("flow.rtt", flow.rtt, "none: all flows of an incast have its rtt");
    }
    for (std::size_t i = 0; i < congestionControls.size(); ++i)
    {
        FlowSpec other = flow;
        other.congestionControl = congestionControls[i];
        CheckFlow(*this, other, "congestionControls[" + std::to_string(i) + "]");
    }
}

} // namespace ns3
