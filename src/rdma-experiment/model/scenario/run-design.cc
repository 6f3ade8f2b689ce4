// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/run-design.h"

namespace ns3::rdma
{

NicDesign
MakeNicDesign(const Scenario& scenario, const NicSpec& nic)
{
    using Timing = NicDesign::Timing;
    NicDesign design =
        NicDesign::FromPreset(nic.preset,
                              nic.isHardwareTimed ? Timing::HARDWARE : Timing::TRANSPORT_ONLY);
    for (const auto& [attribute, value] : nic.attributes)
    {
        design.Set(attribute, value);
    }
    design.Set("ns3::rdma::RdmaNic::PathMtu", std::to_string(scenario.fabric.mtuBytes));
    return design;
}

AttributeValues
MakeFabricAttributes(const Scenario& scenario, const NicSpec& nic)
{
    const FabricSpec& fabric = scenario.fabric;
    AttributeValues attributes;
    for (const auto& [attribute, value] : fabric.attributes)
    {
        attributes.Set(attribute, value);
    }
    const bool hasPfc = fabric.pfc.value_or(NicDesign::FromPreset(nic.preset).NeedsPfc());
    attributes.Set("ns3::rdma::FabricSwitch::PfcEnabled", hasPfc ? "true" : "false");
    attributes.Set("ns3::rdma::FabricSwitch::BufferSize", std::to_string(fabric.bufferBytes));
    if (!fabric.loadBalancer.empty())
    {
        attributes.Set("ns3::rdma::FabricSwitch::LoadBalancer", fabric.loadBalancer);
    }
    return attributes;
}

} // namespace ns3::rdma
