/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-test-path.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/error-model.h"
#include "ns3/ns3-compat.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-linux-cubic.h"
#include "ns3/tcp-reno.h"
#include "ns3/test.h"

#include <cmath>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using linuxtcp::AckSample;
using linuxtcp::CongestionState;
using linuxtcp::Connection;

namespace
{

/// What the recording algorithm saw, shared with the test.
struct Record
{
    /// One call
    struct Call
    {
        std::string name;        ///< "init", "ack", "increase", "threshold", "state", "event"
        int argument{0};         ///< new state, event, or packets
        CongestionState state{}; ///< state at the call
        uint32_t cwnd{0};        ///< window at the call (segments)
        int64_t rttUs{0};        ///< RTT of a sample (us)
        uint32_t una{0};         ///< oldest unacknowledged sequence number
        uint64_t nowUs{0};       ///< clock (us)
    };

    std::vector<Call> calls; ///< all calls, in order
    uint64_t increased{0};   ///< packets given to the increase
    uint32_t cwrAt{0};       ///< enter CWR when the window reaches this, 0 for never
    bool grow{true};         ///< whether the window grows

    /**
     * @brief Find a call.
     * @param name its name
     * @param argument its argument
     * @param from where to begin
     * @return its index, the number of calls if there is none
     */
    std::size_t Find(const std::string& name, int argument, std::size_t from = 0) const
    {
        for (std::size_t i = from; i < calls.size(); i++)
        {
            if (calls[i].name == name && calls[i].argument == argument)
            {
                return i;
            }
        }
        return calls.size();
    }

    /**
     * @brief Count calls.
     * @param name their name
     * @return their number
     */
    std::size_t Count(const std::string& name) const
    {
        return std::count_if(calls.begin(), calls.end(), [&](const Call& c) {
            return c.name == name;
        });
    }
};

/// Reno that records its calls.
class RecordingAlgorithm : public linuxtcp::CongestionControl
{
  public:
    /// @param record where to record
    explicit RecordingAlgorithm(std::shared_ptr<Record> record)
        : m_record(std::move(record))
    {
    }

    std::unique_ptr<CongestionControl> Clone() const override
    {
        return std::make_unique<RecordingAlgorithm>(m_record);
    }

    void Init(Connection& c) override
    {
        Add("init", 0, c);
    }

    void OnAck(Connection& c, const AckSample& sample) override
    {
        Add("ack", static_cast<int>(sample.packetsAcked), c).rttUs = sample.rttUs;
    }

    void IncreaseWindow(Connection& c, uint32_t acked) override
    {
        Add("increase", static_cast<int>(acked), c);
        m_record->increased += acked;
        if (m_record->cwrAt > 0 && c.cwnd >= m_record->cwrAt)
        {
            m_record->cwrAt = 0;
            EnterCwr(c);
            return;
        }
        if (m_record->grow && c.cwndLimited)
        {
            acked = SlowStart(c, acked);
            AdditiveIncrease(c, c.cwnd, acked);
        }
    }

    uint32_t GetSsThresh(Connection& c) override
    {
        Add("threshold", 0, c);
        return std::max<uint32_t>(c.cwnd / 2, 2);
    }

    void OnStateChange(Connection& c, CongestionState next) override
    {
        Add("state", static_cast<int>(next), c);
    }

    void OnEvent(Connection& c, linuxtcp::CwndEvent event) override
    {
        Add("event", static_cast<int>(event), c);
    }

  private:
    /**
     * @brief Record a call.
     * @param name its name
     * @param argument its argument
     * @param c the connection
     * @return the record
     */
    Record::Call& Add(const std::string& name, int argument, const Connection& c)
    {
        m_record->calls.push_back({name, argument, c.state, c.cwnd, 0, c.sndUna, c.nowUs});
        return m_record->calls.back();
    }

    std::shared_ptr<Record> m_record; ///< where to record
};

/// The adapter with the recording algorithm.
class RecordingCongestion : public TcpLinuxCongestion
{
  public:
    /// @param record where to record
    explicit RecordingCongestion(std::shared_ptr<Record> record = std::make_shared<Record>())
        : m_record(std::move(record))
    {
    }

    std::string GetName() const override
    {
        return "RecordingCongestion";
    }

    Ptr<TcpCongestionOps> Fork() override
    {
        return CopyObject<RecordingCongestion>(this);
    }

    InFlightDefinition definition{DELIVERED_SINCE}; ///< definition of in flight

  protected:
    std::unique_ptr<linuxtcp::CongestionControl> MakeAlgorithm() const override
    {
        return std::make_unique<RecordingAlgorithm>(m_record);
    }

    InFlightDefinition GetInFlightDefinition() const override
    {
        return definition;
    }

  private:
    std::shared_ptr<Record> m_record; ///< where to record
};

constexpr int OPEN = static_cast<int>(CongestionState::OPEN);         ///< state as a number
constexpr int CWR = static_cast<int>(CongestionState::CWR);           ///< state as a number
constexpr int RECOVERY = static_cast<int>(CongestionState::RECOVERY); ///< state as a number
constexpr int LOSS = static_cast<int>(CongestionState::LOSS);         ///< state as a number
/// event as a number
constexpr int COMPLETE_CWR = static_cast<int>(linuxtcp::CwndEvent::COMPLETE_CWR);
/// event as a number
constexpr int LOSS_EVENT = static_cast<int>(linuxtcp::CwndEvent::LOSS);
/// event as a number
constexpr int RESTART = static_cast<int>(linuxtcp::CwndEvent::CWND_RESTART);

/// Drops data segments by number, of those that arrive, or by time.
class DataErrorModel : public ErrorModel
{
  public:
    std::set<uint32_t> drop; ///< numbers of the data segments to drop, from 0
    Time dropFrom;           ///< drop all from this time on
    Time dropUntil;          ///< up to before this time

  private:
    bool DoCorrupt(Ptr<Packet> packet) override
    {
        if (packet->GetSize() < 200)
        {
            return false;
        }
        const uint32_t n = m_seen++;
        const Time now = Simulator::Now();
        return drop.count(n) > 0 || (now >= dropFrom && now < dropUntil);
    }

    void DoReset() override
    {
        m_seen = 0;
    }

    uint32_t m_seen{0}; ///< data segments seen
};

/// @param us a time (us)
/// @return the time
Time
Us(int64_t us)
{
    return MicroSeconds(us);
}

} // namespace

/**
 * @ingroup linux-tcp-tests
 * @brief Windows between bytes and segments, on a socket state without a socket.
 */
class TcpLinuxCongestionWindowTest : public TestCase
{
  public:
    TcpLinuxCongestionWindowTest()
        : TestCase("windows in bytes and segments")
    {
    }

  private:
    void DoRun() override
    {
        auto record = std::make_shared<Record>();
        Ptr<TcpSocketState> tcb = CreateObject<TcpSocketState>();
        tcb->m_segmentSize = 1448;
        tcb->m_cWnd = 10 * 1448 + 700;
        tcb->m_ssThresh = std::numeric_limits<uint32_t>::max();
        auto cc = CreateObject<RecordingCongestion>(record);
        cc->Init(tcb);
        NS_TEST_EXPECT_MSG_EQ(record->calls.size(), 0, "Init() is before the connection");
        cc->CwndEvent(tcb, TcpSocketState::CA_EVENT_TX_START);
        cc->SetWindowLimited();
        cc->IncreaseWindow(tcb, 3);
        NS_TEST_EXPECT_MSG_EQ(tcb->m_cWnd.Get(),
                              13 * 1448 + 700,
                              "growth keeps the part of a segment");
        for (int i = 0; i < 1000; i++)
        {
            cc->IncreaseWindow(tcb, 1);
        }
        NS_TEST_EXPECT_MSG_EQ(tcb->m_cWnd.Get(), 1013 * 1448 + 700, "no drift");
        tcb->m_cWnd = 5 * 1448 + 3; // someone else's write wins
        cc->IncreaseWindow(tcb, 1);
        NS_TEST_EXPECT_MSG_EQ(tcb->m_cWnd.Get(), 6 * 1448 + 3, "a window written by the socket");

        const uint32_t threshold = cc->GetSsThresh(tcb, 0);
        NS_TEST_EXPECT_MSG_EQ(threshold, 3 * 1448, "half of the window, in bytes");
        tcb->m_ssThresh = threshold;
        tcb->m_cWnd = 3 * 1448;
        cc->IncreaseWindow(tcb, 3);
        NS_TEST_EXPECT_MSG_EQ(tcb->m_cWnd.Get(), 4 * 1448, "above the threshold: one a window");

        // A window of 4 GB is the most that ns-3 can say.
        tcb->m_ssThresh = std::numeric_limits<uint32_t>::max();
        tcb->m_cWnd = std::numeric_limits<uint32_t>::max() - 1448;
        cc->IncreaseWindow(tcb, 100);
        NS_TEST_EXPECT_MSG_GT(tcb->m_cWnd.Get(),
                              std::numeric_limits<uint32_t>::max() - 3 * 1448,
                              "no overflow");

        // Another connection: nothing is left of the first one.
        Ptr<TcpSocketState> other = CreateObject<TcpSocketState>();
        other->m_segmentSize = 1000;
        other->m_cWnd = 4000;
        other->m_ssThresh = std::numeric_limits<uint32_t>::max();
        cc->Init(other);
        const std::size_t before = record->Count("init");
        cc->CwndEvent(other, TcpSocketState::CA_EVENT_TX_START);
        cc->SetWindowLimited();
        cc->IncreaseWindow(other, 1);
        NS_TEST_EXPECT_MSG_EQ(record->Count("init"), before + 1, "a new algorithm");
        NS_TEST_EXPECT_MSG_EQ(other->m_cWnd.Get(), 5000, "its own segment size");
        tcb->m_highTxMark = SequenceNumber32(77777); // the old trace is disconnected
        Simulator::Destroy();
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Samples across the wrap of the sequence numbers, on a socket state without a socket.
 */
class TcpLinuxCongestionWrapTest : public TestCase
{
  public:
    TcpLinuxCongestionWrapTest()
        : TestCase("sequence numbers wrap")
    {
    }

  private:
    void DoRun() override
    {
        auto record = std::make_shared<Record>();
        Ptr<TcpSocketState> tcb = CreateObject<TcpSocketState>();
        tcb->m_segmentSize = 1000;
        tcb->m_cWnd = 100000;
        tcb->m_ssThresh = 50000;
        const SequenceNumber32 begin(0xffffffff - 2499);
        tcb->m_lastAckedSeq = begin;
        tcb->m_highTxMark = begin;
        auto cc = CreateObject<RecordingCongestion>(record);
        cc->definition = TcpLinuxCongestion::AS_SENT;
        cc->Init(tcb);
        cc->CwndEvent(tcb, TcpSocketState::CA_EVENT_TX_START);
        uint32_t inFlight = 0;
        cc->TraceConnectWithoutContext(
            "AckSample",
            Callback<void, Time, uint32_t, uint32_t>(
                [&](Time, uint32_t, uint32_t bytes) { inFlight = bytes; }));
        for (int i = 1; i <= 5; i++)
        {
            tcb->m_highTxMark = begin + i * 1000;
        }
        Simulator::Schedule(Us(700), [&]() {
            tcb->m_lastAckedSeq = begin + 2000;
            tcb->m_lastAckedSackedBytes = 2000;
            cc->PktsAcked(tcb, 2, Us(1));
            NS_TEST_EXPECT_MSG_EQ(inFlight, 2000, "in flight as sent");
            tcb->m_lastAckedSeq = begin + 4000;
            cc->PktsAcked(tcb, 2, Us(1));
            NS_TEST_EXPECT_MSG_EQ(inFlight, 4000, "in flight as sent, across the wrap");
        });
        Simulator::Run();
        const auto& last = record->calls.back();
        NS_TEST_EXPECT_MSG_EQ(last.rttUs, 700, "RTT");
        NS_TEST_EXPECT_MSG_EQ(last.argument, 2, "packets");
        Simulator::Destroy();
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief RTT samples are those of the path, to the microsecond, in every combination.
 */
class TcpLinuxCongestionRttTest : public TestCase
{
  public:
    /**
     * @param linuxSocket LinuxTcpSocket, or ns-3's own
     * @param timestamps Timestamp option
     */
    TcpLinuxCongestionRttTest(bool linuxSocket, bool timestamps)
        : TestCase(std::string("RTT samples, ") + (linuxSocket ? "Linux" : "stock") + " socket" +
                   (timestamps ? ", timestamps" : "")),
          m_linuxSocket(linuxSocket),
          m_timestamps(timestamps)
    {
    }

  private:
    void DoRun() override
    {
        auto record = std::make_shared<Record>();
        record->grow = false;
        auto cc = CreateObject<RecordingCongestion>(record);
        TcpTestPath::Options options;
        options.linuxSocket = m_linuxSocket;
        options.timestamps = m_timestamps;
        options.rate = "1Gbps";
        options.rtt = MilliSeconds(4);
        options.total = 40 * 1448;
        TcpTestPath path(options, cc);
        uint32_t samples = 0;
        uint32_t packets = 0;
        Time smallest = Seconds(100);
        cc->TraceConnectWithoutContext(
            "AckSample",
            Callback<void, Time, uint32_t, uint32_t>([&](Time rtt, uint32_t n, uint32_t) {
                samples++;
                packets += n;
                smallest = std::min(smallest, rtt);
                // In a burst of ten, the last segment waits for the nine before it; and a single
                // segment may be acknowledged late.
                const Time longest =
                    path.GetBaseRtt() + Us(10 * 13) + (n == 1 ? MilliSeconds(40) : Seconds(0));
                NS_TEST_EXPECT_MSG_LT(rtt, longest, "RTT is that of the newest segment");
            }));
        path.Run(Seconds(1));
        NS_TEST_EXPECT_MSG_EQ(packets, 40, "every segment is counted once");
        NS_TEST_EXPECT_MSG_GT(samples, 15, "samples");
        NS_TEST_EXPECT_MSG_EQ_TOL(smallest.GetNanoSeconds(),
                                  path.GetBaseRtt().GetNanoSeconds(),
                                  2000,
                                  "smallest RTT");
        NS_TEST_EXPECT_MSG_EQ(path.GetReceived(), 40 * 1448, "data arrives");
    }

    bool m_linuxSocket; ///< LinuxTcpSocket, or ns-3's own
    bool m_timestamps;  ///< Timestamp option
};

/**
 * @ingroup linux-tcp-tests
 * @brief Calls around a fast retransmission come in Linux's order.
 */
class TcpLinuxCongestionLossOrderTest : public TestCase
{
  public:
    /// @param linuxSocket LinuxTcpSocket, or ns-3's own
    explicit TcpLinuxCongestionLossOrderTest(bool linuxSocket)
        : TestCase(std::string("order of calls at a loss, ") + (linuxSocket ? "Linux" : "stock") +
                   " socket"),
          m_linuxSocket(linuxSocket)
    {
    }

  private:
    void DoRun() override
    {
        auto record = std::make_shared<Record>();
        auto cc = CreateObject<RecordingCongestion>(record);
        TcpTestPath::Options options;
        options.linuxSocket = m_linuxSocket;
        options.deviceQueue = "1000p";
        options.total = 400 * 1448;
        TcpTestPath path(options, cc);
        auto errors = CreateObject<DataErrorModel>();
        errors->drop = {50};
        path.GetReceiverDevice()->SetReceiveErrorModel(errors);
        path.Run(Seconds(5));

        NS_TEST_EXPECT_MSG_EQ(record->Count("threshold"), 1, "one loss, one threshold");
        const std::size_t threshold = record->Find("threshold", 0);
        const std::size_t recovery = record->Find("state", RECOVERY);
        const std::size_t complete = record->Find("event", COMPLETE_CWR, recovery);
        const std::size_t open = record->Find("state", OPEN, recovery);
        NS_TEST_ASSERT_MSG_LT(open, record->calls.size(), "recovery ends");
        NS_TEST_EXPECT_MSG_EQ(recovery, threshold + 1, "threshold just before the state");
        NS_TEST_EXPECT_MSG_EQ((record->calls[threshold].state == CongestionState::DISORDER),
                              true,
                              "threshold asked in the old state");
        NS_TEST_EXPECT_MSG_EQ((record->calls[recovery].state == CongestionState::DISORDER),
                              true,
                              "state told in the old state");
        NS_TEST_EXPECT_MSG_EQ(open, complete + 1, "completion just before OPEN");
        NS_TEST_EXPECT_MSG_EQ(record->calls[complete - 1].name, "ack", "sample first");
        const uint32_t half = record->calls[threshold].cwnd / 2;
        NS_TEST_EXPECT_MSG_EQ(record->calls[complete].cwnd, half, "window is the threshold");
        for (std::size_t i = recovery; i < open; i++)
        {
            NS_TEST_EXPECT_MSG_NE(record->calls[i].name, "increase", "no increase in recovery");
        }
        // No sample from what was in flight at the loss.
        for (std::size_t i = recovery; i <= open; i++)
        {
            if (record->calls[i].name == "ack")
            {
                NS_TEST_EXPECT_MSG_EQ(record->calls[i].rttUs, -1, "no RTT of retransmitted data");
            }
        }
        NS_TEST_EXPECT_MSG_LT(record->increased, 400, "delivered packets count once");
        NS_TEST_EXPECT_MSG_EQ(path.GetReceived(), 400 * 1448, "data arrives");
    }

    bool m_linuxSocket; ///< LinuxTcpSocket, or ns-3's own
};

/**
 * @ingroup linux-tcp-tests
 * @brief Calls around a retransmission timeout.
 */
class TcpLinuxCongestionTimeoutTest : public TestCase
{
  public:
    TcpLinuxCongestionTimeoutTest()
        : TestCase("order of calls at a timeout")
    {
    }

  private:
    void DoRun() override
    {
        auto record = std::make_shared<Record>();
        auto cc = CreateObject<RecordingCongestion>(record);
        TcpTestPath::Options options;
        options.deviceQueue = "1000p";
        options.total = 300 * 1448;
        TcpTestPath path(options, cc);
        auto errors = CreateObject<DataErrorModel>();
        // A window, and the first retransmissions.
        errors->dropFrom = MilliSeconds(150);
        errors->dropUntil = MilliSeconds(600);
        path.GetReceiverDevice()->SetReceiveErrorModel(errors);
        path.Run(Seconds(60));

        const std::size_t loss = record->Find("state", LOSS);
        NS_TEST_ASSERT_MSG_LT(loss, record->calls.size(), "a timeout");
        const std::size_t event = record->Find("event", LOSS_EVENT);
        const std::size_t threshold = record->Find("threshold", 0);
        NS_TEST_EXPECT_MSG_LT(threshold, event, "threshold before the event");
        NS_TEST_EXPECT_MSG_EQ(event + 1, loss, "event just before the state");
        NS_TEST_EXPECT_MSG_EQ(record->calls[loss].cwnd, 1, "window in force at the state");
        NS_TEST_EXPECT_MSG_GT(record->calls[event].cwnd, 1, "but not yet at the event");
        for (std::size_t i = event; i + 1 < record->calls.size(); i++)
        {
            if (record->calls[i].name == "event" && record->calls[i].argument == LOSS_EVENT)
            {
                NS_TEST_EXPECT_MSG_EQ(record->calls[i + 1].argument, LOSS, "event with its state");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(path.GetReceived(), 300 * 1448, "data arrives");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief The algorithm sees the state CWR at an ECN echo, whatever the version of ns-3.
 */
class TcpLinuxCongestionEcnTest : public TestCase
{
  public:
    /// @param linuxSocket LinuxTcpSocket, or ns-3's own
    explicit TcpLinuxCongestionEcnTest(bool linuxSocket)
        : TestCase(std::string("state CWR at ECN echoes, ") + (linuxSocket ? "Linux" : "stock") +
                   " socket"),
          m_linuxSocket(linuxSocket)
    {
    }

  private:
    void DoRun() override
    {
        auto record = std::make_shared<Record>();
        auto cc = CreateObject<RecordingCongestion>(record);
        TcpTestPath::Options options;
        options.linuxSocket = m_linuxSocket;
        options.ecn = true;
        options.deviceQueue = "1p";
        options.routerDisc = "ns3::CoDelQueueDisc";
        options.total = 4000 * 1448;
        TcpTestPath path(options, cc);
        path.GetRouterDisc()->SetAttribute("UseEcn", BooleanValue(true));
        path.GetRouterDisc()->SetAttribute("MaxSize", StringValue("1000p"));
        path.Run(Seconds(10));

        std::vector<int> states;
        for (std::size_t i = 0; i < record->calls.size(); i++)
        {
            const auto& call = record->calls[i];
            if (call.name == "state")
            {
                states.push_back(call.argument);
                if (call.argument == OPEN)
                {
                    NS_TEST_EXPECT_MSG_EQ(record->calls[i - 1].name, "event", "completion first");
                    NS_TEST_EXPECT_MSG_EQ(record->calls[i - 2].name, "ack", "sample before that");
                }
                else if (m_linuxSocket)
                {
                    NS_TEST_EXPECT_MSG_EQ(record->calls[i - 1].name, "threshold", "before CWR");
                    NS_TEST_EXPECT_MSG_EQ(record->calls[i - 2].name, "ack", "sample before that");
                    NS_TEST_EXPECT_MSG_EQ(record->calls[i - 2].una,
                                          call.una,
                                          "that of the same acknowledgement");
                }
                else
                {
                    NS_TEST_EXPECT_MSG_EQ(record->calls[i - 1].name, "ack", "sample before CWR");
                    NS_TEST_EXPECT_MSG_EQ(record->calls[i - 2].name, "threshold", "before that");
                }
            }
            NS_TEST_EXPECT_MSG_EQ((call.name == "increase" && call.state == CongestionState::CWR),
                                  false,
                                  "no increase in CWR");
        }
        NS_TEST_ASSERT_MSG_GT(states.size(), 3, "several reductions");
        for (std::size_t i = 0; i < states.size(); i++)
        {
            NS_TEST_EXPECT_MSG_EQ(states[i], (i % 2 == 0 ? CWR : OPEN), "CWR and OPEN in turn");
        }
        NS_TEST_EXPECT_MSG_EQ(record->Count("threshold"),
                              (states.size() + 1) / 2,
                              "one threshold each");
        NS_TEST_EXPECT_MSG_EQ(path.GetReceived(), 4000 * 1448, "data arrives");
    }

    bool m_linuxSocket; ///< LinuxTcpSocket, or ns-3's own
};

/**
 * @ingroup linux-tcp-tests
 * @brief An algorithm enters CWR by itself.
 */
class TcpLinuxCongestionOwnCwrTest : public TestCase
{
  public:
    /**
     * @param linuxSocket LinuxTcpSocket, or ns-3's own
     * @param loss whether a packet is lost meanwhile
     */
    TcpLinuxCongestionOwnCwrTest(bool linuxSocket, bool loss)
        : TestCase(std::string("CWR on own account, ") + (linuxSocket ? "Linux" : "stock") +
                   " socket" + (loss ? ", loss" : "")),
          m_linuxSocket(linuxSocket),
          m_loss(loss)
    {
    }

  private:
    void DoRun() override
    {
        auto record = std::make_shared<Record>();
        record->cwrAt = 40;
        auto cc = CreateObject<RecordingCongestion>(record);
        TcpTestPath::Options options;
        options.linuxSocket = m_linuxSocket;
        options.deviceQueue = "1000p";
        options.total = 1000 * 1448;
        TcpTestPath path(options, cc);
        auto errors = CreateObject<DataErrorModel>();
        if (m_loss)
        {
            errors->drop = {55}; // in flight when the reduction begins
        }
        path.GetReceiverDevice()->SetReceiveErrorModel(errors);
        uint32_t smallest = 1000;
        bool enteredBySocket = false;
        path.GetSender()->TraceConnectWithoutContext(
            "CongestionWindow",
            Callback<void, uint32_t, uint32_t>([&](uint32_t, uint32_t bytes) {
                if (record->Find("state", CWR) < record->calls.size())
                {
                    smallest = std::min(smallest, bytes / 1448);
                }
            }));
        path.GetSender()->TraceConnectWithoutContext(
            "CongState",
            Callback<void, TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t>(
                [&](TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t state) {
                    enteredBySocket |= state == TcpSocketState::CA_CWR;
                }));
        path.Run(Seconds(10));

        NS_TEST_EXPECT_MSG_EQ(enteredBySocket, m_linuxSocket, "the socket's state");
        NS_TEST_EXPECT_MSG_EQ(record->Count("threshold"), 1, "one reduction, also with a loss");
        const std::size_t threshold = record->Find("threshold", 0);
        const std::size_t cwr = record->Find("state", CWR);
        NS_TEST_ASSERT_MSG_LT(cwr, record->calls.size(), "the state is told");
        NS_TEST_EXPECT_MSG_EQ(threshold + 1, cwr, "threshold first");
        const std::size_t complete = record->Find("event", COMPLETE_CWR, cwr);
        const std::size_t open = record->Find("state", OPEN, cwr);
        NS_TEST_ASSERT_MSG_LT(open, record->calls.size(), "it ends");
        NS_TEST_EXPECT_MSG_EQ(complete + 1, open, "completion just before OPEN");
        const uint32_t half = record->calls[threshold].cwnd / 2;
        NS_TEST_EXPECT_MSG_EQ(record->calls[complete].cwnd, half, "window is the threshold");
        NS_TEST_EXPECT_MSG_GT(smallest + 3, half, "and not far below meanwhile");
        // It takes about one RTT.
        const uint64_t us = record->calls[complete].nowUs - record->calls[cwr].nowUs;
        NS_TEST_EXPECT_MSG_GT(us, 40000, "one RTT at least");
        NS_TEST_EXPECT_MSG_LT(us, (m_loss ? 200000u : 90000u), "not much more");
        for (std::size_t i = cwr; i < open; i++)
        {
            NS_TEST_EXPECT_MSG_NE(record->calls[i].name, "increase", "no increase meanwhile");
        }
        NS_TEST_EXPECT_MSG_EQ(path.GetReceived(), 1000 * 1448, "data arrives");
    }

    bool m_linuxSocket; ///< LinuxTcpSocket, or ns-3's own
    bool m_loss;        ///< whether a packet is lost meanwhile
};

/**
 * @ingroup linux-tcp-tests
 * @brief The window does not outgrow what an application uses.
 */
class TcpLinuxApplicationLimitedTest : public TestCase
{
  public:
    /**
     * @param linuxSocket LinuxTcpSocket, or ns-3's own
     * @param type TypeId of the congestion control
     */
    TcpLinuxApplicationLimitedTest(bool linuxSocket, const std::string& type)
        : TestCase("application-limited window, " + type + ", " +
                   (linuxSocket ? "Linux" : "stock") + " socket"),
          m_linuxSocket(linuxSocket),
          m_type(type)
    {
    }

  private:
    void DoRun() override
    {
        ObjectFactory factory(m_type);
        TcpTestPath::Options options;
        options.linuxSocket = m_linuxSocket;
        options.rate = "100Mbps";
        options.total = 0;
        TcpTestPath path(options, factory.Create<TcpCongestionOps>());
        uint32_t inFlight = 0;
        uint32_t cwnd = 0;
        path.GetSender()->TraceConnectWithoutContext(
            "BytesInFlight",
            Callback<void, uint32_t, uint32_t>(
                [&](uint32_t, uint32_t bytes) { inFlight = std::max(inFlight, bytes); }));
        path.GetSender()->TraceConnectWithoutContext(
            "CongestionWindow",
            Callback<void, uint32_t, uint32_t>(
                [&](uint32_t, uint32_t bytes) { cwnd = std::max(cwnd, bytes); }));
        // 1 Mbit/s in bursts of 30 segments: more than the initial window, far below the path.
        for (int i = 0; i < 170; i++)
        {
            Simulator::Schedule(MilliSeconds(100 + 350 * i), [&]() { path.AddTotal(30 * 1448); });
        }
        path.Run(Seconds(60));
        // The last acknowledgement that may raise it covers two segments.
        NS_TEST_EXPECT_MSG_LT(cwnd, 2 * inFlight + 2 * 1448, "at most twice what was in flight");
        NS_TEST_EXPECT_MSG_GT(cwnd, 11 * 1448, "but grown as far as it was used");
        NS_TEST_EXPECT_MSG_EQ(path.GetReceived(), 170ull * 30 * 1448, "data arrives");
    }

    bool m_linuxSocket; ///< LinuxTcpSocket, or ns-3's own
    std::string m_type; ///< TypeId of the congestion control
};

/**
 * @ingroup linux-tcp-tests
 * @brief A flow goes alike whenever it starts.
 */
class TcpLinuxStartTimeTest : public TestCase
{
  public:
    /// @param linuxSocket LinuxTcpSocket, or ns-3's own
    explicit TcpLinuxStartTimeTest(bool linuxSocket)
        : TestCase(std::string("start at 0 s, 60 s, 24.86 days and 50 days, ") +
                   (linuxSocket ? "Linux" : "stock") + " socket"),
          m_linuxSocket(linuxSocket)
    {
    }

  private:
    /// Windows by time since the start (ns, bytes)
    typedef std::vector<std::pair<int64_t, uint32_t>> Trajectory;

    /**
     * @brief Run one flow.
     * @param start when it starts
     * @return its windows
     */
    Trajectory RunFlow(Time start) const
    {
        Trajectory trajectory;
        TcpTestPath::Options options;
        options.linuxSocket = m_linuxSocket;
        options.start = start;
        TcpTestPath path(options, CreateObject<TcpLinuxCubic>());
        path.GetSender()->TraceConnectWithoutContext(
            "CongestionWindow",
            Callback<void, uint32_t, uint32_t>([&](uint32_t, uint32_t bytes) {
                trajectory.emplace_back((Simulator::Now() - start).GetNanoSeconds(), bytes);
            }));
        path.Run(Seconds(4));
        return trajectory;
    }

    void DoRun() override
    {
        const Trajectory first = RunFlow(Seconds(0));
        NS_TEST_EXPECT_MSG_GT(first.size(), 200, "a window that moves");
        for (const Time& start : {Seconds(60), MilliSeconds(2147483648), Days(50)})
        {
            const Trajectory other = RunFlow(start);
            NS_TEST_EXPECT_MSG_EQ((first == other), true, "start at " << start.As(Time::S));
        }
    }

    bool m_linuxSocket; ///< LinuxTcpSocket, or ns-3's own
};

/**
 * @ingroup linux-tcp-tests
 * @brief Random loss: flows go on, windows stay sane.
 */
class TcpLinuxRandomLossTest : public TestCase
{
  public:
    /**
     * @param linuxSocket LinuxTcpSocket, or ns-3's own
     * @param type TypeId of the congestion control
     */
    TcpLinuxRandomLossTest(bool linuxSocket, const std::string& type)
        : TestCase("5 % loss, " + type + ", " + (linuxSocket ? "Linux" : "stock") + " socket"),
          m_linuxSocket(linuxSocket),
          m_type(type)
    {
    }

  private:
    void DoRun() override
    {
        ObjectFactory factory(m_type);
        TcpTestPath::Options options;
        options.linuxSocket = m_linuxSocket;
        TcpTestPath path(options, factory.Create<TcpCongestionOps>());
        auto errors = CreateObject<RateErrorModel>();
        errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        errors->SetRate(0.05);
        errors->AssignStreams(1);
        path.GetReceiverDevice()->SetReceiveErrorModel(errors);
        uint32_t cwnd = 0;
        path.GetSender()->TraceConnectWithoutContext(
            "CongestionWindow",
            Callback<void, uint32_t, uint32_t>(
                [&](uint32_t, uint32_t bytes) { cwnd = std::max(cwnd, bytes); }));
        uint64_t before = 0;
        for (int t = 10; t <= 60; t += 10)
        {
            path.Run(Seconds(t));
            NS_TEST_EXPECT_MSG_GT(path.GetReceived(), before + 100000, "progress until " << t);
            before = path.GetReceived();
        }
        NS_TEST_EXPECT_MSG_LT(cwnd, 1u << 31, "window");
    }

    bool m_linuxSocket; ///< LinuxTcpSocket, or ns-3's own
    std::string m_type; ///< TypeId of the congestion control
};

/**
 * @ingroup linux-tcp-tests
 * @brief One flow against a Linux 6.1 kernel, measured with HZ 250.
 *
 * 20 Mbit/s, RTT 40 ms, a queue of 66 packets, 60 s, packets of 1514 bytes. The kernel's values:
 * Reno: threshold first set at 0.276 s, from a window of 265 to 132; later peaks at 133 segments,
 * every 4.18 s; 19.07 Mbit/s. CUBIC: slow start ends (ACK train) at 0.144 s and 75 segments; later
 * peaks at 133, every 3.42 s; 19.09 Mbit/s. Times count from the establishment. Peaks were sampled
 * every 10 ms. The kernel has the queue include the packet in service, and counts 14 bytes more
 * per packet, where this path has 2: the rate is scaled accordingly.
 */
class TcpLinuxKernelComparisonTest : public TestCase
{
  public:
    /// @param cubic CUBIC, or Reno
    explicit TcpLinuxKernelComparisonTest(bool cubic)
        : TestCase(std::string("against Linux 6.1: ") + (cubic ? "CUBIC" : "Reno")),
          m_cubic(cubic)
    {
    }

  private:
    void DoRun() override
    {
        Ptr<TcpLinuxCongestion> cc;
        if (m_cubic)
        {
            cc = CreateObject<TcpLinuxCubic>();
        }
        else
        {
            cc = CreateObject<TcpReno>();
        }
        cc->SetAttribute("ClockTicksPerSecond", UintegerValue(250));
        TcpTestPath::Options options;
        options.rate = std::to_string(20000000ull * 1502 / 1514) + "bps";
        options.deviceQueue = "65p"; // and one in service
        options.timestamps = true;
        options.quickAcks = 16;
        TcpTestPath path(options, cc);
        double exitTime = 0;
        uint32_t exitWindow = 0;
        uint32_t trainDetect = 0;
        uint32_t trainCwnd = 0;
        if (m_cubic)
        {
            cc->TraceConnectWithoutContext(
                "SlowStartExit",
                Callback<void, std::string, uint32_t, Time, Time>(
                    [&](std::string detector, uint32_t window, Time minRtt, Time) {
                        NS_TEST_EXPECT_MSG_EQ(detector, "train", "detector");
                        NS_TEST_EXPECT_MSG_EQ_TOL(minRtt.GetMicroSeconds(),
                                                  path.GetBaseRtt().GetMicroSeconds(),
                                                  400,
                                                  "smallest RTT");
                        exitTime = Simulator::Now().GetSeconds();
                        exitWindow = window;
                    }));
            cc->TraceConnectWithoutContext(
                "HystartTrainDetect",
                Callback<void, uint32_t, uint32_t>(
                    [&](uint32_t, uint32_t value) { trainDetect = value; }));
            cc->TraceConnectWithoutContext(
                "HystartTrainCwnd",
                Callback<void, uint32_t, uint32_t>(
                    [&](uint32_t, uint32_t value) { trainCwnd = value; }));
        }
        std::vector<std::pair<double, uint32_t>> peaks;
        path.GetSender()->TraceConnectWithoutContext(
            "CongState",
            Callback<void, TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t>(
                [&](TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t state) {
                    if (state == TcpSocketState::CA_RECOVERY)
                    {
                        peaks.emplace_back(Simulator::Now().GetSeconds(), cc->GetWindow());
                    }
                }));
        path.Run(Seconds(60.04));
        const double handshake = 0.0401;
        if (m_cubic)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(exitTime - handshake, 0.144, 0.003, "end of slow start");
            NS_TEST_EXPECT_MSG_EQ_TOL(exitWindow, 75, 2, "window at the end of slow start");
            NS_TEST_EXPECT_MSG_EQ(trainDetect, 1, "counter of train detections");
            NS_TEST_EXPECT_MSG_EQ(trainCwnd, exitWindow, "counter of their windows");
        }
        else
        {
            NS_TEST_ASSERT_MSG_GT(peaks.size(), 3, "losses");
            NS_TEST_EXPECT_MSG_EQ_TOL(peaks[0].first - handshake, 0.276, 0.012, "first loss");
            NS_TEST_EXPECT_MSG_EQ_TOL(peaks[0].second, 265, 8, "window at the first loss");
        }
        // The kernel's reductions, sampled every 10 ms.
        const std::vector<std::pair<double, uint32_t>> kernel =
            m_cubic ? std::vector<std::pair<double, uint32_t>>{{0.953, 139},
                                                               {3.263, 133},
                                                               {8.613, 133},
                                                               {12.033, 133},
                                                               {15.443, 133}}
                    : std::vector<std::pair<double, uint32_t>>{{0.284, 265},
                                                               {0.604, 133},
                                                               {4.783, 133},
                                                               {8.964, 133}};
        NS_TEST_ASSERT_MSG_GT(peaks.size(), kernel.size(), "losses");
        for (std::size_t i = 0; i < kernel.size(); i++)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(peaks[i].first - handshake,
                                      kernel[i].first,
                                      0.03 + 0.01 * kernel[i].first,
                                      "time of reduction " << i);
            NS_TEST_EXPECT_MSG_EQ_TOL(peaks[i].second,
                                      kernel[i].second,
                                      2 + kernel[i].second / 50,
                                      "window at reduction " << i);
        }
        std::vector<uint32_t> heights;
        std::vector<double> intervals;
        for (std::size_t i = 3; i < peaks.size(); i++)
        {
            heights.push_back(peaks[i].second);
            intervals.push_back(peaks[i].first - peaks[i - 1].first);
        }
        NS_TEST_ASSERT_MSG_GT(heights.size(), 9, "losses");
        std::sort(heights.begin(), heights.end());
        std::sort(intervals.begin(), intervals.end());
        NS_TEST_EXPECT_MSG_EQ_TOL(heights[heights.size() / 2], 133, 2, "median peak");
        NS_TEST_EXPECT_MSG_EQ_TOL(intervals[intervals.size() / 2],
                                  (m_cubic ? 3.42 : 4.18),
                                  (m_cubic ? 0.17 : 0.21),
                                  "median interval");
        NS_TEST_EXPECT_MSG_EQ_TOL(path.GetReceived() * 8 / 60e6,
                                  (m_cubic ? 19.09 : 19.07),
                                  0.1,
                                  "goodput");
    }

    bool m_cubic; ///< CUBIC, or Reno
};

/**
 * @ingroup linux-tcp-tests
 * @brief Profile and single parameters of CUBIC, in any order.
 */
class TcpLinuxCubicProfileTest : public TestCase
{
  public:
    TcpLinuxCubicProfileTest()
        : TestCase("profiles of CUBIC")
    {
    }

  private:
    void DoRun() override
    {
        auto newest = CreateObject<TcpLinuxCubic>();
        NS_TEST_EXPECT_MSG_EQ(newest->GetParameters().beta, 717, "beta since 2.6.25");
        NS_TEST_EXPECT_MSG_EQ(newest->GetParameters().hystart.delayDivisor, 8, "since 3.19");
        NS_TEST_EXPECT_MSG_EQ(newest->GetParameters().hystart.pacingAware, true, "since 5.6");
        NS_TEST_EXPECT_MSG_EQ(newest->GetParameters().hz, 1000, "ticks");

        auto a = CreateObject<TcpLinuxCubic>();
        a->SetAttribute("Profile", StringValue("2.6.24"));
        NS_TEST_EXPECT_MSG_EQ(a->GetParameters().beta, 819, "beta of 2.6.24");
        a->SetAttribute("Beta", UintegerValue(700));
        a->SetAttribute("HystartDelayMarginMin", TimeValue(MilliSeconds(3)));
        a->SetAttribute("HystartPacingAware", StringValue("On"));
        a->SetAttribute("SlowStartVariant", StringValue("HyStartPlusPlus"));
        auto b = CreateObject<TcpLinuxCubic>();
        b->SetAttribute("SlowStartVariant", StringValue("HyStartPlusPlus"));
        b->SetAttribute("HystartPacingAware", StringValue("On"));
        b->SetAttribute("HystartDelayMarginMin", TimeValue(MilliSeconds(3)));
        b->SetAttribute("Beta", UintegerValue(700));
        b->SetAttribute("Profile", StringValue("2.6.24"));
        b->SetAttribute("ClockTicksPerSecond", UintegerValue(250));
        auto fork = DynamicCast<TcpLinuxCubic>(b->Fork());
        for (const auto& cc : {a, b, fork})
        {
            const auto p = cc->GetParameters();
            NS_TEST_EXPECT_MSG_EQ(p.beta, 700, "set");
            NS_TEST_EXPECT_MSG_EQ(p.hystart.delayMarginMinUs, 3000, "set");
            NS_TEST_EXPECT_MSG_EQ(p.hystart.pacingAware, true, "set");
            NS_TEST_EXPECT_MSG_EQ((p.slowStart == linuxtcp::SlowStartVariant::HYSTART_PLUS_PLUS),
                                  true,
                                  "set");
            NS_TEST_EXPECT_MSG_EQ(p.maxIncrement, 16, "of the profile");
            NS_TEST_EXPECT_MSG_EQ(p.hystart.delayDivisor, 16, "of the profile");
        }
        NS_TEST_EXPECT_MSG_EQ(fork->GetParameters().hz, 250, "ticks of a fork");

        for (const char* profile :
             {"2.6.27", "2.6.29", "2.6.39", "3.18", "3.19", "4.4", "5.6", "5.16"})
        {
            auto cc = CreateObject<TcpLinuxCubic>();
            cc->SetAttribute("Profile", StringValue(profile));
            const bool wide = std::string(profile) < "3.19" || profile[0] == '2';
            NS_TEST_EXPECT_MSG_EQ(cc->GetParameters().hystart.delayDivisor,
                                  (wide ? 16 : 8),
                                  "divisor of the margin in " << profile);
        }
        bool refused = false;
        try
        {
            newest->SetAttribute("Profile", StringValue("1.2.13"));
        }
        catch (const std::invalid_argument& e)
        {
            refused = std::string(e.what()).find("2.6.27") != std::string::npos;
        }
        NS_TEST_EXPECT_MSG_EQ(refused, true, "an unknown profile is refused, with those there are");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Test suite of the adapter and of Reno and CUBIC on sockets.
 */
class TcpLinuxCongestionTestSuite : public TestSuite
{
  public:
    TcpLinuxCongestionTestSuite()
        : TestSuite("tcp-linux-congestion", linuxtcp::TEST_SUITE_UNIT)
    {
        using linuxtcp::TEST_CASE_QUICK;
        AddTestCase(new TcpLinuxCongestionWindowTest(), TEST_CASE_QUICK);
        AddTestCase(new TcpLinuxCongestionWrapTest(), TEST_CASE_QUICK);
        AddTestCase(new TcpLinuxCongestionTimeoutTest(), TEST_CASE_QUICK);
        AddTestCase(new TcpLinuxCubicProfileTest(), TEST_CASE_QUICK);
        for (bool linuxSocket : {true, false})
        {
            for (bool timestamps : {true, false})
            {
                AddTestCase(new TcpLinuxCongestionRttTest(linuxSocket, timestamps),
                            TEST_CASE_QUICK);
            }
            AddTestCase(new TcpLinuxCongestionLossOrderTest(linuxSocket), TEST_CASE_QUICK);
            AddTestCase(new TcpLinuxCongestionEcnTest(linuxSocket), TEST_CASE_QUICK);
            AddTestCase(new TcpLinuxCongestionOwnCwrTest(linuxSocket, false), TEST_CASE_QUICK);
            AddTestCase(new TcpLinuxStartTimeTest(linuxSocket), TEST_CASE_QUICK);
            for (const char* type : {"ns3::TcpReno", "ns3::TcpLinuxCubic"})
            {
                AddTestCase(new TcpLinuxApplicationLimitedTest(linuxSocket, type), TEST_CASE_QUICK);
                AddTestCase(new TcpLinuxRandomLossTest(linuxSocket, type), TEST_CASE_QUICK);
            }
        }
        AddTestCase(new TcpLinuxCongestionOwnCwrTest(false, true), TEST_CASE_QUICK);
        AddTestCase(new TcpLinuxKernelComparisonTest(false), TEST_CASE_QUICK);
        AddTestCase(new TcpLinuxKernelComparisonTest(true), TEST_CASE_QUICK);
    }
};

/// The suite's one instance
static TcpLinuxCongestionTestSuite g_tcpLinuxCongestionTestSuite;
