// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/workload-kind.h"

#include "ns3/checked-flow-source.h"
#include "ns3/run-traffic.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(WorkloadKind);

TypeId
WorkloadKind::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::WorkloadKind").SetParent<ScenarioKind>().SetGroupName("RdmaExperiment");
    return tid;
}

std::optional<Time>
WorkloadKind::GetDuration() const
{
    return std::nullopt;
}

bool
WorkloadKind::HasTraffic() const
{
    return false;
}

std::vector<std::pair<uint32_t, uint32_t>>
WorkloadKind::GetPeers(const Scenario&) const
{
    return {};
}

std::vector<std::string>
WorkloadKind::FindWarnings(const Scenario&, const TopologyGraph&) const
{
    return {};
}

std::unique_ptr<RunTraffic>
WorkloadKind::MakeTraffic(const Scenario&, const TrafficContext&) const
{
    return nullptr;
}

FlowMemory
WorkloadKind::GetFlowMemory() const
{
    return {};
}

bool
WorkloadKind::IsUniform() const
{
    return false;
}

Ptr<const WorkloadKind>
ReadWorkload(const JsonValue& value, const Scenario& scenario)
{
    const auto kind =
        DynamicCast<WorkloadKind>(ReadKind(value, "type", {}, WorkloadKind::GetTypeId()));
    CallKind(*kind, "Read()", [&] { kind->Read(value, scenario); });
    return kind;
}

} // namespace ns3::rdma
