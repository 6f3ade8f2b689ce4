// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/topology-kind.h"

#include "ns3/quantity.h"

#include <nlohmann/json.hpp>

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

void
HostLinkKeys::Read(const JsonValue& value)
{
    rate = ReadRateOr(value, "hostRate", rate);
    if (const auto linkDelay = value.Find("linkDelay"))
    {
        delay = linkDelay->GetTime();
    }
}

void
HostLinkKeys::Write(nlohmann::ordered_json& json) const
{
    json["hostRate"] = FormatRate(rate);
    json["linkDelay"] = FormatTime(delay);
}

uint32_t
ReadServerCount(const JsonValue& value, uint32_t least)
{
    constexpr uint32_t MAX_SERVERS{65536};
    return static_cast<uint32_t>(value.Get("servers").GetWhole(least, MAX_SERVERS));
}

DataRate
ReadRateOr(const JsonValue& value, const char* key, DataRate otherwise)
{
    const auto member = value.Find(key);
    return member ? member->GetRate() : otherwise;
}

} // namespace ns3::rdma
