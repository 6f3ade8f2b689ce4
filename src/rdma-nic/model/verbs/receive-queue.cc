// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/receive-queue.h"

#include <utility>

namespace ns3::rdma
{

ReceiveQueue::ReceiveQueue(uint32_t capacity, uint32_t maxSge)
    : m_capacity(capacity),
      m_maxSge(maxSge)
{
}

PostResult
ReceiveQueue::Post(const ReceiveWorkRequest& request, const ReceiveWorkRequest** bad)
{
    for (const ReceiveWorkRequest* each = &request; each != nullptr; each = each->next)
    {
        const bool isValid = each->sgList.size() <= m_maxSge;
        if (!isValid || GetCount() == m_capacity)
        {
            if (bad != nullptr)
            {
                *bad = each;
            }
            return isValid ? PostResult::FULL : PostResult::INVALID;
        }
        m_requests.push_back(*each);
        m_requests.back().next = nullptr; // The consumer may free its list.
    }
    return PostResult::OK;
}

std::optional<ReceiveWorkRequest>
ReceiveQueue::Take()
{
    std::optional<ReceiveWorkRequest> taken;
    if (!m_requests.empty())
    {
        taken = std::move(m_requests.front());
        m_requests.pop_front();
    }
    return taken;
}

void
ReceiveQueue::NotifyIfLow()
{
    if (GetCount() < m_limit)
    {
        m_limit = 0; // Before the call, since the handler may arm the limit again.
        if (const LimitHandler handler = std::exchange(m_onLimit, nullptr))
        {
            handler();
        }
    }
}

bool
ReceiveQueue::IsEmpty() const
{
    return m_requests.empty();
}

uint32_t
ReceiveQueue::GetCount() const
{
    return static_cast<uint32_t>(m_requests.size());
}

uint32_t
ReceiveQueue::GetCapacity() const
{
    return m_capacity;
}

void
ReceiveQueue::SetLimit(uint32_t limit, LimitHandler handler)
{
    m_limit = limit;
    m_onLimit = std::move(handler);
}

} // namespace ns3::rdma
