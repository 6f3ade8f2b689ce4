// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_QUEUE_PAIR_H
#define RDMA_QUEUE_PAIR_H

#include "ns3/queue-pair-attributes.h"
#include "ns3/requester.h"
#include "ns3/responder.h"
#include "ns3/slab.h"
#include "ns3/unreliable-responder.h"

#include <memory>
#include <optional>

namespace ns3::rdma
{

/// The halves of a queue pair that few have.
struct ReadStreams
{
    std::unique_ptr<Requester> sender;   ///< Sends the responses of the READs of the peer.
    std::unique_ptr<Responder> receiver; ///< Takes the responses of the READs of this side.
    uint32_t count{0};                   ///< READs of the peer.
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

/// What a queue pair has that is not as the NIC's defaults say. A plain one has none.
struct QueuePairSetup
{
    QueuePairInit init;
    QueuePairAttributes attributes;
    Ptr<ReceiveQueue> receiveQueue; ///< Its own or the shared one; null: takes no requests.
};

/// What a queue pair needs for READs that are acknowledged, unreliable services, hardware timing
/// and being drained.
struct QueuePairExtras
{
    ReadStreams readStreams;
    std::unique_ptr<UnreliableResponder> unreliable; ///< UC, UD.
    HeldWqes heldWqes;
    PathFacts ownPath;    ///< If congestion control uses it.
    Tick receiveWqeAt{0}; ///< When the receive request of the arriving message is on the chip.
    Tick receivedAt{0};   ///< When the newest receive completion is written.
    Tick movedAt{0};      ///< When it last changed its port: packets sent before come too late.
    bool hasLostCompletions{false}; ///< Its consumer was notified.
    bool wasDrained{false};         ///< SQD: its consumer was notified.
    bool wasResponse{false};        ///< What was sent last: requests and responses take turns.
};

/**
 * @ingroup rdma-transport
 * @brief One end of a connection, or a datagram end point, as its NIC keeps it.
 *
 * In fabric runs there are two per active flow, of which one only sends and the other only
 * receives: what each packet reads is one cache line, the responder is the next, and all else is
 * made when it is first used.
 */
struct alignas(64) QueuePair final : public InSlab<QueuePair>
{
    QueuePair();

    /// Takes over what is set. @param target state that it is for
    /// @return false, and nothing is changed, if a value is out of bounds, RTR lacks a connection,
    /// or the connection or MTU would change under way.
    bool Apply(const QueuePairAttributes& changes, QpState target);

    /// Back to RESET: what was under way is forgotten without completions.
    void Reset();

    /// @return whether only the requester has anything to send.
    bool HasOnlyRequests() const
    {
        return !hasResponses && !GetReadSender();
    }

    /// @return null if there is none.
    Requester* GetReadSender() const
    {
        return extras ? extras->readStreams.sender.get() : nullptr;
    }

    /// @return what it was made with and given since, as far as that is known.
    const QueuePairSetup& GetSetup() const
    {
        return setup ? *setup : PLAIN;
    }

    /// @return the same to be changed, made by the first call.
    QueuePairSetup& ChangeSetup();

    /// @return made by the first call.
    QueuePairExtras& GetExtras();

    uint32_t number{0};
    bool isScheduled : 1;  ///< In the NIC's send scheduler.
    bool hasResponses : 1; ///< The responder has READ responses to send.
    bool isConnected : 1;  ///< Its peer is set.
    QpState state{QpState::RESET};
    Service service{Service::RC};
    Connection connection{};
    std::unique_ptr<Requester> requester;
    Tick timerAt{TICK_NEVER}; ///< When the NIC will look at the requester's deadline.
    Tick nextCnp{0};          ///< Before which no further CNP is sent.
    std::unique_ptr<QueuePairSetup> setup;
    std::unique_ptr<QueuePairExtras> extras;

    std::optional<Responder> responder; ///< RC.

  private:
    static const QueuePairSetup PLAIN;
};

static_assert(sizeof(QueuePair) == 128, "a queue pair is two cache lines");

} // namespace ns3::rdma

#endif // RDMA_QUEUE_PAIR_H
