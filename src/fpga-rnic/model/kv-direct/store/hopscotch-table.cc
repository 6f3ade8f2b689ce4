// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/hopscotch-table.h"

#include <algorithm>

namespace ns3::rdma
{

HopscotchTable::HopscotchTable(const CountedTableSettings& settings)
    : CountedTable(settings),
      m_slots(GetBuckets() * SLOTS, NO_KEY),
      m_chains(GetBuckets())
{
}

AccessCounts
HopscotchTable::Get(uint64_t key) const
{
    const std::vector<uint64_t>& chain = m_chains[GetBucket(key, 0)];
    const auto place = std::find(chain.begin(), chain.end(), key);
    AccessCounts counts{2, 0};
    if (place != chain.end())
    {
        counts.reads += static_cast<uint32_t>(place - chain.begin()) / SLOTS + 1;
    }
    return counts;
}

bool
HopscotchTable::DoInsert(uint64_t key, AccessCounts& counts)
{
    const uint64_t home = GetBucket(key, 0);
    // The absence of the key is known only at the end of the chain.
    counts.reads += 1 + static_cast<uint32_t>((m_chains[home].size() + SLOTS - 1) / SLOTS);
    for (const uint64_t bucket : {home, Wrap(home + 1)})
    {
        if (uint64_t* slot = FindSlot(bucket, NO_KEY))
        {
            *slot = key;
            ++counts.writes;
            return true;
        }
    }
    return HopCloser(home, key, counts) || AppendToChain(home, key, counts);
}

bool
HopscotchTable::HopCloser(uint64_t home, uint64_t key, AccessCounts& counts)
{
    const uint64_t limit = std::min(MAX_DISTANCE, GetBuckets() - 1);
    uint64_t distance = 2;
    uint64_t* free = nullptr;
    for (; distance < limit && free == nullptr; ++distance)
    {
        counts.reads += static_cast<uint32_t>(1 - distance % 2);
        free = FindSlot(Wrap(home + distance), NO_KEY);
    }
    if (free == nullptr)
    {
        return false;
    }
    for (--distance; distance > 1; --distance)
    {
        uint64_t* movable = FindMovable(Wrap(home + distance - 1));
        if (movable == nullptr)
        {
            return false; // Moved keys are not restored: they are in their neighborhoods.
        }
        *free = *movable;
        *movable = NO_KEY;
        free = movable;
        ++counts.writes;
    }
    *free = key;
    ++counts.writes;
    return true;
}

bool
HopscotchTable::AppendToChain(uint64_t home, uint64_t key, AccessCounts& counts)
{
    std::vector<uint64_t>& chain = m_chains[home];
    if (chain.size() % SLOTS == 0)
    {
        if (!AllocateBlock(SLOTS))
        {
            return false;
        }
        ++counts.writes; // The pointer to the new block.
    }
    chain.push_back(key);
    ++counts.writes;
    return true;
}

uint64_t*
HopscotchTable::FindSlot(uint64_t bucket, uint64_t key)
{
    const auto first = m_slots.begin() + static_cast<std::ptrdiff_t>(bucket * SLOTS);
    const auto slot = std::find(first, first + SLOTS, key);
    return slot == first + SLOTS ? nullptr : &*slot;
}

/// @return a key of the bucket that may also be in the next one; null if there is none.
uint64_t*
HopscotchTable::FindMovable(uint64_t bucket)
{
    const auto first = m_slots.begin() + static_cast<std::ptrdiff_t>(bucket * SLOTS);
    const auto slot = std::find_if(first, first + SLOTS, [&](uint64_t key) {
        return key != NO_KEY && GetBucket(key, 0) == bucket;
    });
    return slot == first + SLOTS ? nullptr : &*slot;
}

uint64_t
HopscotchTable::Wrap(uint64_t bucket) const
{
    return bucket % GetBuckets();
}

} // namespace ns3::rdma
