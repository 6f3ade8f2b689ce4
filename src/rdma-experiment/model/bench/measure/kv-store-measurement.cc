// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-tables-under-test.h"
#include "ns3/measurement.h"
#include "ns3/percentile.h"
#include "ns3/random-stream.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/// Puts of new pairs are counted while this share of the memory is filled.
constexpr double PUT_WINDOW{0.02};

/// Numbers of accesses of operations of one kind.
class AccessSummary
{
  public:
    void Add(uint32_t accesses)
    {
        if (accesses >= m_counts.size())
        {
            m_counts.resize(accesses + 1);
        }
        ++m_counts[accesses];
        ++m_operations;
    }

    /// Without operations it sets nothing. @param kind as "get"
    void SetColumns(const std::string& kind, MeasuredRows& rows) const
    {
        if (m_operations == 0)
        {
            return;
        }
        uint64_t sum = 0;
        for (std::size_t accesses = 0; accesses < m_counts.size(); ++accesses)
        {
            sum += accesses * m_counts[accesses];
        }
        const std::string meaning = "memory accesses of a " + kind + ", ";
        rows.Set(kind + "_mean",
                 static_cast<double>(sum) / static_cast<double>(m_operations),
                 meaning + "mean");
        rows.Set(kind + "_p5", FindPercentile(50), meaning + "5th percentile");
        rows.Set(kind + "_p95", FindPercentile(950), meaning + "95th percentile");
        rows.Set(kind + "_max", m_counts.size() - 1, meaning + "most");
        rows.Set(kind + "_operations", m_operations, "operations of this kind");
    }

  private:
    uint64_t FindPercentile(uint64_t perMille) const
    {
        std::size_t before = GetNearestRank(m_operations, perMille);
        std::size_t accesses = 0;
        for (; before >= m_counts[accesses]; ++accesses)
        {
            before -= m_counts[accesses];
        }
        return accesses;
    }

    std::vector<uint64_t> m_counts; ///< Of operations, by accesses.
    uint64_t m_operations{0};
};

} // namespace

/**
 * @ingroup rdma-kv
 * @brief Fills a hash table step by step and counts memory accesses (KV-Direct, section 5.1.1).
 *
 * At each utilization: puts of new pairs on the last 2 % of the memory before it, gets and puts of
 * random pairs that are there.  If the table is filled or full, the last row is its end.
 */
class KvStoreMeasurement : public Measurement
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::KvStoreMeasurement")
                                .SetParent<Measurement>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<KvStoreMeasurement>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"kv-store", "memory accesses of KV-Direct's hash table and of others"};
    }

    void Visit(Keys& keys) override
    {
        const std::string expected = "table=kv-direct beside it";
        keys.Choice("table", m_request.table, {"kv-direct", "cuckoo", "hopscotch"}, "hash table");
        const bool isOwn = m_request.table == "kv-direct";
        keys.Bytes("memory", m_request.memoryBytes, "hash index and slabs").WithUnit();
        keys.Text("kv-size", m_request.sizes, "bytes of key and value: 10, or 5-30 at random");
        keys.Number("hash-index-ratio", m_request.hashIndexRatio, "share of the hash index");
        keys.Count("inline-threshold",
                   m_request.inlineThreshold,
                   "bytes of the largest pair stored inline")
            .AtMost(50U)
            .OnlyIf(isOwn, expected);
        keys.Count("max-slab",
                   m_request.maxSlabBytes,
                   "bytes of the largest slab: 512, 1024 or 2048")
            .OnlyIf(isOwn, expected);
        keys.Numbers("utilization",
                     m_utilizations,
                     "shares of the memory that keys and values use where accesses are measured")
            .Above(0)
            .AtMost(1.0);
        keys.Count("operations", m_operations, "GETs, and PUTs, at each utilization")
            .Between(uint64_t{1}, uint64_t{1'000'000'000});
        keys.Flag("fill", m_isFilled, "insertions until no further pair fits");
        VisitSeed(keys, m_request.seed);
    }

    MeasuredRows Measure() override;

  private:
    bool FillTo(double utilization, AccessSummary* puts);
    void MeasurePoint(double utilization, const AccessSummary& puts, MeasuredRows& rows);
    void AddRow(double utilization, bool isFull, MeasuredRows& rows) const;

    KvTableRequest m_request;
    std::vector<double> m_utilizations{0.5};
    uint64_t m_operations{100'000}; ///< Of each kind, at each utilization.
    bool m_isFilled{false};
    std::unique_ptr<KvTableUnderTest> m_table;
    RandomStream m_random{1, 1};
    uint64_t m_pairs{0};
};

MeasuredRows
KvStoreMeasurement::Measure()
{
    m_table = MakeKvTable(m_request);
    m_random = RandomStream(m_request.seed, 1);
    std::sort(m_utilizations.begin(), m_utilizations.end());
    MeasuredRows rows;
    bool hasRoom = true;
    for (const double utilization : m_utilizations)
    {
        AccessSummary puts;
        hasRoom = FillTo(utilization - PUT_WINDOW, nullptr) && FillTo(utilization, &puts);
        if (!hasRoom)
        {
            break;
        }
        MeasurePoint(utilization, puts, rows);
    }
    if (hasRoom && m_isFilled)
    {
        hasRoom = FillTo(1.0, nullptr);
    }
    if (!hasRoom || m_isFilled)
    {
        AddRow(m_table->GetUtilization(), !hasRoom, rows);
    }
    return rows;
}

void
KvStoreMeasurement::AddRow(double utilization, bool isFull, MeasuredRows& rows) const
{
    rows.Begin();
    rows.Set("utilization", utilization, "share of the memory that keys and values use");
    rows.Set("is_full", isFull, "whether the next pair found no room");
    rows.Set("pairs", m_pairs, "pairs in the table");
}

/// @return whether all pairs up to there fit.
bool
KvStoreMeasurement::FillTo(double utilization, AccessSummary* puts)
{
    while (m_table->GetUtilization() < utilization)
    {
        uint32_t accesses = 0;
        if (!m_table->Insert(m_pairs, accesses))
        {
            return false;
        }
        ++m_pairs;
        if (puts != nullptr)
        {
            puts->Add(accesses);
        }
    }
    return true;
}

void
KvStoreMeasurement::MeasurePoint(double utilization, const AccessSummary& puts, MeasuredRows& rows)
{
    AddRow(utilization, false, rows);
    m_table->SetColumns(rows); // Before the operations, which change its counts.
    AccessSummary gets;
    AccessSummary updates;
    for (uint64_t i = 0; i < m_operations; ++i)
    {
        gets.Add(m_table->Get(m_random.Next() % m_pairs));
        if (const uint32_t accesses = m_table->Update(m_random.Next() % m_pairs))
        {
            updates.Add(accesses);
        }
    }
    gets.SetColumns("get", rows);
    puts.SetColumns("put", rows);
    updates.SetColumns("update", rows);
}

NS_OBJECT_ENSURE_REGISTERED(KvStoreMeasurement);

} // namespace ns3::rdma
