// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/host-memory.h"
#include "ns3/measurement.h"
#include "ns3/random-stream.h"
#include "ns3/slab-allocator.h"
#include "ns3/slab-daemon-cost.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>

namespace ns3::rdma
{

namespace
{

constexpr double INDEX_RATIO{0.01};     ///< All but that is slabs.
constexpr double OPERATION_RATE{180e6}; ///< KV-Direct's clock: one operation per cycle.
constexpr uint64_t NO_LIMIT{UINT64_MAX};
constexpr uint32_t CHURN_ROUNDS{4}; ///< Deallocations and allocations per slab.

/// A pattern of requests.
enum class Pattern
{
    ALLOCATE,
    FREE,
    REUSE,
    CHURN,
    LARGE_TO_SMALL,
    SMALL_TO_LARGE
};

constexpr std::array<std::pair<const char*, Pattern>, 6> PATTERNS{
    {{"allocate", Pattern::ALLOCATE},
     {"free", Pattern::FREE},
     {"reuse", Pattern::REUSE},
     {"churn", Pattern::CHURN},
     {"large-to-small", Pattern::LARGE_TO_SMALL},
     {"small-to-large", Pattern::SMALL_TO_LARGE}}};

/// Bytes of a slab, and its type.
constexpr std::array<std::pair<const char*, uint32_t>, 4> SLABS{
    {{"32", 0}, {"64", 1}, {"128", 2}, {"256", 3}}};

constexpr std::array<std::pair<const char*, SlabMergeMethod>, 2> METHODS{
    {{"bitmap", SlabMergeMethod::BITMAP}, {"radix-sort", SlabMergeMethod::RADIX_SORT}}};

/// The keys of the allocator's measurement.
struct SlabRequest
{
    Pattern pattern{Pattern::CHURN};
    uint64_t memoryBytes{uint64_t{64} << 20}; ///< Of slabs and a small hash index.
    uint32_t type{0};                         ///< Of the slabs that are counted.
    uint32_t batchEntries{16};                ///< Of one DMA.
    SlabMergeMethod mergeMethod{SlabMergeMethod::RADIX_SORT};
    uint64_t seed{1};
};

/// Requests to an allocator.
class SlabRun
{
  public:
    /// @param settings without a fault
    SlabRun(const SlabRequest& request, const KvStoreSettings& settings)
        : m_request(request),
          m_settings(settings),
          m_allocator(settings.allocator, KvLayout(settings), m_memory),
          m_random(request.seed, 1)
    {
    }

    MeasuredRows Run();

  private:
    void Allocate(uint32_t type, uint64_t most);
    void FreeAll(uint32_t type);
    void Churn(uint32_t type);
    void Prepare(uint32_t type);
    void Measure(uint32_t type);
    MeasuredRows MakeRows(const SlabAllocatorStats& before,
                          const SlabDaemonStats& daemonBefore) const;

    SlabRequest m_request;
    KvStoreSettings m_settings;
    HostMemory m_memory;
    SlabAllocator m_allocator;
    RandomStream m_random;
    std::vector<uint32_t> m_slabs; ///< In use.
    KvAccesses m_accesses;
};

MeasuredRows
SlabRun::Run()
{
    Prepare(m_request.type);
    const SlabAllocatorStats before = m_allocator.GetStats();
    const SlabDaemonStats daemonBefore = m_allocator.GetDaemon().GetStats();
    Measure(m_request.type);
    return MakeRows(before, daemonBefore);
}

/// What comes before the operations that are counted.
void
SlabRun::Prepare(uint32_t type)
{
    if (m_request.pattern == Pattern::ALLOCATE)
    {
        return;
    }
    const bool isLargeFirst = m_request.pattern == Pattern::LARGE_TO_SMALL;
    const uint32_t first = isLargeFirst ? type + 1 : type;
    const uint64_t all = KvLayout(m_settings).GetUnits() >> first;
    Allocate(first, m_request.pattern == Pattern::CHURN ? all / 2 : NO_LIMIT);
    if (isLargeFirst || m_request.pattern == Pattern::REUSE ||
        m_request.pattern == Pattern::SMALL_TO_LARGE)
    {
        FreeAll(first);
    }
}

void
SlabRun::Measure(uint32_t type)
{
    if (m_request.pattern == Pattern::FREE)
    {
        FreeAll(type);
    }
    else if (m_request.pattern == Pattern::CHURN)
    {
        Churn(type);
    }
    else
    {
        Allocate(m_request.pattern == Pattern::SMALL_TO_LARGE ? type + 1 : type, NO_LIMIT);
    }
}

void
SlabRun::Allocate(uint32_t type, uint64_t most)
{
    while (m_slabs.size() < most)
    {
        m_accesses.clear();
        const uint32_t unit = m_allocator.Allocate(type, m_accesses);
        if (unit == 0)
        {
            return;
        }
        m_slabs.push_back(unit);
    }
}

/// In random order.
void
SlabRun::FreeAll(uint32_t type)
{
    while (!m_slabs.empty())
    {
        std::swap(m_slabs[m_random.Next() % m_slabs.size()], m_slabs.back());
        m_accesses.clear();
        m_allocator.Free(m_slabs.back(), type, m_accesses);
        m_slabs.pop_back();
    }
}

/// Allocations and deallocations in random order, as many of each in the long run.
void
SlabRun::Churn(uint32_t type)
{
    const uint64_t steps = CHURN_ROUNDS * m_slabs.size();
    for (uint64_t step = 0; step < steps; ++step)
    {
        m_accesses.clear();
        if (m_random.Next32() % 2 == 0 || m_slabs.empty())
        {
            if (const uint32_t unit = m_allocator.Allocate(type, m_accesses))
            {
                m_slabs.push_back(unit);
            }
            continue;
        }
        std::swap(m_slabs[m_random.Next() % m_slabs.size()], m_slabs.back());
        m_allocator.Free(m_slabs.back(), type, m_accesses);
        m_slabs.pop_back();
    }
}

MeasuredRows
SlabRun::MakeRows(const SlabAllocatorStats& before, const SlabDaemonStats& daemonBefore) const
{
    const SlabAllocatorStats& stats = m_allocator.GetStats();
    const SlabDaemonStats& daemon = m_allocator.GetDaemon().GetStats();
    const auto operations = static_cast<double>(stats.allocations + stats.deallocations -
                                                before.allocations - before.deallocations);
    const auto entries = static_cast<double>(stats.entriesRead + stats.entriesWritten -
                                             before.entriesRead - before.entriesWritten);
    const auto dmas =
        static_cast<double>(stats.reads + stats.writes - before.reads - before.writes);
    const auto splits = static_cast<double>(daemon.splitEntries - daemonBefore.splitEntries);
    const double bytes = entries / operations * SlabEntry::BYTES;
    const double splitRate = splits / operations * OPERATION_RATE;
    MeasuredRows rows;
    rows.Begin();
    rows.Set("operations", static_cast<uint64_t>(operations), "allocations and deallocations");
    rows.Set("dma_per_operation", dmas / operations, "DMA requests");
    rows.Set("operation_bytes", bytes, "entries over PCIe per operation");
    rows.Set("blocking_reads",
             stats.blockingReads - before.blockingReads,
             "DMA reads that an allocation waits for");
    rows.Set("split_entries_per_operation", splits / operations, "entries moved by splits");
    rows.Set("merges", daemon.merges - daemonBefore.merges, "merges of all free slabs");
    rows.Set("merged_entries",
             daemon.mergedEntries - daemonBefore.mergedEntries,
             "entries that were merged");
    rows.Set("pcie_MBps", bytes * OPERATION_RATE / 1e6, "entries over PCIe at 180 Mops");
    rows.Set("split_mops", splitRate / 1e6, "entries moved by splits at 180 Mops");
    rows.Set("split_cores", SlabDaemonCost::GetSplitTime(splitRate), "cores that these splits use");
    return rows;
}

double
GetProcessorTime()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// All slabs of 32 bytes of a range, shuffled.
std::vector<uint32_t>
MakeFreeSlots(const SlabRange& range, uint64_t seed)
{
    RandomStream random(seed, 1);
    std::vector<uint32_t> entries;
    entries.reserve(range.units);
    for (uint32_t unit = 0; unit < range.units; ++unit)
    {
        entries.push_back(SlabEntry{range.firstUnit + unit, 0}.Encode());
        std::swap(entries.back(), entries[random.Next() % entries.size()]);
    }
    return entries;
}
} // namespace

/**
 * @ingroup rdma-kv
 * @brief Costs of KV-Direct's slab allocator under a pattern of requests (section 5.1.2).
 */
class KvSlabsMeasurement : public Measurement
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::KvSlabsMeasurement")
                                .SetParent<Measurement>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<KvSlabsMeasurement>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"kv-slabs", "costs of KV-Direct's slab allocator"};
    }

    void Visit(Keys& keys) override
    {
        keys.Choice("pattern", m_request.pattern, PATTERNS, "pattern of the operations");
        keys.Bytes("memory", m_request.memoryBytes, "all slabs together").WithUnit();
        keys.Choice("slab", m_request.type, SLABS, "bytes of a slab");
        keys.Count("batch", m_request.batchEntries, "free-list entries in one DMA")
            .Between(1U, SlabAllocatorSettings::MAX_NIC_ENTRIES / 4);
        keys.Choice("merge", m_request.mergeMethod, METHODS, "way to merge slabs");
        VisitSeed(keys, m_request.seed);
    }

    MeasuredRows Measure() override
    {
        KvStoreSettings settings;
        settings.memoryBytes = m_request.memoryBytes;
        settings.hashIndexRatio = INDEX_RATIO;
        settings.allocator.batchEntries = m_request.batchEntries;
        settings.allocator.nicHighWatermark =
            std::max(settings.allocator.nicHighWatermark,
                     settings.allocator.nicLowWatermark + 2 * m_request.batchEntries);
        settings.allocator.mergeMethod = m_request.mergeMethod;
        if (const auto fault = settings.FindFault())
        {
            Fail(*fault);
        }
        return SlabRun(m_request, settings).Run();
    }

  private:
    SlabRequest m_request;
};

NS_OBJECT_ENSURE_REGISTERED(KvSlabsMeasurement);

/// Time to merge free slabs on this machine (KV-Direct, Figure 12).
class KvMergeMeasurement : public Measurement
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::KvMergeMeasurement")
                                .SetParent<Measurement>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<KvMergeMeasurement>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"kv-merge", "time to merge KV-Direct's free slabs on this machine"};
    }

    void Visit(Keys& keys) override
    {
        keys.Count("slots", m_slots, "free slabs of 32 bytes, side by side, in random order")
            .Between(uint64_t{1} << MAX_TYPE, uint64_t{1} << 30);
        keys.Choice("merge", m_method, METHODS, "way to merge slabs");
        keys.Count("threads", m_threads, "threads of the radix sort").Between(1U, 64U);
        VisitSeed(keys, m_seed);
    }

    MeasuredRows Measure() override
    {
        const SlabRange range{1U << MAX_TYPE, static_cast<uint32_t>(m_slots), MAX_TYPE};
        std::vector<uint32_t> entries = MakeFreeSlots(range, m_seed);
        const auto begin = std::chrono::steady_clock::now();
        const double processorBegin = GetProcessorTime();
        const std::size_t merged =
            MergeSlabs(std::move(entries), range, m_method, m_threads).size();
        const double processor = GetProcessorTime() - processorBegin;
        const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
        const auto slots = static_cast<double>(m_slots);
        MeasuredRows rows;
        rows.Begin();
        rows.Set("merged", merged, "slabs after merging");
        rows.Set("processor_s", processor, "processor time of all threads");
        rows.Set("wall_s", wall.count(), "time until all were merged");
        rows.Set("processor_per_slot_ns", processor / slots * 1e9, "processor time per slab");
        rows.Set("model_s",
                 SlabDaemonCost::GetMergeTime(slots, m_threads),
                 "radix sort by the model that is fitted to the paper");
        rows.AddNote("All times but that of the model are times of this machine.");
        return rows;
    }

  private:
    static constexpr uint32_t MAX_TYPE{4}; ///< 512 bytes.

    uint64_t m_slots{1 << 22};
    SlabMergeMethod m_method{SlabMergeMethod::RADIX_SORT};
    uint32_t m_threads{1};
    uint64_t m_seed{1};
};

NS_OBJECT_ENSURE_REGISTERED(KvMergeMeasurement);

} // namespace ns3::rdma
