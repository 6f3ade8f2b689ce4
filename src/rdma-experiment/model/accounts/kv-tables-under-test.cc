// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-tables-under-test.h"

#include "ns3/cuckoo-table.h"
#include "ns3/hopscotch-table.h"
#include "ns3/host-memory.h"
#include "ns3/input-error.h"
#include "ns3/kv-store.h"
#include "ns3/kv-visitors.h"
#include "ns3/quantity.h"

#include <array>
#include <boost/endian/conversion.hpp>
#include <charconv>
#include <optional>

namespace ns3::rdma
{

namespace
{
using Json = nlohmann::ordered_json;

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
        throw InputError(
            "kv-store: --kv-size: expected bytes of key and value, 5 to 2045, as 10 or "
            "5-30, got " +
            text);
    }
    return {*least, *most};
}

/// Keys have 8 bytes, of short pairs 4, so that a value is left.
uint32_t
GetKeyBytes(uint32_t pairBytes)
{
    return pairBytes > 8 ? 8 : 4;
}

uint64_t
ParseMemory(const std::string& text)
{
    const auto bytes = ParseBytes(text);
    if (!bytes)
    {
        throw InputError("kv-store: --memory: expected bytes such as 64MiB, got " + text);
    }
    return *bytes;
}

template <typename SETTINGS>
const SETTINGS&
Check(const SETTINGS& settings)
{
    if (const auto fault = settings.FindFault())
    {
        throw InputError("kv-store: " + *fault);
    }
    return settings;
}

/// KV-Direct's own store, with all its bytes.
class KvDirectTable : public KvTableUnderTest
{
  public:
    explicit KvDirectTable(const KvStoreRequest& request)
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

    Json Describe() const override
    {
        const KvStoreStats& stats = m_store.GetStats();
        const SlabAllocatorStats& allocator = m_store.GetAllocator().GetStats();
        return {{"inlinePairs", stats.inlineKeys},
                {"chainedBuckets", stats.chainedBuckets},
                {"buckets", m_store.GetLayout().GetBuckets()},
                {"falsePositives", stats.falsePositives},
                {"slabBytes", allocator.GetUsedBytes()},
                {"allocations", allocator.allocations},
                {"dmaPerAllocation", allocator.GetDmaPerOperation()}};
    }

  private:
    static KvStoreSettings MakeSettings(const KvStoreRequest& request)
    {
        KvStoreSettings settings;
        settings.memoryBytes = ParseMemory(request.memory);
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
    explicit ComparedTable(const KvStoreRequest& request)
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

    Json Describe() const override
    {
        return Json::object();
    }

  private:
    static CountedTableSettings MakeSettings(const KvStoreRequest& request)
    {
        const SizeRange sizes = ParseSizes(request.sizes);
        if (sizes.least != sizes.most)
        {
            throw InputError("kv-store: --kv-size: expected one size with --table " +
                             request.table + ", got " + request.sizes);
        }
        CountedTableSettings settings;
        settings.memoryBytes = ParseMemory(request.memory);
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

std::unique_ptr<KvTableUnderTest>
MakeKvTable(const KvStoreRequest& request)
{
    if (request.table == "cuckoo")
    {
        return std::make_unique<ComparedTable<CuckooTable>>(request);
    }
    if (request.table == "hopscotch")
    {
        return std::make_unique<ComparedTable<HopscotchTable>>(request);
    }
    if (request.table != "kv-direct")
    {
        throw InputError("kv-store: --table: expected kv-direct, cuckoo or hopscotch, got " +
                         request.table);
    }
    return std::make_unique<KvDirectTable>(request);
}

} // namespace ns3::rdma
