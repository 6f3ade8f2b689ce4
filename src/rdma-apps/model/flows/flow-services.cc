// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-services.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{
bool
IsPeer(const FlowService& service, uint32_t server)
{
    return !service.peers ||
           std::binary_search(service.peers->begin(), service.peers->end(), server);
}
} // namespace

FlowServices::FlowServices(std::vector<FlowService> services, const KernelDeployment& kernels)
    : m_services(std::move(services)),
      m_kernels(kernels)
{
    for (std::size_t i = 0; i < m_services.size(); ++i)
    {
        for (const uint32_t server : m_services[i].servers)
        {
            m_uses[server].push_back(i);
        }
    }
}

QueuePairInit
FlowServices::MakeInit(uint32_t endpoint) const
{
    QueuePairInit init;
    const Ptr<KernelHost> host = IsUsed() ? m_kernels.Find(endpoint) : nullptr;
    if (host)
    {
        init.handlers = host->GetHandlers();
    }
    return init;
}

ServiceSlots&
FlowServices::GetSlots(uint32_t endpoint, Ptr<KernelHost> host)
{
    Ptr<ServiceSlots>& slots = m_slots[endpoint];
    if (!slots)
    {
        slots = CreateObject<ServiceSlots>();
        slots->Start(host);
    }
    return *slots;
}

void
FlowServices::Attach(uint32_t endpoint, uint32_t queuePair, uint32_t server, uint32_t peer)
{
    const auto uses = m_uses.find(server);
    const Ptr<KernelHost> host = uses == m_uses.end() ? nullptr : m_kernels.Find(endpoint);
    if (!host)
    {
        return;
    }
    ServiceSlots& slots = GetSlots(endpoint, host);
    slots.Detach(queuePair); // An earlier flow may have used the number.
    for (const std::size_t use : uses->second)
    {
        const FlowService& service = m_services[use];
        if (!IsPeer(service, peer))
        {
            continue;
        }
        for (const ServiceSlot& slot : service.slots)
        {
            slots.Attach(queuePair, service.code, slot);
        }
    }
}

} // namespace ns3::rdma
