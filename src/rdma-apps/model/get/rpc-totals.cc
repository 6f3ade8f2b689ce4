// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rpc-totals.h"

#include "ns3/percentile.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <numeric>

namespace ns3::rdma
{

namespace
{
using Json = nlohmann::ordered_json;

constexpr double PS_PER_US{1e6};

/// @return a percentile in microseconds.
double
TakeMicroseconds(std::vector<int64_t>& latencies, uint64_t perMille)
{
    return static_cast<double>(TakePercentile(latencies, perMille)) / PS_PER_US;
}
} // namespace

RpcTotals::RpcTotals(int64_t fromPs, int64_t untilPs)
    : m_fromPs(fromPs),
      m_untilPs(untilPs)
{
}

void
RpcTotals::Add(const RpcRecord& record)
{
    ++m_count;
    ++m_countByStatus[static_cast<std::size_t>(record.status)];
    switch (record.status)
    {
    case RpcStatus::OK:
    case RpcStatus::NOT_FOUND:
        AddAnswered(record);
        return;
    case RpcStatus::WRONG:
        m_violations.push_back(record.Describe() + " got bytes that are not the key's");
        return;
    case RpcStatus::REFUSED:
    case RpcStatus::FAILED:
    case RpcStatus::STALLED:
        if (m_troubles.size() < MAX_LISTED)
        {
            m_troubles.push_back(record.Describe() + ": " + GetRpcStatusName(record.status));
        }
        return;
    default:
        return;
    }
}

void
RpcTotals::AddAnswered(const RpcRecord& record)
{
    m_hasSeveralNics = m_hasSeveralNics || record.serverNic > 0;
    if (record.startPs >= m_fromPs)
    {
        m_latencies.push_back(record.latencyPs);
        m_probes += record.probes;
    }
    const int64_t end = record.startPs + record.latencyPs;
    if (end >= m_fromPs && end < m_untilPs)
    {
        m_endedBytes += record.bytes;
        ++m_ended;
        ++m_endedByNic[{record.server, record.serverNic}];
    }
}

std::string
RpcTotals::Describe() const
{
    const uint64_t answered = GetCount(RpcStatus::OK) + GetCount(RpcStatus::NOT_FOUND);
    std::string text =
        std::to_string(answered) + " of " + std::to_string(m_count) + " requests answered";
    if (!m_latencies.empty())
    {
        std::vector<int64_t> latencies = m_latencies;
        char latency[80];
        std::snprintf(latency,
                      sizeof latency,
                      ", latency P50 %.1f us, P99 %.1f us",
                      TakeMicroseconds(latencies, 500),
                      TakeMicroseconds(latencies, 990));
        text += latency;
    }
    return text;
}

Json
RpcTotals::WriteLatency() const
{
    if (m_latencies.empty())
    {
        return {{"mean", nullptr}, {"p50", nullptr}, {"p99", nullptr}, {"p999", nullptr}};
    }
    // The sum is exact up to 2^64, in any order.
    const long double sum = std::accumulate(m_latencies.begin(), m_latencies.end(), 0.0L);
    const double mean = static_cast<double>(sum) / static_cast<double>(m_latencies.size());
    std::vector<int64_t> latencies = m_latencies;
    return {{"mean", mean / PS_PER_US},
            {"p50", TakeMicroseconds(latencies, 500)},
            {"p99", TakeMicroseconds(latencies, 990)},
            {"p999", TakeMicroseconds(latencies, 999)}};
}

Json
RpcTotals::WriteSummary() const
{
    constexpr double BITS_PER_BYTE{8};
    constexpr double BITS_PER_PS_IN_GBPS{1e3};
    constexpr double PS_PER_SECOND{1e12};
    const auto window = static_cast<double>(m_untilPs - m_fromPs);
    const uint64_t measured = m_latencies.size();
    Json json{{"requests", m_count}, {"measured", measured}};
    for (std::size_t i = 0; i < static_cast<std::size_t>(RpcStatus::COUNT); ++i)
    {
        const auto status = static_cast<RpcStatus>(i);
        json["status"][GetRpcStatusName(status)] = GetCount(status);
    }
    json["latency_us"] = WriteLatency();
    json["goodput_gbps"] =
        static_cast<double>(m_endedBytes) * BITS_PER_BYTE * BITS_PER_PS_IN_GBPS / window;
    json["requests_per_second"] = static_cast<double>(m_ended) * PS_PER_SECOND / window;
    json["probes"] = measured == 0
                         ? Json(nullptr)
                         : Json(static_cast<double>(m_probes) / static_cast<double>(measured));
    if (m_hasSeveralNics)
    {
        for (const auto& [place, ended] : m_endedByNic)
        {
            json["nics"].push_back(
                {{"server", place.first}, {"nic", place.second}, {"requests", ended}});
        }
    }
    return json;
}

} // namespace ns3::rdma
