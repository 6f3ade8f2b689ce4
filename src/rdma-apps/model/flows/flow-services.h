// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_SERVICES_H
#define RDMA_FLOW_SERVICES_H

#include "ns3/kernel-deployment.h"
#include "ns3/queue-pair-attributes.h"
#include "ns3/service-slots.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/// A kernel that the payload of flows passes.
struct FlowService
{
    uint64_t code{0};               ///< Of the installed kernel.
    std::vector<ServiceSlot> slots; ///< In the order in which queue pairs are attached.
    std::vector<uint32_t> servers;  ///< Node ids; their NICs have the kernel.
    std::optional<std::vector<uint32_t>>
        peers; ///< Node ids, rising: only flows with these servers; unset: all flows.
};

/**
 * @ingroup rdma-scenario
 * @brief The kernels in slots of NICs: attaches each flow's queue pairs to them.
 */
class FlowServices
{
  public:
    /// @param kernels outlive this
    FlowServices(std::vector<FlowService> services, const KernelDeployment& kernels);

    /// @return whether any kernel has slots.
    bool IsUsed() const
    {
        return !m_services.empty();
    }

    /// @return the initial attributes of a flow's queue pair. @param endpoint id of its NIC's port
    QueuePairInit MakeInit(uint32_t endpoint) const;

    /// Attaches a new queue pair of a flow. @param endpoint id of its NIC's port @param server node
    /// id @param peer node id of the flow's other server
    void Attach(uint32_t endpoint, uint32_t queuePair, uint32_t server, uint32_t peer);

  private:
    ServiceSlots& GetSlots(uint32_t endpoint, Ptr<KernelHost> host);

    std::vector<FlowService> m_services;
    const KernelDeployment& m_kernels;
    std::map<uint32_t, std::vector<std::size_t>> m_uses; ///< Indices of services, by server.
    std::map<uint32_t, Ptr<ServiceSlots>> m_slots;       ///< By endpoint.
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_SERVICES_H
