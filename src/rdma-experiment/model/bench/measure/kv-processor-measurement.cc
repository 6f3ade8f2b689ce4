// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/host-memory.h"
#include "ns3/kv-counted-store.h"
#include "ns3/kv-filling.h"
#include "ns3/kv-load-dispatch.h"
#include "ns3/kv-processor.h"
#include "ns3/kv-server-parts.h"
#include "ns3/kv-warming.h"
#include "ns3/kv-workload.h"
#include "ns3/measurement.h"
#include "ns3/object-factory.h"
#include "ns3/pcie-link.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t CLOCK_HERTZ{180'000'000}; // KV-Direct section 4.
constexpr uint32_t BUS_BYTES{64};
constexpr double PS_PER_SECOND{1e12};
constexpr double PS_PER_US{1e6};

/// Operations that are always there, or arrive evenly; and their answers.
class Load : public KvOperationSource, public KvAnswerSink
{
  public:
    /// @param begin when the first one is there @param interval ps between two; 0: no limit
    Load(KvWorkload& stream, Tick begin, double interval, uint64_t count)
        : m_stream(stream),
          m_begin(begin),
          m_lastAnswer(begin),
          m_interval(interval),
          m_count(count)
    {
        m_arrivals.reserve(count);
        m_latencies.reserve(count);
    }

    bool Next(Tick now, KvOperation& operation, uint64_t& tag) override
    {
        const Tick arrival = GetNextArrival();
        if (arrival > now)
        {
            return false;
        }
        tag = m_arrivals.size();
        m_arrivals.push_back(m_interval > 0 ? arrival : now);
        operation = m_stream.Next();
        return true;
    }

    void OnAnswer(uint64_t tag, const KvAnswer& answer, Tick at) override
    {
        m_failures += answer.status != KvStatus::OK && answer.status != KvStatus::NOT_FOUND;
        m_latencies.push_back(at - m_arrivals[tag]);
        m_lastAnswer = std::max(m_lastAnswer, at);
    }

    /// @return when the next operation is there; TICK_NEVER: none is left.
    Tick GetNextArrival() const
    {
        const double passed = m_interval * static_cast<double>(m_arrivals.size());
        return m_arrivals.size() == m_count ? TICK_NEVER : m_begin + static_cast<Tick>(passed);
    }

    const std::vector<Tick>& GetLatencies() const
    {
        return m_latencies;
    }

    Tick GetLastAnswer() const
    {
        return m_lastAnswer;
    }

    uint64_t CountFailures() const
    {
        return m_failures;
    }

  private:
    KvWorkload& m_stream;
    Tick m_begin;
    Tick m_lastAnswer;
    double m_interval;
    uint64_t m_count;
    std::vector<Tick> m_arrivals; ///< Of those that the processor has taken.
    std::vector<Tick> m_latencies;
    uint64_t m_failures{0};
};

/// What a processor takes from and answers to, one load after the other.
class LoadSwitch : public KvOperationSource, public KvAnswerSink
{
  public:
    void Set(Load& load)
    {
        m_load = &load;
    }

    bool Next(Tick now, KvOperation& operation, uint64_t& tag) override
    {
        return m_load->Next(now, operation, tag);
    }

    void OnAnswer(uint64_t tag, const KvAnswer& answer, Tick at) override
    {
        m_load->OnAnswer(tag, answer, at);
    }

  private:
    Load* m_load{nullptr};
};

/// Lets a processor carry out all of a load.
void
RunAll(KvProcessor& processor, const Load& load)
{
    Tick notified = TICK_NEVER;
    while (true)
    {
        const Tick arrival = load.GetNextArrival();
        const Tick next = processor.GetNextTime();
        if (arrival != notified && arrival <= next)
        {
            processor.Notify(arrival);
            notified = arrival;
            continue;
        }
        if (next == TICK_NEVER)
        {
            return;
        }
        processor.Run(next);
    }
}

/// Lets operations move lines into the NIC's DRAM without time.
void
Warm(KvMemoryEngine& memory, KvTable& store, KvWorkload& stream, uint64_t count)
{
    KvAccesses accesses;
    for (uint64_t i = 0; i < count; ++i)
    {
        WarmKvMemory(memory, store, stream.Next(), accesses);
    }
}

/// The parts of a server's NIC that a processor works with.
struct Hardware
{
    std::vector<Ptr<PcieLink>> links;
    Ptr<ChannelMemory> card;
    HostMemory memory;

    std::vector<PcieLink*> GetLinks() const
    {
        std::vector<PcieLink*> pointers;
        for (const Ptr<PcieLink>& link : links)
        {
            pointers.push_back(PeekPointer(link));
        }
        return pointers;
    }
};

/// The keys.
struct ProcessorRequest
{
    uint64_t memoryBytes{uint64_t{64} << 20};
    double utilization{0.5};
    std::optional<double> indexRatio;        ///< Unset: by the pairs' size.
    std::optional<uint32_t> inlineThreshold; ///< Unset: by the pairs' size.
    uint32_t pairBytes{10};                  ///< Key and value together.
    std::optional<uint32_t> keyBytes;        ///< Unset: half of the pair, 4 to 8.
    std::string ycsb;                        ///< Empty: the shares.
    double getShare{1};                      ///< The rest are PUTs.
    double theta{0};                         ///< Of the plain Zipf distribution; 0: uniform.
    uint64_t atomics{0};                     ///< Keys that fetch-and-adds go to; 0: the mix.
    bool isInTurn{false};
    bool isCounted{false}; ///< A KvCountedStore instead of a KvStore.
    uint32_t links{2};
    uint64_t requestRate{KV_REQUEST_RATE}; ///< Of a link; 0: no limit.
    Time readJitter{KvBoard().readJitter};
    double cacheRatio{1.0 / 16};         ///< 4 GiB of 64 GiB.
    std::optional<double> dispatchRatio; ///< Unset: by the formula of section 3.3.4.
    bool isInOrder{false};
    bool waitsForWriteBack{false};
    double rate{0}; ///< 0: no limit.
    uint64_t operations{1'000'000};
    std::optional<uint64_t> warmup; ///< Unset: as many as the cache has lines, four times.
    uint64_t seed{1};
};

void
SetOperations(const Load& load, uint64_t operations, Tick duration, MeasuredRows& rows)
{
    const double microseconds = static_cast<double>(duration) / PS_PER_US;
    rows.Set("operations", operations, "measured operations");
    rows.Set("duration_us", microseconds, "time of all operations");
    rows.Set("mops",
             microseconds > 0 ? static_cast<double>(operations) / microseconds : 0,
             "million operations per second");
    rows.SetLatency(SummarizeLatency(load.GetLatencies(), 1),
                    "time from entering the processor to the answer");
}

/// @return 0 if nothing was counted.
double
GetRatio(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

void
SetMemory(const KvMemoryStats& memory, uint64_t operations, Tick duration, MeasuredRows& rows)
{
    const double microseconds = static_cast<double>(duration) / PS_PER_US;
    rows.Set("pcie_reads_per_operation", GetRatio(memory.pcieReads, operations), "DMA reads");
    rows.Set("pcie_writes_per_operation", GetRatio(memory.pcieWrites, operations), "DMA writes");
    rows.Set("pcie_GBps",
             microseconds > 0 ? static_cast<double>(memory.pcieBytes) / microseconds / 1e3 : 0,
             "data over PCIe per second");
    rows.Set("dram_accesses_per_operation",
             GetRatio(memory.cardAccesses, operations),
             "accesses of the NIC's DRAM");
    rows.Set("dram_hits", memory.hits, "accesses of lines that were in the DRAM");
    rows.Set("dram_misses", memory.misses, "accesses of cacheable lines that were not");
    rows.Set("dram_write_backs", memory.writeBacks, "dirty lines that were replaced");
    rows.Set("dram_hit_share",
             GetRatio(memory.hits, memory.hits + memory.misses),
             "hits over hits and misses");
}

void
SetProcessor(const KvProcessorStats& processor, MeasuredRows& rows)
{
    rows.Set("forwarded",
             processor.forwarded,
             "operations on the value in the reservation station");
    rows.Set("waited", processor.waited, "operations whose slot was busy");
    rows.Set("collided", processor.collided, "of these: the slot had another key");
    rows.Set("write_backs", processor.writeBacks, "write-backs of forwarded values");
    rows.Set("stalls", processor.stalls, "operations that stopped the pipeline");
    rows.Set("max_entries",
             processor.maxEntries,
             "most operations in the station, warm-up included");
}

} // namespace

/**
 * @ingroup rdma-kv
 * @brief A KV processor by itself, without a network.
 *
 * Operations are there whenever the processor can take one, or arrive evenly at a rate: what
 * KV-Direct section 5.1 measures of the engine and the load dispatcher.
 */
class KvProcessorMeasurement : public Measurement
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::KvProcessorMeasurement")
                                .SetParent<Measurement>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<KvProcessorMeasurement>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"kv-processor", "KV-Direct's processor alone, without a network"};
    }

    void Visit(Keys& keys) override;
    MeasuredRows Measure() override;

  private:
    void Resolve();
    void ResolveWorkload();
    std::unique_ptr<KvTable> MakeStore(HostMemory& memory, MeasuredRows& rows) const;
    KvFilling GetFilling() const;
    KvBoard MakeBoard() const;
    KvMemorySettings MakeMemorySettings() const;

    ProcessorRequest m_request;
    KvWorkloadSettings m_workload;
    KvStoreSettings m_store;
};

void
KvProcessorMeasurement::Visit(Keys& keys)
{
    constexpr uint64_t MAX_OPERATIONS{1'000'000'000};
    constexpr uint64_t MAX_REQUEST_RATE{1'000'000'000'000};
    ProcessorRequest& request = m_request;
    keys.Choice("ycsb", request.ycsb, {"a", "b", "c", "d", "f"}, "YCSB core workload")
        .Otherwise("the shares");
    const bool hasYcsb = !request.ycsb.empty();
    keys.Count("atomics", request.atomics, "keys of fetch-and-adds of 8 bytes; 0: GETs and PUTs")
        .AtMost(uint64_t{1} << 32)
        .OnlyIf(!hasYcsb, "no ycsb beside it");
    const bool hasAtomics = request.atomics > 0;
    const char* const noMix = "neither ycsb nor atomics beside it";
    keys.Number("get", request.getShare, "share of GETs; the rest are PUTs")
        .Between(0.0, 1.0)
        .OnlyIf(!hasYcsb && !hasAtomics, noMix);
    keys.Number("zipf", request.theta, "exponent of the keys' popularity; 0: uniform")
        .Between(0.0, 0.9999)
        .OnlyIf(!hasYcsb && !hasAtomics, noMix);
    keys.Flag("in-turn", request.isInTurn, "atomics access their keys in turn, not at random")
        .OnlyIf(hasAtomics, "atomics beside it");
    keys.Count("pair", request.pairBytes, "bytes of key and value together")
        .Between(2U, 2045U)
        .OnlyIf(!hasAtomics, "no atomics beside it");
    keys.Count("key", request.keyBytes, "bytes of the key")
        .Between(1U, 255U)
        .OnlyIf(!hasAtomics, "no atomics beside it")
        .Otherwise("half of the pair, 4 to 8");
    keys.Bytes("memory", request.memoryBytes, "memory of the store").WithUnit();
    keys.Number("utilization", request.utilization, "share of the memory that is filled first")
        .Between(0.0, 1.0);
    keys.Number("index-ratio", request.indexRatio, "share of the hash index in memory")
        .Between(0.0, 1.0)
        .Otherwise("by the pair");
    keys.Count("inline", request.inlineThreshold, "bytes of the largest pair stored inline")
        .AtMost(50U)
        .Otherwise("by the pair");
    keys.Flag("counted",
              request.isCounted,
              "count accesses without the store's bytes; the warm-up takes no time")
        .OnlyIf(!hasYcsb, "no ycsb beside it");
    keys.Count("links", request.links, "PCIe links").Between(1U, 16U);
    keys.Count("request-rate",
               request.requestRate,
               "DMA reads and writes together of each link per second; 0: no limit")
        .AtMost(MAX_REQUEST_RATE);
    keys.Time("read-jitter",
              request.readJitter,
              "largest addition to the latency of a DMA read, uniform from 0 on");
    keys.Number("cache", request.cacheRatio, "size of NIC DRAM over memory; 0: no DRAM")
        .Between(0.0, 1.0);
    keys.Number("dispatch", request.dispatchRatio, "share of memory that DRAM may cache")
        .Between(0.0, 1.0)
        .Otherwise("balanced by formula");
    keys.Flag("in-order", request.isInOrder, "in-order execution, with stalls on conflicts");
    keys.Flag("wait-for-write-back",
              request.waitsForWriteBack,
              "no forwarding from a value until its write-back ends");
    keys.Number("rate", request.rate, "operations that arrive per second; 0: no limit")
        .Between(0.0, 1e12);
    keys.Count("operations", request.operations, "measured operations")
        .Between(uint64_t{1}, MAX_OPERATIONS);
    keys.Count("warmup", request.warmup, "operations before the measurement")
        .AtMost(MAX_OPERATIONS)
        .Otherwise("4 per line of the cache");
    VisitSeed(keys, request.seed);
}

void
KvProcessorMeasurement::Resolve()
{
    ResolveWorkload();
    m_store.memoryBytes = m_request.memoryBytes;
    SuitStore(m_store, GetFilling());
    m_store.hashIndexRatio = m_request.indexRatio.value_or(m_store.hashIndexRatio);
    m_store.inlineThreshold = m_request.inlineThreshold.value_or(m_store.inlineThreshold);
    if (const auto fault = m_store.FindFault())
    {
        Fail(*fault);
    }
}

KvFilling
KvProcessorMeasurement::GetFilling() const
{
    const bool isByNumber = m_workload.popularity == KvPopularity::LATEST;
    return {m_workload.keyBytes,
            m_workload.valueBytes,
            m_request.utilization,
            m_request.seed,
            isByNumber};
}

KvBoard
KvProcessorMeasurement::MakeBoard() const
{
    KvBoard board;
    board.links = m_request.links;
    board.requestRate = m_request.requestRate;
    board.readJitter = m_request.readJitter;
    return board;
}

void
KvProcessorMeasurement::ResolveWorkload()
{
    if (m_request.ycsb.empty())
    {
        m_workload.getShare = m_request.getShare;
        m_workload.putShare = 1 - m_request.getShare;
        m_workload.popularity = m_request.theta > 0 ? KvPopularity::ZIPF : KvPopularity::UNIFORM;
        m_workload.theta = m_request.theta;
    }
    else
    {
        m_workload = *FindYcsbWorkload(m_request.ycsb);
    }
    if (m_request.atomics > 0)
    {
        constexpr uint32_t ATOMIC_BYTES{8};
        m_request.pairBytes = 2 * ATOMIC_BYTES;
        m_request.keyBytes = ATOMIC_BYTES;
        constexpr double UTILIZATION{0.2}; // Pairs of 16 bytes take four slots of five.
        m_request.utilization = std::min(m_request.utilization, UTILIZATION);
        m_workload.getShare = m_workload.putShare = m_workload.insertShare = 0;
        m_workload.modifyShare = 1;
        m_workload.hotKeys = m_request.atomics;
        m_workload.popularity = m_request.isInTurn ? KvPopularity::IN_TURN : KvPopularity::UNIFORM;
    }
    constexpr uint32_t MAX_KEY{8};
    constexpr uint32_t MIN_KEY{4};
    m_workload.keyBytes =
        m_request.keyBytes.value_or(std::clamp(m_request.pairBytes / 2, MIN_KEY, MAX_KEY));
    if (m_request.pairBytes < m_workload.keyBytes)
    {
        Fail("pair: expected at least the key's " + std::to_string(m_workload.keyBytes) +
             " bytes, got " + std::to_string(m_request.pairBytes));
    }
    m_workload.valueBytes = m_request.pairBytes - m_workload.keyBytes;
    m_workload.keys = GetFilling().CountPairs(m_request.memoryBytes);
    if (m_request.atomics > m_workload.keys)
    {
        Fail("atomics: expected at most the " + std::to_string(m_workload.keys) +
             " keys that there are, got " + std::to_string(m_request.atomics));
    }
    if (const std::string fault = m_workload.FindFault(); !fault.empty())
    {
        Fail(fault);
    }
}

KvMemorySettings
KvProcessorMeasurement::MakeMemorySettings() const
{
    KvMemorySettings settings;
    constexpr uint64_t LINE{KvMemoryEngine::LINE_BYTES};
    settings.base = m_store.base;
    settings.memoryBytes = (KvLayout(m_store).GetEnd() - m_store.base + LINE - 1) / LINE * LINE;
    settings.cacheBytes =
        static_cast<uint64_t>(m_request.cacheRatio * static_cast<double>(m_store.memoryBytes)) /
        LINE * LINE;
    const bool hasTail = m_workload.popularity != KvPopularity::UNIFORM &&
                         m_workload.popularity != KvPopularity::IN_TURN;
    const double keys = hasTail ? static_cast<double>(m_workload.keys) : 0;
    settings.dispatchRatio = m_request.dispatchRatio.value_or(
        FindKvDispatchRatio(settings, MakeBoard().GetThroughputRatio(), keys));
    return settings;
}

std::unique_ptr<KvTable>
KvProcessorMeasurement::MakeStore(HostMemory& memory, MeasuredRows& rows) const
{
    const auto setColumns = [&rows](uint64_t keys, double utilization) {
        rows.Set("keys", keys, "pairs in the store");
        rows.Set("utilization", utilization, "share of the memory that they use");
    };
    if (m_request.isCounted)
    {
        auto store = std::make_unique<KvCountedStore>(
            m_store,
            KvPairsOfStore{m_workload.keys, m_workload.keyBytes, m_workload.valueBytes});
        setColumns(store->CountKeys(), store->GetMemoryUtilization());
        return store;
    }
    auto store = std::make_unique<KvStore>(m_store, memory);
    if (!GetFilling().Fill(*store, m_workload.keys))
    {
        Fail("the store is full at a utilization of " +
             std::to_string(store->GetMemoryUtilization()) + ", expected room for " +
             std::to_string(m_request.utilization));
    }
    setColumns(store->GetStats().keys, store->GetMemoryUtilization());
    return store;
}

MeasuredRows
KvProcessorMeasurement::Measure()
{
    Resolve();
    MeasuredRows rows;
    rows.Begin();
    rows.Set("key_bytes", m_workload.keyBytes, "size of a key");
    rows.Set("value_bytes", m_workload.valueBytes, "size of a value");
    Hardware hardware;
    const KvMemorySettings memorySettings = MakeMemorySettings();
    for (uint32_t link = 0; link < m_request.links; ++link)
    {
        const RandomStream random(m_request.seed, 2 + link);
        hardware.links.push_back(MakeKvPcieLink(random, MakeBoard()));
    }
    hardware.card = MakeKvCard(memorySettings.cacheBytes);
    const std::unique_ptr<KvTable> store = MakeStore(hardware.memory, rows);
    rows.Set("hash_index_ratio", m_store.hashIndexRatio, "share of the hash index in memory");
    rows.Set("inline_bytes", m_store.inlineThreshold, "size of the largest pair stored inline");
    rows.Set("dispatch_ratio", memorySettings.dispatchRatio, "share of memory that DRAM may cache");
    KvMemoryEngine memory(memorySettings, hardware.GetLinks(), *hardware.card);
    KvFunctionTable functions;
    // What updates of the workload name.
    functions.Add(CreateObjectWithAttributes<KvAdd>("ElementBytes", UintegerValue(1)));
    LoadSwitch loads;
    KvProcessorSettings settings;
    settings.isOutOfOrder = !m_request.isInOrder;
    settings.isForwardedMeanwhile = !m_request.waitsForWriteBack;
    KvProcessor processor(settings,
                          ClockDomain(CLOCK_HERTZ, BUS_BYTES),
                          {*store, memory, functions, loads, loads});
    KvWorkload stream(m_workload, RandomStream(m_request.seed, 0));
    const uint64_t lines = memorySettings.cacheBytes / KvMemoryEngine::LINE_BYTES;
    constexpr uint64_t ROUNDS{4};
    const double interval = m_request.rate > 0 ? PS_PER_SECOND / m_request.rate : 0;
    uint64_t before = m_request.warmup.value_or(ROUNDS * lines);
    if (m_request.isCounted)
    {
        constexpr uint64_t TIMED{20'000}; // They fill the reservation station and the links.
        Warm(memory, *store, stream, before);
        before = TIMED;
    }
    Load warmup(stream, 0, interval, before);
    loads.Set(warmup);
    RunAll(processor, warmup);

    const KvProcessorStats processorBefore = processor.GetStats();
    const KvMemoryStats memoryBefore = memory.GetStats();
    const Tick begin = warmup.GetLastAnswer();
    Load load(stream, begin, interval, m_request.operations);
    loads.Set(load);
    RunAll(processor, load);

    const uint64_t operations = load.GetLatencies().size();
    const Tick duration = load.GetLastAnswer() - begin;
    SetOperations(load, operations, duration, rows);
    rows.Set("failures",
             warmup.CountFailures() + load.CountFailures(),
             "answers that are neither OK nor NOT_FOUND, of the warm-up, too");
    SetMemory(memory.GetStats() - memoryBefore, operations, duration, rows);
    SetProcessor(processor.GetStats() - processorBefore, rows);
    return rows;
}

NS_OBJECT_ENSURE_REGISTERED(KvProcessorMeasurement);

} // namespace ns3::rdma
