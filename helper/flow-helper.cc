/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-helper.h"

#include "quantity.h"
#include "rpc-server.h"

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FlowHelper");

namespace
{

constexpr uint16_t FIRST_PORT = 5001;           ///< first port that servers listen on
constexpr int64_t CONGESTION_STREAM = 1000000;  ///< first stream of the congestion controls
constexpr uint64_t LARGEST_BUFFER = 1000000000; ///< largest socket buffer (bytes)

} // namespace

FlowHelper::FlowHelper(WiredTopology& topology, const ScenarioSpec& common)
    : m_topology(topology),
      m_common(common),
      m_origin(NanoSeconds(ParseTime("startTime", common.startTime)))
{
}

uint64_t
FlowHelper::GetBufferBytes(const FlowSpec& flow,
                           uint32_t mss,
                           uint64_t rate,
                           int64_t rttNs,
                           uint64_t queueBytes)
{
    constexpr uint64_t least = 1048576;
    // in microseconds: 10^14 bit/s and 10^5 s still fit
    const uint64_t product = (rate / 8) * (static_cast<uint64_t>(rttNs) / 1000) / 1000000;
    uint64_t bytes = std::max(least, 3 * (product + queueBytes));
    if (flow.windowLimit > 0)
    {
        bytes = std::max(bytes, 2 * uint64_t{flow.windowLimit} * mss);
    }
    return std::min(bytes, LARGEST_BUFFER);
}

TcpLinuxHelper
FlowHelper::MakeTcp(const ScenarioSpec& common,
                    const FlowSpec& flow,
                    const std::string& option,
                    bool sender,
                    uint64_t bufferBytes)
{
    TcpLinuxHelper tcp;
    tcp.SetCongestionControl(flow.congestionControl,
                             flow.congestionAttributes,
                             option + ".congestionControl");
    tcp.SetSocket(flow.socket, option + ".socket");
    const auto set = [&](const std::string& name, const std::string& value) {
        tcp.SetSocketAttribute(name, value, option);
    };
    const auto number = [](uint64_t value) { return std::to_string(value); };
    uint64_t receiveBuffer = bufferBytes;
    if (flow.windowLimit > 0 && !tcp.IsLinuxSocket())
    {
        receiveBuffer = uint64_t{flow.windowLimit} * common.mss;
    }
    set("SegmentSize", number(common.mss));
    set("SndBufSize", number(bufferBytes));
    set("RcvBufSize", number(receiveBuffer));
    set("InitialCwnd", number(flow.initialWindow));
    set("DelAckCount", number(flow.delayedAckCount));
    set("DelAckTimeout", flow.delayedAckTimeout);
    set("MinRto", flow.minRto);
    set("Timestamp", common.timestamps ? "true" : "false");
    set("UseEcn", common.ecn ? "On" : "Off");
    // as Linux: first timeout of the handshake, retries of data (tcp_retries2)
    set("ConnTimeout", "1s");
    set("DataRetries", "15");
    if (tcp.IsLinuxSocket())
    {
        const HostSpec& host = sender ? common.senderHost : common.receiverHost;
        set("WindowLimit", number(flow.windowLimit));
        set("SegmentationOffload", sender && host.segmentationOffload ? "true" : "false");
        set("SegmentationMinimum", number(host.segmentationMinSegments));
        set("SegmentationMaximum", number(host.segmentationMaxSegments));
        set("QuickAcks", number(host.quickAcks));
        if (!flow.maxPacingRate.empty() && sender)
        {
            set("MaxPacingRate",
                number(ParseRate(option + ".maxPacingRate", flow.maxPacingRate)) + "bps");
        }
    }
    const auto& own = sender ? flow.socketAttributes : flow.receiverSocketAttributes;
    for (const auto& [name, value] : own)
    {
        tcp.SetSocketAttribute(name,
                               value,
                               option +
                                   (sender ? ".socketAttributes" : ".receiverSocketAttributes"));
    }
    return tcp;
}

int64_t
FlowHelper::GetCongestionStream(uint32_t record)
{
    return CONGESTION_STREAM + record;
}

uint32_t
FlowHelper::AddRecord(uint32_t index,
                      const std::string& name,
                      const FlowSpec& flow,
                      const std::string& sender,
                      const std::string& receiver)
{
    const Time warmup = NanoSeconds(ParseTime("warmup", m_common.warmup));
    Record record;
    record.result.name = name;
    record.result.spec = index;
    record.result.congestionControl = flow.congestionControl;
    record.result.sender = sender;
    record.result.receiver = receiver;
    record.result.baseRtt =
        static_cast<double>(m_topology.GetBaseRtt(sender, receiver).GetNanoSeconds()) / 1e9;
    record.recorder = Create<FlowRecorder>(m_origin, m_origin + warmup, m_common.mss);
    if (m_common.recordAcks)
    {
        record.recorder->SampleAcks();
    }
    m_records.push_back(record);
    return static_cast<uint32_t>(m_records.size() - 1);
}

Ptr<FlowRecorder>
FlowHelper::GetRecorder(uint32_t record) const
{
    return m_records[record].recorder;
}

void
FlowHelper::Install(uint32_t index,
                    const FlowSpec& flow,
                    const std::string& sender,
                    const std::string& receiver,
                    uint64_t bufferBytes)
{
    const std::string option = "flows[" + std::to_string(index) + "]";
    auto sending = MakeTcp(m_common, flow, option, true, bufferBytes);
    const auto receiving = MakeTcp(m_common, flow, option, false, bufferBytes);
    const std::string name = flow.name.empty() ? "flow" + std::to_string(index) : flow.name;
    const bool rpc = flow.workload == "rpc";
    const Time start = m_origin + NanoSeconds(ParseTime(option + ".start", flow.start));

    auto& nextPort = m_nextPort[receiver];
    nextPort = std::max(nextPort, FIRST_PORT);
    const uint16_t port = nextPort++;
    const Address remote = m_topology.GetHostAddress(receiver, port);
    Address any;
    if (m_common.ipv6)
    {
        any = Inet6SocketAddress(Ipv6Address::GetAny(), port);
    }
    else
    {
        any = InetSocketAddress(Ipv4Address::GetAny(), port);
    }

    Ptr<StreamSink> sink;
    if (rpc)
    {
        sink = CreateObject<RpcServer>();
        sink->SetAttribute("RequestSize", UintegerValue(flow.rpc.requestBytes));
        sink->SetAttribute("ResponseSize", UintegerValue(flow.rpc.responseBytes));
    }
    else
    {
        sink = CreateObject<StreamSink>();
    }
    sink->SetAttribute("Local", AddressValue(any));
    sink->SetSocketCreator(receiving.GetSocketCreator());
    sink->SetStartTime(m_origin);
    m_topology.GetHost(receiver)->AddApplication(sink);

    const uint32_t connections = rpc ? flow.rpc.connections : 1;
    for (uint32_t i = 0; i < connections; ++i)
    {
        const uint32_t record = AddRecord(index,
                                          connections > 1 ? name + "/" + std::to_string(i) : name,
                                          flow,
                                          sender,
                                          receiver);
        Ptr<ConnectingApplication> client;
        if (rpc)
        {
            const auto rpcClient = CreateObject<RpcClient>();
            rpcClient->SetAttribute("RequestSize", UintegerValue(flow.rpc.requestBytes));
            rpcClient->SetAttribute("ResponseSize", UintegerValue(flow.rpc.responseBytes));
            rpcClient->SetAttribute("Requests", UintegerValue(flow.rpc.requests));
            rpcClient->SetAttribute(
                "ThinkTime",
                TimeValue(NanoSeconds(ParseTime(option + ".rpc.thinkTime", flow.rpc.thinkTime))));
            rpcClient->SetAttribute("StartJitter",
                                    TimeValue(NanoSeconds(ParseTime(option + ".rpc.startJitter",
                                                                    flow.rpc.startJitter))));
            m_records[record].requestBytes = flow.rpc.requestBytes + flow.rpc.responseBytes;
            m_records[record].requests = flow.rpc.requests;
            rpcClient->TraceConnectWithoutContext(
                "Completed",
                MakeBoundCallback(&FlowHelper::RequestCompleted, this, record));
            m_clients.push_back(rpcClient);
            m_records[record].limited = flow.rpc.requests > 0;
            client = rpcClient;
        }
        else
        {
            const auto streamer = CreateObject<StreamSender>();
            uint64_t bytes = flow.bytes;
            if (flow.workload == "bursts")
            {
                bytes = flow.bursts.bytes * flow.bursts.count;
                streamer->SetAttribute("BurstBytes", UintegerValue(flow.bursts.bytes));
                streamer->SetAttribute("BurstPeriod",
                                       TimeValue(NanoSeconds(ParseTime(option + ".bursts.period",
                                                                       flow.bursts.period))));
                streamer->TraceConnectWithoutContext(
                    "BurstCompleted",
                    MakeBoundCallback(&FlowHelper::BurstCompleted, this, record));
            }
            streamer->SetAttribute("MaxBytes", UintegerValue(bytes));
            streamer->TraceConnectWithoutContext(
                "Completed",
                MakeBoundCallback(&FlowHelper::TransferCompleted, this, record));
            m_records[record].limited = bytes > 0;
            client = streamer;
        }
        m_limited += m_records[record].limited;
        client->SetAttribute("Remote", AddressValue(remote));
        sending.AssignStreams(GetCongestionStream(record));
        client->SetSocketCreator(sending.GetSocketCreator());
        client->SetStartTime(start);
        if (!flow.stop.empty())
        {
            client->SetStopTime(m_origin + NanoSeconds(ParseTime(option + ".stop", flow.stop)));
        }
        m_topology.GetHost(sender)->AddApplication(client);
        Watch(record, client);
    }
}

void
FlowHelper::Watch(uint32_t record, Ptr<ConnectingApplication> application)
{
    application->TraceConnectWithoutContext(
        "SocketCreated",
        MakeBoundCallback(&FlowHelper::SocketCreated, this, record));
    application->TraceConnectWithoutContext(
        "Connected",
        MakeBoundCallback(&FlowHelper::Connected, this, record));
    application->TraceConnectWithoutContext("Failed",
                                            MakeBoundCallback(&FlowHelper::Failed, this, record));
}

void
FlowHelper::SocketCreated(FlowHelper* helper, uint32_t record, Ptr<Socket> socket)
{
    const auto recorder = helper->m_records[record].recorder;
    recorder->NoteStart();
    recorder->Attach(DynamicCast<TcpSocketBase>(socket));
}

void
FlowHelper::Connected(FlowHelper* helper, uint32_t record, Ptr<Socket> /* socket */)
{
    helper->m_records[record].recorder->NoteEstablished();
}

void
FlowHelper::Failed(FlowHelper* helper, uint32_t record, Ptr<Socket> /* socket */)
{
    const auto& flow = helper->m_records[record];
    if (!flow.complete)
    {
        helper->m_warnings.push_back("the connection of " + flow.result.name +
                                     " failed: too many retransmissions or a reset");
    }
}

void
FlowHelper::TransferCompleted(FlowHelper* helper,
                              uint32_t record,
                              Time /* start */,
                              Time /* completion */)
{
    helper->m_records[record].recorder->NoteCompletion();
    helper->Complete(record);
}

void
FlowHelper::BurstCompleted(FlowHelper* helper,
                           uint32_t record,
                           uint64_t index,
                           Time start,
                           Time completion,
                           uint64_t bytes)
{
    helper->AddRequest(record, index, start, completion, bytes);
}

void
FlowHelper::RequestCompleted(FlowHelper* helper,
                             uint32_t record,
                             uint64_t index,
                             Time start,
                             Time completion)
{
    const auto& flow = helper->m_records[record];
    helper->AddRequest(record, index, start, completion, flow.requestBytes);
    if (flow.requests > 0 && index + 1 == flow.requests)
    {
        flow.recorder->NoteCompletion();
        helper->Complete(record);
    }
}

void
FlowHelper::AddRequest(uint32_t record, uint64_t index, Time start, Time completion, uint64_t bytes)
{
    const auto seconds = [&](Time time) {
        return static_cast<double>((time - m_origin).GetNanoSeconds()) / 1e9;
    };
    m_requests.flow.push_back(record);
    m_requests.index.push_back(index);
    m_requests.start.push_back(seconds(start));
    m_requests.completion.push_back(seconds(completion));
    m_requests.bytes.push_back(bytes);
}

void
FlowHelper::Complete(uint32_t record)
{
    auto& flow = m_records[record];
    if (flow.limited && !flow.complete)
    {
        NS_LOG_LOGIC(flow.result.name << " is complete");
        flow.complete = true;
        ++m_complete;
        if (m_complete == m_limited && !m_completionCallback.IsNull())
        {
            m_completionCallback();
        }
    }
}

bool
FlowHelper::AreLimitedFlowsComplete() const
{
    return m_limited > 0 && m_complete == m_limited;
}

void
FlowHelper::SetCompletionCallback(Callback<void> callback)
{
    m_completionCallback = callback;
}

int64_t
FlowHelper::AssignStreams(int64_t stream)
{
    const int64_t first = stream;
    for (const auto& client : m_clients)
    {
        stream += client->AssignStreams(stream);
    }
    return stream - first;
}

void
FlowHelper::Sample()
{
    for (auto& record : m_records)
    {
        record.recorder->Sample();
    }
}

void
FlowHelper::Collect(RunResult& result) const
{
    for (std::size_t i = 0; i < m_records.size(); ++i)
    {
        const auto& record = m_records[i];
        FlowResult flow = record.result;
        record.recorder->Finish(Simulator::Now(), flow);
        result.flows.push_back(flow);
        auto series = record.recorder->GetSeries();
        if (!series.time.empty())
        {
            series.flow = static_cast<uint32_t>(i);
            result.flowSeries.push_back(std::move(series));
        }
    }
    result.requests = m_requests;
    result.warnings.insert(result.warnings.end(), m_warnings.begin(), m_warnings.end());
}

} // namespace ns3
