/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup linux-tcp-tests
 * Tests of TcLine.
 */

#include "ns3/fq-queue-disc.h"
#include "ns3/ns3-compat.h"
#include "ns3/simulator.h"
#include "ns3/tc-line.h"
#include "ns3/test.h"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

/**
 * @ingroup linux-tcp-tests
 * @brief What a line sets, with all units.
 */
class TcLineValuesTestCase : public TestCase
{
  public:
    TcLineValuesTestCase()
        : TestCase("values and units")
    {
    }

  private:
    /**
     * @brief Parameters that follow from a line.
     * @param line the line
     * @return the parameters
     */
    static linuxtcp::FairQueueParameters Apply(const std::string& line)
    {
        Ptr<FqQueueDisc> disc = CreateObject<FqQueueDisc>();
        disc->Initialize();
        TcLine(line).Change(disc);
        linuxtcp::FairQueueParameters parameters = disc->GetFqParameters();
        disc->Dispose();
        return parameters;
    }

    void DoRun() override
    {
        const linuxtcp::FairQueueParameters p = Apply(
            "fq limit 5000 flow_limit 200 quantum 4kb initial_quantum 0 maxrate 100mbit defrate "
            "1mbit buckets 1000 orphan_mask 0xff nopacing refill_delay 30ms low_rate_threshold "
            "60kbps ce_threshold 1500 timer_slack 20us horizon 2.5s horizon_cap bands 3 priomap 0 "
            "1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 weights 60000 50000 40000 offload_horizon 5msec");
        NS_TEST_EXPECT_MSG_EQ(p.limit, 5000, "limit");
        NS_TEST_EXPECT_MSG_EQ(p.flowLimit, 200, "flow_limit");
        NS_TEST_EXPECT_MSG_EQ(p.quantum, 4096, "quantum");
        NS_TEST_EXPECT_MSG_EQ(p.initialQuantum, 0, "initial_quantum");
        NS_TEST_EXPECT_MSG_EQ(p.maxRate, 12500000, "maxrate");
        NS_TEST_EXPECT_MSG_EQ(p.defaultRate, 125000, "defrate");
        NS_TEST_EXPECT_MSG_EQ(p.buckets, 1024, "buckets, rounded up");
        NS_TEST_EXPECT_MSG_EQ(p.orphanMask, 255, "orphan_mask");
        NS_TEST_EXPECT_MSG_EQ(p.pacing, false, "nopacing");
        NS_TEST_EXPECT_MSG_EQ(p.refillDelay, 30000000, "refill_delay");
        NS_TEST_EXPECT_MSG_EQ(p.lowRateThreshold, 60000, "low_rate_threshold");
        NS_TEST_EXPECT_MSG_EQ(p.ceThreshold, 1500000, "ce_threshold, a bare number in us");
        NS_TEST_EXPECT_MSG_EQ(p.timerSlack, 20000, "timer_slack");
        NS_TEST_EXPECT_MSG_EQ(p.horizon, 2500000000, "horizon");
        NS_TEST_EXPECT_MSG_EQ(p.horizonDrop, false, "horizon_cap");
        NS_TEST_EXPECT_MSG_EQ(+p.priomap[5], 2, "priomap");
        NS_TEST_EXPECT_MSG_EQ(p.weights[2], 40000, "weights");
        NS_TEST_EXPECT_MSG_EQ(p.offloadHorizon, 5000000, "offload_horizon");

        // Rates in bytes/s.
        const std::pair<const char*, uint64_t> rates[] = {{"8", 1},
                                                          {"8bit", 1},
                                                          {"1kbit", 125},
                                                          {"1Kibit", 128},
                                                          {"1.5mbit", 187500},
                                                          {"10MBit", 1250000},
                                                          {"1mibit", 131072},
                                                          {"1gbit", 125000000},
                                                          {"1tbit", 125000000000},
                                                          {"100bps", 100},
                                                          {"1kbps", 1000},
                                                          {"1kibps", 1024},
                                                          {"2gbps", 2000000000}};
        for (const auto& [text, rate] : rates)
        {
            NS_TEST_EXPECT_MSG_EQ(Apply("fq maxrate " + std::string(text)).maxRate, rate, text);
        }
        // Sizes in bytes.
        const std::pair<const char*, uint32_t> sizes[] = {{"1514", 1514},
                                                          {"1514b", 1514},
                                                          {"2k", 2048},
                                                          {"16kbit", 2048},
                                                          {"1m", 1048576}};
        for (const auto& [text, size] : sizes)
        {
            NS_TEST_EXPECT_MSG_EQ(Apply("fq quantum " + std::string(text)).quantum, size, text);
        }
        NS_TEST_EXPECT_MSG_EQ(TcLine(" fq ").GetAttributes().size(), 0, "nothing is set");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief What is refused, in one line with option, value and what is allowed.
 */
class TcLineErrorsTestCase : public TestCase
{
  public:
    TcLineErrorsTestCase()
        : TestCase("errors")
    {
    }

  private:
    void DoRun() override
    {
        const std::pair<const char*, const char*> lines[] = {
            {"", "must begin with fq"},
            {"pfifo limit 3", "\"pfifo\""},
            {"fq maxrate", "maxrate is not allowed: it needs a value"},
            {"fq maxrate 100", nullptr},
            {"fq maxrate 0", "maxrate 0 is not allowed: it must be a rate"},
            {"fq maxrate 100mb", "maxrate 100mb is not allowed"},
            {"fq maxrate -1mbit", "maxrate -1mbit is not allowed"},
            {"fq maxrate 1.2.3mbit", "maxrate 1.2.3mbit is not allowed"},
            {"fq maxrate 99999999999tbit", "maxrate 99999999999tbit is not allowed"},
            {"fq limit 0", "limit 0 is not allowed: it must be a number from 1 to 4294967295"},
            {"fq limit 10p", "limit 10p is not allowed"},
            {"fq quantum 0", "quantum 0 is not allowed"},
            {"fq quantum 1048577", "quantum 1048577 is not allowed"},
            {"fq initial_quantum 2147483648", "initial_quantum 2147483648 is not allowed"},
            {"fq buckets 262145", "buckets 262145 is not allowed"},
            {"fq horizon 10parsecs", "horizon 10parsecs is not allowed: it must be a time"},
            {"fq bands 4", "bands 4 is not allowed: it must be a number from 3 to 3"},
            {"fq priomap 0 1 3", "priomap 3 is not allowed: it must be a number from 0 to 2"},
            {"fq priomap 0 1", "priomap is not allowed: it needs a value"},
            {"fq weights 16383", "weights 16383 is not allowed"},
            {"fq speed 3", "option \"speed\" is not allowed: known are limit, flow_limit"}};
        for (const auto& [line, expected] : lines)
        {
            std::string message;
            try
            {
                TcLine parsed{line};
            }
            catch (const std::invalid_argument& fault)
            {
                message = fault.what();
            }
            if (expected == nullptr)
            {
                NS_TEST_EXPECT_MSG_EQ(message, "", line);
            }
            else
            {
                NS_TEST_EXPECT_MSG_NE(message.find(expected),
                                      std::string::npos,
                                      line << ": " << message);
                NS_TEST_EXPECT_MSG_EQ(message.find('\n'), std::string::npos, "one line");
            }
        }
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief The suite.
 */
class TcLineTestSuite : public TestSuite
{
  public:
    TcLineTestSuite()
        : TestSuite("linux-tcp-tc-line", linuxtcp::TEST_SUITE_UNIT)
    {
        AddTestCase(new TcLineValuesTestCase, linuxtcp::TEST_CASE_QUICK);
        AddTestCase(new TcLineErrorsTestCase, linuxtcp::TEST_CASE_QUICK);
    }
};

/// Registers the suite
static TcLineTestSuite g_tcLineTestSuite;
