/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_REPLAY_H
#define LINUX_TCP_REPLAY_H

#include "replay-binding.h"
#include "replay-settings.h"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace ns3
{
namespace linuxtcp
{

/// A field whose value differs from what the file says.
struct ReplayMismatch
{
    std::string row;      ///< number of the row (column idx), or the input of a table's row
    std::string field;    ///< name of the column
    std::string expected; ///< value in the file, empty for none
    std::string got;      ///< value of the algorithm, empty for none
};

/// The outcome of replaying a file.
struct ReplayReport
{
    std::string path;                        ///< name of the file
    uint64_t rows{0};                        ///< rows replayed
    uint64_t fields{0};                      ///< fields compared
    uint64_t mismatches{0};                  ///< fields that differ
    std::vector<ReplayMismatch> differences; ///< the first of them
};

/// Differences that a report keeps.
constexpr size_t KEPT_DIFFERENCES = 10;

/**
 * @brief Replay a file and compare every output column that it has.
 *
 * A file whose name begins with "table_" is a table of a pure function. Any other file holds the
 * calls of a connection: each row's environment, cwnd, ssthresh, cwnd_cnt and ca_state are taken
 * from its input columns, the call is made, and the outputs are compared. The state of the
 * algorithm is never taken from the file.
 *
 * @param algorithm the algorithm
 * @param settings its parameters
 * @param path name of the file (.csv, .csv.gz or .csv.xz)
 * @return the outcome
 * @throws ReplayError if the file cannot be replayed
 */
ReplayReport ReplayFile(const AlgorithmBinding& algorithm,
                        const ReplaySettings& settings,
                        const std::string& path);

/**
 * @brief Check that an algorithm knows all parameters given.
 * @param algorithm the algorithm
 * @param settings the parameters
 * @throws ReplayError if it does not, or if a value is not allowed
 */
void CheckSettings(const AlgorithmBinding& algorithm, const ReplaySettings& settings);

/**
 * @brief Print a report: one line, and one for each difference kept.
 * @param stream where to print
 * @param report the report
 * @return the stream
 */
std::ostream& operator<<(std::ostream& stream, const ReplayReport& report);

/**
 * @brief Read the parameters of vector files from a list.
 *
 * The list is a CSV file with the columns directory, prefix and parameters (NAME=VALUE;...); a row
 * applies to the files of that directory whose names begin with the prefix.
 * @param list name of the list
 * @param path name of a vector file
 * @return its parameters; none if the list does not mention it
 * @throws ReplayError if the list is malformed
 */
ReplaySettings ReadSettings(const std::string& list, const std::string& path);

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_REPLAY_H */
