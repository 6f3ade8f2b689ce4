// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/link-sharing.h"

#include <algorithm>

namespace ns3::rdma
{

LinkSharing::LinkSharing(const std::vector<uint64_t>& bitsPerSecond, int64_t beginPs, int64_t endPs)
    : m_sending(bitsPerSecond.size(), 0),
      m_receiving(bitsPerSecond.size(), 0),
      m_nowPs(beginPs),
      m_endPs(endPs),
      m_stepPs(std::max<int64_t>(1, (endPs - beginPs) / STEPS))
{
    constexpr double BITS_PS_PER_BYTE_SECOND{8e12};
    for (const uint64_t rate : bitsPerSecond)
    {
        m_bytesPerPs.push_back(static_cast<double>(rate) / BITS_PS_PER_BYTE_SECOND);
    }
}

void
LinkSharing::Add(const SharingFlow& flow)
{
    while (m_nowPs < m_endPs && m_nowPs + m_stepPs <= flow.startPs)
    {
        Step();
    }
    m_active.push_back(static_cast<uint32_t>(m_flows.size()));
    m_flows.push_back(flow);
    m_sent.push_back(0);
    ++m_sending[flow.src];
    ++m_receiving[flow.dst];
}

void
LinkSharing::Step()
{
    const int64_t nextPs = std::min(m_nowPs + m_stepPs, m_endPs);
    std::vector<uint32_t> ended;
    const auto send = [this, nextPs, &ended](uint32_t index) {
        const SharingFlow& flow = m_flows[index];
        const int64_t ps = std::min(nextPs, flow.endPs) - std::max(m_nowPs, flow.startPs);
        const double rate = std::min(m_bytesPerPs[flow.src] / m_sending[flow.src],
                                     m_bytesPerPs[flow.dst] / m_receiving[flow.dst]);
        m_sent[index] += rate * static_cast<double>(std::max<int64_t>(0, ps));
        if (m_sent[index] < flow.wireBytes)
        {
            return false;
        }
        m_sent[index] = flow.wireBytes;
        ended.push_back(index);
        return true;
    };
    m_active.erase(std::remove_if(m_active.begin(), m_active.end(), send), m_active.end());
    for (const uint32_t index : ended)
    {
        --m_sending[m_flows[index].src];
        --m_receiving[m_flows[index].dst];
    }
    m_nowPs = nextPs;
}

std::vector<double>
LinkSharing::Finish()
{
    while (m_nowPs < m_endPs)
    {
        Step();
    }
    std::vector<double> shares;
    for (std::size_t i = 0; i < m_flows.size(); ++i)
    {
        shares.push_back(m_sent[i] / m_flows[i].wireBytes);
    }
    return shares;
}

} // namespace ns3::rdma
