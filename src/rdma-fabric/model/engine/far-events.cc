// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/far-events.h"

#include <algorithm>

namespace ns3::rdma
{

void
FarEvents::Find(int64_t bucket)
{
    const auto [place, isNew] = m_buckets.try_emplace(bucket);
    m_lastBucket = bucket;
    m_last = &place->second;
    m_firstBucket = m_buckets.begin()->first;
    if (isNew)
    {
        m_last->swap(m_taken); // Its memory is used again.
        m_last->clear();
    }
}

Tick
FarEvents::GetEarliestTime() const
{
    const Events& first = m_buckets.begin()->second;
    return std::min_element(first.begin(),
                            first.end(),
                            [](const EventRecord& left, const EventRecord& right) {
                                return left.time < right.time;
                            })
        ->time;
}

bool
FarEvents::HasAny(const std::function<bool(const EventRecord&)>& isMatch) const
{
    return std::any_of(m_buckets.begin(), m_buckets.end(), [&isMatch](const auto& bucket) {
        return std::any_of(bucket.second.begin(), bucket.second.end(), isMatch);
    });
}

const std::vector<EventRecord>&
FarEvents::TakeFirst()
{
    const auto first = m_buckets.begin();
    if (first->first == m_lastBucket)
    {
        m_lastBucket = NONE;
    }
    m_taken = std::move(first->second);
    m_buckets.erase(first);
    m_firstBucket = m_buckets.empty() ? NONE : m_buckets.begin()->first;
    return m_taken;
}

} // namespace ns3::rdma
