/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACING_REGISTRY_H
#define PACING_REGISTRY_H

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/object.h"

#include <cstdint>
#include <unordered_map>

namespace ns3
{

class Node;

/**
 * @ingroup linux-tcp
 * @brief What the sockets and the FQ queue discs of one node know of each other.
 *
 * Aggregated to the node on first use. A socket registers and gets a cookie, under which the
 * queue disc finds its current pacing rate and reports the bytes that wait below the socket (TCP
 * small queues). A socket that waits for its packets to leave asks for a wake-up, which reaches it
 * in an event of its own.
 */
class PacingRegistry : public Object
{
  public:
    /// Signature of the callback that reads a socket's pacing rate (bytes/s), 0 if unlimited.
    typedef Callback<uint64_t> RateCallback;
    /// Signature of the callback that tells a socket that packets of it have left.
    typedef Callback<void> WakeCallback;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief The registry of a node, made if there is none.
     * @param node the node
     * @return its registry
     */
    static Ptr<PacingRegistry> GetOf(Ptr<Node> node);

    /**
     * @brief Register a socket.
     * @param rate reads its pacing rate
     * @param wake called (from an event of its own) when packets of it have left after
     * RequestWake(); may be null
     * @return its cookie; never 0, never given twice on a node
     */
    uint64_t Register(RateCallback rate, WakeCallback wake);

    /**
     * @brief Forget a socket. Packets of it that still wait are served as before.
     * @param cookie its cookie
     */
    void Unregister(uint64_t cookie);

    /**
     * @brief Read a socket's pacing rate as it is now.
     * @param cookie its cookie
     * @param fallback returned when the socket is gone
     * @return rate (bytes/s), 0 if unlimited
     */
    uint64_t GetPacingRate(uint64_t cookie, uint64_t fallback) const;

    /**
     * @brief A packet of the socket entered the layers below it.
     * @param cookie its cookie
     * @param bytes size of the packet (bytes)
     */
    void AddBacklog(uint64_t cookie, uint32_t bytes);

    /**
     * @brief A packet of the socket left the node, or was dropped in it.
     * @param cookie its cookie
     * @param bytes size of the packet (bytes)
     */
    void RemoveBacklog(uint64_t cookie, uint32_t bytes);

    /**
     * @brief Bytes of the socket that wait below it.
     * @param cookie its cookie
     * @return bytes
     */
    uint64_t GetBacklog(uint64_t cookie) const;

    /**
     * @brief Ask for one wake-up as soon as a packet of the socket has left.
     * @param cookie its cookie
     */
    void RequestWake(uint64_t cookie);

    /// A queue disc that paces announces itself, so that sockets know that they are paced.
    void AnnouncePacer();

    /**
     * @brief Whether a queue disc of this node paces.
     * @return true if one has announced itself
     */
    bool HasPacer() const;

  protected:
    void DoDispose() override;

  private:
    /// What is kept for one socket
    struct Entry
    {
        RateCallback rate;   ///< reads the pacing rate
        WakeCallback wake;   ///< tells that packets have left
        uint64_t backlog{0}; ///< bytes below the socket
        bool waiting{false}; ///< whether the socket asked for a wake-up
        EventId wakeEvent;   ///< pending wake-up
    };

    std::unordered_map<uint64_t, Entry> m_entries; ///< registered sockets by cookie
    uint64_t m_nextCookie{1};                      ///< next cookie to give
    bool m_hasPacer{false};                        ///< whether a queue disc paces
};

} // namespace ns3

#endif /* PACING_REGISTRY_H */
