/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-runner.h"

#include <cmath>
#include <cstdio>

namespace ns3
{

namespace
{

/**
 * @brief A number as it stands in a CSV file: shortest form that reads back equal to 1 in 10^12.
 * @param value the number
 * @return its text; empty for a value that was not measured
 */
std::string
Format(double value)
{
    if (std::isnan(value))
    {
        return "";
    }
    char text[32];
    std::snprintf(text, sizeof(text), "%.12g", value);
    return text;
}

/**
 * @brief A text as it stands in a CSV file.
 * @param text the text
 * @return the text, quoted where it must be
 */
std::string
Quote(const std::string& text)
{
    if (text.find_first_of(",\"\n") == std::string::npos)
    {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text)
    {
        quoted += c;
        if (c == '"')
        {
            quoted += c;
        }
    }
    return quoted + "\"";
}

} // namespace

void
WriteFlowsCsv(std::ostream& os, const RunResult& result)
{
    os << "flow,congestion_control,sender,receiver,start_s,established_s,completion_s,"
          "bytes_acked,steady_bytes,goodput_bps,steady_goodput_bps,segments_sent,retransmits,"
          "timeouts,recoveries,reductions,base_rtt_s,min_rtt_s,mean_rtt_s,max_rtt_s,"
          "max_cwnd_segments,hystart_train_detect,hystart_train_cwnd,hystart_delay_detect,"
          "hystart_delay_cwnd\n";
    for (const auto& f : result.flows)
    {
        os << Quote(f.name) << ',' << Quote(f.congestionControl) << ',' << Quote(f.sender) << ','
           << Quote(f.receiver) << ',' << Format(f.start) << ',' << Format(f.established) << ','
           << Format(f.completion) << ',' << f.bytesAcked << ',' << f.steadyBytes << ','
           << Format(f.goodput) << ',' << Format(f.steadyGoodput) << ',' << f.segmentsSent << ','
           << f.retransmits << ',' << f.timeouts << ',' << f.recoveries << ',' << f.reductions
           << ',' << Format(f.baseRtt) << ',' << Format(f.minRtt) << ',' << Format(f.meanRtt) << ','
           << Format(f.maxRtt) << ',' << f.maxCwnd << ',' << f.hystart.trainDetect << ','
           << f.hystart.trainCwnd << ',' << f.hystart.delayDetect << ',' << f.hystart.delayCwnd
           << '\n';
    }
}

void
WriteFlowSeriesCsv(std::ostream& os, const RunResult& result)
{
    os << "flow,time_s,cwnd_segments,ssthresh_segments,srtt_s,bytes_acked,in_flight_segments,"
          "pacing_rate_bps,state\n";
    for (const auto& s : result.flowSeries)
    {
        const std::string name = Quote(result.flows[s.flow].name);
        for (std::size_t i = 0; i < s.time.size(); ++i)
        {
            os << name << ',' << Format(s.time[i]) << ',' << s.cwnd[i] << ',' << s.ssthresh[i]
               << ',' << Format(s.srtt[i]) << ',' << s.bytesAcked[i] << ',' << s.inFlight[i] << ','
               << s.pacingRate[i] << ',' << unsigned{s.state[i]} << '\n';
        }
    }
}

void
WriteQueuesCsv(std::ostream& os, const RunResult& result)
{
    os << "queue,place,disc,received_packets,received_bytes,sent_packets,sent_bytes,"
          "dropped_packets,dropped_bytes,marked_packets,backlog_packets,backlog_bytes,"
          "max_backlog_packets,max_backlog_bytes\n";
    for (const auto& q : result.queues)
    {
        os << Quote(q.name) << ',' << Quote(q.place) << ',' << Quote(q.disc) << ','
           << q.receivedPackets << ',' << q.receivedBytes << ',' << q.sentPackets << ','
           << q.sentBytes << ',' << q.droppedPackets << ',' << q.droppedBytes << ','
           << q.markedPackets << ',' << q.backlogPackets << ',' << q.backlogBytes << ','
           << q.maxBacklogPackets << ',' << q.maxBacklogBytes << '\n';
    }
}

void
WriteQueueSeriesCsv(std::ostream& os, const RunResult& result)
{
    os << "queue,time_s,packets,bytes,sent_bytes,dropped_packets\n";
    for (const auto& s : result.queueSeries)
    {
        const std::string name = Quote(result.queues[s.queue].name);
        for (std::size_t i = 0; i < s.time.size(); ++i)
        {
            os << name << ',' << Format(s.time[i]) << ',' << s.packets[i] << ',' << s.bytes[i]
               << ',' << s.sentBytes[i] << ',' << s.drops[i] << '\n';
        }
    }
}

void
WriteDropsCsv(std::ostream& os, const RunResult& result)
{
    os << "place,name,reason,packets,bytes\n";
    for (const auto& d : result.drops)
    {
        os << Quote(d.place) << ',' << Quote(d.name) << ',' << Quote(d.reason) << ',' << d.packets
           << ',' << d.bytes << '\n';
    }
}

void
WriteExitsCsv(std::ostream& os, const RunResult& result)
{
    os << "flow,time_s,detector,cwnd_segments,min_rtt_s,round_rtt_s\n";
    for (const auto& f : result.flows)
    {
        for (const auto& e : f.exits)
        {
            os << Quote(f.name) << ',' << Format(e.time) << ',' << Quote(e.detector) << ','
               << e.cwnd << ',' << Format(e.minRtt) << ',' << Format(e.roundRtt) << '\n';
        }
    }
}

void
WriteRequestsCsv(std::ostream& os, const RunResult& result)
{
    os << "flow,request,start_s,completion_s,bytes\n";
    const auto& r = result.requests;
    for (std::size_t i = 0; i < r.flow.size(); ++i)
    {
        os << Quote(result.flows[r.flow[i]].name) << ',' << r.index[i] << ',' << Format(r.start[i])
           << ',' << Format(r.completion[i]) << ',' << r.bytes[i] << '\n';
    }
}

void
WriteRoundsCsv(std::ostream& os, const RunResult& result)
{
    os << "round,start_s,completion_s,bytes\n";
    const auto& r = result.rounds;
    for (std::size_t i = 0; i < r.start.size(); ++i)
    {
        os << i << ',' << Format(r.start[i]) << ',' << Format(r.completion[i]) << ',' << r.bytes[i]
           << '\n';
    }
}

void
WritePacketsCsv(std::ostream& os, const RunResult& result)
{
    os << "place,time_s,size_bytes,node\n";
    for (const auto& s : result.packetSeries)
    {
        for (std::size_t i = 0; i < s.time.size(); ++i)
        {
            os << Quote(s.place) << ',' << Format(s.time[i]) << ',' << s.size[i] << ',' << s.node[i]
               << '\n';
        }
    }
}

} // namespace ns3
