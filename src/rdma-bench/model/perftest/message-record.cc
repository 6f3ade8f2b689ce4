// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/message-record.h"

namespace ns3::rdma
{

void
EachMessage::OnPosted(Tick now, uint32_t messages)
{
    m_posted.insert(m_posted.end(), messages, now);
}

void
EachMessage::OnCompleted(Tick now, uint32_t messages)
{
    m_completed.insert(m_completed.end(), messages, now);
}

uint64_t
EachMessage::GetCount() const
{
    return m_completed.size();
}

BandwidthSummary
EachMessage::Summarize(uint64_t bytes) const
{
    return SummarizeBandwidth(m_posted, m_completed, bytes);
}

SampledMessages::SampledMessages(Tick begin, Tick end)
    : m_begin(begin),
      m_end(end)
{
}

void
SampledMessages::OnPosted(Tick, uint32_t)
{
}

void
SampledMessages::OnCompleted(Tick now, uint32_t messages)
{
    m_count += now > m_begin && now <= m_end ? messages : 0;
}

uint64_t
SampledMessages::GetCount() const
{
    return m_count;
}

BandwidthSummary
SampledMessages::Summarize(uint64_t bytes) const
{
    return SummarizeSample(m_count, m_end - m_begin, bytes);
}

} // namespace ns3::rdma
