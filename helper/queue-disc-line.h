/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_QUEUE_DISC_LINE_H
#define LINUX_TCP_QUEUE_DISC_LINE_H

#include "scenario.h"

#include "ns3/net-device-container.h"
#include "ns3/queue-disc-container.h"
#include "ns3/type-id.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief A queue disc, ready to be made.
 */
struct QueueDiscChoice
{
    bool deviceQueueOnly{false}; ///< no queue disc: the device's first-in first-out queue
    std::string name;            ///< short name, or the TypeId's name
    TypeId type;                 ///< class of the queue disc
    std::vector<std::pair<std::string, std::string>> attributes; ///< its attributes
    bool limited{false}; ///< whether the line or the attributes set its size
};

/**
 * @ingroup linux-tcp
 * @brief Understand the choice of a queue disc.
 *
 * A line is read as by tc: rates in bit, kbit, mbit, gbit (bps, kbps, mbps are bytes per second;
 * a bare number is bit/s), times in s, ms, us, ns (bare: us), sizes in b, kb, mb (powers of 1024;
 * bare: bytes).
 * @param option name of the option, for messages
 * @param spec name, line or TypeId, and attributes
 * @return the choice
 * @throw std::invalid_argument with one line if a name, word or value is not known
 */
QueueDiscChoice ParseQueueDisc(const std::string& option, const QueueSpec& spec);

/**
 * @ingroup linux-tcp
 * @brief Give devices a root queue disc as the command "tc qdisc replace dev DEV root LINE" would.
 * @param devices devices of nodes with an internet stack
 * @param line what comes after "root", such as "fq maxrate 100mbit flow_limit 200"
 * @return the queue discs, in the order of the devices
 * @throw std::invalid_argument with one line if a word or value is not known
 */
QueueDiscContainer InstallQueueDisc(const NetDeviceContainer& devices, const std::string& line);

/**
 * @ingroup linux-tcp
 * @brief Names of queue discs that are known by a short name.
 * @return TypeIds' names by short name; empty for the device's own queue
 */
const AttributeMap& GetQueueDiscTypes();

} // namespace ns3

#endif /* LINUX_TCP_QUEUE_DISC_LINE_H */
