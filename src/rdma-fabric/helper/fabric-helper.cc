// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-helper.h"

#include "ns3/fabric-simulator-impl.h"
#include "ns3/input-error.h"
#include "ns3/topology-check.h"
#include "ns3/uinteger.h"

#include <stdexcept>
#include <utility>

namespace ns3::rdma
{

FabricHelper::FabricHelper(TopologyGraph graph)
    : m_graph(std::move(graph))
{
    try
    {
        CheckTopology(m_graph, "topology");
    }
    catch (const InputError& error)
    {
        throw std::invalid_argument(error.what());
    }
    UseFabricSimulator();
}

void
FabricHelper::Set(const std::string& attribute, const std::string& value)
{
    m_config.attributes.Set(attribute, value);
}

void
FabricHelper::SetSeed(uint64_t seed)
{
    m_config.seed = seed;
}

void
FabricHelper::SetMaxFrameBytes(uint32_t bytes)
{
    m_config.maxFrameBytes = bytes;
}

void
FabricHelper::SetEcn(DataRate rate, const EcnProfile& profile)
{
    m_config.ecn[rate.GetBitRate()] = profile;
}

void
FabricHelper::CheckBuffer() const
{
    const uint64_t setAside = Fabric::GetSetAside(m_graph, m_config);
    UintegerValue buffer;
    m_config.attributes.Create<FabricSwitch>()->GetAttribute("BufferSize", buffer);
    if (buffer.Get() <= setAside)
    {
        throw std::invalid_argument(
            "ns3::rdma::FabricSwitch::BufferSize: expected more than the " +
            std::to_string(setAside) +
            " bytes that a switch sets aside as reserve and headroom, got " +
            std::to_string(buffer.Get()));
    }
}

Ptr<Fabric>
FabricHelper::Create() const
{
    CheckBuffer();
    auto fabric = CreateObject<Fabric>();
    fabric->Build(m_graph, m_config);
    return fabric;
}

} // namespace ns3::rdma
