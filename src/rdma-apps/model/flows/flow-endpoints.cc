// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-endpoints.h"

#include <algorithm>

namespace ns3::rdma
{

FlowEndpoints::FlowEndpoints(const EndpointMap& endpoints, const std::vector<Ptr<RdmaNic>>& nics)
    : m_endpoints(endpoints),
      m_nics(nics),
      m_isPlain(endpoints.IsPlain())
{
    if (!m_isPlain)
    {
        m_chosenAsSrc.resize(nics.size(), 0);
        m_chosenAsDst.resize(nics.size(), 0);
        m_onNic.resize(nics.size(), 0);
    }
}

ConnectionEnds
FlowEndpoints::Choose(uint32_t src, uint32_t dst)
{
    if (m_isPlain)
    {
        return {src, dst};
    }
    const uint32_t srcNics = m_endpoints.CountNics(src);
    const uint32_t dstNics = m_endpoints.CountNics(dst);
    const uint64_t sent = m_chosenAsSrc[src]++;
    const uint64_t received = m_chosenAsDst[dst]++;
    const uint32_t nic =
        m_nics[src]->ChooseNic(dstNics > srcNics ? received : sent, std::max(srcNics, dstNics));
    const uint32_t srcNic = m_endpoints.Find({src, nic % srcNics, 0});
    const uint32_t port = m_nics[srcNic]->ChoosePort(m_onNic[srcNic]++);
    return {m_endpoints.Find({src, nic % srcNics, port}),
            m_endpoints.Find({dst, nic % dstNics, port})};
}

} // namespace ns3::rdma
