// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/shared-buffer.h"

#include "ns3/abort.h"

#include <algorithm>
#include <limits>

namespace ns3::rdma
{

SharedBuffer::SharedBuffer(uint64_t totalBytes,
                           const std::vector<BufferQuota>& quotas,
                           const std::vector<uint64_t>& poolBytes)
{
    NS_ABORT_MSG_IF(poolBytes.size() >= MAX_POOLS, "a switch buffer has one pool per class");
    uint64_t setAside = 0;
    for (const BufferQuota& quota : quotas)
    {
        NS_ABORT_MSG_IF(quota.reserveBytes > MAX_SET_ASIDE || quota.headroomBytes > MAX_SET_ASIDE,
                        "a queue of a switch buffer cannot set aside 4 GiB or more");
        setAside += quota.reserveBytes + quota.headroomBytes;
        Queue& queue = m_queues.emplace_back();
        queue.reserveLimit = static_cast<uint32_t>(quota.reserveBytes);
        queue.headroomLimit = static_cast<uint32_t>(quota.headroomBytes);
        queue.alpha = quota.alpha;
        queue.pool = quota.pool;
    }
    for (std::size_t number = 0; number < poolBytes.size(); ++number)
    {
        setAside += poolBytes[number];
        m_pools[number + 1].bytes = poolBytes[number];
    }
    NS_ABORT_MSG_IF(setAside >= totalBytes,
                    "a switch buffer of " << totalBytes << " bytes cannot set aside " << setAside
                                          << " bytes of reserve, headroom and pools");
    m_pools[0].bytes = totalBytes - setAside;
    // If one queue held all x bytes, x <= alpha (pool - x) would hold up to this limit. One byte
    // less, for rounding.
    double limit = static_cast<double>(totalBytes);
    for (const Queue& queue : m_queues)
    {
        const double alpha = std::min(queue.alpha, 1.0);
        const auto shared = static_cast<double>(m_pools[queue.pool].bytes);
        limit = std::min(limit, alpha / (1 + alpha) * shared - 1);
    }
    m_nearlyEmpty = limit > 0 ? static_cast<uint64_t>(limit) : 0;
}

uint64_t
SharedBuffer::GetThreshold(const Queue& queue) const
{
    const Pool& pool = m_pools[queue.pool];
    return static_cast<uint64_t>(static_cast<double>(pool.bytes - pool.used) * queue.alpha);
}

bool
SharedBuffer::FitsPool(const Queue& queue, uint32_t bytes) const
{
    const uint64_t after = queue.pooled + bytes;
    if (after <= queue.reserveLimit)
    {
        return true;
    }
    const uint64_t share = after - queue.reserveLimit;
    // With alpha above 1 the threshold may exceed the free memory.
    return share <= GetThreshold(queue) &&
           m_pools[queue.pool].used + share - queue.GetShared() <= m_pools[queue.pool].bytes;
}

bool
SharedBuffer::HasRoomInQueue(const Queue& queue, uint32_t bytes) const
{
    return FitsPool(queue, bytes) || uint64_t{queue.headroom} + bytes <= queue.headroomLimit;
}

bool
SharedBuffer::IsAboveShare(const Queue& queue) const
{
    return queue.GetShared() > GetThreshold(queue);
}

bool
SharedBuffer::IsBelowThreshold(uint32_t queueIndex, uint32_t marginBytes) const
{
    const Queue& queue = m_queues[queueIndex];
    const uint64_t shared = queue.GetShared();
    return queue.headroom == 0 && (shared == 0 || shared + marginBytes <= GetThreshold(queue));
}

uint64_t
SharedBuffer::GetUsed(uint32_t queueIndex) const
{
    return m_queues[queueIndex].pooled + m_queues[queueIndex].headroom;
}

uint64_t
SharedBuffer::GetTotalUsed() const
{
    return m_used;
}

} // namespace ns3::rdma
