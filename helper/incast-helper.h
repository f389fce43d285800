/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_INCAST_HELPER_H
#define LINUX_TCP_INCAST_HELPER_H

#include "rpc-client.h"
#include "scenario.h"
#include "star-helper.h"

#include "ns3/event-id.h"
#include "ns3/random-variable-stream.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief Many senders answer one receiver at the same time, round after round.
 *
 * The hosts are sender0, sender1, ... and receiver0. The receiver has an RpcClient per sender; all
 * of them send a request at the start of a round, and the next round starts when all responses are
 * there (barrier). The first round starts when all connections are established.
 */
class IncastHelper
{
  public:
    /**
     * @brief Build the network.
     * @param spec what to build
     * @throw std::invalid_argument with one line if the specification is wrong
     */
    explicit IncastHelper(const IncastSpec& spec);
    IncastHelper(const IncastHelper&) = delete;
    IncastHelper& operator=(const IncastHelper&) = delete;

    /// Install the applications; rounds then follow by themselves.
    void Install();

    /// @return the network
    StarHelper& GetTopology();

    /**
     * @brief Bytes that a sender sends in a round.
     * @param sender number of the sender
     * @return bytes; of a fixed total the first senders take the remainder, one byte each
     */
    uint64_t GetResponseBytes(uint32_t sender) const;

    /**
     * @brief Congestion control of a sender.
     * @param sender number of the sender
     * @return its name
     */
    std::string GetCongestionControl(uint32_t sender) const;

    /// @return rounds that are complete
    const RoundSeries& GetRounds() const;

    /**
     * @brief Call something when the last round is complete.
     * @param callback what to call
     */
    void SetCompletionCallback(Callback<void> callback);

    /**
     * @brief Use fixed random streams.
     * @param stream first stream to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

  private:
    /**
     * @brief The star under the incast.
     * @param spec what to build
     * @return its specification
     */
    static StarSpec MakeStar(const IncastSpec& spec);

    /**
     * @brief A sender has accepted its connection.
     * @param helper this
     * @param sender number of the sender
     * @param socket its socket
     * @param from address of the receiver
     */
    static void Accepted(IncastHelper* helper,
                         uint32_t sender,
                         Ptr<Socket> socket,
                         const Address& from);

    /**
     * @brief The receiver's side of a connection is established.
     * @param helper this
     * @param socket the socket
     */
    static void Connected(IncastHelper* helper, Ptr<Socket> socket);

    /**
     * @brief A response is complete.
     * @param helper this
     * @param sender number of the sender
     * @param index number of the request
     * @param start when the request was sent
     * @param completion when the response was complete
     */
    static void Completed(IncastHelper* helper,
                          uint32_t sender,
                          uint64_t index,
                          Time start,
                          Time completion);

    /// Send the requests of a round.
    void StartRound();

    /**
     * @brief Send one request.
     * @param sender number of the sender
     */
    void Request(uint32_t sender);

    const IncastSpec m_spec;               ///< what is built
    StarHelper m_star;                     ///< the network
    Time m_origin;                         ///< the scenario's time 0
    Time m_roundGap;                       ///< pause between two rounds
    Time m_jitter;                         ///< time over which requests are spread
    Ptr<UniformRandomVariable> m_random;   ///< times of requests in [0, 1)
    std::vector<Ptr<RpcClient>> m_clients; ///< one per sender
    uint32_t m_connected{0};               ///< connections that are established
    uint32_t m_answered{0};                ///< responses in this round
    uint32_t m_round{0};                   ///< rounds that are complete
    Time m_roundStart;                     ///< when this round started
    RoundSeries m_rounds;                  ///< rounds that are complete
    Callback<void> m_completionCallback;   ///< told after the last round
};

} // namespace ns3

#endif /* LINUX_TCP_INCAST_HELPER_H */
