/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "connection-script.h"
#include "reno-window.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::linuxtcp;

BOOST_AUTO_TEST_SUITE(Reno)

BOOST_AUTO_TEST_CASE(SlowStartEndsAtTheThresholdAndAvoidanceTakesTheRest)
{
    RenoWindow reno;
    Connection c;
    c.cwnd = 10;
    c.ssthresh = 12;
    c.cwndLimited = true;
    reno.IncreaseWindow(c, 5);
    BOOST_TEST(c.cwnd == 12);
    BOOST_TEST(c.credit == 3);
}

BOOST_AUTO_TEST_CASE(AvoidanceGainsOneSegmentPerWindow)
{
    RenoWindow reno;
    Connection c;
    c.cwnd = 10;
    c.ssthresh = 10;
    c.cwndLimited = true;
    for (int i = 0; i < 9; ++i)
    {
        reno.IncreaseWindow(c, 1);
    }
    BOOST_TEST(c.cwnd == 10);
    reno.IncreaseWindow(c, 1);
    BOOST_TEST(c.cwnd == 11);
    BOOST_TEST(c.credit == 0);
}

BOOST_AUTO_TEST_CASE(NothingGrowsUnlessTheWindowIsTheLimit)
{
    RenoWindow reno;
    Connection c;
    c.cwndLimited = false;
    reno.IncreaseWindow(c, 10);
    BOOST_TEST(c.cwnd == 10);
}

BOOST_AUTO_TEST_CASE(TheClampHolds)
{
    RenoWindow reno;
    Connection c;
    c.cwndLimited = true;
    c.cwndClamp = 13;
    reno.IncreaseWindow(c, 10);
    BOOST_TEST(c.cwnd == 13);
    c.ssthresh = 13;
    reno.IncreaseWindow(c, 100);
    BOOST_TEST(c.cwnd == 13);
}

BOOST_AUTO_TEST_CASE(ALossHalvesTheWindowDownToTwo)
{
    RenoWindow reno;
    Connection c;
    c.cwnd = 101;
    BOOST_TEST(reno.GetSsThresh(c) == 50);
    c.cwnd = 3;
    BOOST_TEST(reno.GetSsThresh(c) == 2);
    c.cwnd = 1;
    BOOST_TEST(reno.GetSsThresh(c) == 2);
}

BOOST_AUTO_TEST_CASE(AnUndoNeverShrinksTheWindow)
{
    RenoWindow reno;
    Connection c;
    c.cwnd = 20;
    BOOST_TEST(reno.UndoCwnd(c, 30) == 30);
    BOOST_TEST(reno.UndoCwnd(c, 10) == 20);
}

BOOST_AUTO_TEST_CASE(CreditOfALargerDivisorCountsOnce)
{
    Connection c;
    c.cwnd = 10;
    c.credit = 50;
    AdditiveIncrease(c, 5, 7);
    // The old credit gives one segment, the 7 packets one more.
    BOOST_TEST(c.cwnd == 12);
    BOOST_TEST(c.credit == 2);
}

BOOST_AUTO_TEST_SUITE_END()
