// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/slab-allocator.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3::rdma
{

double
SlabAllocatorStats::GetDmaPerOperation() const
{
    const uint64_t operations = allocations + deallocations;
    return operations == 0 ? 0.0
                           : static_cast<double>(reads + writes) / static_cast<double>(operations);
}

uint64_t
SlabAllocatorStats::GetUsedBytes() const
{
    uint64_t bytes = 0;
    for (uint32_t type = 0; type < used.size(); ++type)
    {
        bytes += used[type] * (uint64_t{SlabEntry::UNIT_BYTES} << type);
    }
    return bytes;
}

SlabAllocator::SlabAllocator(const SlabAllocatorSettings& settings,
                             const KvLayout& layout,
                             PayloadMemory& memory)
    : m_settings(settings),
      m_daemon(settings, layout, memory)
{
    for (uint32_t type = 0; type <= layout.GetMaxType(); ++type)
    {
        m_stacks.emplace_back(type);
    }
}

uint32_t
SlabAllocator::Allocate(uint32_t type, KvAccesses& accesses)
{
    NicSlabStack& stack = m_stacks[type];
    if (stack.IsEmpty() && !Refill(type, accesses))
    {
        ++m_stats.failures;
        return 0;
    }
    const uint32_t unit = stack.Pop();
    if (stack.GetCount() < m_settings.nicLowWatermark)
    {
        Fetch(type, true, accesses);
    }
    ++m_stats.allocations;
    ++m_stats.used[type];
    return unit;
}

void
SlabAllocator::Free(uint32_t unit, uint32_t type, KvAccesses& accesses)
{
    NS_ASSERT_MSG(m_stats.used[type] > 0, "no such slab is in use");
    NicSlabStack& stack = m_stacks[type];
    stack.Push({unit, type});
    if (stack.GetCount() > m_settings.nicHighWatermark)
    {
        PutBack(type, m_settings.batchEntries, true, accesses);
    }
    ++m_stats.deallocations;
    --m_stats.used[type];
}

bool
SlabAllocator::Refill(uint32_t type, KvAccesses& accesses)
{
    m_daemon.CheckLow(type);
    Fetch(type, false, accesses);
    if (!m_stacks[type].IsEmpty() || TakeFromLarger(type))
    {
        return true;
    }
    if (!m_daemon.CanMerge())
    {
        return false;
    }
    PutBackAll(accesses);
    m_daemon.Merge();
    m_daemon.CheckLow(type);
    Fetch(type, false, accesses);
    return !m_stacks[type].IsEmpty();
}

bool
SlabAllocator::TakeFromLarger(uint32_t type)
{
    for (uint32_t larger = type + 1; larger < m_stacks.size(); ++larger)
    {
        if (!m_stacks[larger].IsEmpty())
        {
            m_stacks[type].Push({m_stacks[larger].Pop(), larger});
            return true;
        }
    }
    return false;
}

void
SlabAllocator::Fetch(uint32_t type, bool isBackground, KvAccesses& accesses)
{
    HostSlabStack& host = m_daemon.GetStack(type);
    const uint32_t count = std::min(m_settings.batchEntries, host.GetCount());
    if (count > 0)
    {
        std::array<uint32_t, NicSlabStack::ROOM> codes{};
        const std::size_t before = accesses.size();
        host.PopLeft(codes.data(), count, isBackground, accesses);
        const uint64_t dmas = accesses.size() - before;
        m_stats.reads += dmas;
        m_stats.blockingReads += isBackground ? 0 : dmas;
        m_stats.entriesRead += count;
        m_stacks[type].PushRight(codes.data(), count);
    }
    m_daemon.CheckLow(type);
}

void
SlabAllocator::PutBack(uint32_t type, uint32_t count, bool isBackground, KvAccesses& accesses)
{
    std::array<uint32_t, NicSlabStack::ROOM> codes{};
    m_stacks[type].PopRight(codes.data(), count);
    HostSlabStack& host = m_daemon.GetStack(type);
    const std::size_t before = accesses.size();
    const uint64_t bytes = host.GetSlabBytes();
    host.PushLeft(codes.data(), count, isBackground, accesses);
    m_stats.writes += accesses.size() - before;
    m_stats.entriesWritten += count;
    m_daemon.CheckHigh(type, host.GetSlabBytes() - bytes);
}

void
SlabAllocator::PutBackAll(KvAccesses& accesses)
{
    for (uint32_t type = 0; type < m_stacks.size(); ++type)
    {
        NicSlabStack& stack = m_stacks[type];
        stack.Close();
        while (stack.GetCount() > 0)
        {
            PutBack(type, std::min(m_settings.batchEntries, stack.GetCount()), false, accesses);
        }
    }
}

uint64_t
SlabAllocator::GetFreeBytes() const
{
    uint64_t bytes = m_daemon.GetFreeBytes();
    for (const NicSlabStack& stack : m_stacks)
    {
        bytes += stack.GetSlabBytes();
    }
    return bytes;
}

} // namespace ns3::rdma
