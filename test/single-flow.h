/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_SINGLE_FLOW_H
#define LINUX_TCP_SINGLE_FLOW_H

#include "ns3/channel.h"
#include "ns3/data-rate.h"
#include "ns3/error-model.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <string>

/**
 * @ingroup linux-tcp-tests
 * @brief One bulk flow over one link, for the tests of congestion controls.
 *
 *     sender ---- rate, delay, buffer ---- receiver
 *
 * The sender's device queue is the bottleneck. Several flows can run beside each other, each over
 * a link of its own.
 */
class SingleFlow
{
  public:
    /// Segment size of the flow (bytes)
    static constexpr uint32_t SEGMENT_SIZE = 1448;

    /// The link and the flow
    struct Options
    {
        std::string rate{"50Mbps"};             ///< rate of the link
        ns3::Time delay{ns3::MilliSeconds(10)}; ///< one-way delay of the link
        uint32_t buffer{100};                   ///< buffer of the link (packets)
        uint64_t bytes{0};                      ///< size of the flow (bytes), 0 for no end
        ns3::Time start{ns3::MilliSeconds(1)};  ///< time of the connect
        uint32_t socketBuffer{1 << 24};         ///< buffers of the sockets (bytes)
        double lossRate{0};                     ///< share of the packets lost on the link
        std::string network{"10.1.1.0"};        ///< network of the link
    };

    /**
     * @brief Build the flow.
     * @param control congestion control of the sender
     * @param options the link and the flow
     */
    SingleFlow(ns3::Ptr<ns3::TcpCongestionOps> control, const Options& options)
        : m_options(options)
    {
        using namespace ns3;
        NodeContainer nodes(2);
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue(options.rate));
        link.SetChannelAttribute("Delay", TimeValue(options.delay));
        link.SetQueue("ns3::DropTailQueue",
                      "MaxSize",
                      StringValue(std::to_string(options.buffer) + "p"));
        NetDeviceContainer devices = link.Install(nodes);
        m_channel = devices.Get(0)->GetChannel();
        InternetStackHelper().Install(nodes);
        Ipv4AddressHelper addresses(options.network.c_str(), "255.255.255.0");
        Ipv4InterfaceContainer interfaces = addresses.Assign(devices);
        TrafficControlHelper().Uninstall(devices);
        if (options.lossRate > 0)
        {
            Ptr<RateErrorModel> errors = CreateObject<RateErrorModel>();
            errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
            errors->SetRate(options.lossRate);
            errors->AssignStreams(17);
            devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(errors));
        }

        m_listener = Socket::CreateSocket(nodes.Get(1), TcpSocketFactory::GetTypeId());
        SetBuffers(m_listener);
        m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), 5000));
        m_listener->Listen();
        m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeCallback(&SingleFlow::Accepted, this));

        m_sender = DynamicCast<TcpSocketBase>(
            Socket::CreateSocket(nodes.Get(0), TcpSocketFactory::GetTypeId()));
        SetBuffers(m_sender);
        m_sender->SetCongestionControlAlgorithm(control);
        m_sender->SetConnectCallback(MakeCallback(&SingleFlow::Connected, this),
                                     MakeNullCallback<void, Ptr<Socket>>());
        m_sender->SetSendCallback(MakeCallback(&SingleFlow::Fill, this));
        m_sender->TraceConnectWithoutContext("CongestionWindow",
                                             MakeCallback(&SingleFlow::WindowChanged, this));
        m_sender->TraceConnectWithoutContext("CongState",
                                             MakeCallback(&SingleFlow::StateChanged, this));
        m_peer = InetSocketAddress(interfaces.GetAddress(1), 5000);
        Simulator::Schedule(options.start, &SingleFlow::Connect, this);
    }

    SingleFlow(const SingleFlow&) = delete;
    SingleFlow& operator=(const SingleFlow&) = delete;

    /// @return bytes that the receiver has got
    uint64_t GetReceived() const
    {
        return m_received;
    }

    /// @return when the last byte of the flow arrived, 0 if it has not
    ns3::Time GetCompletion() const
    {
        return m_completion;
    }

    /// @return the smallest window since the connect, but for those after a timeout (segments)
    uint32_t GetSmallestWindow() const
    {
        return std::min(m_last, m_beforeLast);
    }

    /**
     * @brief Change the link's delay at some time, as a change of the route does.
     * @param when the time
     * @param delay the new one-way delay
     */
    void ChangeDelay(ns3::Time when, ns3::Time delay)
    {
        ns3::Simulator::Schedule(when, &SingleFlow::SetDelay, this, delay);
    }

    /**
     * @brief Run the simulation over an interval.
     * @param from beginning
     * @param to end
     * @return payload received in it, as a part of what the link's rate allows
     */
    double MeasureUtilisation(ns3::Time from, ns3::Time to)
    {
        using namespace ns3;
        Simulator::Stop(from - Simulator::Now());
        Simulator::Run();
        const uint64_t before = m_received;
        Simulator::Stop(to - from);
        Simulator::Run();
        // PPP, IP, TCP with timestamps
        constexpr double OVERHEAD = 2 + 20 + 32;
        const double bits =
            double(m_received - before) * 8 * (SEGMENT_SIZE + OVERHEAD) / SEGMENT_SIZE;
        return bits / (double(DataRate(m_options.rate).GetBitRate()) * (to - from).GetSeconds());
    }

  private:
    /**
     * @brief Set a socket's buffers and segments, and its timers as Linux's.
     * @param socket the socket
     */
    void SetBuffers(ns3::Ptr<ns3::Socket> socket) const
    {
        socket->SetAttribute("SegmentSize", ns3::UintegerValue(SEGMENT_SIZE));
        socket->SetAttribute("SndBufSize", ns3::UintegerValue(m_options.socketBuffer));
        socket->SetAttribute("RcvBufSize", ns3::UintegerValue(m_options.socketBuffer));
        socket->SetAttribute("InitialCwnd", ns3::UintegerValue(10));
        socket->SetAttribute("DelAckTimeout", ns3::TimeValue(ns3::MilliSeconds(40)));
        socket->SetAttribute("MinRto", ns3::TimeValue(ns3::MilliSeconds(200)));
    }

    /// Open the connection.
    void Connect()
    {
        m_sender->Connect(m_peer);
    }

    /**
     * @brief The receiver has accepted the connection.
     * @param socket its socket
     */
    void Accepted(ns3::Ptr<ns3::Socket> socket, const ns3::Address& /* from */)
    {
        socket->SetRecvCallback(ns3::MakeCallback(&SingleFlow::Receive, this));
    }

    /**
     * @brief The connection is open.
     * @param socket the sender's socket
     */
    void Connected(ns3::Ptr<ns3::Socket> socket)
    {
        m_connected = true;
        Fill(socket, socket->GetTxAvailable());
    }

    /**
     * @brief Fill the sender's buffer.
     * @param socket the sender's socket
     */
    void Fill(ns3::Ptr<ns3::Socket> socket, uint32_t /* available */)
    {
        while (m_connected && (m_options.bytes == 0 || m_sent < m_options.bytes))
        {
            uint64_t size = std::min<uint64_t>(socket->GetTxAvailable(), 65536);
            if (m_options.bytes > 0)
            {
                size = std::min<uint64_t>(size, m_options.bytes - m_sent);
            }
            if (size == 0 ||
                socket->Send(ns3::Create<ns3::Packet>(static_cast<uint32_t>(size))) < 0)
            {
                return;
            }
            m_sent += size;
        }
    }

    /**
     * @brief Take what has arrived.
     * @param socket the receiver's socket
     */
    void Receive(ns3::Ptr<ns3::Socket> socket)
    {
        while (ns3::Ptr<ns3::Packet> packet = socket->Recv())
        {
            if (packet->GetSize() == 0)
            {
                return;
            }
            m_received += packet->GetSize();
        }
        if (m_options.bytes > 0 && m_received >= m_options.bytes && m_completion.IsZero())
        {
            m_completion = ns3::Simulator::Now();
        }
    }

    /**
     * @brief The sender's window has changed.
     * @param newValue the window (bytes)
     */
    void WindowChanged(uint32_t /* oldValue */, uint32_t newValue)
    {
        // What a timeout leaves does not count, until the window has grown again. The window
        // changes before the state does.
        if (m_connected && !m_afterTimeout)
        {
            m_beforeLast = std::min(m_beforeLast, m_last);
            m_last = newValue / SEGMENT_SIZE;
            m_lastChange = ns3::Simulator::Now();
        }
        m_afterTimeout = m_afterTimeout && newValue < 2 * SEGMENT_SIZE;
    }

    /**
     * @brief The sender's state of loss recovery has changed.
     * @param newValue the state
     */
    void StateChanged(ns3::TcpSocketState::TcpCongState_t /* oldValue */,
                      ns3::TcpSocketState::TcpCongState_t newValue)
    {
        if (newValue == ns3::TcpSocketState::CA_LOSS)
        {
            m_afterTimeout = true;
            if (m_lastChange == ns3::Simulator::Now())
            {
                m_last = m_beforeLast;
            }
        }
    }

    /**
     * @brief Change the link's delay now.
     * @param delay the new one-way delay
     */
    void SetDelay(ns3::Time delay)
    {
        m_channel->SetAttribute("Delay", ns3::TimeValue(delay));
    }

    Options m_options;                     ///< link and flow
    ns3::Ptr<ns3::Channel> m_channel;      ///< the link
    ns3::Ptr<ns3::Socket> m_listener;      ///< listening socket of the receiver
    ns3::Ptr<ns3::TcpSocketBase> m_sender; ///< socket of the sender
    ns3::Address m_peer;                   ///< address of the receiver
    bool m_connected{false};               ///< whether the connection is open
    bool m_afterTimeout{false};            ///< whether the window recovers from a timeout
    uint64_t m_sent{0};                    ///< bytes given to the sender
    uint64_t m_received{0};                ///< bytes that the receiver has got
    ns3::Time m_completion;                ///< when the last byte arrived
    uint32_t m_last{0xffffffff};           ///< last window (segments)
    uint32_t m_beforeLast{0xffffffff};     ///< smallest window before it (segments)
    ns3::Time m_lastChange;                ///< when the window changed last
};

#endif /* LINUX_TCP_SINGLE_FLOW_H */
