/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * Replays calls recorded from the congestion controls of Linux 6.1. Each directory of
 * test/vectors holds files of one algorithm; parameters.csv there tells which files were recorded
 * with other parameters than the defaults.
 */

#include "replay.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace
{

using namespace ns3::linuxtcp;

const std::string VECTORS = LINUX_TCP_VECTOR_DIR;     ///< folder of the vectors
const std::string LIST = VECTORS + "/parameters.csv"; ///< parameters of the vectors

/**
 * @brief Replay all files of a directory; every field must agree.
 * @param algorithm name of the algorithm
 * @param directory name of the directory in test/vectors
 * @param count files that it must hold
 */
void
ReplayDirectory(const std::string& algorithm, const std::string& directory, size_t count)
{
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(VECTORS + "/" + directory))
    {
        files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    BOOST_TEST(files.size() == count);
    for (const auto& file : files)
    {
        const ReplayReport report =
            ReplayFile(FindAlgorithm(algorithm), ReadSettings(LIST, file), file);
        BOOST_TEST(report.rows > 0);
        BOOST_TEST(report.fields >= report.rows);
        BOOST_TEST(report.mismatches == 0, report);
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(Vectors)

BOOST_AUTO_TEST_CASE(Cdg)
{
    ReplayDirectory("cdg", "cdg", 23);
}

BOOST_AUTO_TEST_CASE(Cubic)
{
    ReplayDirectory("cubic", "cubic", 24);
}

BOOST_AUTO_TEST_CASE(CubicWithTheOldDelayMargin)
{
    ReplayDirectory("cubic", "cubic_hystart_shift4", 3);
}

BOOST_AUTO_TEST_CASE(CubicWith250Ticks)
{
    ReplayDirectory("cubic", "cubic_hz250", 1);
}

BOOST_AUTO_TEST_CASE(Htcp)
{
    ReplayDirectory("htcp", "htcp", 18);
}

BOOST_AUTO_TEST_CASE(HtcpWith250Ticks)
{
    ReplayDirectory("htcp", "htcp_hz250", 1);
}

BOOST_AUTO_TEST_CASE(Nv)
{
    ReplayDirectory("nv", "nv", 20);
}

BOOST_AUTO_TEST_CASE(Reno)
{
    ReplayDirectory("reno", "reno", 15);
}

BOOST_AUTO_TEST_SUITE_END()
