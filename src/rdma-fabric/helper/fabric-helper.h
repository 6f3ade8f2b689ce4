// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_HELPER_H
#define RDMA_FABRIC_HELPER_H

#include "ns3/fabric.h"

#include <string>

namespace ns3::rdma
{

/**
 * @ingroup rdma-fabric
 * @brief Builds fabrics for programs in ns-3's style.
 *
 *     FabricHelper helper(MakeStar(4, DataRate("100Gbps"), MicroSeconds(1)));
 *     helper.Set("ns3::rdma::FabricSwitch::PfcEnabled", "true");
 *     Ptr<Fabric> fabric = helper.Create();
 *
 * Chooses FabricSimulatorImpl, so it is made before anything is scheduled.  Faults are
 * std::invalid_argument with one line.
 */
class FabricHelper
{
  public:
    /// @param graph from MakeStar(), MakeFatTree(), HpccTopologyFile::Read() or made by hand
    explicit FabricHelper(TopologyGraph graph);

    /// Sets an attribute of switches, their load balancer or devices, by its full name.
    void Set(const std::string& attribute, const std::string& value);

    /// @param seed of all that is random in the fabric (1)
    void SetSeed(uint64_t seed);

    /// @param bytes of the largest frame that will be sent, without FCS (1500)
    void SetMaxFrameBytes(uint32_t bytes);

    /// Marking at ports of one rate; others follow Fabric::GetDefaultEcn().
    void SetEcn(DataRate rate, const EcnProfile& profile);

    /// @return a new fabric, each time. Switches must have more memory than they set aside.
    Ptr<Fabric> Create() const;

  private:
    void CheckBuffer() const;

    TopologyGraph m_graph;
    FabricConfig m_config;
};

} // namespace ns3::rdma

#endif // RDMA_FABRIC_HELPER_H
