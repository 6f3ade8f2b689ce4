// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-services.h"

#include "ns3/kernel-keys.h"

#include <algorithm>

namespace ns3::rdma
{

FlowServices::FlowServices(const Scenario& scenario, const KernelDeployment& kernels)
    : m_scenario(scenario),
      m_kernels(kernels)
{
    for (const auto& [group, specs] : scenario.kernels)
    {
        for (const KernelSpec& spec : specs)
        {
            if (spec.slots.empty())
            {
                continue;
            }
            m_isUsed = true;
            const uint64_t code = GetKernelCode(spec);
            for (const uint32_t server : scenario.groups.at(group))
            {
                m_uses[server].push_back({&spec, code});
            }
        }
    }
}

QueuePairInit
FlowServices::MakeInit(uint32_t endpoint) const
{
    QueuePairInit init;
    const Ptr<KernelHost> host = m_isUsed ? m_kernels.Find(endpoint) : nullptr;
    if (host)
    {
        init.handlers = host->GetHandlers();
    }
    return init;
}

bool
FlowServices::IsPeer(const KernelSpec& spec, uint32_t server) const
{
    if (spec.peers.empty())
    {
        return true;
    }
    const std::vector<uint32_t>& group = m_scenario.groups.at(spec.peers);
    return std::binary_search(group.begin(), group.end(), server);
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
    for (const Use& use : uses->second)
    {
        if (!IsPeer(*use.spec, peer))
        {
            continue;
        }
        for (const SlotSpec& slot : use.spec->slots)
        {
            const auto placement = slot.isParallel ? StreamService::Placement::PARALLEL
                                                   : StreamService::Placement::ON_PATH;
            slots.Attach(queuePair, use.code, {slot.isSent, placement});
        }
    }
}

} // namespace ns3::rdma
