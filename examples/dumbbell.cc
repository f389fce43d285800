/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup linux-tcp
 *
 * Any number of flows through one bottleneck.
 *
 * @verbatim
 *   left0 -- accessRate --+                                +-- receiverRate -- right0
 *   left1 -- accessRate --+[router-left]====[router-right]+-- receiverRate -- right1
 *   ...                   +   bottleneckRate, rtt/2, buffer +                    ...
 * @endverbatim
 *
 * Two CUBIC flows for 10 s, with the topology and a table of results (CSV):
 *
 *   dumbbell --print=topology,flows
 *
 * H-TCP against a second flow of 1 MB that starts after 20 s, with FQ at the senders:
 *
 *   dumbbell --flow="cc=htcp" --flow="cc=htcp;start=20s;bytes=1000000" --duration=30s
 *            --senderQueue=fq --sampleInterval=100ms --print=samples
 */

#include "scenario-options.h"

#include "ns3/command-line.h"
#include "ns3/scenario-runner.h"

#include <exception>
#include <iostream>
#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    try
    {
        DumbbellSpec spec;
        std::string print = "flows";
        FlowList list;
        CommandLine cmd(__FILE__);
        AddScenarioOptions(cmd, spec);
        cmd.AddValue("flow",
                     "a flow, such as cc=cubic;socket=linux;bytes=1000000;start=1s (repeatable)",
                     list);
        cmd.AddValue("left", "hosts on the left, 0 for one per flow", spec.left);
        cmd.AddValue("right", "hosts on the right, 0 for one per flow", spec.right);
        cmd.AddValue("bottleneckRate", "rate of the bottleneck", spec.bottleneckRate);
        cmd.AddValue("accessRate", "rate of links on the left", spec.accessRate);
        cmd.AddValue("receiverRate", "rate of links on the right", spec.receiverRate);
        cmd.AddValue("reverseRate", "rate of the way back", spec.reverseRate);
        cmd.AddValue("bottleneckQueue", "queue disc, as for tc", spec.bottleneckQueue);
        cmd.AddValue("buffer", "buffer: 100p, 64KB, 50ms or 1.5bdp", spec.buffer);
        cmd.AddValue("reverseBuffer", "buffer of the way back", spec.reverseBuffer);
        cmd.AddValue("policerRate", "rate of a policer, none if empty", spec.policer.rate);
        cmd.AddValue("policerBurst", "burst of the policer", spec.policer.burst);
        cmd.AddValue("policerPlace", "ingress or egress", spec.policer.place);
        cmd.AddValue("policerOverhead", "bytes charged per packet", spec.policer.overhead);
        cmd.AddValue("print",
                     "topology, flows, samples, queues, queue-samples, drops, exits, requests, tc",
                     print);
        cmd.Parse(argc, argv);
        spec.flows = list.flows;
        if (spec.flows.empty())
        {
            spec.flows.resize(2);
        }
        PrintTables(print, RunDumbbell(spec));
    }
    catch (const std::exception& problem)
    {
        std::cerr << "dumbbell: " << problem.what() << "\n";
        return 2;
    }
    return 0;
}
