// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_HELPER_H
#define RDMA_FABRIC_HELPER_H

#include "ns3/fabric.h"

#include <string>

namespace ns3::rdma
{

/**
 * @ingroup rdma-fabric
 * @brief Builds a fabric in a program written in the style of ns-3.
 *
 *     FabricHelper helper(MakeStar(4, DataRate("100Gbps"), MicroSeconds(1)));
 *     helper.Set("ns3::rdma::FabricSwitch::PfcEnabled", "true");
 *     Ptr<Fabric> fabric = helper.Create();
 *
 * The constructor selects FabricSimulatorImpl, so create the helper before scheduling any event.
 * Invalid input throws std::invalid_argument with a one-line message.
 */
class FabricHelper
{
  public:
    /// @param graph from MakeStar(), FatTreeTopology::Build(), HpccTopologyFile::Read() or made by
    /// hand
    explicit FabricHelper(TopologyGraph graph);

    /// Sets an attribute of the switches, their policies or the devices, by its full name.
    void Set(const std::string& attribute, const std::string& value);

    /// @param seed of all random streams of the fabric; the default is 1
    void SetSeed(uint64_t seed);

    /// @param bytes of the largest frame that will be sent, without FCS; the default is 1500
    void SetMaxFrameBytes(uint32_t bytes);

    /// Sets the marking of all ports of one rate; ports of other rates use Fabric::GetDefaultEcn().
    void SetEcn(DataRate rate, const EcnProfile& profile);

    /// @return a new fabric on each call. FabricSwitch::BufferSize must exceed
    /// Fabric::GetSetAside().
    Ptr<Fabric> Create() const;

  private:
    void CheckBuffer() const;

    TopologyGraph m_graph;
    FabricConfig m_config;
};

} // namespace ns3::rdma

#endif // RDMA_FABRIC_HELPER_H
