// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KERNEL_DEPLOYMENT_H
#define RDMA_KERNEL_DEPLOYMENT_H

#include "ns3/host-memory.h"
#include "ns3/kernel-host.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief The kernels on the NICs of a run, and the memory of the servers.
 *
 * The kernels of a NIC have the clock of its hardware, or that of KernelHost if it takes no time.
 */
class KernelDeployment
{
  public:
    /// Deploys kernels on a started NIC. @param server node id; @param kernels may be empty
    void Deploy(uint32_t server, Ptr<RdmaNic> nic, const std::vector<Ptr<OffloadKernel>>& kernels);

    /// @param endpoint id of any port of a NIC @return null if the NIC has no kernels.
    Ptr<KernelHost> Find(uint32_t endpoint) const;

    /// @return the memory of a server, the same for all of its NICs.
    Ptr<HostMemory> GetMemory(uint32_t server);

    /// Called before the NICs are disposed of.
    void Dispose();

  private:
    std::map<uint32_t, Ptr<KernelHost>> m_hosts;  ///< By endpoint id, for every port of a NIC.
    std::map<uint32_t, Ptr<HostMemory>> m_memory; ///< By server.
};

} // namespace ns3::rdma

#endif // RDMA_KERNEL_DEPLOYMENT_H
