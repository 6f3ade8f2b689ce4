// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/counted-table.h"

#include "ns3/abort.h"
#include "ns3/random-stream.h"
#include "ns3/wide-integer.h"

namespace ns3::rdma
{

namespace
{
constexpr uint64_t SEED_STEP{0x9e3779b97f4a7c15}; ///< Of splitmix64; separates the hash functions.

uint64_t
GetSlotBytes(const CountedTableSettings& settings)
{
    return settings.keyBytes + CountedTable::POINTER_BYTES;
}

uint64_t
CountBuckets(const CountedTableSettings& settings)
{
    const double bytes = static_cast<double>(settings.memoryBytes) * settings.hashIndexRatio;
    return static_cast<uint64_t>(bytes) / (GetSlotBytes(settings) * CountedTable::SLOTS);
}

uint64_t
RoundUpToPower(uint64_t bytes)
{
    uint64_t power = 1;
    while (power < bytes)
    {
        power *= 2;
    }
    return power;
}
} // namespace

std::optional<std::string>
CountedTableSettings::FindFault() const
{
    if (!(hashIndexRatio > 0 && hashIndexRatio < 1))
    {
        return "hash index ratio: expected a share above 0, below 1, got " +
               std::to_string(hashIndexRatio);
    }
    if (keyBytes == 0 || keyBytes > 255)
    {
        return "key: expected 1 to 255 bytes, got " + std::to_string(keyBytes);
    }
    if (valueBytes == 0)
    {
        return std::string("value: expected 1 byte at least, got 0");
    }
    if (CountBuckets(*this) < 2)
    {
        return std::string("hash index ratio: expected room for two buckets, got less");
    }
    return std::nullopt;
}

CountedTable::CountedTable(const CountedTableSettings& settings)
    : m_settings(settings),
      m_buckets(CountBuckets(settings)),
      m_freeBytes(settings.memoryBytes - m_buckets * SLOTS * GetSlotBytes(settings)),
      m_valueSlab(RoundUpToPower(settings.valueBytes))
{
    const auto fault = settings.FindFault();
    NS_ABORT_MSG_IF(fault.has_value(), "counted table: " << *fault);
}

bool
CountedTable::Insert(uint64_t key, AccessCounts& counts)
{
    counts = AccessCounts();
    if (m_freeBytes < m_valueSlab || !DoInsert(key, counts))
    {
        return false;
    }
    m_freeBytes -= m_valueSlab;
    ++counts.writes; // The value.
    ++m_keys;
    return true;
}

double
CountedTable::GetMemoryUtilization() const
{
    const uint64_t bytes = m_keys * (m_settings.keyBytes + m_settings.valueBytes);
    return static_cast<double>(bytes) / static_cast<double>(m_settings.memoryBytes);
}

uint64_t
CountedTable::GetBucket(uint64_t key, uint32_t which) const
{
    const uint64_t hash = RandomStream::Scramble(
        RandomStream::Scramble(key + SEED_STEP * (which + 1)) + m_settings.seed);
    return static_cast<uint64_t>((Uint128{hash} * m_buckets) >> 64);
}

bool
CountedTable::AllocateBlock(uint32_t slots)
{
    const uint64_t bytes = slots * GetSlotBytes(m_settings);
    if (m_freeBytes < bytes + m_valueSlab)
    {
        return false;
    }
    m_freeBytes -= bytes;
    return true;
}

} // namespace ns3::rdma
