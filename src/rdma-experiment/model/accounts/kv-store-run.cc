// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-store-run.h"

#include "ns3/input-error.h"
#include "ns3/kv-tables-under-test.h"
#include "ns3/percentile.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
using Json = nlohmann::ordered_json;

/// Puts of new pairs are counted while this share of the memory is filled.
constexpr double PUT_WINDOW{0.02};
} // namespace

void
AccessSummary::Add(uint32_t accesses)
{
    if (accesses >= m_counts.size())
    {
        m_counts.resize(accesses + 1);
    }
    ++m_counts[accesses];
    ++m_operations;
}

Json
AccessSummary::Describe() const
{
    if (m_operations == 0)
    {
        return nullptr;
    }
    uint64_t sum = 0;
    for (std::size_t accesses = 0; accesses < m_counts.size(); ++accesses)
    {
        sum += accesses * m_counts[accesses];
    }
    return {{"mean", static_cast<double>(sum) / static_cast<double>(m_operations)},
            {"p5", FindPercentile(50)},
            {"p95", FindPercentile(950)},
            {"max", m_counts.size() - 1},
            {"operations", m_operations}};
}

uint64_t
AccessSummary::FindPercentile(uint64_t perMille) const
{
    std::size_t before = GetNearestRank(m_operations, perMille);
    std::size_t accesses = 0;
    for (; before >= m_counts[accesses]; ++accesses)
    {
        before -= m_counts[accesses];
    }
    return accesses;
}

KvStoreRun::KvStoreRun(const KvStoreRequest& request)
    : m_request(request),
      m_table(MakeKvTable(request)),
      m_random(request.seed, 1)
{
    for (const double utilization : request.utilizations)
    {
        if (!(utilization > 0 && utilization <= 1))
        {
            throw InputError("kv-store: --utilization: expected shares above 0, 1 at most, got " +
                             std::to_string(utilization));
        }
    }
    std::sort(m_request.utilizations.begin(), m_request.utilizations.end());
}

Json
KvStoreRun::Run()
{
    Json points = Json::array();
    bool hasRoom = true;
    for (const double utilization : m_request.utilizations)
    {
        AccessSummary puts;
        hasRoom = FillTo(utilization - PUT_WINDOW, nullptr) && FillTo(utilization, &puts);
        if (!hasRoom)
        {
            break;
        }
        Json point = {{"utilization", utilization}};
        point.update(Measure(puts));
        points.push_back(point);
    }
    Json result = {{"table", m_request.table},
                   {"memory", m_request.memory},
                   {"sizes", m_request.sizes},
                   {"hashIndexRatio", m_request.hashIndexRatio},
                   {"inlineThreshold", m_request.inlineThreshold},
                   {"seed", m_request.seed},
                   {"points", points}};
    if (hasRoom && m_request.isFilled)
    {
        hasRoom = FillTo(1.0, nullptr);
    }
    result["isFull"] = !hasRoom;
    result["reached"] = m_table->GetUtilization();
    result["pairs"] = m_pairs;
    return result;
}

/// @return whether all pairs up to there fit.
bool
KvStoreRun::FillTo(double utilization, AccessSummary* puts)
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

Json
KvStoreRun::Measure(const AccessSummary& puts)
{
    AccessSummary gets;
    AccessSummary updates;
    Json table = m_table->Describe();
    for (uint64_t i = 0; i < m_request.operations; ++i)
    {
        gets.Add(m_table->Get(m_random.Next() % m_pairs));
        if (const uint32_t accesses = m_table->Update(m_random.Next() % m_pairs))
        {
            updates.Add(accesses);
        }
    }
    return {{"pairs", m_pairs},
            {"get", gets.Describe()},
            {"put", puts.Describe()},
            {"update", updates.Describe()},
            {"table", table}};
}

} // namespace ns3::rdma
