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

/// The halves of a queue pair that few have: those of acknowledged READs and unreliable services.
struct RareHalves
{
    std::unique_ptr<Requester> readSender;   ///< Sends the responses of the READs of the peer.
    std::unique_ptr<Responder> readReceiver; ///< Receives the responses of this side's READs.
    uint32_t acceptedReads{0};               ///< READs of the peer, for which readSender is.
    std::unique_ptr<UnreliableResponder> unreliable; ///< UC, UD.
    PathFacts ownPath; ///< Requesters are made with it, if congestion control uses it.
};

/// What a queue pair has that is not as the NIC's defaults say. A plain one has none.
struct QueuePairSetup
{
    QueuePairInit init;
    QueuePairAttributes attributes;
    Ptr<ReceiveQueue> receiveQueue; ///< Its own or the shared one; null: takes no requests.
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
        return rare ? rare->readSender.get() : nullptr;
    }

    /// @return what it was made with and given since, as far as that is known.
    const QueuePairSetup& GetSetup() const
    {
        return setup ? *setup : PLAIN;
    }

    /// @return the same to be changed, made by the first call.
    QueuePairSetup& ChangeSetup();

    /// @return made by the first call.
    RareHalves& GetRare();

    uint32_t number{0};
    bool isScheduled : 1;        ///< In the send scheduler of its port.
    bool hasResponses : 1;       ///< The responder has READ responses to send.
    bool isConnected : 1;        ///< Its peer is set.
    bool wasResponse : 1;        ///< What was sent last: requests and responses take turns.
    bool wasDrained : 1;         ///< SQD: its consumer was notified.
    bool hasLostCompletions : 1; ///< Its consumer was notified.
    uint8_t port{0};             ///< By which it sends; it receives by all ports of its NIC.
    QpState state{QpState::RESET};
    Service service{Service::RC};
    Connection connection{};
    std::unique_ptr<Requester> requester;
    Tick timerAt{TICK_NEVER}; ///< When the NIC will look at the requester's deadline.
    Tick nextCnp{0};          ///< Before which no further CNP is sent.
    std::unique_ptr<QueuePairSetup> setup;
    std::unique_ptr<RareHalves> rare;

    std::optional<Responder> responder; ///< RC.

  private:
    static const QueuePairSetup PLAIN;
};

static_assert(sizeof(QueuePair) == 128, "a queue pair is two cache lines");

} // namespace ns3::rdma

#endif // RDMA_QUEUE_PAIR_H
