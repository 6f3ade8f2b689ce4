// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/workload-reader.h"

#include "ns3/scenario-kinds.h"
#include "ns3/server-group.h"

#include <limits>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t MAX_NODE{std::numeric_limits<uint32_t>::max()};

uint32_t
ReadNode(const JsonValue& value)
{
    return static_cast<uint32_t>(value.GetWhole(0, MAX_NODE));
}

void
ReadPoisson(const JsonValue& value, const ServerGroups& groups, WorkloadSpec& workload)
{
    workload.sizes = value.Get("sizes").GetString();
    const JsonValue load = value.Get("load");
    workload.load = load.GetNumber();
    if (workload.load <= 0 || workload.load > 1)
    {
        load.Fail("a load above 0 and at most 1");
    }
    workload.duration = value.Get("duration").GetPositiveTime();
    const auto readGroup = [&value, &groups](const char* key) {
        const auto member = value.Find(key);
        return member ? ReadGroupName(*member, groups) : "";
    };
    workload.sources = readGroup("sources");
    workload.destinations = readGroup("destinations");
}

void
ReadIncast(const JsonValue& value, const ServerGroups& groups, WorkloadSpec& workload)
{
    const JsonValue senders = value.Get("senders");
    if (senders.IsString())
    {
        workload.senderGroup = ReadGroupName(senders, groups);
    }
    else
    {
        workload.senders = static_cast<uint32_t>(senders.GetWhole(1, MAX_NODE));
    }
    workload.bytes = value.Get("bytes").GetBytesOrNumber();
    if (const auto receiver = value.Find("receiver"))
    {
        workload.receiver = ReadNode(*receiver);
    }
    if (const auto at = value.Find("at"))
    {
        workload.at = at->GetTime();
    }
    if (const auto repeats = value.Find("repeats"))
    {
        workload.repeats = static_cast<uint32_t>(repeats->GetWhole(1, MAX_NODE));
    }
    if (workload.repeats > 1 || value.Find("period"))
    {
        workload.period = value.Get("period").GetPositiveTime();
    }
}

void
ReadFlows(const JsonValue& value, WorkloadSpec& workload)
{
    const JsonValue list = value.Get("flows");
    const std::vector<std::string> keys{"src", "dst", "bytes", "start"};
    list.ForEachElement([&](const JsonValue& entry) {
        entry.ExpectKeys(keys);
        FlowSpec flow;
        flow.src = ReadNode(entry.Get("src"));
        flow.dst = ReadNode(entry.Get("dst"));
        flow.bytes = entry.Get("bytes").GetBytesOrNumber();
        if (const auto start = entry.Find("start"))
        {
            flow.start = start->GetTime();
        }
        workload.flows.push_back(flow);
    });
    if (workload.flows.empty())
    {
        list.Fail("at least one flow");
    }
}

} // namespace

WorkloadSpec
ReadWorkload(const JsonValue& value, const ServerGroups& groups)
{
    WorkloadSpec workload;
    workload.type = value.Get("type").GetChoice(GetKindNames(GetWorkloadKinds()));
    std::vector<std::string> keys = FindKind(GetWorkloadKinds(), workload.type).keys;
    keys.push_back("type");
    value.ExpectKeys(keys);
    if (workload.type == "poisson")
    {
        ReadPoisson(value, groups, workload);
    }
    else if (workload.type == "incast")
    {
        ReadIncast(value, groups, workload);
    }
    else if (workload.type == "flows")
    {
        ReadFlows(value, workload);
    }
    else
    {
        workload.file = value.Get("file").GetString();
    }
    return workload;
}

} // namespace ns3::rdma
