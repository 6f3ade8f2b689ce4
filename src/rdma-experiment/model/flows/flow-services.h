// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_SERVICES_H
#define RDMA_FLOW_SERVICES_H

#include "ns3/kernel-deployment.h"
#include "ns3/queue-pair-attributes.h"
#include "ns3/scenario.h"
#include "ns3/service-slots.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief The slots of a scenario's kernels ("slots"): attaches each flow's queue pairs to them.
 */
class FlowServices
{
  public:
    /// @param scenario and @param kernels outlive this
    FlowServices(const Scenario& scenario, const KernelDeployment& kernels);

    /// @return whether any kernel has slots.
    bool IsUsed() const
    {
        return m_isUsed;
    }

    /// @return the initial attributes of a flow's queue pair. @param endpoint id of its NIC's port
    QueuePairInit MakeInit(uint32_t endpoint) const;

    /// Attaches a new queue pair of a flow. @param endpoint id of its NIC's port @param server node
    /// id @param peer node id of the flow's other server
    void Attach(uint32_t endpoint, uint32_t queuePair, uint32_t server, uint32_t peer);

  private:
    /// The use of one kernel.
    struct Use
    {
        const KernelSpec* spec;
        uint64_t code;
    };

    ServiceSlots& GetSlots(uint32_t endpoint, Ptr<KernelHost> host);
    bool IsPeer(const KernelSpec& spec, uint32_t server) const;

    const Scenario& m_scenario;
    const KernelDeployment& m_kernels;
    bool m_isUsed{false};
    std::map<uint32_t, std::vector<Use>> m_uses;   ///< By server.
    std::map<uint32_t, Ptr<ServiceSlots>> m_slots; ///< By endpoint.
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_SERVICES_H
