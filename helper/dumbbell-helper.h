/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_DUMBBELL_HELPER_H
#define LINUX_TCP_DUMBBELL_HELPER_H

#include "flow-helper.h"
#include "scenario.h"
#include "wired-topology.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief A dumbbell: hosts on the left, hosts on the right, a bottleneck between two routers.
 *
 * @code
 *   DumbbellSpec spec;
 *   spec.left = 3;
 *   spec.right = 4;
 *   spec.bottleneckRate = "20Mbps";
 *   DumbbellHelper dumbbell(spec);
 *   std::cout << dumbbell.GetTopology();
 *   // install applications on dumbbell.GetHost("left0"), ..., or let it install spec.flows:
 *   dumbbell.InstallFlows();
 * @endcode
 *
 * Half of the base RTT is the delay of the bottleneck in either direction; what a flow's own RTT
 * exceeds the smallest one by is added to the link of its receiver. With RTTs of 0 only
 * serialisation takes time.
 */
class DumbbellHelper : public WiredTopology
{
  public:
    /**
     * @brief Build the network.
     * @param spec what to build; flows may be missing if there are hosts
     * @throw std::invalid_argument with one line if the specification is wrong
     */
    explicit DumbbellHelper(const DumbbellSpec& spec);

    /// Install the applications of the specification's flows.
    void InstallFlows();

    /// @return the flows' applications and records
    FlowHelper& GetFlows();

    /// @return names of the hosts on the left
    const std::vector<std::string>& GetLeft() const;

    /// @return names of the hosts on the right
    const std::vector<std::string>& GetRight() const;

    /// Schedule the changes of the path that the specification lists.
    void ScheduleChanges();

  private:
    /// Hosts of a flow
    using Ends = std::pair<std::string, std::string>;

    /**
     * @brief Change the path.
     * @param change what changes
     */
    void Change(const PathChange& change);

    /// Draw the network.
    void Draw();

    const DumbbellSpec m_spec;           ///< what is built
    std::vector<std::string> m_left;     ///< hosts on the left
    std::vector<std::string> m_right;    ///< hosts on the right
    std::vector<Ends> m_ends;            ///< sender and receiver of each flow
    NodeIndex m_leftRouter{0};           ///< router on the left
    NodeIndex m_rightRouter{0};          ///< router on the right
    uint32_t m_bottleneck{0};            ///< link between the routers
    int64_t m_smallestRttNs{0};          ///< smallest base RTT (ns)
    uint64_t m_rate{0};                  ///< rate of the bottleneck (bit/s)
    BufferCapacity m_buffer;             ///< buffer of the bottleneck
    std::unique_ptr<FlowHelper> m_flows; ///< applications and records
};

} // namespace ns3

#endif /* LINUX_TCP_DUMBBELL_HELPER_H */
