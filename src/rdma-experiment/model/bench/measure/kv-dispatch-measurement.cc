// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-load-dispatch.h"
#include "ns3/measurement.h"

namespace ns3::rdma
{

/// Evaluates KvLoadDispatch for each pair of ratios.
class KvDispatchMeasurement : public Measurement
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::KvDispatchMeasurement")
                                .SetParent<Measurement>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<KvDispatchMeasurement>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"kv-dispatch", "the share of memory that KV-Direct's DRAM should cache"};
    }

    void Visit(Keys& keys) override
    {
        constexpr double MIN_RATIO{1e-6};
        constexpr double MAX_RATIO{1e3};
        constexpr double MAX_KEYS{1e15};
        keys.Numbers("throughput", m_throughputRatios, "throughput of DRAM over PCIe")
            .Between(MIN_RATIO, MAX_RATIO);
        keys.Numbers("memory", m_memoryRatios, "size of DRAM over host memory")
            .Between(MIN_RATIO, 1.0);
        keys.Number("keys", m_keys, "pairs of a long tail; 0: uniform popularity")
            .Between(0.0, MAX_KEYS);
        for (const double memory : m_memoryRatios)
        {
            keys.Check(m_keys == 0 || m_keys * memory > 1,
                       "keys",
                       "more than one pair in the DRAM, or 0");
        }
    }

    MeasuredRows Measure() override
    {
        MeasuredRows rows;
        for (const double throughput : m_throughputRatios)
        {
            for (const double memory : m_memoryRatios)
            {
                AddRow(throughput, memory, rows);
            }
        }
        return rows;
    }

  private:
    void AddRow(double throughput, double memory, MeasuredRows& rows) const
    {
        KvLoadDispatch dispatch;
        dispatch.throughputRatio = throughput;
        dispatch.memoryRatio = memory;
        if (m_keys > 0)
        {
            dispatch.keys = m_keys;
        }
        const double share = dispatch.FindShare();
        const double rate = dispatch.GetThroughput(share);
        const double divided = dispatch.GetPartitionedThroughput();
        rows.Begin();
        rows.Set("throughput_ratio", throughput, "throughput of DRAM over PCIe");
        rows.Set("memory_ratio", memory, "size of DRAM over host memory");
        rows.Set("cached_share", share, "share of memory that the DRAM caches");
        rows.Set("hit_share", dispatch.GetHitProbability(share), "hits of accesses to that share");
        rows.Set("throughput", rate, "throughput over PCIe alone");
        rows.Set("partitioned_throughput", divided, "the same of a static partition");
        rows.Set("relative_throughput", rate / divided, "throughput over that of the partition");
    }

    std::vector<double> m_throughputRatios{12.8 / 13.2}; ///< KV-Direct's board.
    std::vector<double> m_memoryRatios{1.0 / 16};        ///< 4 of 64 GiB.
    double m_keys{1e9};
};

NS_OBJECT_ENSURE_REGISTERED(KvDispatchMeasurement);

} // namespace ns3::rdma
