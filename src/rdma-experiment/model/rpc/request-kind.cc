// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/request-kind.h"

#include "ns3/input-error.h"
#include "ns3/quantity.h"
#include "ns3/run-traffic.h"
#include "ns3/scenario-file.h"
#include "ns3/server-group.h"
#include "ns3/verbs-error.h"

#include <nlohmann/json.hpp>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(RequestKind);

namespace
{
/// No flows: all that there is are requests.
class NoFlows : public FlowSource
{
  public:
    std::optional<FlowArrival> Next() override
    {
        return std::nullopt;
    }
};
} // namespace

double
ReadNumber(const JsonValue& value, double min, double max, const std::string& expected)
{
    const double number = value.GetNumber();
    if (!(number >= min && number <= max))
    {
        value.Fail(expected);
    }
    return number;
}

TypeId
RequestKind::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::RequestKind").SetParent<WorkloadKind>().SetGroupName("RdmaExperiment");
    return tid;
}

RequestKind::RequestKind() = default;

void
RequestKind::ReadGroups(const JsonValue& value, const Scenario& scenario)
{
    m_clients = ReadGroupName(value.Get("clients"), scenario.groups);
    m_servers = ReadGroupName(value.Get("servers"), scenario.groups);
    if (m_clients == m_servers)
    {
        value.Get("servers").Fail("another group than that of the clients");
    }
}

void
RequestKind::ReadTimes(const JsonValue& value, const Scenario& scenario)
{
    m_duration = value.Get("duration").GetPositiveTime();
    if (const auto warmup = value.Find("warmup"))
    {
        m_warmup = warmup->GetTime();
        if (m_warmup >= m_duration)
        {
            warmup->Fail("a time before the duration is over");
        }
    }
    if (const auto background = value.Find("background"))
    {
        m_background = ReadWorkload(*background, scenario);
        if (m_background->HasTraffic())
        {
            background->Get("type").Fail("a workload of flows alone");
        }
    }
}

void
RequestKind::WriteGroups(nlohmann::ordered_json& json) const
{
    json["clients"] = m_clients;
    json["servers"] = m_servers;
}

void
RequestKind::WriteTimes(nlohmann::ordered_json& json) const
{
    json["duration"] = FormatTime(m_duration);
    json["warmup"] = FormatTime(m_warmup);
    if (m_background)
    {
        json["background"]["type"] = m_background->GetInfo().name;
        m_background->Write(json["background"]);
    }
}

Ptr<const ScenarioKind>
RequestKind::FindPart(const std::string& key) const
{
    return key == "background" ? m_background : nullptr;
}

std::unique_ptr<FlowSource>
RequestKind::Make(const Scenario& scenario, const TopologyGraph& topology) const
{
    if (!m_background)
    {
        return std::make_unique<NoFlows>();
    }
    auto source = m_background->Make(scenario, topology);
    if (source->GetGraph())
    {
        throw InputError(scenario.file + ": " + m_background->GetPath() +
                         ": expected flows that depend on nothing, got a graph");
    }
    return source;
}

std::optional<Time>
RequestKind::GetDuration() const
{
    return m_duration;
}

bool
RequestKind::HasTraffic() const
{
    return true;
}

std::vector<std::pair<uint32_t, uint32_t>>
RequestKind::GetPeers(const Scenario& scenario) const
{
    // Servers of a group have one design.
    return {{GetClients(scenario).front(), GetServers(scenario).front()}};
}

std::unique_ptr<RunTraffic>
RequestKind::MakeTrafficAtPlace(const Scenario& scenario,
                                const std::function<std::unique_ptr<RunTraffic>()>& make) const
{
    return AtPlace(scenario.file, GetPath() + ": ", [&] {
        try
        {
            return make();
        }
        catch (const VerbsError& error)
        {
            throw InputError(std::string("expected connections that the NICs take, got: ") +
                             error.what());
        }
    });
}

const std::vector<uint32_t>&
RequestKind::GetClients(const Scenario& scenario) const
{
    return scenario.groups.at(m_clients);
}

const std::vector<uint32_t>&
RequestKind::GetServers(const Scenario& scenario) const
{
    return scenario.groups.at(m_servers);
}

} // namespace ns3::rdma
