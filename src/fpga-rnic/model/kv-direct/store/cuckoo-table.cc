// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/cuckoo-table.h"

#include <algorithm>

namespace ns3::rdma
{

CuckooTable::CuckooTable(const CountedTableSettings& settings)
    : CountedTable(settings),
      m_slots(GetBuckets() * SLOTS, NO_KEY),
      m_random(settings.seed, 1)
{
}

AccessCounts
CuckooTable::Get(uint64_t key) const
{
    const auto first = m_slots.begin() + static_cast<std::ptrdiff_t>(GetBucket(key, 0) * SLOTS);
    const bool isInFirst = std::find(first, first + SLOTS, key) != first + SLOTS;
    return {isInFirst ? 2U : 3U, 0};
}

bool
CuckooTable::DoInsert(uint64_t key, AccessCounts& counts)
{
    counts.reads += 2;
    const uint64_t second = GetBucket(key, 1);
    if (!Place(GetBucket(key, 0), key) && !Place(second, key))
    {
        return Displace(second, key, counts);
    }
    ++counts.writes;
    return true;
}

/// @return whether the bucket had a free slot.
bool
CuckooTable::Place(uint64_t bucket, uint64_t key)
{
    const auto first = m_slots.begin() + static_cast<std::ptrdiff_t>(bucket * SLOTS);
    const auto slot = std::find(first, first + SLOTS, NO_KEY);
    if (slot == first + SLOTS)
    {
        return false;
    }
    *slot = key;
    return true;
}

/// Replaces a key, moves it to its other bucket, and so on until a slot is free.
bool
CuckooTable::Displace(uint64_t bucket, uint64_t key, AccessCounts& counts)
{
    m_path.clear();
    while (m_path.size() < MAX_MOVES)
    {
        const std::size_t slot = bucket * SLOTS + m_random.Next32() % SLOTS;
        m_path.push_back(slot);
        std::swap(m_slots[slot], key);
        bucket = GetOtherBucket(key, bucket);
        ++counts.reads;
        ++counts.writes;
        if (Place(bucket, key))
        {
            ++counts.writes;
            return true;
        }
    }
    while (!m_path.empty()) // Restores the slots.
    {
        std::swap(m_slots[m_path.back()], key);
        m_path.pop_back();
    }
    return false;
}

uint64_t
CuckooTable::GetOtherBucket(uint64_t key, uint64_t bucket) const
{
    const uint64_t first = GetBucket(key, 0);
    return first == bucket ? GetBucket(key, 1) : first;
}

} // namespace ns3::rdma
