/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup linux-tcp
 *
 * Many senders answer one receiver at the same time, round after round.
 *
 * @verbatim
 *   sender0   -- senderRate --+
 *   sender1   -- senderRate --+[switch]+-- receiverRate -- receiver0
 *   ...                       +   port buffer
 *   senderN-1 -- senderRate --+
 * @endverbatim
 *
 * 64 senders of 64 KB each, 10 rounds, with the rounds and the senders' results (CSV):
 *
 *   incast --senders=64 --print=rounds,flows
 */

#include "scenario-options.h"

#include "ns3/command-line.h"
#include "ns3/scenario-runner.h"

#include <exception>
#include <iostream>
#include <sstream>
#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    try
    {
        IncastSpec spec;
        std::string print = "rounds";
        std::string flow;
        std::string controls;
        CommandLine cmd(__FILE__);
        AddScenarioOptions(cmd, spec);
        cmd.AddValue("senders", "number of senders", spec.senders);
        cmd.AddValue("totalBytes", "bytes of a round, 0 for bytesPerSender", spec.totalBytes);
        cmd.AddValue("bytesPerSender", "bytes from each sender", spec.bytesPerSender);
        cmd.AddValue("requestBytes", "size of a request (bytes)", spec.requestBytes);
        cmd.AddValue("rounds", "number of rounds", spec.rounds);
        cmd.AddValue("roundGap", "pause between rounds", spec.roundGap);
        cmd.AddValue("requestJitter", "time over which requests spread", spec.requestJitter);
        cmd.AddValue("flow", "transport, such as cc=nv;socket=linux;minRto=10ms", flow);
        cmd.AddValue("cc", "congestion controls by sender, separated by commas", controls);
        cmd.AddValue("senderRate", "rate of the senders' links", spec.senderRate);
        cmd.AddValue("receiverRate", "rate of the receiver's link", spec.receiverRate);
        cmd.AddValue("portQueue", "queue disc of the ports, as for tc", spec.portQueue);
        cmd.AddValue("buffer", "buffer of a port: 100p, 256KB, 1bdp", spec.buffer);
        cmd.AddValue("sharedBuffer", "whether all ports share the buffer", spec.sharedBuffer);
        cmd.AddValue("sharedBufferAlpha", "threshold of a shared buffer", spec.sharedBufferAlpha);
        cmd.AddValue("print", "topology, rounds, flows, requests, queues, drops, samples", print);
        cmd.Parse(argc, argv);
        if (!flow.empty())
        {
            spec.flow = ReadFlow(flow);
        }
        std::istringstream list(controls);
        for (std::string name; std::getline(list, name, ',');)
        {
            spec.congestionControls.push_back(name);
        }
        PrintTables(print, RunIncast(spec));
    }
    catch (const std::exception& problem)
    {
        std::cerr << "incast: " << problem.what() << "\n";
        return 2;
    }
    return 0;
}
