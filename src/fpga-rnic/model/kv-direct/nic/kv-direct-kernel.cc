// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-direct-kernel.h"

#include "ns3/assert.h"
#include "ns3/kv-load-dispatch.h"
#include "ns3/kv-warming.h"
#include "ns3/log.h"
#include "ns3/type-attributes.h"
#include "ns3/verbs-error.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("KvDirectKernel");

NS_OBJECT_ENSURE_REGISTERED(KvDirectKernel);

namespace
{
constexpr double BALANCED{-1};                       ///< The formula determines the ratio.
constexpr uint64_t FIRST_STREAM{0x6b76646972656374}; ///< "kvdirect".
} // namespace

TypeId
KvDirectKernel::GetTypeId()
{
    const auto board = [](auto field, const auto& initial, auto... bounds) {
        return Part(&KvDirectKernel::m_board, field, initial, bounds...);
    };
    const auto processor = [](auto field, const auto& initial, auto... bounds) {
        return Part(&KvDirectKernel::m_processing, field, initial, bounds...);
    };
    static TypeId tid =
        TypeAttributes::Of<KvDirectKernel, OffloadKernel>("ns3::rdma::KvDirectKernel", "FpgaRnic")
            .Add("Frequency",
                 Member(&KvDirectKernel::m_frequency, 180'000'000, 1'000'000, 10'000'000'000),
                 "Clock of the KV processor, Hz (180 MHz: KV-Direct section 4)")
            .Add("Links",
                 board(&KvBoard::links, 2, 1, 16),
                 "PCIe links (2: KV-Direct section 2.4; 1: section 6.2)")
            .Add("RequestRate",
                 board(&KvBoard::requestRate, KV_REQUEST_RATE, 0, 1'000'000'000'000),
                 "DMA reads and writes together of each link per second; 0: no limit (59.7 M: the "
                 "rate of reads alone, KV-Direct Figure 3a; that writes share it is inferred from "
                 "sections 2.4 and 3.3.4 and Table 3)")
            .Add("LinkLanes",
                 Property(&KvDirectKernel::SetLinkLanes, &KvDirectKernel::GetLinkLanes, 8, 1, 16),
                 "Lanes of each PCIe link, Gen3: 1, 2, 4, 8 or 16 (8: KV-Direct section 2.4)")
            .Add(
                "LinkReadLatency",
                board(&KvBoard::readLatency, NanoSeconds(800), Time(0), MilliSeconds(1)),
                "Latency of a DMA read of data in the host's cache (800 ns: KV-Direct section 2.4)")
            .Add("LinkReadJitter",
                 board(&KvBoard::readJitter, NanoSeconds(500), Time(0), MilliSeconds(1)),
                 "Largest addition to it, uniform (500 ns: 250 ns on average for data that is not "
                 "in the host's cache, KV-Direct section 2.4)")
            .Add("CardChannels",
                 board(&KvBoard::channels, 1, 1, 64),
                 "Channels of the NIC's DRAM (1: KV-Direct section 2.4)")
            .Add("CardChannelRate",
                 board(&KvBoard::channelRate, DataRate(102'400'000'000)),
                 "Usable rate of one channel (12.8 GB/s: DDR3-1600, KV-Direct section 2.4)")
            .Add("CardBytes",
                 board(&KvBoard::cardBytes, uint64_t{4} << 30, 64, uint64_t{1} << 40),
                 "Bytes of the NIC's DRAM; more if CacheBytes is (4 GiB: KV-Direct section 2.4)")
            .Add("CacheBytes",
                 Member(&KvDirectKernel::m_cacheBytes, uint64_t{4} << 30, 0, uint64_t{1} << 40),
                 "NIC DRAM that caches the store, at most CacheRatio of its memory (4 GiB: "
                 "KV-Direct sections 2.4 and 4)")
            .Add(
                "CacheRatio",
                Member(&KvDirectKernel::m_cacheRatio, 1.0 / 16, 1.0 / 16, 1.0),
                "Largest ratio of that DRAM to the store's memory, for stores that are scaled down "
                "(1/16: 4 GiB of 64 GiB, KV-Direct section 3.3.4; the 4 address bits of section 4 "
                "allow no smaller one)")
            .Add("DispatchRatio",
                 Property(&KvDirectKernel::SetDispatchRatio,
                          &KvDirectKernel::GetDispatchRatio,
                          BALANCED,
                          BALANCED,
                          1),
                 "Share of the lines that the DRAM may cache, 0 to 1 (-1: balanced, by the formula "
                 "of KV-Direct section 3.3.4)")
            .Add("OutOfOrder",
                 processor(&KvProcessorSettings::isOutOfOrder, true),
                 "Whether there is a reservation station; else conflicts stop the pipeline (true: "
                 "KV-Direct section 3.3.3; false: section 5.1.3)")
            .Add("IssueCycles",
                 processor(&KvProcessorSettings::issueCycles, 10, 1, 1000),
                 "Cycles from the decoder to the first memory request (10: our estimate)")
            .Add("AnswerCycles",
                 processor(&KvProcessorSettings::answerCycles, 10, 0, 1000),
                 "Cycles from the last data to the answer (10: our estimate)")
            .Add("MaxBatchBytes",
                 Member(&KvDirectKernel::m_maxBatchBytes, 64 << 10, 64, 1 << 24),
                 "Largest message with operations, bytes; longer ones are dropped (64 KiB: our "
                 "choice)")
            .Add("WaitingBatches",
                 Member(&KvDirectKernel::m_waitingBatches, 4, 1, 1 << 16),
                 "Batches with operations that the processor has not taken, at most; while there "
                 "are that many, no packet is accepted (4: our choice)");
    return tid;
}

KvDirectKernel::~KvDirectKernel() = default;

ClockDomain
KvDirectKernel::MakeClock() const
{
    constexpr uint32_t BUS_BYTES{64};
    return ClockDomain(m_frequency, BUS_BYTES);
}

void
KvDirectKernel::SetDispatchRatio(double ratio)
{
    if (ratio < 0 && ratio != BALANCED)
    {
        throw std::invalid_argument("ns3::rdma::KvDirectKernel::DispatchRatio: expected 0 to 1, "
                                    "or -1 (balanced), got " +
                                    std::to_string(ratio));
    }
    m_dispatchRatio = ratio;
}

double
KvDirectKernel::GetDispatchRatio() const
{
    return m_dispatchRatio;
}

void
KvDirectKernel::SetLinkLanes(uint32_t lanes)
{
    const bool isPowerOfTwo = lanes != 0 && (lanes & (lanes - 1)) == 0;
    if (!isPowerOfTwo)
    {
        throw std::invalid_argument("ns3::rdma::KvDirectKernel::LinkLanes: expected 1, 2, 4, 8 or "
                                    "16, got " +
                                    std::to_string(lanes));
    }
    m_board.lanes = lanes;
}

uint32_t
KvDirectKernel::GetLinkLanes() const
{
    return m_board.lanes;
}

KvMemorySettings
KvDirectKernel::MakeMemorySettings(const KvStoreSettings& store, uint64_t keys) const
{
    constexpr uint64_t LINE{KvMemoryEngine::LINE_BYTES};
    KvMemorySettings settings;
    settings.base = store.base;
    settings.memoryBytes = (KvLayout(store).GetEnd() - store.base + LINE - 1) / LINE * LINE;
    settings.cacheBytes = GetCacheBytes(store);
    settings.dispatchRatio = m_dispatchRatio;
    if (m_dispatchRatio < 0)
    {
        settings.dispatchRatio =
            FindKvDispatchRatio(settings, m_board.GetThroughputRatio(), static_cast<double>(keys));
    }
    return settings;
}

uint64_t
KvDirectKernel::GetCacheBytes(const KvStoreSettings& store) const
{
    constexpr uint64_t LINE{KvMemoryEngine::LINE_BYTES};
    const double largest = m_cacheRatio * static_cast<double>(store.memoryBytes);
    return std::min(m_cacheBytes, static_cast<uint64_t>(largest)) / LINE * LINE;
}

void
KvDirectKernel::Start(const KvStoreSettings& store,
                      Ptr<HostMemory> memory,
                      uint64_t seed,
                      uint64_t number,
                      uint64_t keys)
{
    MakeParts(store, seed, number, keys);
    m_bytes = std::move(memory);
    auto made = std::make_unique<KvStore>(store, *m_bytes);
    m_storeOfBytes = made.get();
    m_store = std::move(made);
    MakeProcessor();
}

void
KvDirectKernel::StartCounted(const KvStoreSettings& store,
                             const KvPairsOfStore& pairs,
                             uint64_t seed,
                             uint64_t number,
                             uint64_t keys)
{
    MakeParts(store, seed, number, keys);
    m_store = std::make_unique<KvCountedStore>(store, pairs);
    MakeProcessor();
}

void
KvDirectKernel::MakeParts(const KvStoreSettings& store,
                          uint64_t seed,
                          uint64_t number,
                          uint64_t keys)
{
    if (m_store)
    {
        throw VerbsError("a KV-Direct kernel that serves another workload already");
    }
    if (const auto fault = store.FindFault())
    {
        throw VerbsError(*fault);
    }
    const KvMemorySettings settings = MakeMemorySettings(store, keys);
    std::vector<PcieLink*> links;
    constexpr uint64_t MAX_LINKS{16};
    for (uint32_t link = 0; link < m_board.links; ++link)
    {
        const RandomStream random(seed, FIRST_STREAM + number * MAX_LINKS + link);
        m_links.push_back(MakeKvPcieLink(random, m_board));
        links.push_back(PeekPointer(m_links.back()));
    }
    m_card = MakeKvCard(settings.cacheBytes, m_board);
    m_memory = std::make_unique<KvMemoryEngine>(settings, std::move(links), *m_card);
}

void
KvDirectKernel::MakeProcessor()
{
    m_processor = std::make_unique<KvProcessor>(
        m_processing,
        MakeClock(),
        KvProcessor::Parts{*m_store, *m_memory, m_functions, m_batches, m_batches});
}

KvStore&
KvDirectKernel::GetStore()
{
    NS_ASSERT_MSG(m_storeOfBytes, "A counted store has no bytes");
    return *m_storeOfBytes;
}

void
KvDirectKernel::Warm(const KvOperation& operation)
{
    WarmKvMemory(*m_memory, *m_store, operation, m_warmed);
}

uint8_t
KvDirectKernel::AddFunction(Ptr<KvFunction> function)
{
    return m_functions.Add(std::move(function));
}

void
KvDirectKernel::Connect(uint32_t queuePair, const KvReplyWindow& window)
{
    m_peers[queuePair] = Peer{window, {}, false};
}

KernelStep
KvDirectKernel::OnPacket(const KernelInput& input)
{
    KernelStep step;
    const auto found = m_peers.find(input.queuePair);
    if (!m_processor || found == m_peers.end())
    {
        m_dropped += input.isLast;
        step.readyAt = After(input.at, 1);
        return step;
    }
    Peer& peer = found->second;
    if (input.isFirst)
    {
        peer.bytes.clear();
        peer.isTooLong = false;
    }
    peer.isTooLong = peer.isTooLong || peer.bytes.size() + input.bytes.GetSize() > m_maxBatchBytes;
    if (!peer.isTooLong)
    {
        const uint8_t* bytes = input.bytes.GetData();
        peer.bytes.insert(peer.bytes.end(), bytes, bytes + input.bytes.GetSize());
    }
    if (input.isLast)
    {
        TakeBatch(input.queuePair, peer, input.at);
    }
    const auto words =
        static_cast<Cycle>(GetClock().GetWords(static_cast<uint32_t>(input.bytes.GetSize())));
    Advance(input.at, step);
    m_isOpen = m_batches.CountWaiting() < m_waitingBatches;
    step.readyAt = m_isOpen ? After(input.at, words) : TICK_NEVER;
    return step;
}

void
KvDirectKernel::TakeBatch(uint32_t queuePair, Peer& peer, Tick now)
{
    if (peer.isTooLong)
    {
        NS_LOG_INFO("queue pair " << queuePair << ": a batch of more than " << m_maxBatchBytes
                                  << " B is dropped");
        ++m_dropped;
        return;
    }
    NS_LOG_LOGIC("queue pair " << queuePair << ": a batch of " << peer.bytes.size()
                               << " B arrives, " << m_batches.CountWaiting()
                               << " earlier ones wait");
    m_batches.Add(queuePair, std::move(peer.bytes), peer.window.slotBytes, now);
    peer.bytes.clear();
    m_processor->Notify(now);
}

void
KvDirectKernel::Advance(Tick now, KernelStep& step)
{
    m_processor->Run(now);
    for (KvReadyBatch& ready : m_batches.TakeReady())
    {
        AddAnswer(ready, step);
    }
    if (!m_isOpen && m_batches.CountWaiting() < m_waitingBatches)
    {
        m_isOpen = true;
        step.readyAt = After(now, 1);
    }
    if (m_wakeAt <= now)
    {
        m_wakeAt = TICK_NEVER;
    }
    const Tick next = m_processor->GetNextTime();
    if (next < m_wakeAt)
    {
        m_wakeAt = next;
        step.wakeAt = next;
    }
}

void
KvDirectKernel::AddAnswer(KvReadyBatch& ready, KernelStep& step) const
{
    const auto found = m_peers.find(ready.queuePair);
    if (found == m_peers.end())
    {
        return;
    }
    NS_LOG_LOGIC("queue pair " << ready.queuePair << ": the answers to batch " << ready.tag
                               << " leave at " << ready.at << " ps, " << ready.bytes.size()
                               << " B");
    const KvReplyWindow& window = found->second.window;
    KernelCommand command;
    command.kind = KernelCommand::Kind::SEND_WRITE;
    command.at = ready.at;
    command.queuePair = ready.queuePair;
    command.address = window.GetAddress(ready.tag);
    command.remoteKey = window.remoteKey;
    command.tag = ready.tag;
    command.bytes = std::move(ready.bytes);
    step.commands.push_back(std::move(command));
}

KernelStep
KvDirectKernel::OnData(uint64_t, ByteView, Tick)
{
    return {}; // The kernel issues no reads: the memory engine has its own times.
}

KernelStep
KvDirectKernel::OnFault(uint64_t, Tick)
{
    return {};
}

KernelStep
KvDirectKernel::OnWake(Tick now)
{
    KernelStep step;
    if (m_processor)
    {
        Advance(now, step);
    }
    return step;
}

KernelStep
KvDirectKernel::OnQueuePairEnd(uint32_t queuePair, Tick)
{
    m_peers.erase(queuePair);
    m_batches.Forget(queuePair);
    return {};
}

} // namespace ns3::rdma
