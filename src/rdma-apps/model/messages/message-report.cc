// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/message-report.h"

#include "ns3/percentile.h"
#include "ns3/record-table.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace ns3::rdma
{

namespace
{
using Json = nlohmann::ordered_json;

constexpr double PS_PER_US{1e6};

/// messages.csv.
const RecordTable<MessageRow> MESSAGE_TABLE{
    "messages.csv",
    {{"client", "", "node id of the client", &MessageRow::client},
     {"server", "", "node id of the server", &MessageRow::server},
     {"queue_pair", "", "its number at the client", &MessageRow::queuePair},
     {"messages", "", "messages that completed in the measured time", &MessageRow::ended},
     {"latency_mean_ns",
      "ns",
      "mean time from the posting of a message to its completion; empty if none was posted in the "
      "measured time and completed",
      [](const MessageRow& row) {
          return row.timed == 0 ? std::nullopt
                                : std::optional(PaddedNsCell{row.latencySum /
                                                             static_cast<int64_t>(row.timed)});
      }},
     {"latency_max_ns", "ns", "the longest of these times", [](const MessageRow& row) {
          return row.timed == 0 ? std::nullopt : std::optional(PaddedNsCell{row.latencyMax});
      }}}};

/// @param latencies their order changes
Json
WriteLatency(std::vector<int64_t>& latencies)
{
    if (latencies.empty())
    {
        return {{"mean", nullptr}, {"p50", nullptr}, {"p99", nullptr}, {"p999", nullptr}};
    }
    const auto take = [&latencies](uint64_t perMille) {
        return static_cast<double>(TakePercentile(latencies, perMille)) / PS_PER_US;
    };
    // The sum is exact up to 2^64, in any order.
    const long double sum = std::accumulate(latencies.begin(), latencies.end(), 0.0L);
    const double mean = static_cast<double>(sum) / static_cast<double>(latencies.size());
    return {{"mean", mean / PS_PER_US},
            {"p50", take(500)},
            {"p99", take(990)},
            {"p999", take(999)}};
}
} // namespace

MessageReport::MessageReport(uint32_t bytes, Tick from, Tick until)
    : m_bytes(bytes),
      m_from(from),
      m_until(until)
{
}

uint32_t
MessageReport::Add(const MessageRow& row)
{
    m_rows.push_back(row);
    return static_cast<uint32_t>(m_rows.size() - 1);
}

void
MessageReport::OnEnd(uint32_t place, Tick postedAt, Tick now, bool isGood)
{
    m_lastEnd = std::max(m_lastEnd, now);
    if (!isGood)
    {
        ++m_counts.failed;
        return;
    }
    ++m_counts.completed;
    MessageRow& row = m_rows[place];
    row.ended += now >= m_from && now < m_until ? 1 : 0;
    if (postedAt >= m_from)
    {
        const int64_t latency = now - postedAt;
        ++row.timed;
        row.latencySum += latency;
        row.latencyMax = std::max(row.latencyMax, latency);
        m_latencies.push_back(latency);
    }
}

void
MessageReport::Collect(RankGroup& ranks)
{
    ranks.CollectAtFirst(m_rows);
    ranks.CollectAtFirst(m_latencies);
    std::vector<Counts> counts{m_counts};
    ranks.CollectAtFirst(counts);
    m_counts = {};
    for (const Counts& one : counts)
    {
        m_counts.posted += one.posted;
        m_counts.completed += one.completed;
        m_counts.failed += one.failed;
    }
    std::sort(m_rows.begin(), m_rows.end(), [](const MessageRow& left, const MessageRow& right) {
        return std::tie(left.client, left.queuePair) < std::tie(right.client, right.queuePair);
    });
}

ResultPart
MessageReport::MakePart(RankGroup& ranks)
{
    constexpr double BITS_PER_BYTE{8};
    constexpr double BITS_PER_PS_IN_GBPS{1e3};
    constexpr double PS_PER_SECOND{1e12};
    Collect(ranks);
    const uint64_t ended =
        std::accumulate(m_rows.begin(),
                        m_rows.end(),
                        uint64_t{0},
                        [](uint64_t sum, const auto& row) { return sum + row.ended; });
    const auto window = static_cast<double>(m_until - m_from);
    const uint64_t unfinished = m_counts.posted - m_counts.completed - m_counts.failed;
    const double goodput =
        static_cast<double>(ended) * m_bytes * BITS_PER_BYTE * BITS_PER_PS_IN_GBPS / window;
    ResultPart part;
    part.name = "messages";
    part.summary = {{"posted", m_counts.posted},
                    {"completed", m_counts.completed},
                    {"failed", m_counts.failed},
                    {"unfinished", unfinished},
                    {"measured", m_latencies.size()},
                    {"latency_us", WriteLatency(m_latencies)},
                    {"goodput_gbps", goodput},
                    {"messages_per_second", static_cast<double>(ended) * PS_PER_SECOND / window}};
    char text[120];
    std::snprintf(text,
                  sizeof text,
                  "%llu of %llu messages completed, %.4g Gb/s",
                  static_cast<unsigned long long>(m_counts.completed),
                  static_cast<unsigned long long>(m_counts.posted),
                  goodput);
    part.line = text;
    if (m_counts.failed > 0)
    {
        part.troubles.push_back(std::to_string(m_counts.failed) + " messages failed");
    }
    if (m_isStalled && unfinished > 0)
    {
        part.troubles.push_back(std::to_string(unfinished) + " messages stalled");
    }
    part.tables = {
        MESSAGE_TABLE.MakeResult(std::make_shared<const std::vector<MessageRow>>(m_rows))};
    return part;
}

} // namespace ns3::rdma
