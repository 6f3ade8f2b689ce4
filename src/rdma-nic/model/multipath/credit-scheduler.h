// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CREDIT_SCHEDULER_H
#define RDMA_CREDIT_SCHEDULER_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/random-stream.h"

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/// Facts for CreditScheduler::Start().
struct CreditFacts
{
    DataRate rate;              ///< Of the NIC's ports together.
    uint32_t packetBytes;       ///< Payload of a full packet.
    uint64_t windowBytes;       ///< Largest window of a sender.
    Time baseRtt;               ///< Longest base RTT of the fabric.
    double oversubscription{1}; ///< Of the fabric: TopologyGraph::FindOversubscription().
    RandomStream random;        ///< Of this NIC.
};

/// A data packet has arrived.
struct CreditDemand
{
    uint32_t queuePair; ///< Number at the receiver.
    uint32_t target;    ///< Credit that its sender wants in all, CREDIT_UNIT, modulo 2^32.
    bool isTrimmed;     ///< A switch has removed its payload, so that it will be sent again.
    bool isLastHop;     ///< The switch in front of the receiver has. Only with isTrimmed.
    bool isMarked;      ///< It carries CE.
    Time now;
};

/// Credit for the peer of a queue pair.
struct CreditGrant
{
    uint32_t queuePair; ///< Number at the receiver.
    uint32_t granted;   ///< To its peer in all, CREDIT_UNIT, modulo 2^32.
    Time pause;         ///< Until the next grant of the NIC; above zero, at most 1 s.
};

/**
 * @ingroup rdma-multipath
 * @brief Decides which sender a receiving NIC grants credit next.  One instance per NIC.
 *
 * The NIC reports demands, and calls GetNext() when a demand arrives while it pauses for no grant,
 * and again after the pause of each grant.
 */
class CreditScheduler : public Object
{
  public:
    static TypeId GetTypeId();

    /// Called once.
    virtual void Start(const CreditFacts& facts) = 0;
    virtual void OnDemand(const CreditDemand& demand) = 0;

    /// @return unset: no sender is to get credit.  Else for a queue pair of OnDemand(); `granted`
    /// never shrinks.  After a demand there are at most two grants per queue pair that are useless:
    /// without growth, or to a sender whose credit exceeds its target by a window already.
    virtual std::optional<CreditGrant> GetNext(Time now) = 0;

    /// A queue pair ends.
    virtual void Forget(uint32_t queuePair) = 0;
};

} // namespace ns3::rdma

#endif // RDMA_CREDIT_SCHEDULER_H
