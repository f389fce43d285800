/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup linux-tcp-tests
 * Tests of DumbbellHelper, of scenarios' validation and of RunDumbbell().
 */

#include "ns3/dumbbell-helper.h"
#include "ns3/ns3-compat.h"
#include "ns3/quantity.h"
#include "ns3/queue-disc-line.h"
#include "ns3/scenario-runner.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @brief A short dumbbell: one Reno flow, 10 Mbit/s, 20 ms, 2 s.
 * @return its specification
 */
DumbbellSpec
MakeShort()
{
    DumbbellSpec spec;
    spec.flows.resize(1);
    spec.flows[0].congestionControl = "reno";
    spec.bottleneckRate = "10Mbps";
    spec.accessRate = "1Gbps";
    spec.rtt = "20ms";
    spec.duration = "2s";
    return spec;
}

/**
 * @brief Everything that a run gave and that must not differ between equal runs.
 * @param result the result
 * @return CSV texts
 */
std::string
ToText(const RunResult& result)
{
    std::ostringstream text;
    WriteFlowsCsv(text, result);
    WriteFlowSeriesCsv(text, result);
    WriteQueuesCsv(text, result);
    WriteQueueSeriesCsv(text, result);
    WriteDropsCsv(text, result);
    WriteExitsCsv(text, result);
    WriteRequestsCsv(text, result);
    WritePacketsCsv(text, result);
    return text.str();
}

} // namespace

/**
 * @ingroup linux-tcp-tests
 * @brief The smallest RTT measured is the one configured, plus serialisation.
 */
class DumbbellRttTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor
     * @param name name of the case
     * @param change what differs from a short dumbbell
     * @param expectedNs RTT expected, worked out by hand (ns)
     */
    DumbbellRttTestCase(const std::string& name,
                        std::function<void(DumbbellSpec&)> change,
                        double expectedNs)
        : TestCase("base RTT: " + name),
          m_change(std::move(change)),
          m_expectedNs(expectedNs)
    {
    }

  private:
    void DoRun() override
    {
        auto spec = MakeShort();
        spec.flows[0].delayedAckCount = 1;
        m_change(spec);
        const auto result = RunDumbbell(spec);
        NS_TEST_EXPECT_MSG_EQ_TOL(result.flows[0].minRtt * 1e9, m_expectedNs, 100.0, "measured");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.flows[0].baseRtt * 1e9, m_expectedNs, 100.0, "computed");
        NS_TEST_EXPECT_MSG_GT(result.flows[0].bytesAcked, 100000, "the flow moves");
    }

    std::function<void(DumbbellSpec&)> m_change; ///< what differs
    double m_expectedNs;                         ///< RTT expected (ns)
};

/**
 * @ingroup linux-tcp-tests
 * @brief No packet is lost or made without being counted, and drops add up by place.
 */
class DumbbellConservationTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor
     * @param name name of the case
     * @param change what differs from a short dumbbell
     * @param place place where packets must have been dropped, or empty
     */
    DumbbellConservationTestCase(const std::string& name,
                                 std::function<void(DumbbellSpec&)> change,
                                 std::string place)
        : TestCase("conservation: " + name),
          m_change(std::move(change)),
          m_place(std::move(place))
    {
    }

  private:
    void DoRun() override
    {
        auto spec = MakeShort();
        spec.flows.resize(3, spec.flows[0]);
        spec.buffer = "20p";
        m_change(spec);
        const auto r = RunDumbbell(spec);
        NS_TEST_EXPECT_MSG_EQ(r.packetsSent,
                              r.packetsReceived + r.packetsDropped + r.packetsInside,
                              "packets are conserved");
        uint64_t drops = 0;
        uint64_t atPlace = 0;
        for (const auto& d : r.drops)
        {
            drops += d.packets;
            atPlace += d.place == m_place ? d.packets : 0;
            NS_TEST_EXPECT_MSG_EQ(d.reason.empty(), false, "a drop has a reason");
        }
        NS_TEST_EXPECT_MSG_EQ(drops, r.packetsDropped, "drops by place add up");
        if (!m_place.empty())
        {
            NS_TEST_EXPECT_MSG_GT(atPlace, 0, "packets were dropped at " + m_place);
        }
        for (const auto& q : r.queues)
        {
            NS_TEST_EXPECT_MSG_EQ(q.receivedPackets,
                                  q.sentPackets + q.droppedPackets + q.backlogPackets,
                                  "the counters of " + q.name + " add up");
        }
        for (const auto& f : r.flows)
        {
            NS_TEST_EXPECT_MSG_GT(f.bytesAcked, 50000, f.name + " moves");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(f.segmentsSent * spec.mss, f.bytesAcked, f.name);
        }
    }

    std::function<void(DumbbellSpec&)> m_change; ///< what differs
    std::string m_place;                         ///< where packets must have been dropped
};

/**
 * @ingroup linux-tcp-tests
 * @brief Flows together never exceed the link, in no interval of 100 ms.
 */
class DumbbellShareTestCase : public TestCase
{
  public:
    DumbbellShareTestCase()
        : TestCase("the sum of all flows stays below the link, and fills it")
    {
    }

  private:
    void DoRun() override
    {
        auto spec = MakeShort();
        spec.flows.resize(2, spec.flows[0]);
        // no losses: then data is acknowledged as it arrives
        spec.buffer = "2000p";
        spec.flows[0].windowLimit = 100;
        spec.flows[1].windowLimit = 60;
        spec.duration = "5s";
        spec.warmup = "2s";
        spec.sampleInterval = "100ms";
        const auto r = RunDumbbell(spec);
        NS_TEST_ASSERT_MSG_EQ(r.drops.size(), 0, "no losses");
        // 1490 bytes on the link carry 1448 bytes
        const double bytesPerBin = 10e6 / 8 * 0.1;
        const double most = bytesPerBin * 1448 / 1490 + 4 * 1448;
        const auto& a = r.flowSeries[0];
        const auto& b = r.flowSeries[1];
        const auto& link = r.queueSeries[0];
        NS_TEST_ASSERT_MSG_EQ(a.time.size(), 51, "samples from 0 to 5 s");
        for (std::size_t i = 1; i < a.time.size(); ++i)
        {
            const auto bytes = static_cast<double>(a.bytesAcked[i] - a.bytesAcked[i - 1] +
                                                   b.bytesAcked[i] - b.bytesAcked[i - 1]);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(bytes, most, "goodput before " << a.time[i]);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(link.sentBytes[i] - link.sentBytes[i - 1],
                                        bytesPerBin + 1490,
                                        "link before " << a.time[i]);
        }
        const double sum = r.flows[0].steadyGoodput + r.flows[1].steadyGoodput;
        NS_TEST_EXPECT_MSG_EQ_TOL(sum, 10e6 * 1448 / 1490, 0.01e6, "the link is full");
        // with a common queue, shares are as the windows
        NS_TEST_EXPECT_MSG_EQ_TOL(r.flows[0].steadyGoodput / sum, 100.0 / 160, 0.01, "shares");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(r.flows[0].maxRtt,
                                    0.020 + 161 * 1490 * 8 / 10e6 + 0.0005,
                                    "the queue holds at most both windows");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Socket buffers sized by the helper let one flow fill a long path.
 */
class DumbbellLongPathTestCase : public TestCase
{
  public:
    DumbbellLongPathTestCase()
        : TestCase("one flow fills a long path")
    {
    }

  private:
    void DoRun() override
    {
        auto spec = MakeShort();
        spec.bottleneckRate = "100Mbps";
        spec.rtt = "100ms";
        spec.flows[0].windowLimit = 1200; // 1.4 delay products: full, and no losses
        spec.duration = "6s";
        spec.warmup = "3s";
        const auto r = RunDumbbell(spec);
        NS_TEST_EXPECT_MSG_GT(r.flows[0].steadyGoodput, 90e6, "at least 90 % of the link");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Numbers of hosts that differ, IPv4 and IPv6, hosts that flows share or name.
 */
class DumbbellHostsTestCase : public TestCase
{
  public:
    DumbbellHostsTestCase()
        : TestCase("hosts on the left and on the right")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool ipv6 : {false, true})
        {
            for (const auto& [left, right] :
                 {std::pair(2U, 5U), std::pair(5U, 2U), std::pair(0U, 0U)})
            {
                auto spec = MakeShort();
                spec.flows.resize(5, spec.flows[0]);
                spec.flows[4].reverse = true;
                spec.left = left;
                spec.right = right;
                spec.ipv6 = ipv6;
                spec.mss = 1400;
                spec.buffer = "500p"; // room for all, so that no flow is locked out
                {
                    DumbbellHelper dumbbell(spec);
                    NS_TEST_EXPECT_MSG_EQ(dumbbell.GetLeft().size(),
                                          (left > 0 ? left : 5U),
                                          "left");
                    NS_TEST_EXPECT_MSG_EQ(dumbbell.GetRight().size(),
                                          (right > 0 ? right : 5U),
                                          "right");
                    NS_TEST_EXPECT_MSG_EQ(dumbbell.GetRouters().GetN(), 2, "routers");
                    const auto& drawing = dumbbell.GetTopology();
                    for (const char* part : {"left0", "right1", "router-left", "10Mbps", "1Gbps"})
                    {
                        NS_TEST_EXPECT_MSG_NE(drawing.find(part), std::string::npos, part);
                    }
                }
                Simulator::Destroy();
                const auto r = RunDumbbell(spec);
                for (const auto& f : r.flows)
                {
                    NS_TEST_EXPECT_MSG_GT(f.bytesAcked, 100000, f.name << " moves");
                }
                NS_TEST_EXPECT_MSG_EQ(r.flows[4].sender.substr(0, 5), "right", "reverse flow");
                NS_TEST_EXPECT_MSG_EQ(r.flows[4].receiver.substr(0, 4), "left", "reverse flow");
            }
        }
        auto spec = MakeShort();
        spec.flows.resize(2, spec.flows[0]);
        spec.flows[0].sender = spec.flows[1].sender = "web";
        const auto r = RunDumbbell(spec);
        NS_TEST_EXPECT_MSG_EQ(r.flows[1].sender, "web", "named host");
        NS_TEST_EXPECT_MSG_EQ(r.flows[1].receiver, "right1", "host of its own");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief RTT per flow, changes of the path, transfers that end, progress.
 */
class DumbbellTimesTestCase : public TestCase
{
  public:
    DumbbellTimesTestCase()
        : TestCase("RTT per flow, changes of the path, completion, progress")
    {
    }

  private:
    void DoRun() override
    {
        {
            auto spec = MakeShort();
            spec.flows.resize(2, spec.flows[0]);
            spec.flows[1].rtt = "60ms";
            const auto r = RunDumbbell(spec);
            NS_TEST_EXPECT_MSG_EQ_TOL(r.flows[1].baseRtt - r.flows[0].baseRtt,
                                      0.040,
                                      1e-9,
                                      "by the difference of the RTTs");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(r.flows[1].minRtt, 0.060, "not below the RTT");
            NS_TEST_EXPECT_MSG_LT(r.flows[0].minRtt, 0.030, "the other flow keeps its RTT");
        }
        {
            auto spec = MakeShort();
            spec.flows[0].windowLimit = 4; // no queue
            spec.changes = {{"1s", "50ms", ""}};
            spec.sampleInterval = "500ms";
            const auto r = RunDumbbell(spec);
            const auto& srtt = r.flowSeries[0].srtt;
            NS_TEST_EXPECT_MSG_EQ_TOL(srtt[1], 0.021, 0.005, "before");
            NS_TEST_EXPECT_MSG_GT(srtt.back(), 0.045, "after");
        }
        {
            auto spec = MakeShort();
            spec.flows[0].bytes = 1000000;
            spec.flows[0].start = "100ms";
            spec.duration = "60s";
            spec.stopWhenComplete = true;
            double last = -1;
            int calls = 0;
            const auto r = RunDumbbell(spec, [&](double now, double total) {
                NS_TEST_EXPECT_MSG_GT_OR_EQ(now, last, "progress goes on");
                NS_TEST_EXPECT_MSG_LT_OR_EQ(now, total, "progress has an end");
                last = now;
                ++calls;
                return true;
            });
            const auto& f = r.flows[0];
            NS_TEST_EXPECT_MSG_EQ(f.bytesAcked, 1000000, "exact count");
            NS_TEST_EXPECT_MSG_EQ(f.start, 0.1, "start");
            NS_TEST_EXPECT_MSG_EQ_TOL(f.completion, r.simulatedTime, 1e-9, "the run ends with it");
            // 691 segments at 10 Mbit/s take 0.82 s; slow start and handshake less than 0.4 s
            NS_TEST_EXPECT_MSG_GT(f.completion - f.start, 0.82, "not faster than the link");
            NS_TEST_EXPECT_MSG_LT(f.completion - f.start, 1.22, "not much slower");
            NS_TEST_EXPECT_MSG_EQ_TOL(f.goodput, 8e6 / (f.completion - 0.1), 1, "goodput");
            NS_TEST_EXPECT_MSG_GT(calls, 1, "progress is told");
        }
        {
            auto spec = MakeShort();
            const auto r =
                RunDumbbell(spec, [](double now, double /* total */) { return now < 0.5; });
            NS_TEST_EXPECT_MSG_LT(r.simulatedTime, 0.6, "ended by the callback");
            NS_TEST_EXPECT_MSG_EQ(r.warnings.size(), 1, "and says so");
        }
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Equal specifications give equal results, wherever their time 0 lies.
 */
class DumbbellRepeatTestCase : public TestCase
{
  public:
    DumbbellRepeatTestCase()
        : TestCase("repeated runs and late starts")
    {
    }

  private:
    void DoRun() override
    {
        auto spec = MakeShort();
        spec.flows.resize(4, spec.flows[0]);
        spec.flows[1].congestionControl = "cdg";
        spec.flows[2].congestionControl = "nv";
        spec.flows[3].congestionControl = "cubic";
        spec.flows[3].socket = "stock";
        spec.senderQueue.disc = "fq";
        spec.senderHost.ackJitter = "1ms";
        spec.receiverHost.receivePollInterval = "200us";
        spec.lossRate = 0.001;
        spec.sampleInterval = "50ms";
        spec.recordPackets = {"bottleneck"};
        const auto first = ToText(RunDumbbell(spec));
        NS_TEST_EXPECT_MSG_EQ((ToText(RunDumbbell(spec)) == first), true, "the same again");
        auto other = spec;
        other.run = 2;
        NS_TEST_EXPECT_MSG_EQ((ToText(RunDumbbell(other)) == first),
                              false,
                              "another run number differs");
        other = spec;
        other.seed = 2;
        NS_TEST_EXPECT_MSG_EQ((ToText(RunDumbbell(other)) == first), false, "another seed differs");
        NS_TEST_EXPECT_MSG_EQ((ToText(RunDumbbell(spec)) == first), true, "the same after others");

        // without what depends on the absolute time (phase of polls and ticks)
        auto late = MakeShort();
        late.flows[0].congestionControl = "reno";
        late.sampleInterval = "50ms";
        const auto early = ToText(RunDumbbell(late));
        for (const char* start : {"60s", "50d"})
        {
            late.startTime = start;
            NS_TEST_EXPECT_MSG_EQ((ToText(RunDumbbell(late)) == early), true, start);
        }
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Wrong specifications are refused with a line that says what is wrong.
 */
class ScenarioValidationTestCase : public TestCase
{
  public:
    ScenarioValidationTestCase()
        : TestCase("validation")
    {
    }

  private:
    /**
     * @brief Expect that a change makes a dumbbell invalid.
     * @param change the change
     * @param parts what the message must contain
     */
    void Expect(const std::function<void(DumbbellSpec&)>& change,
                const std::vector<std::string>& parts)
    {
        auto spec = MakeShort();
        change(spec);
        std::string message;
        try
        {
            RunDumbbell(spec);
        }
        catch (const std::invalid_argument& e)
        {
            message = e.what();
        }
        NS_TEST_EXPECT_MSG_NE(message, "", "refused: " << parts.front());
        NS_TEST_EXPECT_MSG_EQ(message.find('\n'), std::string::npos, "one line: " << message);
        for (const auto& part : parts)
        {
            NS_TEST_EXPECT_MSG_NE(message.find(part), std::string::npos, part << " in " << message);
        }
    }

    void DoRun() override
    {
        using S = DumbbellSpec;
        Expect([](S& s) { s.bottleneckRate = "10"; }, {"bottleneckRate", "'10'", "unit", "Mbps"});
        Expect([](S& s) { s.bottleneckRate = "0Mbps"; }, {"bottleneckRate", "above 0"});
        Expect([](S& s) { s.bottleneckRate = "10MBps"; }, {"bottleneckRate", "'10MBps'", "bytes"});
        Expect([](S& s) { s.bottleneckRate = "10MB/s"; }, {"bottleneckRate", "'10MB/s'", "bytes"});
        Expect([](S& s) { s.accessRate = "10parsec"; }, {"accessRate", "parsec"});
        Expect([](S& s) { s.accessRate = "fast"; }, {"accessRate", "'fast'"});
        Expect([](S& s) { s.rtt = "-5ms"; }, {"rtt", "-5ms", "negative"});
        Expect([](S& s) { s.rtt = "5"; }, {"rtt", "unit"});
        Expect([](S& s) { s.flows.clear(); }, {"flows", "at least one"});
        Expect([](S& s) { s.buffer = "0p"; }, {"buffer", "nothing"});
        Expect([](S& s) { s.buffer = "0bdp"; }, {"buffer", "nothing"});
        Expect([](S& s) { s.buffer = "0ms"; }, {"buffer", "nothing"});
        Expect([](S& s) { s.buffer = "12"; }, {"buffer", "unit"});
        Expect([](S& s) { s.flows[0].congestionControl = "vegas2"; },
               {"flows[0].congestionControl", "vegas2", "cubic", "htcp"});
        Expect([](S& s) { s.flows[0].congestionControl = "ns3::Node"; },
               {"flows[0].congestionControl", "ns3::Node"});
        Expect([](S& s) { s.flows[0].congestionAttributes["Betta"] = "1"; },
               {"flows[0].congestionControl", "Betta"});
        Expect(
            [](S& s) {
                s.flows[0].congestionControl = "cubic";
                s.flows[0].congestionAttributes["KernelProfile"] = "5.99";
            },
            {"flows[0].congestionControl", "KernelProfile"});
        Expect(
            [](S& s) {
                s.flows[0].congestionControl = "cubic";
                s.flows[0].congestionAttributes["Profile"] = "5.99";
            },
            {"flows[0].congestionControl.Profile", "'5.99'", "2.6.24, 2.6.27", "5.16"});
        Expect([](S& s) { s.flows[0].socketAttributes["SegmentSize"] = "many"; },
               {"flows[0].socketAttributes", "SegmentSize", "many"});
        Expect([](S& s) { s.flows[0].socketAttributes["MinRto"] = "1"; },
               {"MinRto", "'1'", "unit"});
        Expect([](S& s) { s.flows[0].socketAttributes["SegmentSize"] = "-1"; },
               {"SegmentSize", "'-1'", "whole number"});
        Expect([](S& s) { s.flows[0].socketAttributes["Sack"] = "maybe"; },
               {"Sack", "'maybe'", "true or false"});
        Expect([](S& s) { s.flows[0].socketAttributes["LostRetransmissions"] = "All"; },
               {"LostRetransmissions", "'All'", "AnyData"});
        Expect([](S& s) { s.flows[0].socketAttributes["MaxPacingRate"] = "5"; },
               {"MaxPacingRate", "'5'", "unit"});
        Expect([](S& s) { s.flows[0].socket = "bsd"; }, {"flows[0].socket", "bsd", "linux, stock"});
        Expect([](S& s) { s.flows[0].workload = "ftp"; }, {"flows[0].workload", "ftp", "bulk"});
        Expect([](S& s) { s.flows[0].initialWindow = 0; }, {"flows[0].initialWindow", "'0'"});
        Expect([](S& s) { s.flows[0].stop = "0s"; }, {"flows[0].stop"});
        Expect([](S& s) { s.flows[0].rpc.connections = 0; }, {"flows[0].rpc.connections"});
        Expect([](S& s) { s.duration = "0s"; }, {"duration"});
        Expect([](S& s) { s.warmup = "2s"; }, {"warmup", "2s"});
        Expect([](S& s) { s.lossRate = 1.5; }, {"lossRate", "1.5"});
        Expect([](S& s) { s.lossRate = std::nan(""); }, {"lossRate"});
        Expect([](S& s) { s.mss = 2000; }, {"mss", "2000"});
        Expect([](S& s) { s.mtu = 100; }, {"mtu", "100"});
        Expect([](S& s) { s.seed = 0; }, {"seed"});
        Expect([](S& s) { s.senderQueue.disc = "fqq"; }, {"senderQueue", "fqq", "fq_codel"});
        Expect([](S& s) { s.senderQueue.disc = "fq maxrate fast"; },
               {"senderQueue", "maxrate", "fast"});
        Expect([](S& s) { s.senderQueue.disc = "fq speed 3"; }, {"senderQueue", "speed"});
        Expect([](S& s) { s.bottleneckQueue.disc = "codel target soon"; },
               {"bottleneckQueue", "target", "soon"});
        Expect([](S& s) { s.bottleneckQueue.attributes["MaxSize"] = "5p"; },
               {"bottleneckQueue", "MaxSize", "fifo"});
        Expect(
            [](S& s) {
                s.senderQueue.disc = "codel";
                s.senderQueue.attributes["MaxSize"] = "5";
            },
            {"senderQueue", "MaxSize", "'5'", "unit"});
        Expect([](S& s) { s.policer.rate = "1"; }, {"policer.rate", "unit"});
        Expect(
            [](S& s) {
                s.policer.rate = "1Mbps";
                s.policer.burst = "0B";
            },
            {"policer.burst"});
        Expect([](S& s) { s.recordPackets = {"everywhere"}; }, {"recordPackets", "everywhere"});
        Expect([](S& s) { s.pcapPrefix = "/no-such-folder/x"; }, {"pcapPrefix", "no-such-folder"});
        Expect([](S& s) { s.changes = {{"1s", "", "3"}}; }, {"changes[0].rate", "unit"});
        Expect([](S& s) { s.flows[0].sender = "right0"; }, {"flows[0].sender", "right0"});
        // a rate with nobody to enforce it is no error, but a time before time is
        Expect([](S& s) { s.startTime = "-1s"; }, {"startTime", "negative"});
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Quantities with units.
 */
class QuantityTestCase : public TestCase
{
  public:
    QuantityTestCase()
        : TestCase("quantities")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(ParseRate("r", "10Mbps"), 10000000, "Mbps");
        NS_TEST_EXPECT_MSG_EQ(ParseRate("r", "2.5 gbit"), 2500000000, "gbit");
        NS_TEST_EXPECT_MSG_EQ(ParseRate("r", "10MBit"), 10000000, "MBit");
        NS_TEST_EXPECT_MSG_EQ(ParseRate("r", "99.9Mb/s"), 99900000, "Mb/s");
        NS_TEST_EXPECT_MSG_EQ(ParseRate("r", "1e9bps"), 1000000000, "exponent");
        NS_TEST_EXPECT_MSG_EQ(ParseRate("r", "0.8Tbps"), 800000000000, "Tbps");
        NS_TEST_EXPECT_MSG_EQ(ParseTime("t", "0.1us"), 100, "us");
        NS_TEST_EXPECT_MSG_EQ(ParseTime("t", "50d"), 4320000000000000, "d");
        NS_TEST_EXPECT_MSG_EQ(ParseTime("t", "0s"), 0, "s");
        NS_TEST_EXPECT_MSG_EQ(ParseTime("t", "1.5min"), 90000000000, "min");
        NS_TEST_EXPECT_MSG_EQ(ParseSize("s", "64KB"), 64000, "KB");
        NS_TEST_EXPECT_MSG_EQ(ParseSize("s", "64KiB"), 65536, "KiB");
        const auto buffer = [](const char* text) {
            // 12 Mbit/s, 10 ms: 15000 bytes, ten packets of 1500 bytes
            return ParseBuffer("b", text, 12000000, 10000000, 1500);
        };
        NS_TEST_EXPECT_MSG_EQ(buffer("1bdp").ToQueueSize(), "10p", "bdp");
        NS_TEST_EXPECT_MSG_EQ(buffer("1.05bdp").ToQueueSize(), "11p", "rounded up");
        NS_TEST_EXPECT_MSG_EQ(buffer("0.01bdp").ToQueueSize(), "1p", "at least one");
        NS_TEST_EXPECT_MSG_EQ(buffer("50ms").ToQueueSize(), "50p", "time");
        NS_TEST_EXPECT_MSG_EQ(buffer("17p").ToQueueSize(), "17p", "packets");
        NS_TEST_EXPECT_MSG_EQ(buffer("9000B").ToQueueSize(), "9000B", "bytes");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Lines that choose queue discs.
 */
class QueueDiscLineTestCase : public TestCase
{
  public:
    QueueDiscLineTestCase()
        : TestCase("lines of queue discs")
    {
    }

  private:
    void DoRun() override
    {
        const auto choice =
            ParseQueueDisc("q", {"fq_codel limit 100 target 5ms interval 100 noecn", {}});
        using Attributes = std::vector<std::pair<std::string, std::string>>;
        const Attributes expected{{"MaxSize", "100p"},
                                  {"Target", "5000000ns"},
                                  {"Interval", "100000ns"},
                                  {"UseEcn", "false"}};
        // two of them are texts in ns-3
        NS_TEST_EXPECT_MSG_EQ(choice.type.GetName(), "ns3::FqCoDelQueueDisc", "class");
        NS_TEST_EXPECT_MSG_EQ((choice.attributes == expected), true, "attributes");
        NS_TEST_EXPECT_MSG_EQ(choice.limited, true, "limited");
        const auto fq = ParseQueueDisc("q", {"fq maxrate 100mbit", {{"FlowLimit", "7"}}});
        NS_TEST_ASSERT_MSG_EQ(fq.attributes.size(), 2, "line and attribute");
        NS_TEST_EXPECT_MSG_EQ(fq.attributes[0].second, "100000000bps", "rate");
        NS_TEST_EXPECT_MSG_EQ(fq.attributes[1].second, "7", "attribute");
        NS_TEST_EXPECT_MSG_EQ(ParseQueueDisc("q", {"none", {}}).deviceQueueOnly, true, "none");
        NS_TEST_EXPECT_MSG_EQ(ParseQueueDisc("q", {"ns3::PieQueueDisc", {}}).type.GetName(),
                              "ns3::PieQueueDisc",
                              "TypeId");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief The congestion window decays while the application leaves it unused, and only then.
 *
 * RFC 2861, section 3: a sender limited by the receiver's window is not limited by its application.
 */
class UnusedWindowTestCase : public TestCase
{
  public:
    UnusedWindowTestCase()
        : TestCase("window not used")
    {
    }

  private:
    /**
     * @brief Run a flow and look for a smaller window without a loss.
     * @param change what differs from a short dumbbell
     * @return whether the window became smaller
     */
    bool Decays(const std::function<void(DumbbellSpec&)>& change)
    {
        auto spec = MakeShort();
        spec.bottleneckRate = "1Gbps";
        spec.buffer = "10000p";
        spec.duration = "3s";
        spec.sampleInterval = "20ms";
        change(spec);
        const auto result = RunDumbbell(spec);
        NS_TEST_EXPECT_MSG_EQ(result.flows[0].retransmits, 0, "no loss");
        const auto& cwnd = result.flowSeries[0].cwnd;
        return !std::is_sorted(cwnd.begin(), cwnd.end());
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Decays([](DumbbellSpec& s) { s.flows[0].windowLimit = 100; }),
                              false,
                              "limited by the receiver's window");
        NS_TEST_EXPECT_MSG_EQ(Decays([](DumbbellSpec& s) {
                                  s.flows[0].workload = "bursts";
                                  s.flows[0].bursts.bytes = 150000;
                                  s.flows[0].bursts.period = "100ms";
                              }),
                              true,
                              "limited by the application");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Tests of the dumbbell.
 */
class DumbbellTestSuite : public TestSuite
{
  public:
    DumbbellTestSuite()
        : TestSuite("linux-tcp-dumbbell", linuxtcp::TEST_SUITE_SYSTEM)
    {
        const auto quick = linuxtcp::TEST_CASE_QUICK;
        AddTestCase(new QuantityTestCase, quick);
        AddTestCase(new QueueDiscLineTestCase, quick);
        AddTestCase(new ScenarioValidationTestCase, quick);
        AddTestCase(new UnusedWindowTestCase, quick);
        // On a link of rate R a full segment is 1448 + 40 + 2 bytes (IPv6: + 20), an
        // acknowledgement 42 bytes (62). Access links here have 1 Gbit/s, two on the path.
        // 10 Mbit/s: 1192000 + 33600; access: 2 * (11920 + 336)
        AddTestCase(new DumbbellRttTestCase(
                        "60 ms with a deep buffer in bytes",
                        [](DumbbellSpec& s) {
                            s.rtt = "60ms";
                            s.buffer = "950000B";
                        },
                        60e6 + 1192000 + 33600 + 2 * (11920 + 336)),
                    quick);
        AddTestCase(new DumbbellRttTestCase(
                        "stock socket",
                        [](DumbbellSpec& s) { s.flows[0].socket = "stock"; },
                        20e6 + 1192000 + 33600 + 2 * (11920 + 336)),
                    quick);
        AddTestCase(new DumbbellRttTestCase(
                        "zero delays",
                        [](DumbbellSpec& s) {
                            s.rtt = "0s";
                            // The first segment may wait behind the handshake's acknowledgement.
                            s.flows[0].initialWindow = 1;
                        },
                        1192000 + 33600 + 2 * (11920 + 336)),
                    quick);
        AddTestCase(new DumbbellRttTestCase(
                        "IPv6",
                        [](DumbbellSpec& s) {
                            s.ipv6 = true;
                            s.mss = 1428;
                        },
                        20e6 + 1192000 + 49600 + 2 * (11920 + 496)),
                    quick);
        AddTestCase(new DumbbellRttTestCase(
                        "slow way back",
                        [](DumbbellSpec& s) { s.reverseRate = "1Mbps"; },
                        20e6 + 1192000 + 336000 + 2 * (11920 + 336)),
                    quick);
        AddTestCase(new DumbbellRttTestCase(
                        "FQ at the sender",
                        [](DumbbellSpec& s) { s.senderQueue.disc = "fq"; },
                        20e6 + 1192000 + 33600 + 2 * (11920 + 336)),
                    quick);
        AddTestCase(new DumbbellConservationTestCase(
                        "drop-tail",
                        [](DumbbellSpec& /* s */) {},
                        "router device"),
                    quick);
        AddTestCase(new DumbbellConservationTestCase(
                        "CoDel at the bottleneck",
                        [](DumbbellSpec& s) {
                            s.bottleneckQueue.disc = "codel";
                            s.buffer = "200p";
                        },
                        "router qdisc"),
                    quick);
        AddTestCase(new DumbbellConservationTestCase(
                        "FqCoDel with a buffer in bytes",
                        [](DumbbellSpec& s) {
                            s.bottleneckQueue.disc = "fq_codel";
                            s.buffer = "30000B";
                        },
                        "router qdisc"),
                    quick);
        AddTestCase(new DumbbellConservationTestCase(
                        "short FQ at the sender of stock sockets",
                        [](DumbbellSpec& s) {
                            s.senderQueue.disc = "fq flow_limit 5 maxrate 2mbit";
                            for (auto& f : s.flows)
                            {
                                f.socket = "stock";
                            }
                        },
                        "host qdisc"),
                    quick);
        AddTestCase(new DumbbellConservationTestCase(
                        "policer before the bottleneck",
                        [](DumbbellSpec& s) {
                            s.policer.rate = "5Mbps";
                            s.policer.burst = "15KB";
                        },
                        "policer"),
                    quick);
        AddTestCase(new DumbbellConservationTestCase(
                        "policer after the bottleneck",
                        [](DumbbellSpec& s) {
                            s.policer.rate = "5Mbps";
                            s.policer.burst = "15KB";
                            s.policer.place = "egress";
                        },
                        "policer"),
                    quick);
        AddTestCase(new DumbbellConservationTestCase(
                        "random loss, IPv6",
                        [](DumbbellSpec& s) {
                            s.lossRate = 0.01;
                            s.ipv6 = true;
                            s.mss = 1400;
                        },
                        "link"),
                    quick);
        AddTestCase(new DumbbellConservationTestCase(
                        "coalescing and jitter",
                        [](DumbbellSpec& s) {
                            s.receiverHost.receivePollInterval = "5ms";
                            s.receiverHost.dataJitter = "1ms";
                            s.senderHost.ackJitter = "2ms";
                            s.senderHost.segmentationOffload = true;
                        },
                        "router device"),
                    quick);
        AddTestCase(new DumbbellShareTestCase, quick);
        AddTestCase(new DumbbellLongPathTestCase, quick);
        AddTestCase(new DumbbellHostsTestCase, quick);
        AddTestCase(new DumbbellTimesTestCase, quick);
        AddTestCase(new DumbbellRepeatTestCase, quick);
    }
};

static DumbbellTestSuite g_dumbbellTestSuite; ///< the suite registers itself
