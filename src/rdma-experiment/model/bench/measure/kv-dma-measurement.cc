// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-gather.h"
#include "ns3/kv-server-parts.h"
#include "ns3/measurement.h"
#include "ns3/percentile.h"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>
#include <utility>

namespace ns3::rdma
{

namespace
{

using Ends = std::priority_queue<Tick, std::vector<Tick>, std::greater<>>;

constexpr double PS_PER_US{1e6};

enum class Access
{
    READ,
    WRITE,
    MIXED ///< Reads and writes in turn.
};

constexpr std::array<std::pair<const char*, Access>, 3> ACCESSES{
    {{"read", Access::READ}, {"write", Access::WRITE}, {"mixed", Access::MIXED}}};

/// Sets all percentiles by nearest rank but the median, which is the mean of the middle two.
void
SetPercentiles(std::vector<Tick> latencies, MeasuredRows& rows)
{
    constexpr uint64_t PERCENTS{100};
    std::sort(latencies.begin(), latencies.end());
    for (uint64_t percent = 1; percent < PERCENTS; ++percent)
    {
        if (percent == PERCENTS / 2)
        {
            continue;
        }
        const std::string number = std::to_string(percent);
        const std::size_t rank = GetNearestRank(latencies.size(), 10 * percent);
        rows.Set("latency_p" + number + "_us",
                 static_cast<double>(latencies[rank]) / PS_PER_US,
                 "latency of an access, percentile " + number);
    }
}

} // namespace

/**
 * @ingroup rdma-kv
 * @brief Random accesses of KV-Direct's NIC to its host's memory over one PCIe link (KV-Direct
 * Figures 3 and 18).
 */
class KvDmaMeasurement : public Measurement
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::KvDmaMeasurement")
                                .SetParent<Measurement>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<KvDmaMeasurement>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"kv-dma", "random PCIe accesses of KV-Direct's NIC"};
    }

    void Visit(Keys& keys) override
    {
        keys.Bytes("bytes", m_bytes, "size of each access").Between(1U, 4096U);
        keys.Choice("access", m_access, ACCESSES, "kind of the accesses; mixed: in turn");
        keys.Flag("cached", m_isCached, "the host's cache has the data");
        keys.Count("outstanding", m_outstanding, "accesses in flight").Between(1U, 65536U);
        keys.Count("cores", m_cores, "cores that gather reads for the NIC; 0: none does")
            .AtMost(64U)
            .OnlyIf(m_access == Access::READ, "access=read beside it");
        keys.Count("request-rate",
                   m_requestRate,
                   "DMA reads and writes together per second; 0: no limit")
            .AtMost(uint64_t{1'000'000'000'000});
        keys.Count("accesses", m_accesses, "measured accesses")
            .Between(uint64_t{1}, uint64_t{100'000'000});
        VisitSeed(keys, m_seed);
        keys.Flag("percentiles", m_hasPercentiles, "columns of all percentiles of the latency");
    }

    MeasuredRows Measure() override
    {
        const RandomStream random(m_seed, 0);
        KvBoard board;
        board.requestRate = m_requestRate;
        board.readJitter = m_isCached ? Time(0) : board.readJitter;
        const Ptr<PcieLink> link = MakeKvPcieLink(random, board);
        return m_cores > 0 ? MeasureGathered(*link) : MeasureDirect(*link);
    }

  private:
    MeasuredRows MeasureDirect(PcieLink& link) const;
    MeasuredRows MeasureGathered(PcieLink& link) const;
    MeasuredRows MakeRows(uint64_t accesses, Tick duration, std::vector<Tick> latencies) const;

    uint32_t m_bytes{64};
    Access m_access{Access::READ};
    bool m_isCached{false};
    uint32_t m_outstanding{256};
    uint32_t m_cores{0};
    uint64_t m_requestRate{KV_REQUEST_RATE};
    uint64_t m_accesses{200'000};
    uint64_t m_seed{1};
    bool m_hasPercentiles{false};
};

MeasuredRows
KvDmaMeasurement::MakeRows(uint64_t accesses, Tick duration, std::vector<Tick> latencies) const
{
    const double microseconds = static_cast<double>(duration) / PS_PER_US;
    MeasuredRows rows;
    rows.Begin();
    rows.Set("accesses", accesses, "measured accesses");
    rows.Set("bytes", m_bytes, "size of each access");
    rows.Set("duration_us", microseconds, "time of all accesses");
    rows.Set("mops", static_cast<double>(accesses) / microseconds, "million accesses per second");
    rows.Set("throughput_GBps",
             static_cast<double>(accesses) * m_bytes / microseconds / 1e3,
             "data of the accesses per second");
    rows.SetLatency(SummarizeLatency(latencies, 1), "latency of an access");
    if (m_hasPercentiles)
    {
        SetPercentiles(std::move(latencies), rows);
    }
    return rows;
}

MeasuredRows
KvDmaMeasurement::MeasureDirect(PcieLink& link) const
{
    constexpr uint64_t MEMORY{uint64_t{64} << 30};
    RandomStream addresses(m_seed, 1);
    std::vector<Tick> latencies;
    Ends ends;
    Tick now = 0;
    for (uint64_t i = 0; i < m_accesses; ++i)
    {
        if (ends.size() == m_outstanding)
        {
            now = ends.top();
            ends.pop();
        }
        const auto place = static_cast<uint64_t>(addresses.NextDouble() * double{MEMORY});
        const uint64_t address = place / m_bytes * m_bytes;
        const bool isWrite = m_access == Access::MIXED ? i % 2 == 1 : m_access == Access::WRITE;
        const auto transfer = isWrite ? &PcieLink::Write : &PcieLink::Read;
        const Tick end = (link.*transfer)(now, now, DmaKind::KERNEL, address, m_bytes);
        latencies.push_back(end - now);
        ends.push(end);
    }
    Tick last = now;
    for (; !ends.empty(); ends.pop())
    {
        last = std::max(last, ends.top());
    }
    return MakeRows(m_accesses, last, std::move(latencies));
}

MeasuredRows
KvDmaMeasurement::MeasureGathered(PcieLink& link) const
{
    KvGatherSettings settings;
    settings.cores = m_cores;
    KvGather gather(settings, link);
    const uint64_t batches =
        std::max<uint64_t>(1, (m_accesses + settings.batch - 1) / settings.batch);
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
        const Tick end = gather.Read(now, m_bytes);
        latencies.push_back(end - now);
        ends.push(end);
        last = std::max(last, end);
    }
    return MakeRows(batches * settings.batch, last, std::move(latencies));
}

NS_OBJECT_ENSURE_REGISTERED(KvDmaMeasurement);

} // namespace ns3::rdma
