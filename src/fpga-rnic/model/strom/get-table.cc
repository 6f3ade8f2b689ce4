// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/get-table.h"

#include "ns3/random-stream.h"

#include <algorithm>
#include <cmath>

namespace ns3::rdma
{

namespace
{
uint64_t
CountEntries(uint64_t keys, double occupancy)
{
    const double buckets = static_cast<double>(keys) / occupancy;
    return std::max<uint64_t>(static_cast<uint64_t>(std::ceil(buckets / GetEntry::BUCKETS)), 1);
}
} // namespace

GetTable::GetTable(uint64_t base, uint64_t keys, double occupancy, uint32_t valueBytes)
    : m_base(base),
      m_valueStride((valueBytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT),
      m_capacity(keys),
      m_used(CountEntries(keys, occupancy), 0)
{
}

uint64_t
GetTable::GetBytes() const
{
    return m_used.size() * GetEntry::BYTES + m_capacity * m_valueStride;
}

uint64_t
GetTable::GetEntryAddress(uint64_t key, uint32_t probe) const
{
    const uint64_t first = RandomStream::Scramble(key) % m_used.size();
    return m_base + (first + probe) % m_used.size() * GetEntry::BYTES;
}

uint64_t
GetTable::Insert(HostMemory* memory, uint64_t key, const std::vector<uint8_t>& value)
{
    if (m_keys == m_capacity)
    {
        return 0;
    }
    uint32_t probe = 0;
    uint64_t entryAddress = GetEntryAddress(key, probe);
    const auto getUsed = [this, &entryAddress]() -> uint8_t& {
        return m_used[(entryAddress - m_base) / GetEntry::BYTES];
    };
    while (getUsed() == GetEntry::BUCKETS)
    {
        entryAddress = GetEntryAddress(key, ++probe);
    }
    const uint64_t valueAddress = m_base + m_used.size() * GetEntry::BYTES + m_keys * m_valueStride;
    if (memory)
    {
        std::vector<uint8_t> bytes(GetEntry::BYTES);
        memory->Read(entryAddress, bytes.data(), bytes.size());
        GetEntry entry = GetEntry::Decode(ByteView(bytes));
        entry.buckets[getUsed()] = {key, valueAddress, static_cast<uint32_t>(value.size())};
        bytes = entry.Encode();
        memory->Write(entryAddress, bytes.data(), bytes.size());
        memory->Write(valueAddress, value.data(), value.size());
    }
    ++getUsed();
    ++m_keys;
    m_probes += probe + 1;
    m_maxProbes = std::max(m_maxProbes, probe + 1);
    return valueAddress;
}

double
GetTable::GetMeanProbes() const
{
    return m_keys == 0 ? 0 : static_cast<double>(m_probes) / static_cast<double>(m_keys);
}

const GetBucket*
GetTable::Find(const GetEntry& entry, uint64_t key)
{
    const auto found =
        std::find_if(std::begin(entry.buckets), std::end(entry.buckets), [key](const auto& bucket) {
            return bucket.valueLen > 0 && bucket.key == key;
        });
    return found == std::end(entry.buckets) ? nullptr : &*found;
}

} // namespace ns3::rdma
