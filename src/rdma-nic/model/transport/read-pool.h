// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_READ_POOL_H
#define RDMA_READ_POOL_H

#include "ns3/fabric-engine.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_set>

namespace ns3::rdma
{

/**
 * @ingroup rdma-transport
 * @brief Entries for READs and atomics in flight that all queue pairs of a NIC share.
 *
 * StRoM's multi-queue (section 4.1): one memory of fixed size with a linked list per queue pair.  A
 * READ takes an entry with its first packet and releases it when it ends.  A queue pair that finds
 * no free entry joins a queue; a released entry is kept for the first one in the queue.
 *
 * Not modelled: the cycles of the list operations.
 */
class ReadPool : public SimpleRefCount<ReadPool>
{
  public:
    /// Identifies a holder of entries; for comparison only.
    using Holder = const void*;

    /// @param capacity entries, at least 1
    ReadPool(std::shared_ptr<FabricEngine> engine, uint32_t capacity);

    /// @return whether there is an entry for a holder: one kept for it, or a free one.
    bool HasRoom(Holder holder) const
    {
        return m_used < m_capacity || m_kept.count(holder) > 0;
    }

    /// @return entries in use or kept for a holder.
    uint32_t GetUsed() const
    {
        return m_used;
    }

    /// Takes an entry. Only if HasRoom().
    void Take(Holder holder);

    /// @param entries at most GetUsed(); 0 is allowed
    void Release(uint32_t entries);

    /// Adds a holder without room to the queue, unless it is in it. @param owner of the event that
    /// is scheduled when an entry is kept for the holder; @param queuePair argument of the event
    void Wait(Holder holder, uint32_t owner, uint32_t queuePair);

    /// Removes a holder from the queue and releases the entry kept for it.
    void Leave(Holder holder);

  private:
    struct Waiting
    {
        Holder holder;
        uint32_t owner;
        uint32_t queuePair;
    };

    std::shared_ptr<FabricEngine> m_engine;
    uint32_t m_capacity;
    uint32_t m_used{0};
    std::deque<Waiting> m_line;
    std::unordered_set<Holder> m_areInLine; ///< Holders in the queue. Never iterated.
    std::unordered_set<Holder> m_kept;      ///< Holders with an entry reserved. Never iterated.
};

} // namespace ns3::rdma

#endif // RDMA_READ_POOL_H
