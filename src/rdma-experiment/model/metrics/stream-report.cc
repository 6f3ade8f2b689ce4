// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-report.h"

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

constexpr double BITS_PER_BYTE{8};
constexpr double PS_PER_NS{1e3};
constexpr double PERCENT{100};

/// Gb/s. @param ps above 0
double
GetGbps(uint64_t bytes, int64_t ps)
{
    return static_cast<double>(bytes) * BITS_PER_BYTE * PS_PER_NS / static_cast<double>(ps);
}

/// @return of one core.
double
GetUsePercent(int64_t usePs, int64_t ps)
{
    return static_cast<double>(usePs) * PERCENT / static_cast<double>(ps);
}

std::string
FormatStreamNumber(double value)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

/// Whole nanoseconds, or with three decimals.
std::string
FormatStreamNs(int64_t ps)
{
    char text[40];
    std::snprintf(text,
                  sizeof text,
                  ps % 1000 == 0 ? "%lld" : "%lld.%03lld",
                  static_cast<long long>(ps / 1000),
                  static_cast<long long>(ps % 1000));
    return text;
}

/// Nearest rank. @param values not empty; sorted by the call
Json
WriteQuantiles(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    Json json{{"mean", sum / static_cast<double>(values.size())}};
    for (const auto& [name, percent] : {std::pair("min", 0),
                                        std::pair("p10", 10),
                                        std::pair("p25", 25),
                                        std::pair("p50", 50),
                                        std::pair("p75", 75),
                                        std::pair("p90", 90),
                                        std::pair("max", 100)})
    {
        const std::size_t rank = std::max<std::size_t>(1, (values.size() * percent + 99) / 100);
        json[name] = values[rank - 1];
    }
    return json;
}

using HostKey = std::pair<uint32_t, StreamRole>;

/// Samples of one role of one server that are in the measured time.
struct HostSamples
{
    std::vector<double> goodput; ///< Gb/s.
    std::vector<double> use;     ///< %.
    uint32_t leastFill{UINT32_MAX};
    uint64_t emptyQueues{0};
};

std::map<HostKey, HostSamples>
GatherSamples(const StreamReport& report)
{
    std::map<HostKey, HostSamples> hosts;
    for (const StreamSample& sample : report.samples)
    {
        if (sample.endPs - report.intervalPs < report.fromPs || sample.endPs > report.untilPs)
        {
            continue;
        }
        HostSamples& host = hosts[{sample.server, sample.role}];
        host.goodput.push_back(GetGbps(sample.bytes, report.intervalPs));
        host.use.push_back(GetUsePercent(sample.usePs, report.intervalPs));
        host.leastFill = std::min(host.leastFill, sample.leastFill);
        host.emptyQueues += sample.emptyQueues;
    }
    return hosts;
}

Json
WriteTasks(const StreamReport& report, const HostKey& key)
{
    std::array<int64_t, HOST_TASKS> busy{};
    for (const StreamThreadRecord& thread : report.threads)
    {
        if (HostKey(thread.server, thread.role) == key)
        {
            for (std::size_t task = 0; task < HOST_TASKS; ++task)
            {
                busy[task] += thread.busyPs[task];
            }
        }
    }
    Json json = Json::object();
    for (std::size_t task = 0; task < HOST_TASKS; ++task)
    {
        json[GetHostTaskName(static_cast<HostTask>(task))] =
            GetUsePercent(busy[task], report.untilPs - report.fromPs);
    }
    return json;
}

/// % of a core that handlers of interrupts take for the threads of a role of a server.
double
GetInterruptPercent(const StreamReport& report, const HostKey& key)
{
    int64_t handlers = 0;
    for (const StreamThreadRecord& thread : report.threads)
    {
        handlers += HostKey(thread.server, thread.role) == key ? thread.interruptPs : 0;
    }
    return GetUsePercent(handlers, report.untilPs - report.fromPs);
}

Json
WriteHostSamples(const StreamReport& report, const HostKey& key, const HostSamples& host)
{
    Json json{{"server", key.first},
              {"role", GetStreamRoleName(key.second)},
              {"samples", host.goodput.size()},
              {"goodput_gbps", WriteQuantiles(host.goodput)},
              {"use_percent", WriteQuantiles(host.use)},
              {"use_percent_by_task", WriteTasks(report, key)},
              {"interrupt_percent", GetInterruptPercent(report, key)}};
    json["least_queue_fill"] = host.leastFill == UINT32_MAX ? Json(nullptr) : Json(host.leastFill);
    json["empty_queues"] = host.emptyQueues;
    return json;
}

template <typename Sum>
uint64_t
SumStreams(const StreamReport& report, Sum sum)
{
    uint64_t total = 0;
    for (const StreamRecord& stream : report.streams)
    {
        total += sum(stream);
    }
    return total;
}

uint64_t
GetLost(const StreamRecord& stream)
{
    return stream.sent > stream.received ? stream.sent - stream.received : 0;
}

} // namespace

const char*
GetStreamRoleName(StreamRole role)
{
    return role == StreamRole::SENDER ? "sender" : "receiver";
}

void
StreamReport::Sort()
{
    std::sort(streams.begin(), streams.end(), [](const auto& left, const auto& right) {
        return left.stream < right.stream;
    });
    std::sort(threads.begin(), threads.end(), [](const auto& left, const auto& right) {
        return std::tie(left.server, left.thread) < std::tie(right.server, right.thread);
    });
    std::sort(samples.begin(), samples.end(), [](const auto& left, const auto& right) {
        return std::tie(left.endPs, left.server, left.role) <
               std::tie(right.endPs, right.server, right.role);
    });
    std::sort(troubles.begin(), troubles.end());
}

double
StreamReport::GetGoodput() const
{
    const uint64_t bytes =
        SumStreams(*this, [](const StreamRecord& stream) { return stream.measuredBytes; });
    return GetGbps(bytes, untilPs - fromPs);
}

std::string
StreamReport::Describe() const
{
    const uint64_t sent = SumStreams(*this, [](const StreamRecord& one) { return one.sent; });
    char text[120];
    std::snprintf(text,
                  sizeof text,
                  "%zu streams, %.2f Gb/s, %llu of %llu messages not received",
                  streams.size(),
                  GetGoodput(),
                  static_cast<unsigned long long>(SumStreams(*this, GetLost)),
                  static_cast<unsigned long long>(sent));
    return text;
}

void
WriteStreams(const StreamReport& report, std::ostream& out)
{
    out << "stream,src,dst,message_bytes,sent,received,bytes,lost,missing_blocks,whole_regions,"
           "incomplete_regions,retransmitted,due,in_time,goodput_gbps\n";
    for (const StreamRecord& stream : report.streams)
    {
        out << stream.stream << ',' << stream.src << ',' << stream.dst << ',' << stream.messageBytes
            << ',' << stream.sent << ',' << stream.received << ',' << stream.bytes << ','
            << GetLost(stream) << ',' << stream.missing << ',' << stream.wholeRegions << ','
            << stream.incompleteRegions << ',' << stream.retransmitted << ',' << stream.due << ','
            << stream.inTime << ','
            << FormatStreamNumber(GetGbps(stream.measuredBytes, report.untilPs - report.fromPs))
            << '\n';
    }
}

void
WriteStreamThreads(const StreamReport& report, std::ostream& out)
{
    out << "server,thread,core,role,streams,use_percent,sleeps,switches,empty_queues";
    for (std::size_t task = 0; task < HOST_TASKS; ++task)
    {
        out << ',' << GetHostTaskName(static_cast<HostTask>(task)) << "_ns";
    }
    out << '\n';
    for (const StreamThreadRecord& thread : report.threads)
    {
        out << thread.server << ',' << thread.thread << ',' << thread.core << ','
            << GetStreamRoleName(thread.role) << ',' << thread.streams << ','
            << FormatStreamNumber(GetUsePercent(thread.usePs, report.untilPs - report.fromPs))
            << ',' << thread.sleeps << ',' << thread.switches << ',' << thread.emptyQueues;
        for (const int64_t busy : thread.busyPs)
        {
            out << ',' << FormatStreamNs(busy);
        }
        out << '\n';
    }
}

void
WriteStreamSamples(const StreamReport& report, std::ostream& out)
{
    out << "time_ns,server,role,goodput_gbps,use_percent,least_queue_fill,empty_queues\n";
    for (const StreamSample& sample : report.samples)
    {
        out << FormatStreamNs(sample.endPs) << ',' << sample.server << ','
            << GetStreamRoleName(sample.role) << ','
            << FormatStreamNumber(GetGbps(sample.bytes, report.intervalPs)) << ','
            << FormatStreamNumber(GetUsePercent(sample.usePs, report.intervalPs)) << ','
            << (sample.leastFill == UINT32_MAX ? "" : std::to_string(sample.leastFill)) << ','
            << sample.emptyQueues << '\n';
    }
}

Json
WriteStreamSummary(const StreamReport& report)
{
    Json json{
        {"streams", report.streams.size()},
        {"sent", SumStreams(report, [](const StreamRecord& one) { return one.sent; })},
        {"received", SumStreams(report, [](const StreamRecord& one) { return one.received; })},
        {"lost", SumStreams(report, GetLost)},
        {"missing_blocks", SumStreams(report, [](const StreamRecord& one) { return one.missing; })},
        {"retransmitted",
         SumStreams(report, [](const StreamRecord& one) { return one.retransmitted; })},
        {"goodput_gbps", report.GetGoodput()},
        {"measured_ms", static_cast<double>(report.untilPs - report.fromPs) / 1e9},
    };
    if (const uint64_t due = SumStreams(report, [](const StreamRecord& one) { return one.due; }))
    {
        json["due"] = due;
        json["in_time"] = SumStreams(report, [](const StreamRecord& one) { return one.inTime; });
    }
    json["hosts"] = Json::array();
    for (const auto& [key, host] : GatherSamples(report))
    {
        json["hosts"].push_back(WriteHostSamples(report, key, host));
    }
    if (!report.troubles.empty())
    {
        json["troubles"] = report.troubles;
    }
    return json;
}

} // namespace ns3::rdma
