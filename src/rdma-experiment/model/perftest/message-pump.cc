// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/message-pump.h"

#include "ns3/simulator.h"

namespace ns3::rdma
{

MessagePump::MessagePump(PerftestHost& host, const PerftestOptions& options)
    : m_host(host),
      m_depth(options.txDepth),
      m_left(options.queuePairs, options.iterations),
      m_total(options.queuePairs * options.iterations)
{
    m_host.SetSentHandler([this](uint32_t index) { OnSent(index); });
}

void
MessagePump::Start()
{
    for (uint32_t index = 0; index < m_left.size(); ++index)
    {
        for (uint32_t posted = 0; posted < m_depth; ++posted)
        {
            Post(index);
        }
    }
}

bool
MessagePump::IsDone() const
{
    return m_completed.size() == m_total;
}

BandwidthSummary
MessagePump::Summarize(uint64_t bytes) const
{
    return SummarizeBandwidth(m_posted, m_completed, bytes);
}

void
MessagePump::Post(uint32_t index)
{
    if (m_left[index] > 0)
    {
        --m_left[index];
        m_posted.push_back(Simulator::Now().GetPicoSeconds());
        m_host.Post(index);
    }
}

void
MessagePump::OnSent(uint32_t index)
{
    m_completed.push_back(Simulator::Now().GetPicoSeconds());
    Post(index);
}

} // namespace ns3::rdma
