// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/account-report.h"

#include "ns3/flow-number.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

/// One line of the text. @param depth of indentation
void
WriteLine(std::ostream& out, uint32_t depth, const std::string& text, Tick time, Tick all)
{
    constexpr int WIDTH{72};
    char numbers[80];
    std::snprintf(numbers,
                  sizeof numbers,
                  "%14lld.%06lld %7.2f %%\n",
                  static_cast<long long>(time / 1'000'000),
                  static_cast<long long>(time % 1'000'000),
                  100.0 * static_cast<double>(time) / static_cast<double>(all));
    std::string line(2 * depth, ' ');
    line += text;
    line.resize(std::max<std::size_t>(line.size(), WIDTH), ' ');
    out << line << numbers;
}

Tick
SumOf(const std::vector<FlowPart>& parts, FlowCause cause)
{
    Tick sum = 0;
    for (const FlowPart& part : parts)
    {
        sum += part.place.cause == cause ? part.time : 0;
    }
    return sum;
}

/// What a line says of a place below its cause; empty: nothing more than the cause.
std::string
DescribePlace(const FlowPlace& place, const std::vector<std::string>& ports)
{
    std::string text = place.within == place.cause ? "" : GetInfo(place.within).text;
    if (place.port != NO_PORT)
    {
        text += (text.empty() ? "" : ", ") + ports[place.port];
    }
    const bool isReceived =
        place.within == FlowCause::RECEIVE || place.within == FlowCause::RECEIVE_CONTEXT;
    if (isReceived)
    {
        return text + (text.empty() ? "" : ", ") +
               (place.isWayBack ? "of the answer, at the sender" : "of data, at the receiver");
    }
    return text + (place.isWayBack ? " (answer)" : "");
}

void
WriteCause(const std::vector<FlowPart>& parts,
           FlowCause cause,
           const std::vector<std::string>& ports,
           Tick all,
           std::ostream& out)
{
    WriteLine(out, 1, GetInfo(cause).text, SumOf(parts, cause), all);
    for (const FlowPart& part : parts)
    {
        const std::string text = DescribePlace(part.place, ports);
        if (part.place.cause == cause && !text.empty())
        {
            WriteLine(out, 2, text, part.time, all);
        }
    }
}

} // namespace

std::vector<FlowPart>
MakeParts(const FlowAccount& account)
{
    std::vector<FlowPart> parts;
    for (const FlowInterval& interval : account.GetIntervals())
    {
        const auto found = std::find_if(parts.begin(), parts.end(), [&](const FlowPart& part) {
            return part.place == interval.place;
        });
        const Tick time = interval.until - interval.from;
        if (found == parts.end())
        {
            parts.push_back({interval.place, time});
        }
        else
        {
            found->time += time;
        }
    }
    std::stable_sort(parts.begin(), parts.end(), [](const FlowPart& left, const FlowPart& right) {
        return left.place.cause < right.place.cause;
    });
    return parts;
}

void
WriteText(const ExplainedFlow& flow,
          const std::vector<std::string>& ports,
          const std::string& nic,
          const std::vector<std::string>& workloads,
          std::ostream& out)
{
    const FlowRecord& record = flow.record;
    const Tick all = record.fctPs;
    char slowdown[32];
    std::snprintf(slowdown,
                  sizeof slowdown,
                  "%.6g",
                  static_cast<double>(all) /
                      static_cast<double>(std::max<Tick>(record.idealPs, 1)));
    out << flow_number::Describe(record.flow, workloads) << " of " << nic << ": server "
        << record.src << " to server " << record.dst << ", " << record.bytes << " bytes, slowdown "
        << slowdown << ", " << record.retransmitted << " packets sent again, " << record.timeouts
        << " timeouts\n\n";
    WriteLine(out, 0, "completion time (us), share", all, all);
    const std::vector<FlowPart> parts = MakeParts(flow.account);
    std::string_view group;
    for (std::size_t i = 0; i < FLOW_CAUSES; ++i)
    {
        const auto cause = static_cast<FlowCause>(i);
        if (SumOf(parts, cause) == 0)
        {
            continue;
        }
        if (GetInfo(cause).group != group)
        {
            group = GetInfo(cause).group;
            out << group << '\n';
        }
        WriteCause(parts, cause, ports, all, out);
    }
}

void
WriteJson(const ExplainedFlow& flow,
          const std::vector<std::string>& ports,
          const std::string& nic,
          const std::vector<std::string>& workloads,
          std::ostream& out)
{
    const FlowRecord& record = flow.record;
    Json json{{"flow", flow_number::GetLocal(record.flow)},
              {"nic", nic},
              {"src", record.src},
              {"dst", record.dst},
              {"bytes", record.bytes},
              {"start_ps", record.startPs},
              {"fct_ps", record.fctPs},
              {"ideal_ps", record.idealPs},
              {"parts", Json::array()}};
    if (!workloads.empty())
    {
        json["workload"] = workloads[flow_number::GetWorkload(record.flow)];
    }
    for (const FlowPart& part : MakeParts(flow.account))
    {
        const FlowPlace& place = part.place;
        Json one{{"group", GetInfo(place.cause).group}, {"cause", GetInfo(place.cause).key}};
        if (place.within != place.cause)
        {
            one["within"] = GetInfo(place.within).key;
        }
        if (place.port != NO_PORT)
        {
            one["port"] = ports[place.port];
        }
        one["way"] = place.isWayBack ? "answer" : "data";
        one["ps"] = part.time;
        json["parts"].push_back(std::move(one));
    }
    out << json.dump(2) << '\n';
}

void
WriteTable(std::vector<ExplainedFlow> flows,
           const std::vector<std::string>& workloads,
           std::ostream& out)
{
    std::sort(flows.begin(),
              flows.end(),
              [](const ExplainedFlow& left, const ExplainedFlow& right) {
                  return left.record.flow < right.record.flow;
              });
    out << (workloads.empty() ? "" : "workload,") << "flow,src,dst,bytes,start_ps,fct_ps";
    for (std::size_t cause = 0; cause < FLOW_CAUSES; ++cause)
    {
        out << ',' << GetInfo(static_cast<FlowCause>(cause)).key << "_ps";
    }
    out << '\n';
    for (const ExplainedFlow& flow : flows)
    {
        const FlowRecord& record = flow.record;
        if (!workloads.empty())
        {
            out << workloads[flow_number::GetWorkload(record.flow)] << ',';
        }
        out << flow_number::GetLocal(record.flow) << ',' << record.src << ',' << record.dst << ','
            << record.bytes << ',' << record.startPs << ',' << record.fctPs;
        for (std::size_t cause = 0; cause < FLOW_CAUSES; ++cause)
        {
            out << ',' << flow.account.Sum(static_cast<FlowCause>(cause));
        }
        out << '\n';
    }
}

} // namespace ns3::rdma
