// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/run-input.h"

#include "ns3/fabric-keys.h"
#include "ns3/fluid-start.h"
#include "ns3/header-sizes.h"
#include "ns3/scenario-builder.h"
#include "ns3/topology-check.h"

#include <utility>
#include <vector>

namespace ns3::rdma
{

namespace
{

FluidParameters
MakeFluidParameters(const Scenario& scenario, const TopologyGraph& graph)
{
    constexpr double BITS_PER_BYTE{8};
    constexpr double PS_PER_SECOND{1e12};
    const uint32_t framing = GetFramingBytes(scenario.fabric);
    const HeaderSizes headers;
    const double payload = FluidStart::GetPayloadShare(scenario.fabric.mtuBytes,
                                                       headers.GetWriteFrame(false, 0) + framing,
                                                       headers.GetAckFrame() + framing);
    std::vector<double> bytesPerPs;
    for (const uint64_t rate : GetServerRates(graph))
    {
        bytesPerPs.push_back(static_cast<double>(rate) / BITS_PER_BYTE / PS_PER_SECOND * payload);
    }
    return {scenario.run.fluidStart.GetPicoSeconds(), std::move(bytesPerPs)};
}

} // namespace

RunInput::RunInput(const Scenario& scenario)
    : m_scenario(scenario)
{
}

const TopologyGraph&
RunInput::GetTopology()
{
    if (!m_topology)
    {
        m_made = MakeTopology(m_scenario);
        m_topology = &*m_made;
    }
    return *m_topology;
}

void
RunInput::ShareTopology(const TopologyGraph& copy)
{
    m_topology = &copy;
    m_made.reset();
}

MergedFlowSource&
RunInput::StartFlows()
{
    if (!m_flows || !m_flows->Rewind())
    {
        m_flows = MakeFlowSource(m_scenario, GetTopology());
    }
    return *m_flows;
}

FlowSource*
RunInput::StartRunFlows()
{
    MergedFlowSource& flows = StartFlows();
    if (m_scenario.run.fluidStart.IsZero())
    {
        return flows.HasAny() ? &flows : nullptr;
    }
    m_fluid = std::make_unique<FluidStart>(flows, MakeFluidParameters(m_scenario, GetTopology()));
    return m_fluid.get();
}

} // namespace ns3::rdma
