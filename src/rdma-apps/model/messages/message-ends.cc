// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/message-ends.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
constexpr uint64_t REGION{uint64_t{1} << 32}; ///< Address, above the workload's area.
constexpr uint64_t CACHE_LINE{64};

uint64_t
GetStride(const MessagePlan& plan)
{
    return (std::max<uint64_t>(plan.bytes, 1) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}
} // namespace

MessageMemory::MessageMemory(const MessagePlan& plan)
    : m_first(plan.area + REGION),
      m_stride(GetStride(plan)),
      m_places(static_cast<uint32_t>(std::max<uint64_t>(plan.memoryBytes / m_stride, 1))),
      m_mostParts(plan.queuePairs *
                  static_cast<uint32_t>(std::max(plan.clients.size(), plan.servers.size())))
{
}

uint64_t
MessageMemory::Add(uint32_t node)
{
    const uint64_t partBytes = m_places * m_stride;
    Host& host = m_hosts[node];
    if (!host.domain)
    {
        host.domain = Create<ProtectionDomain>();
        host.region =
            host.domain->Register(m_first,
                                  m_mostParts * partBytes,
                                  memory_access::LOCAL_WRITE | memory_access::REMOTE_WRITE |
                                      memory_access::REMOTE_READ | memory_access::REMOTE_ATOMIC);
    }
    return m_first + host.parts++ * partBytes;
}

} // namespace ns3::rdma
