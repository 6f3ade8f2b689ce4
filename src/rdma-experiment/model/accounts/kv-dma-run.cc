// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-dma-run.h"

#include "ns3/percentile.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace ns3::rdma
{

namespace
{
using Ends = std::priority_queue<Tick, std::vector<Tick>, std::greater<>>;

KvDmaResult
Summarize(uint64_t accesses, Tick duration, std::vector<Tick> latencies)
{
    constexpr double PS_PER_US{1e6};
    constexpr uint64_t PERCENTS{100};
    KvDmaResult result;
    result.accesses = accesses;
    result.duration = duration;
    result.latency = SummarizeLatency(latencies, 1);
    std::sort(latencies.begin(), latencies.end());
    for (uint64_t percent = 1; percent < PERCENTS; ++percent)
    {
        const std::size_t rank = GetNearestRank(latencies.size(), 10 * percent);
        result.percentiles.push_back(static_cast<double>(latencies[rank]) / PS_PER_US);
    }
    return result;
}
} // namespace

KvDmaRun::KvDmaRun(const KvDmaRequest& request)
    : m_request(request)
{
}

KvDmaResult
KvDmaRun::Run()
{
    const RandomStream random(m_request.seed, 0);
    KvBoard board;
    board.requestRate = m_request.requestRate;
    board.readJitter = m_request.isCached ? Time(0) : board.readJitter;
    const Ptr<PcieLink> link = MakeKvPcieLink(random, board);
    return m_request.cores > 0 ? RunGathered(*link) : RunDirect(*link);
}

KvDmaResult
KvDmaRun::RunDirect(PcieLink& link)
{
    constexpr uint64_t MEMORY{uint64_t{64} << 30};
    RandomStream addresses(m_request.seed, 1);
    std::vector<Tick> latencies;
    Ends ends;
    Tick now = 0;
    for (uint64_t i = 0; i < m_request.accesses; ++i)
    {
        if (ends.size() == m_request.outstanding)
        {
            now = ends.top();
            ends.pop();
        }
        const auto place = static_cast<uint64_t>(addresses.NextDouble() * double{MEMORY});
        const uint64_t address = place / m_request.bytes * m_request.bytes;
        const bool isWrite = m_request.isMixed ? i % 2 == 1 : m_request.isWrite;
        const auto transfer = isWrite ? &PcieLink::Write : &PcieLink::Read;
        const Tick end = (link.*transfer)(now, now, DmaKind::KERNEL, address, m_request.bytes);
        latencies.push_back(end - now);
        ends.push(end);
    }
    Tick last = now;
    for (; !ends.empty(); ends.pop())
    {
        last = std::max(last, ends.top());
    }
    return Summarize(m_request.accesses, last, std::move(latencies));
}

KvDmaResult
KvDmaRun::RunGathered(PcieLink& link)
{
    KvGatherSettings settings;
    settings.cores = m_request.cores;
    KvGather gather(settings, link);
    const uint64_t batches =
        std::max<uint64_t>(1, (m_request.accesses + settings.batch - 1) / settings.batch);
    std::vector<Tick> latencies;
    Ends ends;
    Tick now = 0;
    Tick last = 0;
    for (uint64_t i = 0; i < batches; ++i)
    {
        if (ends.size() == std::size_t{settings.cores} * settings.buffers)
        {
            now = std::max(now, ends.top());
            ends.pop();
        }
        const Tick end = gather.Read(now, m_request.bytes);
        latencies.push_back(end - now);
        ends.push(end);
        last = std::max(last, end);
    }
    return Summarize(batches * settings.batch, last, std::move(latencies));
}

} // namespace ns3::rdma
