// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-store-settings.h"

#include "ns3/kv-bucket.h"
#include "ns3/slab-entry.h"

namespace ns3::rdma
{

namespace
{
constexpr uint64_t BASE_ALIGNMENT{4096};
constexpr uint64_t MIN_MEMORY_BYTES{8192};
constexpr uint32_t PAPER_SLAB_BYTES{512};
constexpr uint32_t LINE_ENTRIES{64 / SlabEntry::BYTES}; ///< Per 64-byte line: batches do not wrap.

std::string
Expect(const char* what, const char* expected, uint64_t got)
{
    return std::string(what) + ": expected " + expected + ", got " + std::to_string(got);
}

std::optional<std::string>
FindAllocatorFault(const SlabAllocatorSettings& settings)
{
    if (settings.batchEntries == 0 ||
        settings.batchEntries > SlabAllocatorSettings::MAX_NIC_ENTRIES / 4)
    {
        return Expect("batch entries", "1 to 64", settings.batchEntries);
    }
    if (settings.nicLowWatermark == 0)
    {
        return Expect("NIC low watermark", "1 entry at least", settings.nicLowWatermark);
    }
    if (settings.nicHighWatermark < settings.nicLowWatermark + settings.batchEntries ||
        settings.nicHighWatermark >= SlabAllocatorSettings::MAX_NIC_ENTRIES)
    {
        return Expect("NIC high watermark",
                      "low watermark + batch at least, below 256",
                      settings.nicHighWatermark);
    }
    if (settings.splitEntries == 0)
    {
        return Expect("split entries", "1 at least", settings.splitEntries);
    }
    if (!(settings.hostHighWatermark > 0 && settings.hostHighWatermark <= 1))
    {
        return "host high watermark: expected a share above 0, 1 at most, got " +
               std::to_string(settings.hostHighWatermark);
    }
    return std::nullopt;
}
} // namespace

std::optional<std::string>
KvStoreSettings::FindFault() const
{
    if (base % BASE_ALIGNMENT != 0)
    {
        return Expect("base", "a multiple of 4096", base);
    }
    if (memoryBytes < MIN_MEMORY_BYTES || memoryBytes > MAX_MEMORY_BYTES)
    {
        return Expect("memory", "8 KiB to 64 GiB", memoryBytes);
    }
    if (!(hashIndexRatio > 0 && hashIndexRatio < 1))
    {
        return "hash index ratio: expected a share above 0, below 1, got " +
               std::to_string(hashIndexRatio);
    }
    if (inlineThreshold > KvBucket::MAX_INLINE_BYTES)
    {
        return Expect("inline threshold", "0 to 50 bytes", inlineThreshold);
    }
    if (maxSlabBytes != PAPER_SLAB_BYTES && maxSlabBytes != 2 * PAPER_SLAB_BYTES &&
        maxSlabBytes != MAX_SLAB_BYTES)
    {
        return Expect("largest slab", "512, 1024 or 2048 bytes", maxSlabBytes);
    }
    if (KvLayout(*this).GetUnits() == 0)
    {
        return "hash index ratio: expected room for a slab beside the hash index, got none with " +
               std::to_string(hashIndexRatio);
    }
    return FindAllocatorFault(allocator);
}

KvLayout::KvLayout(const KvStoreSettings& settings)
    : m_base(settings.base),
      m_buckets(static_cast<uint64_t>(static_cast<double>(settings.memoryBytes) *
                                      settings.hashIndexRatio / KvBucket::BYTES)),
      m_stackBase(settings.base +
                  (settings.memoryBytes + BASE_ALIGNMENT - 1) / BASE_ALIGNMENT * BASE_ALIGNMENT),
      m_maxType(static_cast<uint32_t>(__builtin_ctz(settings.maxSlabBytes / SlabEntry::UNIT_BYTES)))
{
    m_buckets = m_buckets == 0 ? 1 : m_buckets;
    const uint64_t slab = settings.maxSlabBytes;
    const uint64_t first = (m_buckets * KvBucket::BYTES + slab - 1) / slab;
    const uint64_t end = settings.memoryBytes / slab;
    m_firstUnit = static_cast<uint32_t>(first << m_maxType);
    m_units = end > first ? static_cast<uint32_t>((end - first) << m_maxType) : 0;
}

uint32_t
KvLayout::GetStackEntries(uint32_t type) const
{
    // Room for entries that the NIC returns, and for whole batches.
    const uint32_t entries = (m_units >> type) + SlabAllocatorSettings::MAX_NIC_ENTRIES;
    return (entries + LINE_ENTRIES - 1) / LINE_ENTRIES * LINE_ENTRIES;
}

uint64_t
KvLayout::GetStackAddress(uint32_t type) const
{
    uint64_t address = m_stackBase;
    for (uint32_t below = 0; below < type; ++below)
    {
        address += uint64_t{GetStackEntries(below)} * SlabEntry::BYTES;
    }
    return address;
}

uint64_t
KvLayout::GetEnd() const
{
    return GetStackAddress(m_maxType + 1);
}

} // namespace ns3::rdma
