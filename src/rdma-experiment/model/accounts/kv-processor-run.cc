// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-processor-run.h"

#include "ns3/input-error.h"
#include "ns3/kv-counted-store.h"
#include "ns3/kv-load-dispatch.h"
#include "ns3/object-factory.h"
#include "ns3/pcie-link.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::rdma
{

namespace
{

KvBoard
MakeBoard(const KvProcessorRequest& request)
{
    KvBoard board;
    board.links = request.links;
    board.requestRate = request.requestRate;
    return board;
}

constexpr uint64_t CLOCK_HERTZ{180'000'000}; // KV-Direct section 4.
constexpr uint32_t BUS_BYTES{64};
constexpr double PS_PER_SECOND{1e12};

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

/// Accesses of operations whose bytes nobody reads.
class Touch : public KvVisitor
{
  public:
    explicit Touch(const KvOperation& operation)
        : m_operation(operation)
    {
    }

    KvChange OnValue(bool, ByteView value) override
    {
        const bool isWrite = IsKvWrite(m_operation.opcode);
        return {isWrite ? KvChange::Kind::STORE : KvChange::Kind::KEEP, value};
    }

  private:
    const KvOperation& m_operation;
};

/// Lets operations move lines into the NIC's DRAM without time.
void
Warm(KvMemoryEngine& memory, KvTable& store, KvWorkload& stream, uint64_t count)
{
    KvAccesses accesses;
    for (uint64_t i = 0; i < count; ++i)
    {
        const KvOperation operation = stream.Next();
        Touch touch(operation);
        accesses.clear();
        store.Visit(operation.key, touch, accesses);
        for (const KvAccess& access : accesses)
        {
            memory.Warm(access.address, access.bytes, access.isWrite);
        }
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

} // namespace

KvProcessorRun::KvProcessorRun(KvProcessorRequest request)
    : m_request(std::move(request))
{
    ReadWorkload();
    m_store.memoryBytes = m_request.memoryBytes;
    SuitStore(m_store, GetFilling());
    m_store.hashIndexRatio = m_request.indexRatio.value_or(m_store.hashIndexRatio);
    m_store.inlineThreshold = m_request.inlineThreshold.value_or(m_store.inlineThreshold);
    if (const auto fault = m_store.FindFault())
    {
        throw InputError("kv-processor: " + *fault);
    }
}

KvFilling
KvProcessorRun::GetFilling() const
{
    const bool isByNumber = m_workload.popularity == KvPopularity::LATEST;
    return {m_workload.keyBytes,
            m_workload.valueBytes,
            m_request.utilization,
            m_request.seed,
            isByNumber};
}

void
KvProcessorRun::ReadWorkload()
{
    if (m_request.ycsb.empty())
    {
        m_workload.getShare = m_request.getShare;
        m_workload.putShare = 1 - m_request.getShare;
        m_workload.popularity = m_request.theta > 0 ? KvPopularity::ZIPF : KvPopularity::UNIFORM;
        m_workload.theta = m_request.theta;
    }
    else if (const auto found = FindYcsbWorkload(m_request.ycsb))
    {
        m_workload = *found;
    }
    else
    {
        throw InputError("kv-processor: --ycsb: expected a, b, c, d or f (e scans keys in their "
                         "order, which a hash table does not have), got " +
                         m_request.ycsb);
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
        throw InputError("kv-processor: --pair: expected at least the key's " +
                         std::to_string(m_workload.keyBytes) + " bytes, got " +
                         std::to_string(m_request.pairBytes));
    }
    m_workload.valueBytes = m_request.pairBytes - m_workload.keyBytes;
    m_workload.keys = GetFilling().CountPairs(m_request.memoryBytes);
    if (m_request.atomics > m_workload.keys)
    {
        throw InputError("kv-processor: --atomics: expected at most the " +
                         std::to_string(m_workload.keys) + " keys that there are, got " +
                         std::to_string(m_request.atomics));
    }
    if (const std::string fault = m_workload.FindFault(); !fault.empty())
    {
        throw InputError("kv-processor: " + fault);
    }
}

KvMemorySettings
KvProcessorRun::MakeMemorySettings() const
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
        FindKvDispatchRatio(settings, MakeBoard(m_request).GetThroughputRatio(), keys));
    return settings;
}

std::unique_ptr<KvTable>
KvProcessorRun::MakeStore(HostMemory& memory, KvProcessorResult& result) const
{
    if (m_request.isCounted)
    {
        auto store = std::make_unique<KvCountedStore>(
            m_store,
            KvPairsOfStore{m_workload.keys, m_workload.keyBytes, m_workload.valueBytes});
        result.keys = store->CountKeys();
        result.utilization = store->GetMemoryUtilization();
        return store;
    }
    auto store = std::make_unique<KvStore>(m_store, memory);
    if (!GetFilling().Fill(*store, m_workload.keys))
    {
        throw InputError("kv-processor: the store is full at a utilization of " +
                         std::to_string(store->GetMemoryUtilization()) + ", expected room for " +
                         std::to_string(m_request.utilization));
    }
    result.keys = store->GetStats().keys;
    result.utilization = store->GetMemoryUtilization();
    return store;
}

KvProcessorResult
KvProcessorRun::Run()
{
    KvProcessorResult result;
    Hardware hardware;
    const KvMemorySettings memorySettings = MakeMemorySettings();
    for (uint32_t link = 0; link < m_request.links; ++link)
    {
        const RandomStream random(m_request.seed, 2 + link);
        hardware.links.push_back(MakeKvPcieLink(random, MakeBoard(m_request)));
    }
    hardware.card = MakeKvCard(memorySettings.cacheBytes);
    const std::unique_ptr<KvTable> store = MakeStore(hardware.memory, result);
    KvMemoryEngine memory(memorySettings, hardware.GetLinks(), *hardware.card);
    KvFunctionTable functions;
    // What updates of the workload name.
    functions.Add(CreateObjectWithAttributes<KvAdd>("ElementBytes", UintegerValue(1)));
    LoadSwitch loads;
    KvProcessorSettings settings;
    settings.isOutOfOrder = m_request.isOutOfOrder;
    settings.isForwardedMeanwhile = m_request.isForwardedMeanwhile;
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

    result.operations = load.GetLatencies().size();
    result.duration = load.GetLastAnswer() - begin;
    result.dispatchRatio = memorySettings.dispatchRatio;
    result.latency = SummarizeLatency(load.GetLatencies(), 1);
    result.failures = warmup.CountFailures() + load.CountFailures();
    result.processor = processor.GetStats() - processorBefore;
    result.memory = memory.GetStats() - memoryBefore;
    return result;
}

} // namespace ns3::rdma
