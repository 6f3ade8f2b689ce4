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
 * @brief Entries for READs and atomics under way that all queue pairs of a NIC share.
 *
 * StRoM's multi-queue (section 4.1): one memory of fixed size with a linked list per queue pair.  A
 * READ takes an entry with its first packet and gives it back when it ends.  A queue pair that
 * finds none waits in line; an entry that is given back is kept for the first one there.
 *
 * Not modelled: the cycles of the list operations.
 */
class ReadPool : public SimpleRefCount<ReadPool>
{
  public:
    /// What holds entries, for comparison only.
    using Holder = const void*;

    /// @param capacity entries, at least 1
    ReadPool(std::shared_ptr<FabricEngine> engine, uint32_t capacity);

    /// @return whether there is an entry for it: one kept for it, or one that is free.
    bool HasRoom(Holder holder) const
    {
        return m_used < m_capacity || m_kept.count(holder) > 0;
    }

    /// @return entries in use or kept for a holder.
    uint32_t GetUsed() const
    {
        return m_used;
    }

    /// Only if there is room for it.
    void Take(Holder holder);

    /// @param entries at most GetUsed(); 0 is allowed
    void Release(uint32_t entries);

    /// It joins the line if it is not there; there is no room for it. @param owner of the event
    /// that follows when an entry is kept for it; @param queuePair its argument
    void Wait(Holder holder, uint32_t owner, uint32_t queuePair);

    /// It waits no longer, and needs no entry.
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
    std::unordered_set<Holder> m_areInLine; ///< Never iterated.
    std::unordered_set<Holder> m_kept;      ///< For these there is an entry. Never iterated.
};

} // namespace ns3::rdma

#endif // RDMA_READ_POOL_H
