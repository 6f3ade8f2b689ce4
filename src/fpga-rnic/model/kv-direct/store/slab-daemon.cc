// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/slab-daemon.h"

#include "ns3/slab-entry.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
/// Slabs are merged again when this part of the dynamic memory has been added to the stacks. Ours:
/// otherwise a full store would sort all free slabs for each allocation that fails.
constexpr uint64_t LOOSE_PART{64};
} // namespace

SlabDaemon::SlabDaemon(const SlabAllocatorSettings& settings,
                       const KvLayout& layout,
                       PayloadMemory& memory)
    : m_settings(settings),
      m_range{layout.GetFirstUnit(), layout.GetUnits(), layout.GetMaxType()},
      m_looseBytes(0)
{
    for (uint32_t type = 0; type <= m_range.maxType; ++type)
    {
        m_stacks.emplace_back(memory, layout.GetStackAddress(type), layout.GetStackEntries(type));
    }
    std::vector<uint32_t> all;
    all.reserve(m_range.units >> m_range.maxType);
    for (uint32_t unit = 0; unit < m_range.units; unit += 1U << m_range.maxType)
    {
        all.push_back(SlabEntry{m_range.firstUnit + unit, m_range.maxType}.Encode());
    }
    m_stacks.back().PushRight(all);
}

bool
SlabDaemon::Split(uint32_t type)
{
    for (uint32_t larger = type + 1; larger <= m_range.maxType; ++larger)
    {
        HostSlabStack& source = m_stacks[larger];
        if (source.GetCount() == 0)
        {
            continue;
        }
        const uint32_t count =
            std::min(m_settings.splitEntries, std::max(1U, source.GetCount() / 4));
        const uint64_t bytes = source.GetSlabBytes();
        m_stacks[type].PushRight(source.PopRight(count));
        m_looseBytes += bytes - source.GetSlabBytes();
        ++m_stats.splits;
        m_stats.splitEntries += count;
        return true;
    }
    return false;
}

void
SlabDaemon::CheckLow(uint32_t type)
{
    while (m_stacks[type].GetCount() < m_settings.hostLowWatermark)
    {
        if (!Split(type))
        {
            return;
        }
    }
}

void
SlabDaemon::CheckHigh(uint32_t type, uint64_t freedBytes)
{
    if (type == m_range.maxType)
    {
        return;
    }
    m_looseBytes += freedBytes;
    const double limit =
        m_settings.hostHighWatermark * static_cast<double>(m_range.units) * SlabEntry::UNIT_BYTES;
    if (static_cast<double>(m_stacks[type].GetSlabBytes()) > limit && CanMerge())
    {
        Merge();
    }
}

bool
SlabDaemon::CanMerge() const
{
    return m_looseBytes >= uint64_t{m_range.units} * SlabEntry::UNIT_BYTES / LOOSE_PART;
}

void
SlabDaemon::Merge()
{
    std::vector<uint32_t> loose;
    for (uint32_t type = 0; type < m_range.maxType; ++type)
    {
        const std::vector<uint32_t> codes = m_stacks[type].PopRight(m_stacks[type].GetCount());
        loose.insert(loose.end(), codes.begin(), codes.end());
    }
    m_looseBytes = 0;
    if (loose.empty())
    {
        return;
    }
    ++m_stats.merges;
    m_stats.mergedEntries += loose.size();
    std::vector<std::vector<uint32_t>> byType(m_range.maxType + 1);
    for (const uint32_t code : MergeSlabs(std::move(loose), m_range, m_settings.mergeMethod))
    {
        byType[SlabEntry::Decode(code).type].push_back(code);
    }
    for (uint32_t type = 0; type <= m_range.maxType; ++type)
    {
        m_stacks[type].PushRight(byType[type]);
    }
}

uint64_t
SlabDaemon::GetFreeBytes() const
{
    uint64_t bytes = 0;
    for (const HostSlabStack& stack : m_stacks)
    {
        bytes += stack.GetSlabBytes();
    }
    return bytes;
}

} // namespace ns3::rdma
