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

/// Requesters and responders for acknowledged READs and unreliable services, which few queue pairs
/// have.
struct RareHalves
{
    std::unique_ptr<Requester> readSender;   ///< Sends the responses of the READs of the peer.
    std::unique_ptr<Responder> readReceiver; ///< Receives the responses of this side's READs.
    uint32_t acceptedReads{0};               ///< READs of the peer that readSender answers.
    std::unique_ptr<UnreliableResponder> unreliable; ///< UC, UD.
    PathFacts ownPath; ///< Passed to requesters if congestion control uses it.
};

/// Settings of a queue pair that differ from the NIC's defaults. A plain queue pair has none.
struct QueuePairSetup
{
    QueuePairInit init;
    QueuePairAttributes attributes;
    Ptr<ReceiveQueue> receiveQueue; ///< Its own or the shared one; null: SENDs are refused.
};

/**
 * @ingroup rdma-transport
 * @brief One end of a connection, or a datagram end point: the state in its NIC.
 *
 * In fabric runs there are two per active flow: one only sends, the other only receives.  The
 * members that each packet reads are in one cache line, the responder is in the next, and all else
 * is made when it is first used.
 */
struct alignas(64) QueuePair final : public InSlab<QueuePair>
{
    QueuePair();

    /// Applies the attributes that are set. @param target state of the transition
    /// @return false, with nothing changed, if a value is out of bounds, RTR lacks a connection, or
    /// the connection or MTU would change while requests are pending.
    bool Apply(const QueuePairAttributes& changes, QpState target);

    /// Returns to RESET: pending requests are discarded without completions.
    void Reset();

    /// @return whether only the requester may have a packet to send.
    bool HasOnlyRequests() const
    {
        return !hasResponses && !GetReadSender();
    }

    /// @return null if there is none.
    Requester* GetReadSender() const
    {
        return rare ? rare->readSender.get() : nullptr;
    }

    /// @return its setup: initial values and later changes; an empty one if there is none.
    const QueuePairSetup& GetSetup() const
    {
        return setup ? *setup : PLAIN;
    }

    /// @return the setup, to be changed; made by the first call.
    QueuePairSetup& ChangeSetup();

    /// @return made by the first call.
    RareHalves& GetRare();

    uint32_t number{0};
    bool isScheduled : 1;        ///< In the send scheduler of its port; not with hasAllPorts.
    bool hasResponses : 1;       ///< The responder has READ responses to send.
    bool isConnected : 1;        ///< Its peer is set.
    bool wasResponse : 1;        ///< The last packet sent was a response, not a request.
    bool wasDrained : 1;         ///< SQD: its consumer was notified.
    bool hasLostCompletions : 1; ///< Its consumer was notified.
    bool hasAllPorts : 1;        ///< Its requests leave by all ports: SpreadTurns.
    uint8_t port{0};             ///< Port by which it sends; it receives by all ports of its NIC.
    QpState state{QpState::RESET};
    Service service{Service::RC};
    Connection connection{};
    std::unique_ptr<Requester> requester;
    Tick timerAt{TICK_NEVER}; ///< When the NIC checks the requester's deadline.
    Tick nextCnp{0};          ///< The earliest time of the next CNP.
    std::unique_ptr<QueuePairSetup> setup;
    std::unique_ptr<RareHalves> rare;

    std::optional<Responder> responder; ///< RC.

  private:
    static const QueuePairSetup PLAIN;
};

static_assert(sizeof(QueuePair) == 128, "a queue pair is two cache lines");

} // namespace ns3::rdma

#endif // RDMA_QUEUE_PAIR_H
