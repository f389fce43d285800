/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_REPLAY_PROGRAM_H
#define LINUX_TCP_REPLAY_PROGRAM_H

#include <iosfwd>
#include <string>
#include <vector>

namespace ns3
{
namespace linuxtcp
{

constexpr int EXIT_ALL_EQUAL = 0;  ///< every field agrees
constexpr int EXIT_MISMATCHES = 1; ///< a field differs
constexpr int EXIT_BAD_INPUT = 2;  ///< a file or an option cannot be used

/**
 * @brief Run the command line program.
 *
 *     linux-tcp-replay --algorithm NAME [--set NAME=VALUE ...] [--hz N] [--parameters LIST] FILE...
 *
 * @param arguments words of the command line, without the program's name
 * @param out where to print the reports: for each file a line, and its first differences
 * @param err where to print the errors, a line each
 * @return the exit status
 */
int RunReplay(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err);

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_REPLAY_PROGRAM_H */
