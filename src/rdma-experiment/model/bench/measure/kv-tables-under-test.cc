// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-tables-under-test.h"

#include "ns3/cuckoo-table.h"
#include "ns3/hopscotch-table.h"
#include "ns3/host-memory.h"
#include "ns3/input-error.h"
#include "ns3/kv-store.h"
#include "ns3/kv-visitors.h"

#include <array>
#include <boost/endian/conversion.hpp>
#include <charconv>
#include <optional>

namespace ns3::rdma
{

namespace
{
[[noreturn]] void
Fail(const std::string& fault)
{
    throw InputError("measure: kv-store: " + fault);
}

/// Bytes of key and value.
struct SizeRange
{
    uint32_t least{0};
    uint32_t most{0};

    uint32_t Pick(uint64_t number) const
    {
        return least +
               static_cast<uint32_t>(RandomStream::Scramble(number + 1) % (most - least + 1));
    }
};

constexpr uint32_t MIN_PAIR_BYTES{5}; ///< 4 bytes of key tell the pairs apart.
constexpr uint32_t MAX_PAIR_BYTES{2045};

std::optional<uint32_t>
ParseSize(std::string_view text)
{
    uint32_t size = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), size);
    const bool isWhole = result.ec == std::errc() && result.ptr == text.data() + text.size();
    return isWhole && size >= MIN_PAIR_BYTES && size <= MAX_PAIR_BYTES ? std::optional(size)
                                                                       : std::nullopt;
}

SizeRange
ParseSizes(const std::string& text)
{
    const std::size_t dash = text.find('-');
    const auto least = ParseSize(std::string_view(text).substr(0, dash));
    const auto most =
        dash == std::string::npos ? least : ParseSize(std::string_view(text).substr(dash + 1));
    if (!least || !most || *least > *most)
    {
        Fail("kv-size: expected bytes of key and value, 5 to 2045, as 10 or 5-30, got " + text);
    }
    return {*least, *most};
}

/// Keys have 8 bytes, of short pairs 4, so that a value is left.
uint32_t
GetKeyBytes(uint32_t pairBytes)
{
    return pairBytes > 8 ? 8 : 4;
}

template <typename SETTINGS>
const SETTINGS&
Check(const SETTINGS& settings)
{
    if (const auto fault = settings.FindFault())
    {
        Fail(*fault);
    }
    return settings;
}

/// KV-Direct's own store, with all its bytes.
class KvDirectTable : public KvTableUnderTest
{
  public:
    explicit KvDirectTable(const KvTableRequest& request)
        : m_sizes(ParseSizes(request.sizes)),
          m_store(Check(MakeSettings(request)), m_memory)
    {
    }

    bool Insert(uint64_t number, uint32_t& accesses) override
    {
        return Put(number, accesses) == KvStatus::OK;
    }

    uint32_t Get(uint64_t number) override
    {
        KvGetter getter;
        uint32_t accesses = 0;
        Visit(number, getter, accesses);
        return accesses;
    }

    uint32_t Update(uint64_t number) override
    {
        uint32_t accesses = 0;
        Put(number, accesses);
        return accesses;
    }

    double GetUtilization() const override
    {
        return m_store.GetMemoryUtilization();
    }

    void SetColumns(MeasuredRows& rows) const override
    {
        const KvStoreStats& stats = m_store.GetStats();
        const SlabAllocatorStats& allocator = m_store.GetAllocator().GetStats();
        rows.Set("inline_pairs", stats.inlineKeys, "pairs in the hash index");
        rows.Set("chained_buckets", stats.chainedBuckets, "buckets in slabs");
        rows.Set("buckets", m_store.GetLayout().GetBuckets(), "buckets of the hash index");
        rows.Set("false_positives", stats.falsePositives, "equal secondary hashes of other keys");
        rows.Set("slab_bytes", allocator.GetUsedBytes(), "slabs in use");
        rows.Set("allocations", allocator.allocations, "slabs allocated so far");
        rows.Set("dma_per_allocation",
                 allocator.GetDmaPerOperation(),
                 "DMA requests for free slabs");
    }

  private:
    static KvStoreSettings MakeSettings(const KvTableRequest& request)
    {
        KvStoreSettings settings;
        settings.memoryBytes = request.memoryBytes;
        settings.hashIndexRatio = request.hashIndexRatio;
        settings.inlineThreshold = request.inlineThreshold;
        settings.maxSlabBytes = request.maxSlabBytes;
        settings.hashSeed = request.seed;
        return settings;
    }

    KvStatus Put(uint64_t number, uint32_t& accesses)
    {
        const uint32_t bytes = m_sizes.Pick(number);
        KvPutter putter(ByteView(m_value.data(), bytes - GetKeyBytes(bytes)));
        return Visit(number, putter, accesses);
    }

    /// Accesses of the allocator are apart, in Describe().
    KvStatus Visit(uint64_t number, KvVisitor& visitor, uint32_t& accesses)
    {
        std::array<uint8_t, sizeof number> key{};
        boost::endian::store_little_u64(key.data(), number);
        m_accesses.clear();
        const ByteView view(key.data(), GetKeyBytes(m_sizes.Pick(number)));
        const KvStatus status = m_store.Visit(view, visitor, m_accesses);
        for (const KvAccess& access : m_accesses)
        {
            accesses += access.cause == KvAccess::Cause::ALLOCATOR ? 0 : 1;
        }
        return status;
    }

    SizeRange m_sizes;
    HostMemory m_memory;
    KvStore m_store;
    KvAccesses m_accesses;
    std::array<uint8_t, MAX_PAIR_BYTES> m_value{};
};

/// One of the tables that only count.
template <typename TABLE>
class ComparedTable : public KvTableUnderTest
{
  public:
    explicit ComparedTable(const KvTableRequest& request)
        : m_table(Check(MakeSettings(request)))
    {
    }

    bool Insert(uint64_t number, uint32_t& accesses) override
    {
        AccessCounts counts;
        const bool hasRoom = m_table.Insert(number, counts);
        accesses = counts.GetSum();
        return hasRoom;
    }

    uint32_t Get(uint64_t number) override
    {
        return m_table.Get(number).GetSum();
    }

    /// As a get, whose last read is replaced by a write of the value: keys are in the slots.
    uint32_t Update(uint64_t number) override
    {
        return m_table.Get(number).GetSum();
    }

    double GetUtilization() const override
    {
        return m_table.GetMemoryUtilization();
    }

  private:
    static CountedTableSettings MakeSettings(const KvTableRequest& request)
    {
        const SizeRange sizes = ParseSizes(request.sizes);
        if (sizes.least != sizes.most)
        {
            Fail("kv-size: expected one size with table=" + request.table + ", got " +
                 request.sizes);
        }
        CountedTableSettings settings;
        settings.memoryBytes = request.memoryBytes;
        settings.hashIndexRatio = request.hashIndexRatio;
        // Half of a small pair: the paper does not say how much of 10 bytes is key.
        settings.keyBytes = std::min(8U, sizes.least / 2);
        settings.valueBytes = sizes.least - settings.keyBytes;
        settings.seed = request.seed;
        return settings;
    }

    TABLE m_table;
};

} // namespace

void
KvTableUnderTest::SetColumns(MeasuredRows&) const
{
}

std::unique_ptr<KvTableUnderTest>
MakeKvTable(const KvTableRequest& request)
{
    if (request.table == "cuckoo")
    {
        return std::make_unique<ComparedTable<CuckooTable>>(request);
    }
    if (request.table == "hopscotch")
    {
        return std::make_unique<ComparedTable<HopscotchTable>>(request);
    }
    return std::make_unique<KvDirectTable>(request);
}

} // namespace ns3::rdma
