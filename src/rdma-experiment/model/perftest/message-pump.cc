// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/message-pump.h"

#include "ns3/simulator.h"

namespace ns3::rdma
{

MessagePump::MessagePump(PerftestHost& host, PerftestMeter& meter, const PerftestOptions& options)
    : m_host(host),
      m_meter(meter),
      m_depth(options.txDepth),
      m_list(options.postList),
      m_supplies(options.queuePairs, {options.iterations}),
      m_total(options.queuePairs * options.iterations)
{
    m_host.SetSentHandler([this](uint32_t index, uint32_t messages) { OnSent(index, messages); });
}

void
MessagePump::Start()
{
    for (uint32_t index = 0; index < m_supplies.size(); ++index)
    {
        PostMore(index);
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
MessagePump::PostMore(uint32_t index)
{
    Supply& supply = m_supplies[index];
    while (supply.left > 0 && supply.underWay + m_list <= m_depth)
    {
        supply.left -= m_list; // A whole number of lists.
        supply.underWay += m_list;
        m_posted.insert(m_posted.end(), m_list, Simulator::Now().GetPicoSeconds());
        m_host.Post(index, m_list);
    }
}

void
MessagePump::OnSent(uint32_t index, uint32_t messages)
{
    m_completed.insert(m_completed.end(), messages, Simulator::Now().GetPicoSeconds());
    m_supplies[index].underWay -= messages;
    m_meter.OnCompleted(messages);
    PostMore(index);
}

} // namespace ns3::rdma
