// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/endpoint-map.h"

#include "ns3/assert.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3::rdma
{

namespace
{
bool
IsBefore(const Endpoint& left, const Endpoint& right)
{
    return std::tie(left.server, left.nic, left.port) <
           std::tie(right.server, right.nic, right.port);
}
} // namespace

EndpointMap::EndpointMap(uint32_t nodes, std::vector<Endpoint> further)
    : m_nodes(nodes),
      m_further(std::move(further))
{
    NS_ASSERT_MSG(std::is_sorted(m_further.begin(), m_further.end(), IsBefore),
                  "endpoints are listed by server, NIC and port");
}

uint32_t
EndpointMap::Find(const Endpoint& endpoint) const
{
    if (endpoint.nic == 0 && endpoint.port == 0)
    {
        return endpoint.server < m_nodes ? endpoint.server : NONE;
    }
    const auto place = std::lower_bound(m_further.begin(), m_further.end(), endpoint, IsBefore);
    const bool isThere = place != m_further.end() && !IsBefore(endpoint, *place);
    return isThere ? m_nodes + static_cast<uint32_t>(place - m_further.begin()) : NONE;
}

uint32_t
EndpointMap::FindPort(uint32_t id, uint32_t port) const
{
    const Endpoint own = Get(id);
    return Find({own.server, own.nic, port});
}

uint32_t
EndpointMap::CountNics(uint32_t server) const
{
    uint32_t count = 1;
    while (Find({server, count, 0}) != NONE)
    {
        ++count;
    }
    return count;
}

std::vector<uint32_t>
EndpointMap::GetEndpoints(uint32_t server) const
{
    std::vector<uint32_t> ids{server};
    const auto first =
        std::lower_bound(m_further.begin(), m_further.end(), Endpoint{server}, IsBefore);
    auto place = first;
    for (; place != m_further.end() && place->server == server; ++place)
    {
        ids.push_back(m_nodes + static_cast<uint32_t>(place - m_further.begin()));
    }
    return ids;
}

} // namespace ns3::rdma
