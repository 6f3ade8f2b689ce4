// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-report.h"

#include "ns3/percentile.h"
#include "ns3/record-table.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
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
GetGbps(double bytes, int64_t ps)
{
    return bytes * BITS_PER_BYTE * PS_PER_NS / static_cast<double>(ps);
}

double
GetGbps(uint64_t bytes, int64_t ps)
{
    return GetGbps(static_cast<double>(bytes), ps);
}

/// A cell of the goodput that a thread has measured itself.
template <double GoodputRange::*FIELD>
std::optional<double>
GetMeasured(const StreamThreadRecord& thread)
{
    return thread.measured ? std::optional((*thread.measured).*FIELD) : std::nullopt;
}

/// @return of one core.
double
GetUsePercent(int64_t usePs, int64_t ps)
{
    return static_cast<double>(usePs) * PERCENT / static_cast<double>(ps);
}

uint64_t
GetLost(const StreamRecord& stream)
{
    return stream.sent > stream.received ? stream.sent - stream.received : 0;
}

const RecordTable<StreamRecord, StreamReport> STREAM_TABLE{
    "streams.csv",
    {{"stream",
      "",
      "number of the queue pair, from 0, in the order of the pattern",
      &StreamRecord::stream},
     {"src", "", "node id of the sender", &StreamRecord::src},
     {"dst", "", "node id of the receiver", &StreamRecord::dst},
     {"message_bytes", "bytes", "size of a message", &StreamRecord::messageBytes},
     {"sent", "", "messages posted in the whole run", &StreamRecord::sent},
     {"received",
      "",
      "messages that the receiving program has taken in the whole run",
      &StreamRecord::received},
     {"bytes", "bytes", "bytes of the received messages", &StreamRecord::bytes},
     {"lost",
      "",
      "`sent` less `received`; includes messages that the program has not yet taken at the end of "
      "the run",
      GetLost},
     {"missing_blocks",
      "",
      "messages detected as missing by means of immediate data",
      &StreamRecord::missing},
     {"whole_regions",
      "",
      "uses of memory regions that ended with all their blocks",
      &StreamRecord::wholeRegions},
     {"incomplete_regions",
      "",
      "uses of memory regions that ended without some of them",
      &StreamRecord::incompleteRegions},
     {"retransmitted",
      "",
      "packets that the queue pair has sent again (`retransmitted` of summary.json itself is of "
      "flows)",
      &StreamRecord::retransmitted},
     {"due",
      "",
      "with a `deadline`: messages whose deadline was within the run, sent or not",
      &StreamRecord::due},
     {"in_time",
      "",
      "of these, messages that the program took before their deadline",
      &StreamRecord::inTime},
     {"goodput_gbps",
      "Gb/s",
      "payload that arrived in the measured time, whether or not the program has taken it",
      [](const StreamRecord& stream, const StreamReport& report) {
          return GetGbps(stream.measuredBytes, report.untilPs - report.fromPs);
      }}}};

using SampleTable = RecordTable<StreamSample, StreamReport>;

const SampleTable SAMPLE_TABLE{
    "samples.csv",
    {{"time_ns",
      "ns",
      "the end of an interval",
      [](const StreamSample& sample) { return PaddedNsCell{sample.endPs}; }},
     {"server", "", "node id", &StreamSample::server},
     {"role",
      "",
      "`sender` or `receiver`; all threads of a role together",
      [](const StreamSample& sample) { return GetStreamRoleName(sample.role); }},
     {"goodput_gbps",
      "Gb/s",
      "payload that has arrived at receivers, or whose completion senders have received",
      [](const StreamSample& sample, const StreamReport& report) {
          return GetGbps(sample.bytes, report.intervalPs);
      }},
     {"use_percent",
      "%",
      "use of all threads of the role; 100 is a core",
      [](const StreamSample& sample, const StreamReport& report) {
          return GetUsePercent(sample.usePs, report.intervalPs);
      }},
     {"least_queue_fill",
      "",
      "least number of requests in any of their queues when a thread looked; empty if none looked",
      [](const StreamSample& sample) {
          return sample.leastFill == UINT32_MAX ? std::nullopt : std::optional(sample.leastFill);
      }},
     {"empty_queues", "", "times that a queue was found empty", &StreamSample::emptyQueues},
     {"measured_gbps",
      "Gb/s",
      "goodput by the measurements of the threads themselves, spread evenly over the time between "
      "two of them; empty if a thread did not measure in time",
      [](const StreamSample& sample, const StreamReport& report) {
          return sample.measuredBytes
                     ? std::optional(GetGbps(*sample.measuredBytes, report.intervalPs))
                     : std::nullopt;
      }}}};

using ThreadTable = RecordTable<StreamThreadRecord, StreamReport>;

/// A column per task follows the fixed ones.
std::vector<ThreadTable::Column>
MakeThreadColumns()
{
    std::vector<ThreadTable::Column> columns{
        {"server", "", "node id", &StreamThreadRecord::server},
        {"thread", "", "number of the thread in its server", &StreamThreadRecord::thread},
        {"core", "", "core that the thread is bound to", &StreamThreadRecord::core},
        {"role",
         "",
         "`sender` or `receiver`",
         [](const StreamThreadRecord& thread) { return GetStreamRoleName(thread.role); }},
        {"streams", "", "queue pairs that the thread serves", &StreamThreadRecord::streams},
        {"use_percent",
         "%",
         "use of a core in the measured time, as `clock_gettime(CLOCK_THREAD_CPUTIME_ID)` shows it",
         [](const StreamThreadRecord& thread, const StreamReport& report) {
             return GetUsePercent(thread.usePs, report.untilPs - report.fromPs);
         }},
        {"sleeps",
         "",
         "times that the thread slept, in the whole run",
         &StreamThreadRecord::sleeps},
        {"switches",
         "",
         "switches of its core from another thread to it, in the whole run",
         &StreamThreadRecord::switches},
        {"empty_queues",
         "",
         "times that its queue was found empty, in the whole run",
         &StreamThreadRecord::emptyQueues},
        {"least_gbps",
         "Gb/s",
         "least goodput between two of its own measurements in the measured time; empty if there "
         "are fewer",
         GetMeasured<&GoodputRange::least>},
        {"mean_gbps",
         "Gb/s",
         "goodput between the first and the last of these measurements",
         GetMeasured<&GoodputRange::mean>},
        {"most_gbps",
         "Gb/s",
         "most goodput between two of these measurements",
         GetMeasured<&GoodputRange::most>}};
    for (std::size_t task = 0; task < HOST_TASKS; ++task)
    {
        const std::string name = GetHostTaskName(static_cast<HostTask>(task));
        columns.push_back({name + "_ns",
                           "ns",
                           "core time of `" + name + "` in the measured time",
                           [task](const StreamThreadRecord& thread) {
                               return PaddedNsCell{thread.busyPs[task]};
                           }});
    }
    return columns;
}

const ThreadTable THREAD_TABLE{"threads.csv", MakeThreadColumns()};

/// @param values not empty
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
        json[name] = TakePercentile(values, 10 * static_cast<uint64_t>(percent));
    }
    return json;
}

using HostKey = std::pair<uint32_t, StreamRole>;

/// Samples of one role of one server that are in the measured time.
struct HostSamples
{
    std::vector<double> goodput;  ///< Gb/s.
    std::vector<double> measured; ///< Gb/s, by the threads themselves; may have fewer.
    std::vector<double> use;      ///< %.
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
        if (sample.measuredBytes)
        {
            host.measured.push_back(GetGbps(*sample.measuredBytes, report.intervalPs));
        }
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
    Json json{
        {"server", key.first},
        {"role", GetStreamRoleName(key.second)},
        {"samples", host.goodput.size()},
        {"goodput_gbps", WriteQuantiles(host.goodput)},
        {"measured_gbps", host.measured.empty() ? Json(nullptr) : WriteQuantiles(host.measured)},
        {"use_percent", WriteQuantiles(host.use)},
        {"use_percent_by_task", WriteTasks(report, key)},
        {"interrupt_percent", GetInterruptPercent(report, key)}};
    json["least_queue_fill"] = host.leastFill == UINT32_MAX ? Json(nullptr) : Json(host.leastFill);
    json["empty_queues"] = host.emptyQueues;
    return json;
}

/// @param get of a stream
template <typename Getter>
uint64_t
SumStreams(const StreamReport& report, Getter get)
{
    uint64_t total = 0;
    for (const StreamRecord& stream : report.streams)
    {
        total += std::invoke(get, stream);
    }
    return total;
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
    return GetGbps(SumStreams(*this, &StreamRecord::measuredBytes), untilPs - fromPs);
}

std::string
StreamReport::Describe() const
{
    const uint64_t sent = SumStreams(*this, &StreamRecord::sent);
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

namespace
{
Json
WriteStreamSummary(const StreamReport& report)
{
    Json json{
        {"streams", report.streams.size()},
        {"sent", SumStreams(report, &StreamRecord::sent)},
        {"received", SumStreams(report, &StreamRecord::received)},
        {"lost", SumStreams(report, GetLost)},
        {"missing_blocks", SumStreams(report, &StreamRecord::missing)},
        {"retransmitted", SumStreams(report, &StreamRecord::retransmitted)},
        {"goodput_gbps", report.GetGoodput()},
        {"measured_ms", static_cast<double>(report.untilPs - report.fromPs) / 1e9},
    };
    if (const uint64_t due = SumStreams(report, &StreamRecord::due))
    {
        json["due"] = due;
        json["in_time"] = SumStreams(report, &StreamRecord::inTime);
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
} // namespace

ResultPart
MakeStreamPart(StreamReport report)
{
    const auto all = std::make_shared<const StreamReport>(std::move(report));
    ResultPart part;
    part.name = "streams";
    part.line = all->Describe();
    part.summary = WriteStreamSummary(*all);
    part.troubles = all->troubles;
    part.tables = {STREAM_TABLE.MakeResult({all, &all->streams}, all),
                   THREAD_TABLE.MakeResult({all, &all->threads}, all),
                   SAMPLE_TABLE.MakeResult({all, &all->samples}, all)};
    part.details = all;
    return part;
}

} // namespace ns3::rdma
