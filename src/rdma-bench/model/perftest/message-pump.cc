// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/message-pump.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

std::unique_ptr<MessageRecord>
MakeRecord(const PerftestOptions& options)
{
    if (options.duration > 0)
    {
        return std::make_unique<SampledMessages>(options.margin, options.duration - options.margin);
    }
    return std::make_unique<EachMessage>();
}

BurstLimit
MakeLimit(const PerftestOptions& options, uint64_t bytes)
{
    return options.bursts ? BurstLimit(options.bursts->messages, options.bursts->GetDistance(bytes))
                          : BurstLimit();
}

} // namespace

MessagePump::MessagePump(PerftestHost& host,
                         PerftestMeter& meter,
                         const PerftestOptions& options,
                         uint64_t bytes)
    : m_host(host),
      m_meter(meter),
      m_depth(options.txDepth),
      m_list(options.postList),
      m_burst(options.burst),
      m_gap(options.gap),
      m_supplies(options.queuePairs, {options.iterations}),
      m_bytes(bytes),
      m_end(options.duration),
      m_limit(MakeLimit(options, bytes)),
      m_record(MakeRecord(options))
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
    const bool isPosted = std::all_of(m_supplies.begin(), m_supplies.end(), [](const auto& one) {
        return one.left == 0;
    });
    return m_end > 0 ? Simulator::Now().GetPicoSeconds() >= m_end : isPosted && m_underWay == 0;
}

BandwidthSummary
MessagePump::Summarize() const
{
    return m_record->Summarize(m_bytes);
}

uint64_t
MessagePump::GetCount() const
{
    return m_record->GetCount();
}

bool
MessagePump::HasRoom(const Supply& supply) const
{
    const bool isOpen = m_end == 0 || Simulator::Now().GetPicoSeconds() < m_end;
    return isOpen && supply.left > 0 && supply.underWay + m_list <= m_depth;
}

double
MessagePump::GetBurstRate() const
{
    constexpr double PS_PER_SECOND{1e12};
    const auto queuePairs = static_cast<double>(m_supplies.size());
    return m_burstTime == 0 ? 0
                            : static_cast<double>(m_record->GetCount()) * PS_PER_SECOND *
                                  queuePairs / static_cast<double>(m_burstTime);
}

void
MessagePump::Post(uint32_t index)
{
    Supply& supply = m_supplies[index];
    supply.left -= m_list; // A whole number of lists.
    supply.underWay += m_list;
    m_underWay += m_list;
    m_record->OnPosted(Simulator::Now().GetPicoSeconds(), m_list);
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
    if (m_limit.IsSet())
    {
        PostTurn();
        return;
    }
    while (HasRoom(m_supplies[index]))
    {
        Post(index);
    }
}

void
MessagePump::PostTurn()
{
    std::size_t full = 0; // Queue pairs in a row without room.
    while (full < m_supplies.size())
    {
        if (!m_limit.Allows(Simulator::Now().GetPicoSeconds()))
        {
            WaitForBurst();
            return;
        }
        if (HasRoom(m_supplies[m_turn]))
        {
            full = 0;
            Post(static_cast<uint32_t>(m_turn));
            m_limit.Take(m_list);
        }
        else
        {
            ++full;
        }
        if (full > 0 || m_limit.IsAtEnd())
        {
            m_turn = (m_turn + 1) % m_supplies.size();
        }
    }
}

void
MessagePump::WaitForBurst()
{
    if (!m_isWaiting)
    {
        m_isWaiting = true;
        const Time wait = PicoSeconds(m_limit.GetNext()) - Simulator::Now();
        Simulator::Schedule(wait, [this] {
            m_isWaiting = false;
            PostTurn();
        });
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
    m_record->OnCompleted(Simulator::Now().GetPicoSeconds(), messages);
    Supply& supply = m_supplies[index];
    supply.underWay -= messages;
    m_underWay -= messages;
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
