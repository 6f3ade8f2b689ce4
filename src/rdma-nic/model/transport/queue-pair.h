// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_QUEUE_PAIR_H
#define RDMA_QUEUE_PAIR_H

#include "ns3/frame-mark.h"
#include "ns3/queue-pair-attributes.h"
#include "ns3/requester.h"
#include "ns3/responder.h"
#include "ns3/slab.h"
#include "ns3/unreliable-responder.h"

#include <memory>
#include <optional>

namespace ns3::rdma
{

/// Settings of a queue pair that differ from the NIC's defaults. A plain queue pair has none.
struct QueuePairSetup
{
    QueuePairInit init;
    QueuePairAttributes attributes;
    Ptr<ReceiveQueue> receiveQueue; ///< Its own or the shared one; null: SENDs are refused.
    FrameMark mark;                 ///< Of its data frames. Valid with QueuePair::HasOwnMark().
};

/**
 * @ingroup rdma-transport
 * @brief One end of a connection, or a datagram end point: the state in its NIC.
 *
 * TransportFactory makes its requesters and responders when they are first used.  Each other part
 * of the NIC changes the queue pair by the functions below that are grouped under its name.
 *
 * In fabric runs there are two per active flow: one only sends, the other only receives.  The
 * members that each packet reads are in one cache line, the responder is in the next, and all else
 * is made when it is first used.
 */
class alignas(64) QueuePair final : public InSlab<QueuePair>
{
  public:
    /// @param number 24 bits
    explicit QueuePair(uint32_t number);

    uint32_t GetNumber() const
    {
        return m_number;
    }

    /// Ports of a NIC at most: a lane has five bits for the port.
    static constexpr uint32_t MAX_PORTS{32};

    /// @return the lane of a class at a port. @param classNumber 0: the NIC's usual class
    static constexpr uint8_t MakeLane(uint32_t port, uint32_t classNumber)
    {
        return static_cast<uint8_t>(port | classNumber * MAX_PORTS);
    }

    /// @return the port by which it sends; it receives by all ports of its NIC.
    uint32_t GetPort() const
    {
        return m_lane & PORT_MASK;
    }

    /// @return its class: 0 is the class of queue pairs without DSCP and service level.
    uint32_t GetClassNumber() const
    {
        return m_lane / MAX_PORTS;
    }

    /// @return its port and class.
    uint8_t GetLane() const
    {
        return m_lane;
    }

    /// @return whether its data frames have the mark of its setup instead of the NIC's.
    bool HasOwnMark() const
    {
        return m_hasOwnMark;
    }

    /// Sets the class and mark of its data. It is in no scheduler of another class.
    void SetMark(const FrameMark& mark, bool isOwn, uint8_t classNumber);

    QpState GetState() const
    {
        return m_state;
    }

    Service GetService() const
    {
        return m_service;
    }

    const Connection& GetConnection() const
    {
        return m_connection;
    }

    /// @return whether its peer is set.
    bool IsConnected() const
    {
        return m_isConnected;
    }

    /// @return its setup: initial values and later changes; an empty one if there is none.
    const QueuePairSetup& GetSetup() const
    {
        return m_setup ? *m_setup : PLAIN;
    }

    bool HasSetup() const
    {
        return m_setup != nullptr;
    }

    // Its halves. Null: there is none.

    Requester* GetRequester() const
    {
        return m_requester.get();
    }

    /// RC.
    Responder* GetResponder()
    {
        return m_responder ? &*m_responder : nullptr;
    }

    const Responder* GetResponder() const
    {
        return m_responder ? &*m_responder : nullptr;
    }

    /// @return the sender of the responses of the peer's READs.
    Requester* GetReadSender() const
    {
        return m_rare ? m_rare->readSender.get() : nullptr;
    }

    /// @return the receiver of the responses of this side's READs.
    Responder* GetReadReceiver() const
    {
        return m_rare ? m_rare->readReceiver.get() : nullptr;
    }

    /// UC, UD.
    UnreliableResponder* GetUnreliable() const
    {
        return m_rare ? m_rare->unreliable.get() : nullptr;
    }

    // RdmaNic: the consumer's calls.

    /// Sets what does not change any more. Called once, first.
    void Open(const QueuePairInit& init);

    /// Applies the attributes that are set. @param target state of the transition
    /// @return false, with nothing changed, if a value is out of bounds, RTR lacks a connection, or
    /// the connection or MTU would change while requests are pending.
    bool Apply(const QueuePairAttributes& changes, QpState target);

    /// Returns to RESET: pending requests are discarded without completions.
    void Reset();

    /// Drops a requester that has failed: the next one begins at the next PSN.
    void DropRequester();

    /// @param path passed to requesters if congestion control uses it
    void SetOwnPath(const PathFacts& path);

    PathFacts GetOwnPath() const
    {
        return m_rare ? m_rare->ownPath : PathFacts{};
    }

    // WorkReporter: states and events.

    void EnterState(QpState state);

    /// @return whether the consumer is to be notified that the send queue is drained: once per SQD.
    bool MarkDrained()
    {
        const bool isFirst = !m_wasDrained;
        m_wasDrained = true;
        return isFirst;
    }

    /// @return whether the consumer is to be notified of lost completions: once.
    bool MarkLostCompletions()
    {
        const bool isFirst = !m_hasLostCompletions;
        m_hasLostCompletions = true;
        return isFirst;
    }

    /// The pending responses of the responder are not sent.
    void DropResponses()
    {
        m_hasResponses = false;
    }

    // NicTransport: received packets.

    /// Reads whether the responder has responses to send. Only with a responder.
    void UpdateResponses()
    {
        m_hasResponses = m_responder->HasResponses();
    }

    /// @return whether a CNP may be sent now; then none is sent for the interval.
    bool TakeCnpTurn(Tick now, Tick interval)
    {
        const bool isDue = now >= m_nextCnp;
        m_nextCnp = isDue ? now + interval : m_nextCnp;
        return isDue;
    }

    /// @return how many READs of the peer the read sender has answered before this one.
    uint32_t CountAcceptedRead()
    {
        return GetRare().acceptedReads++;
    }

    // NicPorts and NicTransmitter: sending.

    /// Sends by another port from now on: it is in no scheduler, and its timer is stopped.
    /// @param remote endpoint of the peer at this port
    void MoveToPort(uint32_t port, uint32_t remote);

    /// @return whether its requests leave by all ports: SpreadTurns.
    bool HasAllPorts() const
    {
        return m_hasAllPorts;
    }

    /// @return whether it is in the send scheduler of its port. Not with HasAllPorts().
    bool IsScheduled() const
    {
        return m_isScheduled;
    }

    void SetScheduled(bool isScheduled)
    {
        m_isScheduled = isScheduled;
    }

    /// @return whether the responder has responses to send.
    bool HasResponses() const
    {
        return m_hasResponses;
    }

    /// @return whether only the requester may have a packet to send.
    bool HasOnlyRequests() const
    {
        return !m_hasResponses && !GetReadSender();
    }

    /// @return whether the last packet sent was a response, not a request.
    bool WasResponse() const
    {
        return m_wasResponse;
    }

    void SetWasResponse(bool wasResponse)
    {
        m_wasResponse = wasResponse;
    }

    /// @return whether the timer that checks its deadlines expires after one of them.
    bool ExpiresAfter(Tick deadline) const
    {
        return deadline < m_timerAt;
    }

    void SetTimer(Tick expiry)
    {
        m_timerAt = expiry;
    }

    /// @return whether the timer expires now; it is then stopped.
    bool TakeTimer(Tick now)
    {
        const bool isDue = m_timerAt == now;
        m_timerAt = isDue ? TICK_NEVER : m_timerAt;
        return isDue;
    }

  private:
    friend class TransportFactory; // Makes the requesters and responders.

    /// Requesters and responders for acknowledged READs and unreliable services, which few queue
    /// pairs have.
    struct Rare
    {
        std::unique_ptr<Requester> readSender;
        std::unique_ptr<Responder> readReceiver;
        uint32_t acceptedReads{0}; ///< READs of the peer that readSender answers.
        std::unique_ptr<UnreliableResponder> unreliable;
        PathFacts ownPath;
    };

    /// @return made by the first call.
    Rare& GetRare();
    /// @return the setup, to be changed; made by the first call.
    QueuePairSetup& ChangeSetup();

    static const QueuePairSetup PLAIN;
    static constexpr uint8_t PORT_MASK{MAX_PORTS - 1};

    uint32_t m_number;
    bool m_isScheduled : 1;
    bool m_hasResponses : 1;
    bool m_isConnected : 1;
    bool m_wasResponse : 1;
    bool m_wasDrained : 1;         ///< In this SQD, the consumer was notified.
    bool m_hasLostCompletions : 1; ///< The consumer was notified.
    bool m_hasAllPorts : 1;
    bool m_hasOwnMark : 1;
    uint8_t m_lane{0}; ///< As of MakeLane().
    QpState m_state{QpState::RESET};
    Service m_service{Service::RC};
    Connection m_connection{};
    std::unique_ptr<Requester> m_requester;
    Tick m_timerAt{TICK_NEVER}; ///< When the NIC checks the deadlines of its requesters.
    Tick m_nextCnp{0};          ///< The earliest time of the next CNP.
    std::unique_ptr<QueuePairSetup> m_setup;
    std::unique_ptr<Rare> m_rare;

    std::optional<Responder> m_responder;
};

static_assert(sizeof(QueuePair) == 128, "a queue pair is two cache lines");

} // namespace ns3::rdma

#endif // RDMA_QUEUE_PAIR_H
