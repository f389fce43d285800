/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_SCENARIO_RUNNER_H
#define LINUX_TCP_SCENARIO_RUNNER_H

#include "scenario.h"

#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief Simulate a dumbbell.
 *
 * Each call is a whole simulation: it validates, builds, runs and destroys the simulator, so it
 * must not be called while another simulation is set up. Equal specifications give equal results,
 * in any order of calls within a process (RunResult::wallTime excepted).
 * @param spec what to simulate
 * @param progress told about every 1/100 of the run; may be empty
 * @return what came out
 * @throw std::invalid_argument if the specification is wrong (see DumbbellSpec::Validate)
 */
RunResult RunDumbbell(const DumbbellSpec& spec, const ProgressCallback& progress = {});

/**
 * @ingroup linux-tcp
 * @brief Simulate clients and servers around one switch.
 * @copydetails RunDumbbell
 */
RunResult RunStar(const StarSpec& spec, const ProgressCallback& progress = {});

/**
 * @ingroup linux-tcp
 * @brief Simulate many senders answering one receiver. Ends after the last round.
 * @copydetails RunDumbbell
 */
RunResult RunIncast(const IncastSpec& spec, const ProgressCallback& progress = {});

/**
 * @ingroup linux-tcp
 * @brief Names accepted for a congestion control besides TypeIds.
 * @return the names, sorted
 */
std::vector<std::string> GetCongestionControlNames();

/**
 * @ingroup linux-tcp
 * @brief Names accepted for a queue disc besides TypeIds.
 * @return the names, sorted
 */
std::vector<std::string> GetQueueDiscNames();

/**
 * @ingroup linux-tcp
 * @brief Write one line per connection, with a header line that names the columns and units.
 * @param os where to
 * @param result a result
 */
void WriteFlowsCsv(std::ostream& os, const RunResult& result);

/**
 * @ingroup linux-tcp
 * @brief Write the time series of all connections, one line per sample.
 * @copydetails WriteFlowsCsv
 */
void WriteFlowSeriesCsv(std::ostream& os, const RunResult& result);

/**
 * @ingroup linux-tcp
 * @brief Write the counters of all queues, one line per queue.
 * @copydetails WriteFlowsCsv
 */
void WriteQueuesCsv(std::ostream& os, const RunResult& result);

/**
 * @ingroup linux-tcp
 * @brief Write the time series of all queues, one line per sample.
 * @copydetails WriteFlowsCsv
 */
void WriteQueueSeriesCsv(std::ostream& os, const RunResult& result);

/**
 * @ingroup linux-tcp
 * @brief Write drops by place and reason, one line each.
 * @copydetails WriteFlowsCsv
 */
void WriteDropsCsv(std::ostream& os, const RunResult& result);

/**
 * @ingroup linux-tcp
 * @brief Write the ends of slow start, one line each.
 * @copydetails WriteFlowsCsv
 */
void WriteExitsCsv(std::ostream& os, const RunResult& result);

/**
 * @ingroup linux-tcp
 * @brief Write the answered requests, one line each.
 * @copydetails WriteFlowsCsv
 */
void WriteRequestsCsv(std::ostream& os, const RunResult& result);

/**
 * @ingroup linux-tcp
 * @brief Write the rounds of an incast, one line each.
 * @copydetails WriteFlowsCsv
 */
void WriteRoundsCsv(std::ostream& os, const RunResult& result);

/**
 * @ingroup linux-tcp
 * @brief Write the recorded packets, one line each.
 * @copydetails WriteFlowsCsv
 */
void WritePacketsCsv(std::ostream& os, const RunResult& result);

} // namespace ns3

#endif /* LINUX_TCP_SCENARIO_RUNNER_H */
