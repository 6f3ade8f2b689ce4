// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CREDIT_SCHEDULER_H
#define RDMA_CREDIT_SCHEDULER_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

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

    /// Called once. @param rate of the NIC's ports together
    /// @param packetBytes payload of a full packet @param windowBytes largest window of a sender
    virtual void Start(DataRate rate, uint32_t packetBytes, uint64_t windowBytes) = 0;

    /// A data packet has arrived.
    /// @param target credit that its sender wants in all, CREDIT_UNIT, modulo 2^32
    /// @param isTrimmed its payload was removed, so that it will be sent again
    virtual void OnDemand(uint32_t queuePair, uint32_t target, bool isTrimmed) = 0;

    /// @return unset: no sender is to get credit.  Else for a queue pair of OnDemand(); `granted`
    /// never shrinks.  After a demand there are at most two grants per queue pair that are useless:
    /// without growth, or to a sender whose credit exceeds its target by a window already.
    virtual std::optional<CreditGrant> GetNext() = 0;

    /// A queue pair ends.
    virtual void Forget(uint32_t queuePair) = 0;
};

} // namespace ns3::rdma

#endif // RDMA_CREDIT_SCHEDULER_H
