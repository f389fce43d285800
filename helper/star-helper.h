/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_STAR_HELPER_H
#define LINUX_TCP_STAR_HELPER_H

#include "flow-helper.h"
#include "scenario.h"
#include "wired-topology.h"

#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief A star: clients and servers around one switch.
 *
 * A quarter of the base RTT is the delay of every link. Every port of the switch has the queue
 * disc and the buffer of the specification, or takes its memory from one pool.
 */
class StarHelper : public WiredTopology
{
  public:
    /**
     * @brief Build the network.
     * @param spec what to build; flows may be missing
     * @param clientPrefix prefix of the clients' names
     * @param serverPrefix prefix of the servers' names
     * @throw std::invalid_argument with one line if the specification is wrong
     */
    explicit StarHelper(const StarSpec& spec,
                        const std::string& clientPrefix = "client",
                        const std::string& serverPrefix = "server");

    /// Install the applications of the specification's flows.
    void InstallFlows();

    /// @return the flows' applications and records
    FlowHelper& GetFlows();

    /**
     * @brief Name of a client.
     * @param i its number
     * @return the name
     */
    std::string GetClient(uint32_t i) const;

    /**
     * @brief Name of a server.
     * @param i its number
     * @return the name
     */
    std::string GetServer(uint32_t i) const;

    /**
     * @brief Socket buffers that never limit a flow here.
     * @param flow the flow
     * @return bytes
     */
    uint64_t GetBufferBytes(const FlowSpec& flow) const;

  private:
    /// Draw the network.
    void Draw();

    const StarSpec m_spec;               ///< what is built
    const std::string m_clientPrefix;    ///< prefix of the clients' names
    const std::string m_serverPrefix;    ///< prefix of the servers' names
    std::unique_ptr<FlowHelper> m_flows; ///< applications and records
};

} // namespace ns3

#endif /* LINUX_TCP_STAR_HELPER_H */
