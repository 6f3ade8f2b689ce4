// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/traffic-kind.h"

#include "ns3/checked-flow-source.h"
#include "ns3/input-error.h"
#include "ns3/quantity.h"
#include "ns3/run-traffic.h"
#include "ns3/scenario-file.h"
#include "ns3/verbs-error.h"

#include <nlohmann/json.hpp>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(TrafficKind);

namespace
{
/// No flows: all that there is is other traffic.
class NoFlows : public FlowSource
{
  public:
    std::optional<FlowArrival> Next() override
    {
        return std::nullopt;
    }

    bool Rewind() override
    {
        return true;
    }
};
} // namespace

TypeId
TrafficKind::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::TrafficKind").SetParent<WorkloadKind>().SetGroupName("RdmaExperiment");
    return tid;
}

TrafficKind::TrafficKind() = default;

void
TrafficKind::ReadTimes(const JsonValue& value, const Scenario& scenario)
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
TrafficKind::WriteTimes(nlohmann::ordered_json& json) const
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
TrafficKind::FindPart(const std::string& key) const
{
    return key == "background" ? m_background : nullptr;
}

std::unique_ptr<FlowSource>
TrafficKind::Make(const Scenario& scenario, const TopologyGraph& topology) const
{
    if (!m_background)
    {
        return std::make_unique<NoFlows>();
    }
    auto source = std::make_unique<CheckedFlowSource>(m_background, scenario, topology);
    if (source->GetGraph())
    {
        throw InputError(scenario.file + ": " + m_background->GetPath() +
                         ": expected flows that depend on nothing, got a graph");
    }
    return source;
}

std::optional<Time>
TrafficKind::GetDuration() const
{
    return m_duration;
}

FlowMemory
TrafficKind::GetFlowMemory() const
{
    return m_background ? m_background->GetFlowMemory() : FlowMemory{};
}

bool
TrafficKind::HasTraffic() const
{
    return true;
}

std::unique_ptr<RunTraffic>
TrafficKind::MakeTrafficAtPlace(const Scenario& scenario,
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

} // namespace ns3::rdma
