// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/slab-run.h"

#include "ns3/input-error.h"
#include "ns3/quantity.h"
#include "ns3/slab-daemon-cost.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>

namespace ns3::rdma
{

namespace
{
using Json = nlohmann::ordered_json;

constexpr double INDEX_RATIO{0.01};     ///< All but that is slabs.
constexpr double OPERATION_RATE{180e6}; ///< KV-Direct's clock: one operation per cycle.
constexpr uint64_t NO_LIMIT{UINT64_MAX};
constexpr uint32_t CHURN_ROUNDS{4}; ///< Deallocations and allocations per slab.

const std::array<const char*, 6> PATTERNS{"allocate",
                                          "free",
                                          "reuse",
                                          "churn",
                                          "large-to-small",
                                          "small-to-large"};

KvStoreSettings
MakeSettings(const SlabRunRequest& request)
{
    KvStoreSettings settings;
    const auto memory = ParseBytes(request.memory);
    if (!memory)
    {
        throw InputError("kv-slabs: --memory: expected bytes such as 64MiB, got " + request.memory);
    }
    settings.memoryBytes = *memory;
    settings.hashIndexRatio = INDEX_RATIO;
    settings.allocator.batchEntries = request.batchEntries;
    settings.allocator.nicHighWatermark =
        std::max(settings.allocator.nicHighWatermark,
                 settings.allocator.nicLowWatermark + 2 * request.batchEntries);
    settings.allocator.mergeMethod = ParseMergeMethod(request.mergeMethod);
    if (const auto fault = settings.FindFault())
    {
        throw InputError("kv-slabs: " + *fault);
    }
    return settings;
}

uint32_t
GetType(uint32_t bytes)
{
    return static_cast<uint32_t>(__builtin_ctz(bytes / SlabEntry::UNIT_BYTES));
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

SlabMergeMethod
ParseMergeMethod(const std::string& name)
{
    if (name == "bitmap")
    {
        return SlabMergeMethod::BITMAP;
    }
    if (name == "radix-sort")
    {
        return SlabMergeMethod::RADIX_SORT;
    }
    throw InputError("kv-slabs: --merge: expected bitmap or radix-sort, got " + name);
}

SlabRun::SlabRun(const SlabRunRequest& request)
    : m_request(request),
      m_settings(MakeSettings(request)),
      m_allocator(m_settings.allocator, KvLayout(m_settings), m_memory),
      m_random(request.seed, 1)
{
    if (std::find(PATTERNS.begin(), PATTERNS.end(), request.pattern) == PATTERNS.end())
    {
        throw InputError(
            "kv-slabs: pattern: expected allocate, free, reuse, churn, large-to-small, "
            "small-to-large or merge, got " +
            request.pattern);
    }
    const uint32_t bytes = request.slabBytes;
    if (bytes < SlabEntry::UNIT_BYTES || bytes > 256 || (bytes & (bytes - 1)) != 0)
    {
        throw InputError("kv-slabs: --slab: expected 32, 64, 128 or 256 bytes, got " +
                         std::to_string(bytes));
    }
}

Json
SlabRun::Run()
{
    const uint32_t type = GetType(m_request.slabBytes);
    Prepare(type);
    const SlabAllocatorStats before = m_allocator.GetStats();
    const SlabDaemonStats daemonBefore = m_allocator.GetDaemon().GetStats();
    Measure(type);
    return Describe(before, daemonBefore);
}

/// What comes before the operations that are counted.
void
SlabRun::Prepare(uint32_t type)
{
    if (m_request.pattern == "allocate")
    {
        return;
    }
    const bool isLargeFirst = m_request.pattern == "large-to-small";
    const uint32_t first = isLargeFirst ? type + 1 : type;
    const uint64_t all = KvLayout(m_settings).GetUnits() >> first;
    Allocate(first, m_request.pattern == "churn" ? all / 2 : NO_LIMIT);
    if (isLargeFirst || m_request.pattern == "reuse" || m_request.pattern == "small-to-large")
    {
        FreeAll(first);
    }
}

void
SlabRun::Measure(uint32_t type)
{
    if (m_request.pattern == "free")
    {
        FreeAll(type);
    }
    else if (m_request.pattern == "churn")
    {
        Churn(type);
    }
    else
    {
        Allocate(m_request.pattern == "small-to-large" ? type + 1 : type, NO_LIMIT);
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

Json
SlabRun::Describe(const SlabAllocatorStats& before, const SlabDaemonStats& daemonBefore) const
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
    return {{"pattern", m_request.pattern},
            {"memory", m_request.memory},
            {"slabBytes", m_request.slabBytes},
            {"batchEntries", m_request.batchEntries},
            {"operations", operations},
            {"dmaPerOperation", dmas / operations},
            {"bytesPerOperation", bytes},
            {"blockingReads", stats.blockingReads - before.blockingReads},
            {"splitEntriesPerOperation", splits / operations},
            {"merges", daemon.merges - daemonBefore.merges},
            {"mergedEntries", daemon.mergedEntries - daemonBefore.mergedEntries},
            {"at180Mops",
             {{"pcieMBps", bytes * OPERATION_RATE / 1e6},
              {"splitMEntries", splitRate / 1e6},
              {"splitCoreShare", SlabDaemonCost::GetSplitTime(splitRate)}}}};
}

Json
RunSlabMerge(const SlabMergeRequest& request)
{
    constexpr uint64_t MAX_SLOTS{uint64_t{1} << 30};
    constexpr uint32_t MAX_THREADS{64};
    constexpr uint32_t MAX_TYPE{4}; // 512 bytes.
    if (request.slots < (1U << MAX_TYPE) || request.slots > MAX_SLOTS)
    {
        throw InputError("kv-slabs: --slots: expected 16 to 2^30, got " +
                         std::to_string(request.slots));
    }
    if (request.threads == 0 || request.threads > MAX_THREADS)
    {
        throw InputError("kv-slabs: --threads: expected 1 to 64, got " +
                         std::to_string(request.threads));
    }
    const SlabMergeMethod method = ParseMergeMethod(request.mergeMethod);
    const SlabRange range{1U << MAX_TYPE, static_cast<uint32_t>(request.slots), MAX_TYPE};
    std::vector<uint32_t> entries = MakeFreeSlots(range, request.seed);
    const auto begin = std::chrono::steady_clock::now();
    const double processorBegin = GetProcessorTime();
    const std::size_t merged =
        MergeSlabs(std::move(entries), range, method, request.threads).size();
    const double processor = GetProcessorTime() - processorBegin;
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    const auto slots = static_cast<double>(request.slots);
    return {{"slots", request.slots},
            {"method", request.mergeMethod},
            {"threads", request.threads},
            {"merged", merged},
            {"processorSeconds", processor},
            {"wallSeconds", wall.count()},
            {"processorNsPerSlot", processor / slots * 1e9},
            {"modelSeconds", SlabDaemonCost::GetMergeTime(slots, request.threads)}};
}

} // namespace ns3::rdma
