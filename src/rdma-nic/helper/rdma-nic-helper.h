// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RDMA_NIC_HELPER_H
#define RDMA_RDMA_NIC_HELPER_H

#include "ns3/fabric.h"
#include "ns3/rdma-nic.h"
#include "ns3/trace-helper.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/// Queue pairs at both ends of a connection.
struct QueuePairEnds
{
    uint32_t first;
    uint32_t second;
};

/**
 * @ingroup rdma-nic
 * @brief Puts NICs of one design into servers, in ns-3's style.
 *
 *     RdmaNicHelper helper(NicDesign::FromPreset("srnic"));
 *     std::vector<Ptr<RdmaNic>> nics = helper.Install(*fabric);
 *     helper.EnablePcap("run", fabric->GetNodes());
 *
 * A server's first NIC is aggregated to its node, which disposes it: node->GetObject<RdmaNic>();
 * GetNics(node) returns all of them.  Captures
 * are those of PcapSniffer and end with the simulation; devices without a NIC have none.  Faults
 * are std::invalid_argument with one line.
 */
class RdmaNicHelper : public PcapHelperForDevice
{
  public:
    explicit RdmaNicHelper(NicDesign design);

    /// @param seed of what is random in the hardware (1)
    void SetSeed(uint64_t seed);

    /// @return new NICs of all servers of the fabric, by server.
    std::vector<Ptr<RdmaNic>> Install(Fabric& fabric) const;

    /// @param servers node ids of the graph. @return their NICs in the same order
    std::vector<Ptr<RdmaNic>> Install(Fabric& fabric, const std::vector<uint32_t>& servers) const;

    /// Makes a queue pair at each end and connects them, up to RTS. @param init of both
    static QueuePairEnds Connect(RdmaNic& first,
                                 RdmaNic& second,
                                 const QueuePairInit& firstInit = {},
                                 const QueuePairInit& secondInit = {});

  private:
    void EnablePcapInternal(std::string prefix,
                            Ptr<NetDevice> device,
                            bool isPromiscuous,
                            bool isExplicitName) override;

    std::shared_ptr<const NicDesign> m_design;
    uint64_t m_seed{1};
};

} // namespace ns3::rdma

#endif // RDMA_RDMA_NIC_HELPER_H
