/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_RPC_CLIENT_H
#define LINUX_TCP_RPC_CLIENT_H

#include "tcp-application.h"

#include "ns3/random-variable-stream.h"

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief Sends requests over one persistent connection and waits for each response.
 *
 * By itself it runs a closed loop: connect, request, response, think, request, ... With Automatic
 * off it sends a request whenever SendRequest() is called. The peer is an RpcServer with the same
 * sizes.
 */
class RpcClient : public ConnectingApplication
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RpcClient();

    /**
     * @brief Send a request.
     * @return false if the connection is not established or a response is still due
     */
    bool SendRequest();

    /// @return number of responses so far
    uint64_t GetCompletedRequests() const;

    /**
     * @brief Use fixed random streams.
     * @param stream first stream to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * @brief Signature of the trace of answered requests.
     * @param index number of the request, from 0
     * @param start when its first byte was written
     * @param completion when the last byte of the response was read
     */
    typedef void (*CompletedCallback)(uint64_t index, Time start, Time completion);

  protected:
    void DoDispose() override;
    void StartApplication() override;
    void StopApplication() override;
    void HandleConnected() override;
    void HandleSendSpace() override;
    void HandleReceived(uint64_t bytes) override;

  private:
    /// Open the connection.
    void Open();

    /// Send the next request of the closed loop.
    void ContinueLoop();

    uint64_t m_requestSize{0};  ///< size of a request (bytes)
    uint64_t m_responseSize{0}; ///< size of a response (bytes)
    uint64_t m_requests{0};     ///< requests to send, 0 for no limit
    Time m_thinkTime;           ///< pause before the next request
    Time m_startJitter;         ///< longest random delay of the start
    bool m_automatic{true};     ///< whether the closed loop runs

    Ptr<UniformRandomVariable> m_random; ///< delay of the start in [0, 1)
    EventId m_event;                     ///< start, or end of the pause
    uint64_t m_completed{0};             ///< responses so far
    bool m_waiting{false};               ///< whether a response is due
    uint64_t m_received{0};              ///< bytes of the response that is due
    Time m_requestStart;                 ///< when the request was written

    TracedCallback<uint64_t, Time, Time> m_completedTrace; ///< a response is complete
};

} // namespace ns3

#endif /* LINUX_TCP_RPC_CLIENT_H */
