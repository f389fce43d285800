/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * The replay itself: that it finds what differs, and refuses what it cannot use.
 */

#include "replay-error.h"
#include "replay-program.h"
#include "replay.h"
#include "vector-file.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>
#include <zlib.h>

using namespace ns3::linuxtcp;

namespace
{

const std::string VECTORS = LINUX_TCP_VECTOR_DIR; ///< folder of the vectors
const std::string CUBIC = VECTORS + "/cubic/05_loss_in_slow_start.csv.xz"; ///< a vector file

/// A folder of files that a test writes.
struct Folder
{
    Folder()
    {
        std::string name =
            (std::filesystem::temp_directory_path() / "linux-tcp-replay-XXXXXX").string();
        BOOST_REQUIRE(mkdtemp(name.data()) != nullptr);
        path = name;
    }

    ~Folder()
    {
        std::filesystem::remove_all(path);
    }

    /**
     * @brief Write a file.
     * @param name its name
     * @param text what it holds
     * @return its name with the folder
     */
    std::string Write(const std::string& name, const std::string& text) const
    {
        const auto file = path / name;
        std::ofstream(file, std::ios::binary) << text;
        return file.string();
    }

    std::filesystem::path path; ///< the folder
};

/// What the program said.
struct Outcome
{
    int status;      ///< exit status
    std::string out; ///< standard output
    std::string err; ///< standard error
};

/**
 * @brief Run the program.
 * @param arguments words of the command line
 * @return what it said
 */
Outcome
Run(const std::vector<std::string>& arguments)
{
    std::ostringstream out;
    std::ostringstream err;
    const int status = RunReplay(arguments, out, err);
    return {status, out.str(), err.str()};
}

/**
 * @brief Require that the program refuses something with one clear line.
 * @param arguments words of the command line
 * @param hint what the line must contain
 */
void
Refuses(const std::vector<std::string>& arguments, const std::string& hint)
{
    const Outcome outcome = Run(arguments);
    BOOST_TEST(outcome.status == EXIT_BAD_INPUT);
    BOOST_TEST(outcome.out == "");
    BOOST_TEST(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1, outcome.err);
    BOOST_TEST(outcome.err.find(hint) != std::string::npos, outcome.err);
}

/**
 * @param text a text
 * @param from a piece of it
 * @param to what to put in its place, the first time it occurs
 * @return the changed text
 */
std::string
Replace(std::string text, const std::string& from, const std::string& to)
{
    const size_t at = text.find(from);
    BOOST_REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

/**
 * @brief Change one field.
 * @param text a vector file
 * @param line number of the line, from 0 for the column names
 * @param column name of the column
 * @param value new value
 * @return the changed text
 */
std::string
SetField(const std::string& text, size_t line, const std::string& column, const std::string& value)
{
    std::istringstream input(text);
    std::ostringstream output;
    std::string current;
    size_t index = 0;
    for (size_t number = 0; std::getline(input, current); ++number)
    {
        std::istringstream fields(current + ",");
        std::vector<std::string> parts;
        std::string field;
        while (std::getline(fields, field, ','))
        {
            parts.push_back(field);
        }
        if (number == 0)
        {
            index =
                static_cast<size_t>(std::find(parts.begin(), parts.end(), column) - parts.begin());
            BOOST_REQUIRE(index < parts.size());
        }
        if (number == line)
        {
            parts[index] = value;
        }
        for (size_t i = 0; i < parts.size(); ++i)
        {
            output << (i == 0 ? "" : ",") << parts[i];
        }
        output << "\n";
    }
    return output.str();
}

} // namespace

BOOST_AUTO_TEST_SUITE(Replay)

BOOST_AUTO_TEST_CASE(AllAgreeWithTheRightParameters)
{
    const Outcome outcome = Run({"--algorithm", "cubic", CUBIC});
    BOOST_TEST(outcome.status == EXIT_ALL_EQUAL);
    BOOST_TEST(outcome.out == CUBIC + ": rows 1200, fields 28800, mismatches 0\n");
    BOOST_TEST(outcome.err == "");
}

BOOST_AUTO_TEST_CASE(AWrongParameterGivesMismatches)
{
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"beta=716", CUBIC},
        {"hystart=0", CUBIC},
        {"bic_scale=40", VECTORS + "/cubic/07_ca_droptail_4mbps_rtt60.csv.xz"},
        {"tcp_friendliness=0", VECTORS + "/cubic/07_ca_droptail_4mbps_rtt60.csv.xz"},
        {"fast_convergence=0", VECTORS + "/cubic/07_ca_droptail_4mbps_rtt60.csv.xz"},
        {"hystart_detect=2", VECTORS + "/cubic/03_ss_ack_train_20mbps_rtt80.csv.xz"},
        {"hystart_low_window=500", VECTORS + "/cubic/03_ss_ack_train_20mbps_rtt80.csv.xz"},
        {"hystart_ack_delta_us=100", VECTORS + "/cubic/03_ss_ack_train_20mbps_rtt80.csv.xz"},
        {"hystart_delay_shift=4", VECTORS + "/cubic/43_hystart_delay_only.csv.xz"},
        {"gso_max_size=0", CUBIC},
        {"hz=250", CUBIC},
        {"profile=5.8", CUBIC},
        {"hz=1000", VECTORS + "/cubic_hz250/07_ca_droptail_4mbps_rtt60.csv.xz"},
        {"bic_scale=42", VECTORS + "/cubic/table_K_of_wmax_cwnd.csv.xz"},
        {"beta=819", VECTORS + "/cubic/table_constants.csv.xz"},
    };
    for (const auto& [setting, file] : cases)
    {
        const Outcome outcome = Run({"--algorithm", "cubic", "--set", setting, file});
        BOOST_TEST(outcome.status == EXIT_MISMATCHES, setting << ", " << file);
        BOOST_TEST(outcome.out.find(": expected ") != std::string::npos, setting);
    }
}

BOOST_AUTO_TEST_CASE(OneChangedOutputIsOneMismatch)
{
    const Folder folder;
    const std::string text = ReadText(CUBIC);
    for (const char* column : {"cwnd",
                               "ssthresh",
                               "cwnd_cnt",
                               "ca_state",
                               "hs_train",
                               "hs_delay",
                               "cnt",
                               "bic_K",
                               "end_seq",
                               "curr_rtt",
                               "ack_delay_us",
                               "ret"})
    {
        const std::string file = folder.Write("changed.csv", SetField(text, 500, column, "123456"));
        const auto report = ReplayFile(FindAlgorithm("cubic"), ReplaySettings(), file);
        BOOST_TEST(report.mismatches == 1, column);
        BOOST_REQUIRE(report.differences.size() == 1);
        BOOST_TEST(report.differences[0].row == "499");
        BOOST_TEST(report.differences[0].field == column);
        BOOST_TEST(report.differences[0].expected == "123456");
    }
}

BOOST_AUTO_TEST_CASE(TheStateIsNotTakenFromTheFile)
{
    // A wrong window in the inputs of one row spoils the state, and so later rows as well.
    const Folder folder;
    const std::string file =
        folder.Write("changed.csv", SetField(ReadText(CUBIC), 3, "arg1", "1000"));
    const auto report = ReplayFile(FindAlgorithm("cubic"), ReplaySettings(), file);
    BOOST_TEST(report.mismatches > 100);
    BOOST_TEST(report.differences.size() == KEPT_DIFFERENCES);
}

BOOST_AUTO_TEST_CASE(PlainAndGzipFilesAreRead)
{
    const Folder folder;
    const std::string text = ReadText(CUBIC);
    const std::string plain = folder.Write("plain.csv", text);
    const std::string zipped = (folder.path / "zipped.csv.gz").string();
    // Two members, as made by appending one gzip file to another.
    for (const auto& part : {text.substr(0, 1000), text.substr(1000)})
    {
        const gzFile file = gzopen(zipped.c_str(), "ab");
        BOOST_REQUIRE(file != nullptr);
        gzwrite(file, part.data(), static_cast<unsigned>(part.size()));
        gzclose(file);
    }
    const std::string withReturns = folder.Write("returns.csv", Replace(text, "\n", "\r\n"));
    const Outcome outcome = Run({"--algorithm=cubic", plain, zipped, withReturns});
    BOOST_TEST(outcome.status == EXIT_ALL_EQUAL, outcome.err);
    BOOST_TEST(std::count(outcome.out.begin(), outcome.out.end(), '\n') == 3);
}

BOOST_AUTO_TEST_CASE(ParametersComeFromAList)
{
    const std::string list = VECTORS + "/parameters.csv";
    const std::string file = VECTORS + "/cubic/40_nohystart_droptail_20mbps_rtt40.csv.xz";
    BOOST_TEST(Run({"--algorithm", "cubic", file}).status == EXIT_MISMATCHES);
    BOOST_TEST(Run({"--algorithm", "cubic", "--parameters", list, file}).status == EXIT_ALL_EQUAL);
    BOOST_TEST(
        Run({"--algorithm", "cubic", "--parameters", list, "--set", "hystart=1", file}).status ==
        EXIT_MISMATCHES);
}

BOOST_AUTO_TEST_CASE(HelpNamesTheAlgorithms)
{
    const Outcome outcome = Run({"--help"});
    BOOST_TEST(outcome.status == EXIT_ALL_EQUAL);
    for (const auto& algorithm : GetAlgorithms())
    {
        BOOST_TEST(outcome.out.find(" " + algorithm.name) != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(BadOptionsAreRefused)
{
    Refuses({}, "--algorithm is missing");
    Refuses({"--algorithm", "cubic"}, "no file");
    Refuses({"--algorithm"}, "--algorithm: needs a value");
    Refuses({"--algorithm", "vegas", CUBIC}, "'vegas'");
    Refuses({"--algorithm", "cubic", "--frob", "1", CUBIC}, "--frob");
    Refuses({"--algorithm", "cubic", "--set", "beta", CUBIC}, "NAME=VALUE");
    Refuses({"--algorithm", "cubic", "--set", "gamma=1", CUBIC}, "unknown parameter 'gamma'");
    Refuses({"--algorithm", "cubic", "--set", "beta=1024", CUBIC}, "from 1 to 1023");
    Refuses({"--algorithm", "cubic", "--set", "beta=7x", CUBIC}, "'7x'");
    Refuses({"--algorithm", "cubic", "--set", "beta=", CUBIC}, "''");
    Refuses({"--algorithm", "cubic", "--set", "hystart=2", CUBIC}, "from 0 to 1");
    Refuses({"--algorithm", "cubic", "--set", "profile=9.9", CUBIC}, "2.6.24, 2.6.27");
    Refuses({"--algorithm", "cubic", "--hz", "0", CUBIC}, "hz = '0'");
    Refuses({"--algorithm", "reno", "--set", "beta=717", CUBIC}, "unknown parameter 'beta'");
}

BOOST_AUTO_TEST_CASE(BadFilesAreRefused)
{
    const Folder folder;
    const std::string text = ReadText(CUBIC);
    const auto refuses = [&folder](const std::string& content, const std::string& hint) {
        const std::string file = folder.Write("bad.csv", content);
        Refuses({"--algorithm", "cubic", file}, hint);
    };
    Refuses({"--algorithm", "cubic", (folder.path / "none.csv").string()}, "cannot be read");
    Refuses({"--algorithm", "cubic", folder.path.string()}, "cannot be read");
    refuses("", "cannot be read");
    refuses(text.substr(0, text.find('\n') + 1), "no rows");
    refuses(Replace(text, "tcp_cwnd", "tcp_cwmd"), "unknown column 'tcp_cwmd'");
    refuses(Replace(text, "tcp_cwnd", "cnt"), "two columns named 'cnt'");
    refuses(Replace(text, "lsndtime", "lsndtim"), "lsndtim");
    refuses(Replace(text, "init", "unit"), "op = 'unit'");
    refuses(Replace(text, "TX_START", "TX_STOP"), "'TX_STOP'");
    refuses(Replace(text, ",Recovery,", ",Recover,"), "'Recover'");
    refuses(text.substr(0, text.size() - 20), "columns");
    refuses(SetField(text, 5, "cwnd_in", "ten"), "bad.csv:6: cwnd_in = 'ten'");
    refuses(SetField(text, 5, "cwnd_in", "-1"), "cwnd_in = '-1'");
    refuses(SetField(text, 5, "cwnd_in", ""), "cwnd_in = ''");
    refuses(SetField(text, 5, "ca_state_in", "5"), "ca_state_in = '5'");
    refuses(SetField(text, 5, "cwnd", "1e3"), "cwnd = '1e3'");
    refuses(SetField(text, 5, "time_us", "99999999999999999999"), "time_us");
    const std::string cut = folder.Write("cut.csv.xz", [] {
        std::ifstream file(CUBIC, std::ios::binary);
        std::string data(5000, '\0');
        file.read(data.data(), 5000);
        return data;
    }());
    Refuses({"--algorithm", "cubic", cut}, "cut short");
    const std::string noise = folder.Write("noise.csv.gz", std::string("\x01\x00\n\x02", 4));
    Refuses({"--algorithm", "cubic", noise}, "neither text nor gzip");
    const std::string table = folder.Write("table_squares.csv", "a,b\n1,1\n");
    Refuses({"--algorithm", "cubic", table}, "table_cubic_root");
    const std::string wrong = folder.Write("table_cubic_root.csv", "a,b\n1,1\n");
    Refuses({"--algorithm", "cubic", wrong}, "a,cubic_root");
    const std::string constants = folder.Write("table_constants.csv", "name,value\npi,3\n");
    Refuses({"--algorithm", "cubic", constants}, "'pi'");
}

BOOST_AUTO_TEST_CASE(ABadFileDoesNotHideTheOthers)
{
    const Outcome outcome = Run({"--algorithm", "cubic", "/nonexistent.csv", CUBIC});
    BOOST_TEST(outcome.status == EXIT_BAD_INPUT);
    BOOST_TEST(outcome.out.find("mismatches 0") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
