// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/shared-buffer.h"

#include "ns3/abort.h"
#include "ns3/assert.h"

#include <algorithm>

namespace ns3::rdma
{

SharedBuffer::SharedBuffer(uint64_t totalBytes, const std::vector<BufferQuota>& quotas)
{
    uint64_t setAside = 0;
    for (const BufferQuota& quota : quotas)
    {
        setAside += quota.reserveBytes + quota.headroomBytes;
        m_queues.emplace_back().quota = quota;
    }
    NS_ABORT_MSG_IF(setAside >= totalBytes,
                    "a switch buffer of " << totalBytes << " bytes cannot set aside " << setAside
                                          << " bytes of reserve and headroom");
    m_sharedBytes = totalBytes - setAside;
}

uint64_t
SharedBuffer::GetThreshold(const Queue& queue) const
{
    return static_cast<uint64_t>(static_cast<double>(m_sharedBytes - m_sharedUsed) *
                                 queue.quota.alpha);
}

bool
SharedBuffer::FitsPool(const Queue& queue, uint32_t bytes) const
{
    const uint64_t after = queue.pooled + bytes;
    if (after <= queue.quota.reserveBytes)
    {
        return true;
    }
    const uint64_t share = after - queue.quota.reserveBytes;
    // The threshold may exceed what is free when alpha is above 1; memory cannot.
    return share <= GetThreshold(queue) &&
           m_sharedUsed + share - queue.GetShared() <= m_sharedBytes;
}

bool
SharedBuffer::HasRoom(uint32_t queueIndex, uint32_t bytes) const
{
    const Queue& queue = m_queues[queueIndex];
    return FitsPool(queue, bytes) || queue.headroom + bytes <= queue.quota.headroomBytes;
}

void
SharedBuffer::Add(uint32_t queueIndex, uint32_t bytes)
{
    Queue& queue = m_queues[queueIndex];
    m_used += bytes;
    if (FitsPool(queue, bytes))
    {
        const uint64_t before = queue.GetShared();
        queue.pooled += bytes;
        m_sharedUsed += queue.GetShared() - before;
        return;
    }
    queue.headroom += bytes;
    NS_ASSERT_MSG(queue.headroom <= queue.quota.headroomBytes, "a frame was added without room");
}

void
SharedBuffer::Remove(uint32_t queueIndex, uint32_t bytes)
{
    Queue& queue = m_queues[queueIndex];
    m_used -= bytes;
    // Headroom empties first: it must be free again before the sender may go on.
    const uint64_t fromHeadroom = std::min<uint64_t>(queue.headroom, bytes);
    queue.headroom -= fromHeadroom;
    const uint64_t before = queue.GetShared();
    queue.pooled -= bytes - fromHeadroom;
    m_sharedUsed -= before - queue.GetShared();
}

bool
SharedBuffer::IsOverThreshold(uint32_t queueIndex) const
{
    const Queue& queue = m_queues[queueIndex];
    return queue.headroom > 0 || queue.GetShared() > GetThreshold(queue);
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
