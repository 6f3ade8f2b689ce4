// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rpc-store.h"

namespace ns3::rdma
{

RpcStore::RpcStore(const RpcPlan& plan,
                   std::size_t server,
                   Ptr<HostMemory> memory,
                   const std::function<void()>& poll)
    : m_table(plan.area + BASE, plan.CountKeys(server), plan.occupancy, plan.valueBytes),
      m_domain(Create<ProtectionDomain>(memory)),
      m_region(m_domain->Register(plan.area + BASE, m_table.GetBytes(), memory_access::REMOTE_READ))
{
    constexpr uint64_t KEYS_PER_POLL{4096};
    const std::vector<uint8_t> none(1);
    uint64_t inserted = 0;
    for (uint64_t number = server; number < plan.keys; number += plan.servers.size())
    {
        if (poll && inserted++ % KEYS_PER_POLL == 0)
        {
            poll();
        }
        const uint64_t key = RpcPlan::MakeKey(number);
        m_table.Insert(PeekPointer(memory), key, memory ? plan.MakeValue(key) : none);
    }
}

} // namespace ns3::rdma
