/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_REPLAY_BINDING_H
#define LINUX_TCP_REPLAY_BINDING_H

#include "congestion-control.h"
#include "replay-settings.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * What ties an algorithm to the columns of its vector files. To add an algorithm:
 *
 * 1. write NAME-columns.cc with a function that returns an AlgorithmBinding (see
 *    cubic-columns.cc): its name, how to build it from ReplaySettings, one ReplayColumn for each
 *    state column, and the tables that it has;
 * 2. declare the function below and list it in GetAlgorithms() in replay-binding.cc;
 * 3. list the file in the CMake sources.
 *
 * A builder asks the settings for every parameter the algorithm has (that also tells which are
 * known), creates the algorithm and fills columns that read its state. The columns that all files
 * share (inputs, ret, cwnd, ssthresh, cwnd_cnt, ca_state, hs_train, hs_delay) are the driver's.
 */

namespace ns3
{
namespace linuxtcp
{

/// The environment of a row that is not part of a Connection.
struct ReplayRow
{
    const Connection& connection; ///< the connection, after the call
    uint64_t sndNxtBytes;         ///< next sequence number to send, without wrapping (bytes)

    /**
     * @brief Express a sequence number in packets.
     * @param seq sequence number (bytes modulo 2^32), not more than 2^31 off snd_nxt unless 0
     * @return packets from the start of the connection
     */
    int64_t ToPackets(uint32_t seq) const;
};

/// A state column: its name, and how to read it.
struct ReplayColumn
{
    std::string name;                              ///< name of the column
    std::function<int64_t(const ReplayRow&)> read; ///< reads the value after a call
};

/// An algorithm made ready for a replay.
struct ReplaySubject
{
    std::shared_ptr<CongestionControl> algorithm; ///< the algorithm
    std::vector<ReplayColumn> columns;            ///< its state columns
    std::function<uint64_t()> trainDetections;    ///< hs_train; empty for an algorithm without
    std::function<uint64_t()> delayDetections;    ///< hs_delay; empty for an algorithm without
};

/// A table file: a pure function of one number.
struct ReplayTable
{
    std::string name;                          ///< name of the file without its extension
    std::string input;                         ///< name of the input column
    std::string output;                        ///< name of the output column
    std::function<uint64_t(uint64_t)> compute; ///< the function
};

/// What the replay knows of an algorithm.
struct AlgorithmBinding
{
    std::string name; ///< name, as for --algorithm

    /**
     * Builds the algorithm.
     * The random source gives the draws of the file and outlives the subject.
     */
    std::function<ReplaySubject(const ReplaySettings&, RandomSource&)> build;

    /// Builds the tables; empty for an algorithm without.
    std::function<std::vector<ReplayTable>(const ReplaySettings&)> tables;

    /// Lists the constants of the file table_constants; empty for an algorithm without.
    std::function<std::map<std::string, uint64_t>(const ReplaySettings&)> constants;
};

/// @return CDG
AlgorithmBinding GetCdgBinding();

/// @return CUBIC with HyStart
AlgorithmBinding GetCubicBinding();

/// @return H-TCP
AlgorithmBinding GetHtcpBinding();

/// @return NV
AlgorithmBinding GetNvBinding();

/// @return Reno
AlgorithmBinding GetRenoBinding();

/// @return all algorithms
const std::vector<AlgorithmBinding>& GetAlgorithms();

/**
 * @brief Find an algorithm.
 * @param name its name
 * @return its binding
 * @throws ReplayError if there is none; the text lists those there are
 */
const AlgorithmBinding& FindAlgorithm(const std::string& name);

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_REPLAY_BINDING_H */
