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
      m_burst(options.burst),
      m_gap(options.gap),
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

double
MessagePump::GetBurstRate() const
{
    constexpr double PS_PER_SECOND{1e12};
    const auto queuePairs = static_cast<double>(m_supplies.size());
    return m_burstTime == 0 ? 0
                            : static_cast<double>(m_completed.size()) * PS_PER_SECOND * queuePairs /
                                  static_cast<double>(m_burstTime);
}

void
MessagePump::Post(uint32_t index)
{
    Supply& supply = m_supplies[index];
    supply.left -= m_list; // A whole number of lists.
    supply.underWay += m_list;
    m_posted.insert(m_posted.end(), m_list, Simulator::Now().GetPicoSeconds());
    m_host.Post(index, m_list);
}

void
MessagePump::PostMore(uint32_t index)
{
    if (m_gap > 0)
    {
        PostBurst(index);
        return;
    }
    Supply& supply = m_supplies[index];
    while (supply.left > 0 && supply.underWay + m_list <= m_depth)
    {
        Post(index);
    }
}

void
MessagePump::PostBurst(uint32_t index)
{
    Supply& supply = m_supplies[index];
    supply.burstAt = Simulator::Now().GetPicoSeconds();
    while (supply.left > 0 && supply.underWay < m_burst)
    {
        Post(index);
    }
}

void
MessagePump::OnSent(uint32_t index, uint32_t messages)
{
    m_completed.insert(m_completed.end(), messages, Simulator::Now().GetPicoSeconds());
    Supply& supply = m_supplies[index];
    supply.underWay -= messages;
    m_meter.OnCompleted(messages);
    if (m_gap == 0)
    {
        PostMore(index);
    }
    else if (supply.underWay == 0)
    {
        m_burstTime += Simulator::Now().GetPicoSeconds() - supply.burstAt;
        Simulator::Schedule(PicoSeconds(m_gap), &MessagePump::PostMore, this, index);
    }
}

} // namespace ns3::rdma
