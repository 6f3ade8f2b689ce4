// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/receive-wqe-cache.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(ReceiveWqeCache);

TypeId
ReceiveWqeCache::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::ReceiveWqeCache")
            .SetParent<Object>()
            .SetGroupName("RdmaNic")
            .AddConstructor<ReceiveWqeCache>()
            .AddAttribute("Entries",
                          "Receive queues whose next work requests are on the chip; 0: each is "
                          "fetched when its message arrives (SRNIC section 4.3.2)",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ReceiveWqeCache::m_entries),
                          MakeUintegerChecker<uint32_t>(0, 1 << 24))
            .AddAttribute("WqeBytes",
                          "Size of a receive work request, bytes (64: SRNIC section 3.2.1)",
                          UintegerValue(64),
                          MakeUintegerAccessor(&ReceiveWqeCache::m_wqeBytes),
                          MakeUintegerChecker<uint32_t>(16, 1024))
            .AddAttribute("Batch",
                          "Work requests of a queue on the chip at most, fetched by one read (8: "
                          "SRNIC section 3.2.1)",
                          UintegerValue(8),
                          MakeUintegerAccessor(&ReceiveWqeCache::m_batch),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("Prefetch",
                          "Whether a queue is filled up in the background when half of its work "
                          "requests are used, else when all are and the next message has come",
                          BooleanValue(true),
                          MakeBooleanAccessor(&ReceiveWqeCache::m_prefetches),
                          MakeBooleanChecker())
            .AddAttribute("SharedIsList",
                          "Whether a shared queue is a linked list in host memory, else a ring "
                          "(true for mlx5: rdma-core, struct mlx5_wqe_srq_next_seg)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&ReceiveWqeCache::m_isSharedList),
                          MakeBooleanChecker());
    return tid;
}

ReceiveWqeCache::ReceiveWqeCache() = default;

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
