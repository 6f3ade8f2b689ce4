// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/sent-payloads.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

SentPayloads::SentPayloads(uint32_t maxReads)
    : m_maxReads(maxReads)
{
}

const SentPayload*
SentPayloads::FindRequest(Psn psn) const
{
    const auto found =
        std::lower_bound(m_requests.begin(),
                         m_requests.end(),
                         psn,
                         [](const Request& request, Psn key) { return request.psn.IsBefore(key); });
    return found != m_requests.end() && found->psn.Get() == psn.Get() ? &found->payload : nullptr;
}

const SentPayload*
SentPayloads::FindResponse(Psn psn) const
{
    const auto found = m_responses.find(psn.Get());
    return found == m_responses.end() ? nullptr : &found->second;
}

void
SentPayloads::KeepRequest(Psn psn, SentPayload payload)
{
    while (!m_requests.empty() && !m_requests.back().psn.IsBefore(psn))
    {
        m_requests.pop_back(); // Of an earlier connection of the queue pair.
    }
    m_requests.push_back({psn, std::move(payload)});
}

void
SentPayloads::KeepResponse(Psn psn, bool isFirst, SentPayload payload)
{
    m_responses[psn.Get()] = std::move(payload);
    m_order.push_back({psn.Get(), isFirst});
    m_reads += isFirst;
    while (m_reads > m_maxReads)
    {
        DropOldestRead();
    }
}

void
SentPayloads::DropOldestRead()
{
    do
    {
        m_responses.erase(m_order.front().psn);
        m_reads -= m_order.front().isFirst;
        m_order.pop_front();
    } while (!m_order.empty() && !m_order.front().isFirst);
}

void
SentPayloads::Release(Psn oldest)
{
    while (!m_requests.empty() && m_requests.front().psn.IsBefore(oldest))
    {
        m_requests.pop_front();
    }
}

void
SentPayloads::Clear()
{
    m_requests.clear();
    m_responses.clear();
    m_order.clear();
    m_reads = 0;
}

} // namespace ns3::rdma
