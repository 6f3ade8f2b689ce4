// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/topology-kind.h"

#include "ns3/key-reader.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(TopologyKind);

TypeId
TopologyKind::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::TopologyKind").SetParent<ScenarioKind>().SetGroupName("RdmaExperiment");
    return tid;
}

std::vector<DataRate>
TopologyKind::GetOtherRates() const
{
    return {};
}

uint32_t
TopologyKind::GetPlanes() const
{
    return 1;
}

std::vector<std::string>
TopologyKind::FindWarnings(const Scenario&) const
{
    return {};
}

void
TopologyKind::Read(const JsonValue& value)
{
    const KeyContext context;
    KeyReader reader(value, context);
    Visit(reader);
    Resolve(value);
}

void
TopologyKind::Resolve(const JsonValue&)
{
}

void
HostLinkKeys::VisitRate(Keys& keys)
{
    keys.Rate("hostRate", rate, "rate of the servers' links");
}

void
HostLinkKeys::VisitDelay(Keys& keys)
{
    keys.Time("linkDelay", delay, "propagation delay of each link");
}

} // namespace ns3::rdma
