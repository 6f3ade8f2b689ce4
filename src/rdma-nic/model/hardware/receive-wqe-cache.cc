// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/receive-wqe-cache.h"

#include "ns3/type-attributes.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(ReceiveWqeCache);

TypeId
ReceiveWqeCache::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<ReceiveWqeCache, Object>("ns3::rdma::ReceiveWqeCache", "RdmaNic")
            .Add("Entries",
                 Member(&ReceiveWqeCache::m_entries, 0, 0, 1 << 24),
                 "Receive queues whose next work requests are on the chip; 0: each is fetched when "
                 "its message arrives (SRNIC section 4.3.2)")
            .Add("WqeBytes",
                 Member(&ReceiveWqeCache::m_wqeBytes, 64, 16, 1024),
                 "Size of a receive work request, bytes (64: SRNIC section 3.2.1)")
            .Add("Batch",
                 Member(&ReceiveWqeCache::m_batch, 8, 1, 4096),
                 "Work requests of a queue on the chip at most, fetched by one read (8: SRNIC "
                 "section 3.2.1)")
            .Add("Prefetch",
                 Member(&ReceiveWqeCache::m_prefetches, true),
                 "Whether a queue is filled up in the background when half of its work requests "
                 "are used; else when all are used and the next message arrives")
            .Add("SharedIsList",
                 Member(&ReceiveWqeCache::m_isSharedList, false),
                 "Whether a shared queue is a linked list in host memory, else a ring (true for "
                 "mlx5: rdma-core, struct mlx5_wqe_srq_next_seg)")
            .Add("EmptyTimeout",
                 Member(&ReceiveWqeCache::m_emptyTimeout, Time(0), Time(0), Seconds(10)),
                 "How long a message of an unreliable service waits, with all packets behind it, "
                 "for a receive request to be posted; 0: it is dropped at once (100 ms: delay drop "
                 "of Linux' mlx5 driver, for receive queues of Ethernet)");
    return tid;
}

void
ReceiveWqeCache::Start(PcieLink& pcie)
{
    m_pcie = &pcie;
    m_slots = SlotTable(m_entries);
}

Tick
ReceiveWqeCache::Fetch(Tick now, uint32_t requests)
{
    return m_pcie->Read(now, now, DmaKind::WQE, 0, requests * m_wqeBytes);
}

Tick
ReceiveWqeCache::Look(Tick now)
{
    return Fetch(now, 1);
}

ReceiveWqeCache::Stock&
ReceiveWqeCache::Find(uint32_t queue)
{
    uint32_t slot = m_slots.Find(queue);
    if (slot != SlotTable::NONE)
    {
        m_slots.Touch(slot);
        return m_stocks[slot];
    }
    if (m_slots.IsFull())
    {
        m_slots.Remove(m_slots.GetOldest());
    }
    slot = m_slots.Add(queue);
    if (slot == m_stocks.size())
    {
        m_stocks.emplace_back();
    }
    m_stocks[slot] = {};
    return m_stocks[slot];
}

ReceiveWqeCache::Shared&
ReceiveWqeCache::FindShared(const ReceiveQueue& queue)
{
    for (Shared& shared : m_shared)
    {
        if (PeekPointer(shared.queue) == &queue)
        {
            return shared;
        }
    }
    const uint32_t ahead = m_entries > 0 && m_prefetches ? m_batch : 0;
    m_shared.push_back({Ptr<const ReceiveQueue>(&queue), {}, LinkedRequests(ahead, m_wqeBytes)});
    return m_shared.back();
}

Tick
ReceiveWqeCache::Take(Tick now, uint32_t queue)
{
    if (m_entries == 0)
    {
        ++m_stats.misses;
        return Fetch(now, 1);
    }
    return TakeFrom(Find(queue), now);
}

Tick
ReceiveWqeCache::TakeShared(Tick now, const ReceiveQueue& queue)
{
    if (m_isSharedList)
    {
        const Tick ready = FindShared(queue).list.Take(now, *m_pcie);
        ++(ready > now ? m_stats.misses : m_stats.hits);
        return ready;
    }
    if (m_entries == 0)
    {
        ++m_stats.misses;
        return Fetch(now, 1);
    }
    return TakeFrom(FindShared(queue).stock, now);
}

Tick
ReceiveWqeCache::TakeFrom(Stock& stock, Tick now)
{
    if (stock.count == 0)
    {
        ++m_stats.misses;
        stock.count = m_batch;
        stock.ready = Fetch(now, m_batch);
    }
    else
    {
        ++m_stats.hits;
    }
    const Tick ready = std::max(now, stock.ready);
    --stock.count;
    stock.Advance();
    if (m_prefetches && stock.refill == 0 && stock.count <= m_batch / 2)
    {
        stock.refill = m_batch - stock.count;
        stock.refillReady = std::max(stock.ready, Fetch(now, stock.refill));
        stock.Advance(); // A batch of one is used up.
    }
    return ready;
}

} // namespace ns3::rdma
