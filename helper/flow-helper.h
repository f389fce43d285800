/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_FLOW_HELPER_H
#define LINUX_TCP_FLOW_HELPER_H

#include "flow-recorder.h"
#include "rpc-client.h"
#include "scenario.h"
#include "stream-sender.h"
#include "tcp-application.h"
#include "tcp-linux-helper.h"
#include "wired-topology.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief Installs the applications of flows on a topology, and records what they achieve.
 */
class FlowHelper
{
  public:
    /**
     * @brief Constructor
     * @param topology the network, which must outlive this object
     * @param common what all scenarios have in common
     */
    FlowHelper(WiredTopology& topology, const ScenarioSpec& common);
    FlowHelper(const FlowHelper&) = delete;
    FlowHelper& operator=(const FlowHelper&) = delete;

    /**
     * @brief Sockets of a flow.
     * @param common what all scenarios have in common
     * @param flow the flow
     * @param option name of the flow in messages, such as "flows[0]"
     * @param sender whether the sending side is wanted
     * @param bufferBytes size of the socket's buffers (bytes)
     * @return what makes the sockets
     * @throw std::invalid_argument with one line if a name or value is not known
     */
    static TcpLinuxHelper MakeTcp(const ScenarioSpec& common,
                                  const FlowSpec& flow,
                                  const std::string& option,
                                  bool sender,
                                  uint64_t bufferBytes);

    /**
     * @brief Socket buffers that never limit a flow.
     * @param flow the flow
     * @param mss payload of a full segment (bytes)
     * @param rate rate of the narrowest link (bit/s)
     * @param rttNs round-trip time (ns)
     * @param queueBytes bytes that the queues on the path can hold
     * @return bytes: three times what the path can hold, at least 1 MiB
     */
    static uint64_t GetBufferBytes(const FlowSpec& flow,
                                   uint32_t mss,
                                   uint64_t rate,
                                   int64_t rttNs,
                                   uint64_t queueBytes);

    /**
     * @brief Install a flow: a bulk transfer, bursts or closed loops of requests.
     * @param index index of the flow's specification
     * @param flow the flow
     * @param sender name of the sending host
     * @param receiver name of the receiving host
     * @param bufferBytes size of the socket's buffers (bytes)
     */
    void Install(uint32_t index,
                 const FlowSpec& flow,
                 const std::string& sender,
                 const std::string& receiver,
                 uint64_t bufferBytes);

    /**
     * @brief Random stream of the congestion control of a connection.
     * @param record index of its record
     * @return the stream
     */
    static int64_t GetCongestionStream(uint32_t record);

    /**
     * @brief Make the record of a connection whose applications are installed elsewhere.
     * @param index index of the flow's specification
     * @param name name of the connection
     * @param flow the flow
     * @param sender name of the host that sends the data
     * @param receiver name of the host that receives it
     * @return index of the record
     */
    uint32_t AddRecord(uint32_t index,
                       const std::string& name,
                       const FlowSpec& flow,
                       const std::string& sender,
                       const std::string& receiver);

    /**
     * @brief The recorder of a connection.
     * @param record index of the record
     * @return the recorder
     */
    Ptr<FlowRecorder> GetRecorder(uint32_t record) const;

    /**
     * @brief Note an answered request.
     * @param record index of the connection's record
     * @param index number of the request
     * @param start when it was sent
     * @param completion when the response was complete
     * @param bytes bytes of both
     */
    void AddRequest(uint32_t record, uint64_t index, Time start, Time completion, uint64_t bytes);

    /**
     * @brief Use fixed random streams.
     * @param stream first stream to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /// Add a sample to the time series of all flows.
    void Sample();

    /// @return whether there are limited flows, and all of them are complete
    bool AreLimitedFlowsComplete() const;

    /**
     * @brief Call something when the last limited flow is complete.
     * @param callback what to call
     */
    void SetCompletionCallback(Callback<void> callback);

    /**
     * @brief Results of all flows.
     * @param result receives flows, time series and requests
     */
    void Collect(RunResult& result) const;

  private:
    /// A connection
    struct Record
    {
        FlowResult result;          ///< names and arithmetic
        Ptr<FlowRecorder> recorder; ///< counters
        uint64_t requestBytes{0};   ///< bytes of a request and its response
        uint64_t requests{0};       ///< requests until it ends, 0 for no limit
        bool limited{false};        ///< whether it ends by itself
        bool complete{false};       ///< whether it has ended
    };

    /**
     * @brief Connect a client's traces to a record.
     * @param record index of the record
     * @param application the client
     */
    void Watch(uint32_t record, Ptr<ConnectingApplication> application);

    /**
     * @brief The socket of a client was made.
     * @param helper this
     * @param record index of the record
     * @param socket the socket
     */
    static void SocketCreated(FlowHelper* helper, uint32_t record, Ptr<Socket> socket);

    /**
     * @brief A connection was established.
     * @param helper this
     * @param record index of the record
     * @param socket the socket
     */
    static void Connected(FlowHelper* helper, uint32_t record, Ptr<Socket> socket);

    /**
     * @brief A connection failed.
     * @param helper this
     * @param record index of the record
     * @param socket the socket
     */
    static void Failed(FlowHelper* helper, uint32_t record, Ptr<Socket> socket);

    /**
     * @brief A transfer is complete.
     * @param helper this
     * @param record index of the record
     * @param start when the connection was opened
     * @param completion when the last byte was acknowledged
     */
    static void TransferCompleted(FlowHelper* helper, uint32_t record, Time start, Time completion);

    /**
     * @brief A burst was acknowledged.
     * @param helper this
     * @param record index of the record
     * @param index number of the burst
     * @param start when it was written
     * @param completion when its last byte was acknowledged
     * @param bytes its size (bytes)
     */
    static void BurstCompleted(FlowHelper* helper,
                               uint32_t record,
                               uint64_t index,
                               Time start,
                               Time completion,
                               uint64_t bytes);

    /**
     * @brief A request was answered.
     * @param helper this
     * @param record index of the record
     * @param index number of the request
     * @param start when it was sent
     * @param completion when the response was complete
     */
    static void RequestCompleted(FlowHelper* helper,
                                 uint32_t record,
                                 uint64_t index,
                                 Time start,
                                 Time completion);

    /**
     * @brief A limited flow is complete.
     * @param record index of the record
     */
    void Complete(uint32_t record);

    WiredTopology& m_topology;                  ///< the network
    const ScenarioSpec m_common;                ///< what all scenarios have in common
    Time m_origin;                              ///< the scenario's time 0
    std::vector<Record> m_records;              ///< connections
    std::vector<Ptr<RpcClient>> m_clients;      ///< clients with random numbers
    std::map<std::string, uint16_t> m_nextPort; ///< next free port by host
    RequestSeries m_requests;                   ///< answered requests
    std::vector<std::string> m_warnings;        ///< what a user should know
    uint32_t m_limited{0};                      ///< flows that end by themselves
    uint32_t m_complete{0};                     ///< those of them that have ended
    Callback<void> m_completionCallback;        ///< told when all of them have
};

} // namespace ns3

#endif /* LINUX_TCP_FLOW_HELPER_H */
