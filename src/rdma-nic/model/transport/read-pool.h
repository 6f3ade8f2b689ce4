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
 * request takes an entry when it leaves; the entry is free again when its response has arrived.  A
 * queue pair that finds no free entry joins a queue; a released entry is kept for the first one in
 * the queue.
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
    virtual ~ReadPool() = default;

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

    /// Requests end without a response. @param entries at most GetUsed(); 0 is allowed
    void Release(uint32_t entries);

    /// The responses of requests have arrived. Default: Release(). @param entries as above
    virtual void End(uint32_t entries);

    /// The payload of a response leaves the chip. Default: ignored.
    /// @param at when; not before that of an earlier response
    virtual void OnPlaced(Tick at);

    /// @return whether OnPlaced() has an effect. Default: false.
    virtual bool NeedsOnPlaced() const;

    /// Adds a holder without room to the queue, unless it is in it. @param owner of the event that
    /// is scheduled when an entry is kept for the holder; @param queuePair argument of the event
    void Wait(Holder holder, uint32_t owner, uint32_t queuePair);

    /// Removes a holder from the queue and releases the entry kept for it.
    void Leave(Holder holder);

  protected:
    FabricEngine& GetEngine() const
    {
        return *m_engine;
    }

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

/**
 * @ingroup rdma-transport
 * @brief A ReadPool whose entries are in use until the response's payload has left the chip.
 *
 * RoCE BALBOA's credits for requests (section 4.3) as Coyote has them (dreq_credits_rd.sv): room
 * for the response is reserved before a READ request leaves, and is free again when the last beat
 * of the response has been taken from the response FIFO.  A slow path to memory thus slows the
 * requests down; it does not overrun the chip.
 */
class PlacedReadPool final : public ReadPool, private EventTarget
{
  public:
    PlacedReadPool(std::shared_ptr<FabricEngine> engine, uint32_t capacity);
    ~PlacedReadPool() override;

    void End(uint32_t entries) override;
    void OnPlaced(Tick at) override;
    bool NeedsOnPlaced() const override;

  private:
    enum Event : uint32_t
    {
        ARRIVED, ///< The chip has handled the last packet. Argument: entries.
        LEFT,    ///< Its payload has left the chip. Argument: entries.
    };

    void HandleEvent(uint32_t kind, uint32_t entries) override;

    uint32_t m_target;
    Tick m_placedUntil{0}; ///< When the payload of the newest response packet leaves.
};

} // namespace ns3::rdma

#endif // RDMA_READ_POOL_H
