// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/context-cache.h"

#include "ns3/type-attributes.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(ContextCache);

TypeId
ContextCache::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<ContextCache, Object>("ns3::rdma::ContextCache", "RdmaNic")
            .Add("Entries",
                 Member(&ContextCache::m_entries, 0, 0, 1 << 24),
                 "Queue pair contexts on the chip; 0: all of them, nothing is ever fetched (SRNIC "
                 "section 5 keeps its 10,000)")
            .Add("EntryBytes",
                 Member(&ContextCache::m_entryBytes, 375, 1, 4096),
                 "Size of a context, bytes (375: ConnectX-5, SRNIC section 2.2)")
            .Add("RandomReplacement",
                 Member(&ContextCache::m_isRandom, true),
                 "Whether a random context makes room, else the one used longest ago (true: with "
                 "queue pairs in turn, the latter never hits as soon as there is one queue pair "
                 "more than entries, while measured curves fall gradually: SRNIC Figure 2)")
            .Add("MaxMisses",
                 Member(&ContextCache::m_maxMisses, 8, 1, 4096),
                 "Contexts that are fetched at once at most (8: our estimate)")
            .Add("WriteBack",
                 Member(&ContextCache::m_writesBack, true),
                 "Whether a context that makes room is written to the host (true: each use changes "
                 "its packet sequence numbers)");
    return tid;
}

void
ContextCache::Start(PcieLink& pcie, RandomStream stream)
{
    m_pcie = &pcie;
    m_random = stream;
    m_slots = SlotTable(m_entries);
    m_misses.assign(m_maxMisses, 0);
}

Tick
ContextCache::Look(Tick now, uint32_t queuePair)
{
    uint32_t slot = m_slots.Find(queuePair);
    if (slot != SlotTable::NONE)
    {
        ++m_stats.hits;
        m_slots.Touch(slot);
        if (m_isRandom && m_ready[slot] <= now)
        {
            Settle(queuePair); // The time of its last use is not needed.
        }
        return std::max(now, m_ready[slot]);
    }
    ++m_stats.misses;
    if (m_slots.IsFull())
    {
        Evict(now);
    }
    slot = m_slots.Add(queuePair);
    if (slot == m_ready.size())
    {
        m_ready.push_back(0);
    }
    m_ready[slot] = Fetch(now);
    return m_ready[slot];
}

void
ContextCache::Evict(Tick now)
{
    const auto draw = [this] { return m_random.NextBelow(m_entries); };
    const uint32_t slot = m_isRandom ? draw() : m_slots.GetOldest();
    Unsettle(m_slots.GetNumber(slot));
    m_slots.Remove(slot);
    if (m_writesBack)
    {
        m_pcie->Write(now, now, DmaKind::CONTEXT, 0, m_entryBytes);
    }
}

Tick
ContextCache::Fetch(Tick now)
{
    Tick& oldest = m_misses[m_oldestMiss];
    m_oldestMiss = m_oldestMiss + 1 == m_misses.size() ? 0 : m_oldestMiss + 1;
    m_stats.stalls += oldest > now ? 1 : 0;
    oldest = m_pcie->Read(now, std::max(now, oldest), DmaKind::CONTEXT, 0, m_entryBytes);
    return oldest;
}

void
ContextCache::Forget(uint32_t queuePair)
{
    const uint32_t slot = m_slots.Find(queuePair);
    if (slot != SlotTable::NONE)
    {
        Unsettle(queuePair);
        m_slots.Remove(slot);
    }
}

void
ContextCache::Settle(uint32_t queuePair)
{
    const std::size_t word = queuePair / BITS;
    if (word >= m_settled.size())
    {
        m_settled.resize(word + 1);
    }
    m_settled[word] |= uint64_t{1} << (queuePair % BITS);
}

void
ContextCache::Unsettle(uint32_t queuePair)
{
    const std::size_t word = queuePair / BITS;
    if (word < m_settled.size())
    {
        m_settled[word] &= ~(uint64_t{1} << (queuePair % BITS));
    }
}

} // namespace ns3::rdma
