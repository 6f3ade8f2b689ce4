// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_QUEUE_PAIR_H
#define RDMA_QUEUE_PAIR_H

#include "ns3/queue-pair-attributes.h"
#include "ns3/requester.h"
#include "ns3/responder.h"
#include "ns3/unreliable-responder.h"

#include <memory>

namespace ns3::rdma
{

/// The halves of a queue pair that few have.
struct ReadStreams
{
    std::unique_ptr<Requester> sender;   ///< Sends the responses of READs that the peer asked for.
    std::unique_ptr<Responder> receiver; ///< Takes the responses of READs that were asked for here.
    uint32_t count{0};                   ///< READs that the peer asked for.
};

/// Send work requests that a NIC with hardware timing has on its chip, by packet number.
struct HeldWqes
{
    /// What has come until now is here.
    void Arrive(Tick now)
    {
        if (comeAt <= now)
        {
            until = comingUntil;
        }
    }

    uint64_t until{0};       ///< Those before it are here.
    uint64_t comingUntil{0}; ///< Those before it are here or being fetched; not before until.
    Tick comeAt{0};          ///< When they are here.
};

/**
 * @ingroup rdma-transport
 * @brief One end of a connection, or a datagram end point, as its NIC keeps it.
 *
 * Each half is made when it is first used: in fabric runs most queue pairs only send or only
 * receive.
 */
struct alignas(64) QueuePair
{
    /// Takes over what is set. @param target state that it is for
    /// @return false, and nothing is changed, if a value is out of bounds, RTR lacks a connection,
    /// or the connection or MTU would change under way.
    bool Apply(const QueuePairAttributes& changes, QpState target);

    /// Back to RESET: what was under way is forgotten without completions.
    void Reset();

    /// @return whether only the requester has anything to send.
    bool HasOnlyRequests() const
    {
        return !hasResponses && !readStreams.sender;
    }

    // What each packet reads: one cache line.
    uint32_t number{0};
    bool isScheduled{false};  ///< In the NIC's send scheduler.
    bool hasResponses{false}; ///< The responder has READ responses to send.
    QpState state{QpState::RESET};
    Service service{Service::RC};
    Connection connection{};
    std::unique_ptr<Requester> requester;
    std::unique_ptr<Responder> responder; ///< RC.
    Tick timerAt{TICK_NEVER};             ///< When the NIC will look at the requester's deadline.
    Tick nextCnp{0};                      ///< Before which no further CNP is sent.
    ReadStreams readStreams;

    std::unique_ptr<UnreliableResponder> unreliable; ///< UC, UD.
    bool hasLostCompletions{false};                  ///< Its consumer has been told.
    bool wasDrained{false};                          ///< SQD: its consumer has been told.
    HeldWqes heldWqes;
    Tick receiveWqeAt{0};    ///< When the receive request of the arriving message is on the chip.
    Tick receivedAt{0};      ///< When the newest receive completion is written.
    bool wasResponse{false}; ///< What was sent last: requests and responses take turns.
    QueuePairInit init;
    QueuePairAttributes attributes;
    Ptr<ReceiveQueue> receiveQueue; ///< Its own or the shared one; null: takes no requests.
};

} // namespace ns3::rdma

#endif // RDMA_QUEUE_PAIR_H
