/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup linux-tcp-tests
 * Tests of IncastHelper, StarHelper, RunIncast() and RunStar().
 */

#include "ns3/ns3-compat.h"
#include "ns3/scenario-runner.h"
#include "ns3/test.h"

#include <functional>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;

/**
 * @ingroup linux-tcp-tests
 * @brief Exact counts for any number of senders.
 */
class IncastCountTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor
     * @param senders number of senders
     * @param fixedTotal whether the bytes of a round are fixed, not those of a sender
     */
    IncastCountTestCase(uint32_t senders, bool fixedTotal)
        : TestCase("counts with " + std::to_string(senders) + " senders" +
                   (fixedTotal ? ", fixed total" : "")),
          m_senders(senders),
          m_fixedTotal(fixedTotal)
    {
    }

  private:
    void DoRun() override
    {
        IncastSpec spec;
        spec.senders = m_senders;
        spec.rounds = m_senders > 100 ? 1 : 3;
        spec.bytesPerSender = 3000;
        spec.totalBytes = m_fixedTotal ? 100007 : 0;
        spec.buffer = "4MB";
        spec.flow.congestionControl = "reno";
        const auto r = RunIncast(spec);
        NS_TEST_ASSERT_MSG_EQ(r.flows.size(), m_senders, "one connection per sender");
        NS_TEST_EXPECT_MSG_EQ(r.rounds.start.size(), spec.rounds, "rounds");
        NS_TEST_EXPECT_MSG_EQ(r.requests.flow.size(), m_senders * spec.rounds, "requests");
        uint64_t bytes = 0;
        for (uint32_t i = 0; i < m_senders; ++i)
        {
            const auto& f = r.flows[i];
            NS_TEST_EXPECT_MSG_EQ(f.receiver, "receiver0", "receiver");
            NS_TEST_EXPECT_MSG_EQ(f.sender, "sender" + std::to_string(i), "sender");
            bytes += f.bytesAcked;
        }
        // the run ends when the last byte is read: its acknowledgement may be under way
        const uint64_t perRound = m_fixedTotal ? 100007 : 3000ULL * m_senders;
        for (const auto b : r.rounds.bytes)
        {
            NS_TEST_EXPECT_MSG_EQ(b, perRound, "bytes of a round");
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(bytes, perRound * spec.rounds, "bytes acknowledged");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(bytes, perRound * (spec.rounds - 1), "bytes acknowledged");
        const uint64_t answered =
            std::accumulate(r.requests.bytes.begin(), r.requests.bytes.end(), uint64_t{0});
        NS_TEST_EXPECT_MSG_EQ(answered,
                              perRound * spec.rounds + 64ULL * m_senders * spec.rounds,
                              "bytes of requests and responses");
        NS_TEST_EXPECT_MSG_EQ(r.packetsSent,
                              r.packetsReceived + r.packetsDropped + r.packetsInside,
                              "packets are conserved");
        for (std::size_t i = 0; i < r.rounds.start.size(); ++i)
        {
            // not faster than the receiver's link
            const double least = static_cast<double>(perRound) * 8 / 10e9;
            NS_TEST_EXPECT_MSG_GT(r.rounds.completion[i] - r.rounds.start[i], least, "duration");
            if (i > 0)
            {
                NS_TEST_EXPECT_MSG_GT_OR_EQ(r.rounds.start[i],
                                            r.rounds.completion[i - 1],
                                            "rounds follow each other");
            }
        }
    }

    uint32_t m_senders; ///< number of senders
    bool m_fixedTotal;  ///< whether the bytes of a round are fixed
};

/**
 * @ingroup linux-tcp-tests
 * @brief With a buffer that is too small, the smallest timeout decides on the completion time.
 */
class IncastTimeoutTestCase : public TestCase
{
  public:
    IncastTimeoutTestCase()
        : TestCase("the smallest timeout decides when a small buffer overflows")
    {
    }

  private:
    void DoRun() override
    {
        const auto run = [](const std::string& minRto, bool shared) {
            IncastSpec spec;
            spec.senders = 30;
            spec.rounds = 2;
            spec.bytesPerSender = 15000;
            spec.buffer = shared ? "4MB" : "20p";
            spec.sharedBuffer = shared;
            spec.flow.congestionControl = "reno";
            spec.flow.minRto = minRto;
            spec.congestionControls = {"reno", "cubic"};
            return RunIncast(spec);
        };
        const auto slow = run("200ms", false);
        const auto fast = run("10ms", false);
        const auto timeouts = [](const RunResult& r) {
            uint64_t sum = 0;
            for (const auto& f : r.flows)
            {
                sum += f.timeouts;
            }
            return sum;
        };
        NS_TEST_ASSERT_MSG_EQ(slow.rounds.start.size(), 2, "complete");
        NS_TEST_ASSERT_MSG_EQ(fast.rounds.start.size(), 2, "complete");
        NS_TEST_EXPECT_MSG_GT(timeouts(slow), 0, "timeouts");
        NS_TEST_EXPECT_MSG_GT(slow.rounds.completion[0] - slow.rounds.start[0], 0.2, "200 ms");
        NS_TEST_EXPECT_MSG_LT(fast.rounds.completion[0] - fast.rounds.start[0], 0.2, "10 ms");
        NS_TEST_EXPECT_MSG_EQ(slow.flows[1].congestionControl, "cubic", "per sender");
        NS_TEST_EXPECT_MSG_EQ(slow.flows[2].congestionControl, "reno", "per sender");
        bool atPort = false;
        for (const auto& d : slow.drops)
        {
            atPort |= d.place == "router device" && d.name == "switch to receiver0";
        }
        NS_TEST_EXPECT_MSG_EQ(atPort, true, "drops at the receiver's port");
        const auto shared = run("200ms", true);
        NS_TEST_EXPECT_MSG_EQ(timeouts(shared), 0, "a large pool holds the burst");
        NS_TEST_EXPECT_MSG_LT(shared.rounds.completion[1], 0.1, "and all is quick");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Bulk and RPC flows around one switch.
 */
class StarTestCase : public TestCase
{
  public:
    StarTestCase()
        : TestCase("star with bulk and RPC flows")
    {
    }

  private:
    void DoRun() override
    {
        StarSpec spec;
        spec.clients = 2;
        spec.servers = 2;
        spec.clientRate = spec.serverRate = "1Gbps";
        spec.rtt = "40us";
        spec.duration = "100ms";
        spec.buffer = "200KB";
        FlowSpec bulk;
        bulk.congestionControl = "cubic";
        bulk.sender = "client0";
        bulk.receiver = "server0";
        FlowSpec rpc = bulk;
        rpc.workload = "rpc";
        rpc.name = "rpc";
        rpc.sender = "client1";
        rpc.receiver = "server1";
        rpc.rpc.requestBytes = 10000;
        rpc.rpc.responseBytes = 100;
        rpc.rpc.connections = 3;
        rpc.rpc.requests = 20;
        rpc.rpc.startJitter = "1ms";
        spec.flows = {bulk, rpc};
        const auto r = RunStar(spec);
        NS_TEST_ASSERT_MSG_EQ(r.flows.size(), 4, "a bulk flow and three connections");
        NS_TEST_EXPECT_MSG_EQ(r.flows[2].name, "rpc/1", "name of a connection");
        NS_TEST_EXPECT_MSG_GT(r.flows[0].goodput, 0.85e9, "the bulk flow fills its link");
        NS_TEST_ASSERT_MSG_EQ(r.requests.flow.size(), 60, "requests");
        for (std::size_t i = 0; i < 60; ++i)
        {
            const double took = r.requests.completion[i] - r.requests.start[i];
            // 10000 bytes at 1 Gbit/s and one round trip
            NS_TEST_EXPECT_MSG_GT(took, 120e-6, "not faster than the link");
        }
        for (std::size_t i = 1; i < 4; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(r.flows[i].bytesAcked, 200000, "20 requests");
            NS_TEST_EXPECT_MSG_EQ((r.flows[i].completion == r.flows[i].completion),
                                  true,
                                  "complete");
            NS_TEST_EXPECT_MSG_LT(r.flows[i].start, 0.001, "start jitter");
        }
        NS_TEST_EXPECT_MSG_NE(r.flows[1].start, r.flows[2].start, "start jitter");
        NS_TEST_EXPECT_MSG_EQ(r.packetsSent,
                              r.packetsReceived + r.packetsDropped + r.packetsInside,
                              "packets are conserved");
        NS_TEST_EXPECT_MSG_NE(r.topology.find("[switch]"), std::string::npos, "drawing");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Wrong specifications are refused with a line that says what is wrong.
 */
class StarValidationTestCase : public TestCase
{
  public:
    StarValidationTestCase()
        : TestCase("validation")
    {
    }

  private:
    /**
     * @brief Expect that something throws.
     * @param run what throws
     * @param parts what the message must contain
     */
    void Expect(const std::function<void()>& run, const std::vector<std::string>& parts)
    {
        std::string message;
        try
        {
            run();
        }
        catch (const std::invalid_argument& e)
        {
            message = e.what();
        }
        for (const auto& part : parts)
        {
            NS_TEST_EXPECT_MSG_NE(message.find(part),
                                  std::string::npos,
                                  part << " in '" << message << "'");
        }
    }

    void DoRun() override
    {
        const auto incast = [&](const std::function<void(IncastSpec&)>& change,
                                const std::vector<std::string>& parts) {
            IncastSpec spec;
            change(spec);
            Expect([&]() { RunIncast(spec); }, parts);
        };
        incast([](IncastSpec& s) { s.senders = 0; }, {"senders", "'0'"});
        incast([](IncastSpec& s) { s.senders = 10001; }, {"senders", "10001"});
        incast([](IncastSpec& s) { s.rounds = 0; }, {"rounds"});
        incast([](IncastSpec& s) { s.totalBytes = 3; }, {"totalBytes"});
        incast([](IncastSpec& s) { s.bytesPerSender = 0; }, {"bytesPerSender"});
        incast([](IncastSpec& s) { s.senderRate = "1"; }, {"senderRate", "unit"});
        incast(
            [](IncastSpec& s) {
                s.congestionControls = {"reno", "renoo"};
            },
            {"congestionControls[1]", "renoo"});
        incast(
            [](IncastSpec& s) {
                s.sharedBuffer = true;
                s.buffer = "10p";
            },
            {"buffer", "size"});
        const auto star = [&](const std::function<void(StarSpec&)>& change,
                              const std::vector<std::string>& parts) {
            StarSpec spec;
            spec.flows.resize(1);
            spec.flows[0].sender = "client0";
            spec.flows[0].receiver = "server0";
            change(spec);
            Expect([&]() { RunStar(spec); }, parts);
        };
        star([](StarSpec& s) { s.flows.clear(); }, {"flows", "at least one"});
        star([](StarSpec& s) { s.flows[0].sender = "client2"; },
             {"flows[0].sender", "client2", "client1"});
        star([](StarSpec& s) { s.flows[0].receiver = ""; }, {"flows[0].receiver"});
        star([](StarSpec& s) { s.flows[0].receiver = "client0"; },
             {"flows[0].receiver", "another host"});
        star([](StarSpec& s) { s.flows[0].rtt = "1ms"; }, {"flows[0].rtt"});
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Tests of incast and star.
 */
class IncastTestSuite : public TestSuite
{
  public:
    IncastTestSuite()
        : TestSuite("linux-tcp-incast", linuxtcp::TEST_SUITE_SYSTEM)
    {
        const auto quick = linuxtcp::TEST_CASE_QUICK;
        for (const uint32_t senders : {1, 2, 3, 10, 64, 1000})
        {
            AddTestCase(new IncastCountTestCase(senders, false), quick);
        }
        AddTestCase(new IncastCountTestCase(7, true), quick);
        AddTestCase(new IncastCountTestCase(64, true), quick);
        AddTestCase(new IncastTimeoutTestCase, quick);
        AddTestCase(new StarTestCase, quick);
        AddTestCase(new StarValidationTestCase, quick);
    }
};

static IncastTestSuite g_incastTestSuite; ///< the suite registers itself
