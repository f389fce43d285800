/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "incast-helper.h"

#include "quantity.h"
#include "rpc-server.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3
{

namespace
{

constexpr uint16_t PORT = 5001; ///< port that senders listen on

} // namespace

StarSpec
IncastHelper::MakeStar(const IncastSpec& spec)
{
    spec.Validate();
    StarSpec star;
    static_cast<ScenarioSpec&>(star) = spec;
    star.clients = spec.senders;
    star.servers = 1;
    star.clientRate = spec.senderRate;
    star.serverRate = spec.receiverRate;
    star.portQueue = spec.portQueue;
    star.buffer = spec.buffer;
    star.sharedBuffer = spec.sharedBuffer;
    star.sharedBufferAlpha = spec.sharedBufferAlpha;
    // these flows tell only who sends data
    for (uint32_t i = 0; i < spec.senders; ++i)
    {
        FlowSpec flow = spec.flow;
        flow.sender = "sender" + std::to_string(i);
        flow.receiver = "receiver0";
        star.flows.push_back(flow);
    }
    return star;
}

IncastHelper::IncastHelper(const IncastSpec& spec)
    : m_spec(spec),
      m_star(MakeStar(spec), "sender", "receiver"),
      m_origin(NanoSeconds(ParseTime("startTime", spec.startTime))),
      m_roundGap(NanoSeconds(ParseTime("roundGap", spec.roundGap))),
      m_jitter(NanoSeconds(ParseTime("requestJitter", spec.requestJitter))),
      m_random(CreateObject<UniformRandomVariable>())
{
}

StarHelper&
IncastHelper::GetTopology()
{
    return m_star;
}

uint64_t
IncastHelper::GetResponseBytes(uint32_t sender) const
{
    if (m_spec.totalBytes == 0)
    {
        return m_spec.bytesPerSender;
    }
    return m_spec.totalBytes / m_spec.senders + (sender < m_spec.totalBytes % m_spec.senders);
}

std::string
IncastHelper::GetCongestionControl(uint32_t sender) const
{
    const auto& list = m_spec.congestionControls;
    return list.empty() ? m_spec.flow.congestionControl : list[sender % list.size()];
}

void
IncastHelper::Install()
{
    const std::string receiver = m_star.GetServer(0);
    auto& flows = m_star.GetFlows();
    const Time start = m_origin + NanoSeconds(ParseTime("flow.start", m_spec.flow.start));
    for (uint32_t i = 0; i < m_spec.senders; ++i)
    {
        const std::string name = m_star.GetClient(i);
        FlowSpec flow = m_spec.flow;
        flow.congestionControl = GetCongestionControl(i);
        const uint64_t buffer = m_star.GetBufferBytes(flow);
        const auto record = flows.AddRecord(i, name, flow, name, receiver);
        NS_ABORT_MSG_UNLESS(record == i, "An incast has one record per sender");
        Address any;
        if (m_spec.ipv6)
        {
            any = Inet6SocketAddress(Ipv6Address::GetAny(), PORT);
        }
        else
        {
            any = InetSocketAddress(Ipv4Address::GetAny(), PORT);
        }
        const auto server = CreateObject<RpcServer>();
        server->SetAttribute("Local", AddressValue(any));
        server->SetAttribute("RequestSize", UintegerValue(m_spec.requestBytes));
        server->SetAttribute("ResponseSize", UintegerValue(GetResponseBytes(i)));
        auto sending = FlowHelper::MakeTcp(m_spec, flow, "flow", true, buffer);
        sending.AssignStreams(FlowHelper::GetCongestionStream(i));
        server->SetSocketCreator(sending.GetSocketCreator());
        server->SetStartTime(m_origin);
        server->TraceConnectWithoutContext("Accepted",
                                           MakeBoundCallback(&IncastHelper::Accepted, this, i));
        m_star.GetHost(name)->AddApplication(server);

        const auto client = CreateObject<RpcClient>();
        client->SetAttribute("Automatic", BooleanValue(false));
        client->SetAttribute("RequestSize", UintegerValue(m_spec.requestBytes));
        client->SetAttribute("ResponseSize", UintegerValue(GetResponseBytes(i)));
        client->SetAttribute("Remote", AddressValue(m_star.GetHostAddress(name, PORT)));
        client->SetSocketCreator(
            FlowHelper::MakeTcp(m_spec, flow, "flow", false, buffer).GetSocketCreator());
        client->SetStartTime(start);
        client->TraceConnectWithoutContext("Connected",
                                           MakeBoundCallback(&IncastHelper::Connected, this));
        client->TraceConnectWithoutContext("Completed",
                                           MakeBoundCallback(&IncastHelper::Completed, this, i));
        m_star.GetHost(receiver)->AddApplication(client);
        m_clients.push_back(client);
    }
}

void
IncastHelper::Accepted(IncastHelper* helper,
                       uint32_t sender,
                       Ptr<Socket> socket,
                       const Address& /* from */)
{
    const auto recorder = helper->m_star.GetFlows().GetRecorder(sender);
    recorder->NoteStart();
    recorder->NoteEstablished();
    recorder->Attach(DynamicCast<TcpSocketBase>(socket));
}

void
IncastHelper::Connected(IncastHelper* helper, Ptr<Socket> /* socket */)
{
    if (++helper->m_connected == helper->m_spec.senders)
    {
        // from an event of its own: this connection is ready to send after this call
        Simulator::ScheduleNow(&IncastHelper::StartRound, helper);
    }
}

void
IncastHelper::StartRound()
{
    m_answered = 0;
    m_roundStart = Simulator::Now();
    const auto span = static_cast<double>(m_jitter.GetNanoSeconds());
    for (uint32_t i = 0; i < m_spec.senders; ++i)
    {
        if (m_jitter.IsZero())
        {
            Request(i);
        }
        else
        {
            const auto delay = static_cast<int64_t>(m_random->GetValue(0, 1) * span);
            Simulator::Schedule(NanoSeconds(delay), &IncastHelper::Request, this, i);
        }
    }
}

void
IncastHelper::Request(uint32_t sender)
{
    m_clients[sender]->SendRequest();
}

void
IncastHelper::Completed(IncastHelper* helper,
                        uint32_t sender,
                        uint64_t index,
                        Time start,
                        Time completion)
{
    auto& self = *helper;
    const uint64_t bytes = self.GetResponseBytes(sender);
    auto& flows = self.m_star.GetFlows();
    flows.AddRequest(sender, index, start, completion, self.m_spec.requestBytes + bytes);
    if (++self.m_answered < self.m_spec.senders)
    {
        return;
    }
    const auto seconds = [&](Time time) {
        return static_cast<double>((time - self.m_origin).GetNanoSeconds()) / 1e9;
    };
    self.m_rounds.start.push_back(seconds(self.m_roundStart));
    self.m_rounds.completion.push_back(seconds(completion));
    self.m_rounds.bytes.push_back(self.m_spec.totalBytes > 0
                                      ? self.m_spec.totalBytes
                                      : self.m_spec.bytesPerSender * self.m_spec.senders);
    if (++self.m_round < self.m_spec.rounds)
    {
        Simulator::Schedule(self.m_roundGap, &IncastHelper::StartRound, &self);
    }
    else if (!self.m_completionCallback.IsNull())
    {
        self.m_completionCallback();
    }
}

const RoundSeries&
IncastHelper::GetRounds() const
{
    return m_rounds;
}

void
IncastHelper::SetCompletionCallback(Callback<void> callback)
{
    m_completionCallback = callback;
}

int64_t
IncastHelper::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace ns3
