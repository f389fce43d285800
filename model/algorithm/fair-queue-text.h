/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_FAIR_QUEUE_TEXT_H
#define LINUX_TCP_FAIR_QUEUE_TEXT_H

#include "fair-queue.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace linuxtcp
{

/// What the text of a queue shows besides the parameters and counters of the scheduler.
struct FairQueueTextContext
{
    std::string handle{"8001:"}; ///< handle of the queue, with colon
    uint32_t references{2};      ///< references to the queue (refcnt)
    uint64_t requeues{0};        ///< packets that the device gave back
    int64_t now{0};              ///< the clock (ns)
};

/**
 * @brief A rate as tc prints it: the largest unit that shows it without a fraction or with four
 * digits or more.
 * @param bytesPerSecond the rate (bytes/s)
 * @return for example 550Kbit
 */
std::string FormatTcRate(uint64_t bytesPerSecond);

/**
 * @brief A time as tc prints it, with three significant digits.
 * @param ns the time (ns)
 * @return for example 40ms
 */
std::string FormatTcTime(int64_t ns);

/**
 * @brief The parameters as the first line of `tc qdisc show` lists them.
 *
 * Only those that the model's kernel has are shown.
 *
 * @param parameters the parameters
 * @return for example limit 10000p flow_limit 100p buckets 1024 ...
 */
std::string FormatTcOptions(const FairQueueParameters& parameters);

/**
 * @brief The text of `tc -s qdisc show`, every line ended.
 *
 * Models up to 3.13 use the words of the tool of their day.
 *
 * @param parameters the parameters
 * @param statistics the counters
 * @param context what else is shown
 * @return the text
 */
std::string FormatTcStatistics(const FairQueueParameters& parameters,
                               const FairQueueStatistics& statistics,
                               const FairQueueTextContext& context);

/**
 * @brief Parameters and counters as one JSON object, with the names of tc.
 *
 * Times are in nanoseconds, rates in bytes/s; an unlimited rate or time is null.
 *
 * @param parameters the parameters
 * @param statistics the counters
 * @param context what else is shown
 * @return the object, on one line
 */
std::string FormatJson(const FairQueueParameters& parameters,
                       const FairQueueStatistics& statistics,
                       const FairQueueTextContext& context);

/**
 * @brief Name of a model: the version of its kernel.
 * @param model the model
 * @return for example 6.1
 */
std::string GetModelName(FairQueueModel model);

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_FAIR_QUEUE_TEXT_H */
