/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TCP_TEST_PATH_H
#define TCP_TEST_PATH_H

#include "ns3/boolean.h"
#include "ns3/error-model.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/linux-tcp-socket-factory.h"
#include "ns3/linux-tcp-socket.h"
#include "ns3/node-container.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/tcp-linux-congestion.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>

/**
 * @ingroup linux-tcp-tests
 * @brief A sender, a router and a receiver, with one TCP connection from end to end.
 *
 * The bottleneck is the link from the router to the receiver; its queue is that of the device, or
 * a queue disc. The sender writes until its total is reached.
 */
class TcpTestPath
{
  public:
    /// What the path is like
    struct Options
    {
        bool linuxSocket{true};               ///< LinuxTcpSocket, or ns-3's own, at both ends
        std::string accessRate{"1Gbps"};      ///< rate of the sender's link
        std::string rate{"20Mbps"};           ///< rate of the bottleneck
        ns3::Time rtt{ns3::MilliSeconds(40)}; ///< propagation there and back
        std::string deviceQueue{"66p"};       ///< device queue of the bottleneck
        std::string senderDisc;               ///< queue disc of the sender, none if empty
        std::string routerDisc;               ///< queue disc of the bottleneck, none if empty
        bool timestamps{false};               ///< Timestamp option
        bool ecn{false};                      ///< ECN
        uint32_t mss{1448};                   ///< segment size (bytes)
        uint32_t receiverMss{0};              ///< that of the receiver (bytes), 0 for the same
        uint32_t quickAcks{0};                ///< segments the receiver acknowledges at once
        ns3::Time start;                      ///< when the connection is opened
        uint64_t total{std::numeric_limits<uint64_t>::max()}; ///< bytes to send
        uint16_t mtu{1500};                                   ///< MTU of the links (bytes)
    };

    /**
     * @brief Build the path.
     * @param options what it is like
     * @param congestionControl the sender's congestion control
     */
    TcpTestPath(const Options& options, ns3::Ptr<ns3::TcpCongestionOps> congestionControl)
        : m_options(options)
    {
        using namespace ns3;
        m_nodes.Create(3);
        PointToPointHelper access;
        access.SetDeviceAttribute("DataRate", StringValue(options.accessRate));
        access.SetChannelAttribute("Delay", TimeValue(Seconds(0)));
        access.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("10000p"));
        PointToPointHelper bottleneck;
        bottleneck.SetDeviceAttribute("DataRate", StringValue(options.rate));
        access.SetDeviceAttribute("Mtu", UintegerValue(options.mtu));
        bottleneck.SetDeviceAttribute("Mtu", UintegerValue(options.mtu));
        bottleneck.SetChannelAttribute("Delay", TimeValue(options.rtt / 2));
        bottleneck.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue(options.deviceQueue));
        m_access = access.Install(m_nodes.Get(0), m_nodes.Get(1));
        m_bottleneck = bottleneck.Install(m_nodes.Get(1), m_nodes.Get(2));
        InternetStackHelper stack;
        stack.Install(m_nodes);
        InstallDisc(m_access.Get(0), options.senderDisc);
        InstallDisc(m_bottleneck.Get(0), options.routerDisc);
        Ipv4AddressHelper address("10.1.0.0", "255.255.255.0");
        address.Assign(m_access);
        address.NewNetwork();
        const Ipv4InterfaceContainer far = address.Assign(m_bottleneck);
        for (const auto& devices : {m_access, m_bottleneck})
        {
            for (uint32_t i = 0; i < 2; i++)
            {
                // What InstallDisc() did not choose is without a queue disc.
                Ptr<NetDevice> device = devices.Get(i);
                auto layer = device->GetNode()->GetObject<TrafficControlLayer>();
                const bool chosen = (device == m_access.Get(0) && !options.senderDisc.empty()) ||
                                    (device == m_bottleneck.Get(0) && !options.routerDisc.empty());
                if (!chosen && layer->GetRootQueueDiscOnDevice(device))
                {
                    layer->DeleteRootQueueDiscOnDevice(device);
                }
            }
        }
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        m_remote = InetSocketAddress(far.GetAddress(1), 9);

        m_listener = MakeSocket(m_nodes.Get(2));
        if (options.receiverMss > 0)
        {
            m_listener->SetAttribute("SegmentSize", UintegerValue(options.receiverMss));
        }
        if (options.linuxSocket)
        {
            m_listener->SetAttribute("QuickAcks", UintegerValue(options.quickAcks));
        }
        m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        m_listener->Listen();
        m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeCallback(&TcpTestPath::Accepted, this));
        m_sender = MakeSocket(m_nodes.Get(0));
        if (congestionControl)
        {
            m_sender->SetCongestionControlAlgorithm(congestionControl);
        }
        m_sender->SetConnectCallback(MakeCallback(&TcpTestPath::Connected, this),
                                     MakeNullCallback<void, Ptr<Socket>>());
        m_sender->SetSendCallback(MakeCallback(&TcpTestPath::Write, this));
        Simulator::ScheduleWithContext(m_nodes.Get(0)->GetId(), options.start, [this]() {
            m_sender->Bind();
            m_sender->Connect(m_remote);
        });
    }

    ~TcpTestPath()
    {
        ns3::Simulator::Destroy();
    }

    TcpTestPath(const TcpTestPath&) = delete;
    TcpTestPath& operator=(const TcpTestPath&) = delete;

    /**
     * @brief Run.
     * @param duration time after the start of the connection
     */
    void Run(ns3::Time duration)
    {
        ns3::Simulator::Stop(m_options.start + duration - ns3::Simulator::Now());
        ns3::Simulator::Run();
    }

    /// @return the sending socket
    ns3::Ptr<ns3::TcpSocketBase> GetSender() const
    {
        return m_sender;
    }

    /// @return the sending socket, where it is a LinuxTcpSocket
    ns3::Ptr<ns3::LinuxTcpSocket> GetLinuxSender() const
    {
        return ns3::DynamicCast<ns3::LinuxTcpSocket>(m_sender);
    }

    /// @return the listening socket
    ns3::Ptr<ns3::TcpSocketBase> GetListener() const
    {
        return m_listener;
    }

    /// @return the accepted socket, null before
    ns3::Ptr<ns3::Socket> GetAccepted() const
    {
        return m_accepted;
    }

    /// @param i 0 sender, 1 router, 2 receiver
    /// @return the node
    ns3::Ptr<ns3::Node> GetNode(uint32_t i) const
    {
        return m_nodes.Get(i);
    }

    /// @return the sender's device
    ns3::Ptr<ns3::PointToPointNetDevice> GetSenderDevice() const
    {
        return ns3::DynamicCast<ns3::PointToPointNetDevice>(m_access.Get(0));
    }

    /// @return the device in front of the bottleneck
    ns3::Ptr<ns3::PointToPointNetDevice> GetBottleneck() const
    {
        return ns3::DynamicCast<ns3::PointToPointNetDevice>(m_bottleneck.Get(0));
    }

    /// @return the receiver's device
    ns3::Ptr<ns3::PointToPointNetDevice> GetReceiverDevice() const
    {
        return ns3::DynamicCast<ns3::PointToPointNetDevice>(m_bottleneck.Get(1));
    }

    /// @return queue disc of the sender
    ns3::Ptr<ns3::QueueDisc> GetSenderDisc() const
    {
        return m_nodes.Get(0)->GetObject<ns3::TrafficControlLayer>()->GetRootQueueDiscOnDevice(
            m_access.Get(0));
    }

    /// @return queue disc in front of the bottleneck
    ns3::Ptr<ns3::QueueDisc> GetRouterDisc() const
    {
        return m_nodes.Get(1)->GetObject<ns3::TrafficControlLayer>()->GetRootQueueDiscOnDevice(
            m_bottleneck.Get(0));
    }

    /// @return address of the receiver
    ns3::Address GetRemote() const
    {
        return m_remote;
    }

    /// @return bytes that the receiving application got
    uint64_t GetReceived() const
    {
        return m_received;
    }

    /// @return RTT of a full segment on the empty path
    ns3::Time GetBaseRtt() const
    {
        const uint32_t data = m_options.mss + 20 + (m_options.timestamps ? 32 : 20) + 2;
        const uint32_t ack = 20 + (m_options.timestamps ? 32 : 20) + 2;
        const ns3::DataRate access(m_options.accessRate);
        const ns3::DataRate bottleneck(m_options.rate);
        return access.CalculateBytesTxTime(data) + bottleneck.CalculateBytesTxTime(data) +
               access.CalculateBytesTxTime(ack) + bottleneck.CalculateBytesTxTime(ack) +
               m_options.rtt;
    }

    /**
     * @brief Let the sender write more.
     * @param bytes bytes to add to its total
     */
    void AddTotal(uint64_t bytes)
    {
        m_options.total += bytes;
        Write(m_sender, 0);
    }

  private:
    /**
     * @brief Install a queue disc, or none.
     * @param device the device
     * @param disc type of the queue disc, empty for none
     */
    static void InstallDisc(ns3::Ptr<ns3::NetDevice> device, const std::string& disc)
    {
        if (!disc.empty())
        {
            ns3::TrafficControlHelper helper;
            helper.SetRootQueueDisc(disc);
            helper.Install(device);
        }
    }

    /**
     * @brief Make a socket with the options of the path.
     * @param node its node
     * @return the socket
     */
    ns3::Ptr<ns3::TcpSocketBase> MakeSocket(ns3::Ptr<ns3::Node> node)
    {
        using namespace ns3;
        Ptr<Socket> socket;
        if (m_options.linuxSocket)
        {
            socket = LinuxTcpSocketFactory::Install(node)->CreateSocket();
        }
        else
        {
            socket = Socket::CreateSocket(node, TcpSocketFactory::GetTypeId());
        }
        socket->SetAttribute("SegmentSize", UintegerValue(m_options.mss));
        socket->SetAttribute("InitialCwnd", UintegerValue(10));
        socket->SetAttribute("SndBufSize", UintegerValue(8000000));
        socket->SetAttribute("RcvBufSize", UintegerValue(8000000));
        socket->SetAttribute("MinRto", TimeValue(MilliSeconds(200)));
        socket->SetAttribute("DelAckTimeout", TimeValue(MilliSeconds(40)));
        socket->SetAttribute("Timestamp", BooleanValue(m_options.timestamps));
        socket->SetAttribute("UseEcn", StringValue(m_options.ecn ? "On" : "Off"));
        return DynamicCast<TcpSocketBase>(socket);
    }

    /**
     * @brief A connection was accepted.
     * @param socket the accepted socket
     */
    void Accepted(ns3::Ptr<ns3::Socket> socket, const ns3::Address& /* from */)
    {
        m_accepted = socket;
        socket->SetRecvCallback(ns3::MakeCallback(&TcpTestPath::Read, this));
    }

    /**
     * @brief Data has arrived.
     * @param socket the socket
     */
    void Read(ns3::Ptr<ns3::Socket> socket)
    {
        while (ns3::Ptr<ns3::Packet> packet = socket->Recv())
        {
            if (packet->GetSize() == 0)
            {
                break;
            }
            m_received += packet->GetSize();
        }
    }

    /**
     * @brief The connection is established.
     * @param socket the sender
     */
    void Connected(ns3::Ptr<ns3::Socket> socket)
    {
        m_connected = true;
        Write(socket, socket->GetTxAvailable());
    }

    /**
     * @brief Write what the socket takes.
     * @param socket the sender
     */
    void Write(ns3::Ptr<ns3::Socket> socket, uint32_t /* available */)
    {
        while (m_connected && m_written < m_options.total && socket->GetTxAvailable() > 0)
        {
            const auto size = static_cast<uint32_t>(
                std::min<uint64_t>({socket->GetTxAvailable(), m_options.total - m_written, 60000}));
            if (socket->Send(ns3::Create<ns3::Packet>(size)) < 0)
            {
                break;
            }
            m_written += size;
        }
    }

    Options m_options;                       ///< what the path is like
    ns3::NodeContainer m_nodes;              ///< sender, router, receiver
    ns3::NetDeviceContainer m_access;        ///< link of the sender
    ns3::NetDeviceContainer m_bottleneck;    ///< link of the receiver
    ns3::Address m_remote;                   ///< address of the receiver
    ns3::Ptr<ns3::TcpSocketBase> m_listener; ///< listening socket
    ns3::Ptr<ns3::TcpSocketBase> m_sender;   ///< sending socket
    ns3::Ptr<ns3::Socket> m_accepted;        ///< accepted socket
    bool m_connected{false};                 ///< whether the connection is established
    uint64_t m_written{0};                   ///< bytes written
    uint64_t m_received{0};                  ///< bytes received
};

#endif /* TCP_TEST_PATH_H */
