// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-deployment.h"

#include "ns3/uinteger.h"

namespace ns3::rdma
{

void
KernelDeployment::Deploy(uint32_t server,
                         Ptr<RdmaNic> nic,
                         const std::vector<Ptr<OffloadKernel>>& kernels)
{
    if (kernels.empty())
    {
        return;
    }
    const auto host = CreateObject<KernelHost>();
    if (const NicHardware* hardware = nic->GetHardware())
    {
        host->SetAttribute("Frequency", UintegerValue(GetKernelFrequency(*hardware)));
    }
    host->Start(nic, GetMemory(server));
    for (const auto& kernel : kernels)
    {
        host->Deploy(kernel);
    }
    for (uint32_t port = 0; port < nic->GetPortCount(); ++port)
    {
        m_hosts[nic->GetEndpoint(port)] = host;
    }
}

Ptr<KernelHost>
KernelDeployment::Find(uint32_t endpoint) const
{
    const auto found = m_hosts.find(endpoint);
    return found == m_hosts.end() ? nullptr : found->second;
}

Ptr<HostMemory>
KernelDeployment::GetMemory(uint32_t server)
{
    Ptr<HostMemory>& memory = m_memory[server];
    if (!memory)
    {
        memory = Create<HostMemory>();
    }
    return memory;
}

void
KernelDeployment::Dispose()
{
    for (const auto& [endpoint, host] : m_hosts)
    {
        host->Dispose();
    }
    m_hosts.clear();
}

} // namespace ns3::rdma
