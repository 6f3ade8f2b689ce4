// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/series-keys.h"

#include "ns3/flow-number.h"
#include "ns3/quantity.h"
#include "ns3/run-design.h"
#include "ns3/server-group.h"
#include "ns3/workload-keys.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

/// Below, a sample would cost more than the events between two of them.
const Time MIN_INTERVAL{NanoSeconds(100)};

const std::vector<std::string>
    SERIES{"queue", "port", "class", "buffer", "rate", "goodput", "spray"};

std::vector<std::string>
ReadWhat(const JsonValue& value)
{
    std::vector<std::string> what;
    for (const JsonValue& entry : value.GetElements())
    {
        const std::string name = entry.GetChoice(SERIES);
        if (std::find(what.begin(), what.end(), name) != what.end())
        {
            entry.Fail("each series once");
        }
        what.push_back(name);
    }
    if (what.empty())
    {
        value.Fail("at least one series");
    }
    return what;
}

uint32_t
ReadNode(const JsonValue& value)
{
    return static_cast<uint32_t>(value.GetWhole(0, std::numeric_limits<uint32_t>::max()));
}

SeriesPortSpec
ReadPort(const JsonValue& value, const ServerGroups& groups)
{
    if (value.IsString())
    {
        return {ReadGroupName(value, groups), 0, std::nullopt};
    }
    if (!value.GetJson().is_array())
    {
        return {"", ReadNode(value), std::nullopt};
    }
    const auto ends = value.GetElements();
    if (ends.size() != 2)
    {
        value.Fail("a node and the one at the other end", std::to_string(ends.size()));
    }
    return {"", ReadNode(ends[0]), ReadNode(ends[1])};
}

std::vector<SeriesPortSpec>
ReadPorts(const JsonValue& value, const ServerGroups& groups)
{
    std::vector<SeriesPortSpec> ports;
    for (const JsonValue& entry : value.GetElements())
    {
        ports.push_back(ReadPort(entry, groups));
    }
    if (ports.empty())
    {
        value.Fail("at least one port");
    }
    return ports;
}

constexpr uint64_t MAX_FLOW{(uint64_t{1} << flow_number::SHIFT) - 1};

/// {"workload": NAME}, all of its flows, or {"workload": NAME, "flow": NUMBER}
void
ReadWorkloadFlows(const JsonValue& value,
                  const std::vector<std::string>& workloads,
                  SeriesFlowSpec& flows)
{
    value.ExpectKeys({"workload", "flow"});
    if (workloads.empty())
    {
        value.Fail("the number of a flow, or a group: the scenario has no list of workloads");
    }
    const std::string name = value.Get("workload").GetChoice(workloads);
    const auto flow = value.Find("flow");
    if (!flow)
    {
        flows.workloads.push_back(name);
        return;
    }
    const auto found = std::find(workloads.begin(), workloads.end(), name);
    flows.numbers.push_back(flow_number::Make(static_cast<uint32_t>(found - workloads.begin()),
                                              flow->GetWhole(0, MAX_FLOW)));
}

SeriesFlowSpec
ReadFlows(const JsonValue& value,
          const ServerGroups& groups,
          const std::vector<std::string>& workloads)
{
    SeriesFlowSpec flows;
    for (const JsonValue& entry : value.GetElements())
    {
        if (entry.IsString())
        {
            flows.groups.push_back(ReadGroupName(entry, groups));
        }
        else if (entry.IsObject())
        {
            ReadWorkloadFlows(entry, workloads, flows);
        }
        else if (!workloads.empty())
        {
            entry.Fail("{\"workload\": NAME, \"flow\": NUMBER} or a group");
        }
        else
        {
            flows.numbers.push_back(entry.GetWhole(0, MAX_FLOW));
        }
    }
    if (flows.numbers.empty() && flows.groups.empty() && flows.workloads.empty())
    {
        value.Fail("at least one flow");
    }
    return flows;
}

nlohmann::ordered_json
WritePorts(const SeriesSpec& series)
{
    nlohmann::ordered_json json;
    for (const SeriesPortSpec& port : series.ports.value_or(std::vector<SeriesPortSpec>()))
    {
        if (!port.group.empty())
        {
            json.push_back(port.group);
        }
        else if (port.peer)
        {
            json.push_back(nlohmann::ordered_json::array({port.node, *port.peer}));
        }
        else
        {
            json.push_back(port.node);
        }
    }
    return json;
}

nlohmann::ordered_json
WriteFlows(const SeriesSpec& series, const std::vector<std::string>& workloads)
{
    nlohmann::ordered_json json;
    for (const uint64_t number : series.flows ? series.flows->numbers : std::vector<uint64_t>())
    {
        if (workloads.empty())
        {
            json.push_back(number);
        }
        else
        {
            json.push_back({{"workload", workloads[flow_number::GetWorkload(number)]},
                            {"flow", flow_number::GetLocal(number)}});
        }
    }
    if (series.flows)
    {
        for (const std::string& group : series.flows->groups)
        {
            json.push_back(group);
        }
        for (const std::string& workload : series.flows->workloads)
        {
            json.push_back({{"workload", workload}});
        }
    }
    return json;
}

/// @return whether one of the series is written. Before CompleteSeries(), no names are all.
bool
HasOneOf(const SeriesSpec& series, const std::vector<std::string>& names)
{
    return series.what.empty() ||
           std::find_first_of(series.what.begin(), series.what.end(), names.begin(), names.end()) !=
               series.what.end();
}

/// @return whether a port is one of those that are named.
bool
IsPortMeant(const SeriesPortSpec& port,
            const ServerGroups& groups,
            const TopologyGraph& graph,
            const SeriesPort& place)
{
    const GraphLink& link = graph.links[place.link];
    // Of an endpoint, the server.
    const uint32_t node = graph.GetEndpoint(place.end == 0 ? link.a : link.b).server;
    const uint32_t peer = graph.GetEndpoint(place.end == 0 ? link.b : link.a).server;
    if (!port.group.empty())
    {
        const std::vector<uint32_t>& members = groups.at(port.group);
        return std::binary_search(members.begin(), members.end(), node);
    }
    return port.node == node && port.peer.value_or(peer) == peer;
}

bool
IsAnyMeant(const SeriesPortSpec& port, const ServerGroups& groups, const TopologyGraph& graph)
{
    for (std::size_t link = 0; link < graph.links.size(); ++link)
    {
        if (IsPortMeant(port, groups, graph, {link, 0}) ||
            IsPortMeant(port, groups, graph, {link, 1}))
        {
            return true;
        }
    }
    return false;
}

std::vector<SeriesPort>
FindPorts(const Scenario& scenario, const TopologyGraph& graph)
{
    const auto& named = scenario.series->ports;
    std::vector<SeriesPort> found;
    for (std::size_t link = 0; link < graph.links.size(); ++link)
    {
        for (uint32_t end = 0; end < 2; ++end)
        {
            const bool isMeant =
                !named || std::any_of(named->begin(), named->end(), [&](const auto& port) {
                    return IsPortMeant(port, scenario.groups, graph, {link, end});
                });
            if (isMeant)
            {
                found.push_back({link, end});
            }
        }
    }
    return found;
}

} // namespace

void
CompleteSeries(Scenario& scenario)
{
    if (!scenario.series->what.empty())
    {
        return;
    }
    scenario.series->what = SERIES;
    const auto& nics = scenario.nics;
    if (std::none_of(nics.begin(), nics.end(), [&scenario](const NicSpec& nic) {
            return HasFlights(scenario, nic);
        }))
    {
        scenario.series->what.pop_back(); // "spray".
    }
    if (std::all_of(nics.begin(), nics.end(), [&scenario](const NicSpec& nic) {
            return ChangeFabric(scenario, nic).classes.empty();
        }))
    {
        auto& what = scenario.series->what;
        what.erase(std::find(what.begin(), what.end(), "class"));
    }
}

void
VisitSeries(Keys& keys,
            SeriesSpec& series,
            const ServerGroups& groups,
            const std::vector<std::string>& workloads)
{
    keys.Time("interval", series.interval, "simulated time between two samples").Positive();
    keys.Check(series.interval >= MIN_INTERVAL,
               "interval",
               "a time of " + FormatTime(MIN_INTERVAL) + " or more");
    keys.Other(
            "what",
            {[&series](const JsonValue& value, const KeySpec&) { series.what = ReadWhat(value); },
             [&series](const KeySpec&) { return nlohmann::ordered_json(series.what); }},
            "series to write")
        .Shape(R"({"type": "array", "minItems": 1, "uniqueItems": true,
                   "items": {"enum": ["queue", "port", "class", "buffer", "rate", "goodput",
                                      "spray"]}})")
        .Otherwise("all; spray only if a NIC has reports, class only if a fabric has classes");
    keys.Other(
            "ports",
            {[&series, &groups](const JsonValue& value, const KeySpec&) {
                 series.ports = ReadPorts(value, groups);
             },
             [&series](const KeySpec&) { return WritePorts(series); }},
            "for queue, port and class: nodes, [node, node at the other end], or groups of servers")
        .Shape(R"({"type": "array", "minItems": 1})")
        .Otherwise("all")
        .OmitIf(!series.ports);
    keys.Check(!series.ports || HasOneOf(series, {"queue", "port", "class"}),
               "ports",
               "\"queue\", \"port\" or \"class\" in what beside it",
               "none of them");
    keys.Other("flows",
               {[&series, &groups, &workloads](const JsonValue& value, const KeySpec&) {
                    series.flows = ReadFlows(value, groups, workloads);
                },
                [&series, &workloads](const KeySpec&) { return WriteFlows(series, workloads); }},
               "for rate and spray: numbers of flows, {\"workload\", \"flow\"}, or groups of "
               "senders")
        .Shape(R"({"type": "array", "minItems": 1})")
        .Otherwise("all")
        .OmitIf(!series.flows);
    keys.Check(!series.flows || HasOneOf(series, {"rate", "spray"}),
               "flows",
               "\"rate\" or \"spray\" in what beside it",
               "neither");
}

void
CheckSeries(const Scenario& scenario, const TopologyGraph& graph, const JsonValue& value)
{
    const SeriesSpec& series = *scenario.series;
    if (series.ports)
    {
        const std::vector<JsonValue> entries = value.Get("ports").GetElements();
        for (std::size_t i = 0; i < series.ports->size(); ++i)
        {
            if (!IsAnyMeant((*series.ports)[i], scenario.groups, graph))
            {
                entries[i].Fail("a node of the network, or two with a link between them",
                                entries[i].GetJson().dump());
            }
        }
    }
    const std::size_t ports = FindPorts(scenario, graph).size();
    if (HasOneOf(series, {"queue", "port", "class"}) && ports > MAX_SERIES_PORTS)
    {
        value.Fail("ports that are at most " + std::to_string(MAX_SERIES_PORTS),
                   std::to_string(ports) + (series.ports ? "" : ", all of the network"));
    }
}

SeriesRequest
MakeSeriesRequest(const Scenario& scenario, const TopologyGraph& graph)
{
    const SeriesSpec& series = *scenario.series;
    SeriesRequest request;
    request.interval = ToTick(series.interval);
    request.hasQueue = HasOneOf(series, {"queue"});
    request.hasPort = HasOneOf(series, {"port"});
    request.hasClass = HasOneOf(series, {"class"});
    request.hasBuffer = HasOneOf(series, {"buffer"});
    request.hasRate = HasOneOf(series, {"rate"});
    request.hasGoodput = HasOneOf(series, {"goodput"});
    request.hasSpray = HasOneOf(series, {"spray"});
    request.workloads = GetWorkloadNames(scenario);
    if (request.hasQueue || request.hasPort || request.hasClass)
    {
        request.ports = FindPorts(scenario, graph);
    }
    if (series.flows)
    {
        FlowSelection& flows = request.flows.emplace();
        flows.flows = series.flows->numbers;
        std::sort(flows.flows.begin(), flows.flows.end());
        for (const std::string& group : series.flows->groups)
        {
            const std::vector<uint32_t> members = FindMembers(scenario.groups, group);
            flows.senders.insert(flows.senders.end(), members.begin(), members.end());
        }
        std::sort(flows.senders.begin(), flows.senders.end());
        for (uint32_t i = 0; i < request.workloads.size(); ++i)
        {
            const auto& named = series.flows->workloads;
            if (std::find(named.begin(), named.end(), request.workloads[i]) != named.end())
            {
                flows.workloads.push_back(i);
            }
        }
    }
    return request;
}

} // namespace ns3::rdma
