// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rpc-report.h"

#include "ns3/text-row.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>
#include <utility>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr double PS_PER_US{1e6};

/// Answered requests that began in the measured time, and what ended in it.
struct RpcSample
{
    std::vector<int64_t> latencies; ///< Sorted.
    uint64_t probes{0};             ///< Of these requests.
    uint64_t endedBytes{0};
    uint64_t ended{0};
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> endedByNic; ///< By server and NIC.
    bool hasSeveralNics{false};
};

bool
IsAnswered(const RpcRecord& record)
{
    return record.status == RpcStatus::OK || record.status == RpcStatus::NOT_FOUND;
}

RpcSample
TakeSample(const RpcReport& report)
{
    RpcSample sample;
    for (const RpcRecord& record : report.records)
    {
        if (!IsAnswered(record))
        {
            continue;
        }
        sample.hasSeveralNics = sample.hasSeveralNics || record.serverNic > 0;
        if (record.startPs >= report.fromPs)
        {
            sample.latencies.push_back(record.latencyPs);
            sample.probes += record.probes;
        }
        const int64_t end = record.startPs + record.latencyPs;
        if (end >= report.fromPs && end < report.untilPs)
        {
            sample.endedBytes += record.bytes;
            ++sample.ended;
            ++sample.endedByNic[{record.server, record.serverNic}];
        }
    }
    std::sort(sample.latencies.begin(), sample.latencies.end());
    return sample;
}

/// Nearest rank, as all percentiles. @param sorted not empty
double
GetMicroseconds(const std::vector<int64_t>& sorted, std::size_t perMille)
{
    const std::size_t rank = (sorted.size() * perMille + 999) / 1000; // From 1.
    return static_cast<double>(sorted[rank - 1]) / PS_PER_US;
}

Json
WriteLatency(const std::vector<int64_t>& sorted)
{
    if (sorted.empty())
    {
        return {{"mean", nullptr}, {"p50", nullptr}, {"p99", nullptr}, {"p999", nullptr}};
    }
    const double sum = std::accumulate(sorted.begin(), sorted.end(), 0.0);
    return {{"mean", sum / static_cast<double>(sorted.size()) / PS_PER_US},
            {"p50", GetMicroseconds(sorted, 500)},
            {"p99", GetMicroseconds(sorted, 990)},
            {"p999", GetMicroseconds(sorted, 999)}};
}

/// Whole nanoseconds, or with three decimals.
std::string
FormatNs(int64_t ps)
{
    constexpr int64_t PS_PER_NS{1000};
    char text[40];
    std::snprintf(text,
                  sizeof text,
                  ps % PS_PER_NS == 0 ? "%lld" : "%lld.%03lld",
                  static_cast<long long>(ps / PS_PER_NS),
                  static_cast<long long>(ps % PS_PER_NS));
    return text;
}

std::string
DescribeRequest(const RpcRecord& record)
{
    return "request " + std::to_string(record.sequence) + " of client " +
           std::to_string(record.client) + " to server " + std::to_string(record.server);
}

} // namespace

const char*
GetRpcStatusName(RpcStatus status)
{
    constexpr const char*
        NAMES[]{"ok", "not-found", "wrong", "refused", "failed", "stalled", "unfinished"};
    return NAMES[static_cast<std::size_t>(status)];
}

void
RpcReport::Sort()
{
    std::sort(records.begin(), records.end(), [](const RpcRecord& left, const RpcRecord& right) {
        return std::tie(left.startPs, left.client, left.sequence) <
               std::tie(right.startPs, right.client, right.sequence);
    });
}

uint64_t
RpcReport::GetCount(RpcStatus status) const
{
    return static_cast<uint64_t>(
        std::count_if(records.begin(), records.end(), [status](const RpcRecord& record) {
            return record.status == status;
        }));
}

std::string
RpcReport::Describe() const
{
    const RpcSample sample = TakeSample(*this);
    std::string text = std::to_string(std::count_if(records.begin(), records.end(), IsAnswered)) +
                       " of " + std::to_string(records.size()) + " requests answered";
    if (!sample.latencies.empty())
    {
        char latency[80];
        std::snprintf(latency,
                      sizeof latency,
                      ", latency P50 %.1f us, P99 %.1f us",
                      GetMicroseconds(sample.latencies, 500),
                      GetMicroseconds(sample.latencies, 990));
        text += latency;
    }
    return text;
}

std::vector<std::string>
RpcReport::GetViolations() const
{
    std::vector<std::string> lines;
    for (const RpcRecord& record : records)
    {
        if (record.status == RpcStatus::WRONG)
        {
            lines.push_back(DescribeRequest(record) + " got bytes that are not the key's");
        }
    }
    return lines;
}

std::vector<std::string>
RpcReport::GetTroubles(std::size_t limit) const
{
    std::vector<std::string> lines;
    for (const RpcRecord& record : records)
    {
        const bool isTrouble = record.status == RpcStatus::REFUSED ||
                               record.status == RpcStatus::FAILED ||
                               record.status == RpcStatus::STALLED;
        if (isTrouble && lines.size() < limit)
        {
            lines.push_back(DescribeRequest(record) + ": " + GetRpcStatusName(record.status));
        }
    }
    return lines;
}

void
WriteRpcs(const RpcReport& report, std::ostream& out)
{
    out << "request,client,server,start_ns,latency_ns,bytes,probes,status\n";
    uint64_t number = 0;
    TextRow row;
    for (const RpcRecord& record : report.records)
    {
        const bool hasEnded =
            record.status != RpcStatus::STALLED && record.status != RpcStatus::UNFINISHED;
        row.Add(number++)
            .Add(record.client)
            .Add(record.server)
            .Add(FormatNs(record.startPs))
            .Add(hasEnded ? FormatNs(record.latencyPs) : "")
            .Add(record.bytes)
            .Add(record.probes)
            .Add(GetRpcStatusName(record.status))
            .WriteTo(out);
    }
}

Json
WriteRpcSummary(const RpcReport& report)
{
    constexpr double BITS_PER_BYTE{8};
    constexpr double BITS_PER_PS_IN_GBPS{1e3};
    constexpr double PS_PER_SECOND{1e12};
    const RpcSample sample = TakeSample(report);
    const auto window = static_cast<double>(report.untilPs - report.fromPs);
    Json json{{"requests", report.records.size()}, {"measured", sample.latencies.size()}};
    for (std::size_t i = 0; i < static_cast<std::size_t>(RpcStatus::COUNT); ++i)
    {
        const auto status = static_cast<RpcStatus>(i);
        json["status"][GetRpcStatusName(status)] = report.GetCount(status);
    }
    json["latency_us"] = WriteLatency(sample.latencies);
    json["goodput_gbps"] =
        static_cast<double>(sample.endedBytes) * BITS_PER_BYTE * BITS_PER_PS_IN_GBPS / window;
    json["requests_per_second"] = static_cast<double>(sample.ended) * PS_PER_SECOND / window;
    json["probes"] = sample.latencies.empty() ? Json(nullptr)
                                              : Json(static_cast<double>(sample.probes) /
                                                     static_cast<double>(sample.latencies.size()));
    if (sample.hasSeveralNics)
    {
        for (const auto& [place, ended] : sample.endedByNic)
        {
            json["nics"].push_back(
                {{"server", place.first}, {"nic", place.second}, {"requests", ended}});
        }
    }
    return json;
}

} // namespace ns3::rdma
