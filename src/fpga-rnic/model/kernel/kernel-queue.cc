// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-queue.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

KernelQueue::KernelQueue(Ptr<OffloadKernel> kernel)
    : m_kernel(std::move(kernel))
{
}

void
KernelQueue::Push(const KernelInput& input, Tick now)
{
    m_packets.push_back({input, input.bytes.Copy()});
    m_packets.back().input.at = now;
}

KernelQueue::Packet
KernelQueue::Pop()
{
    Packet packet = std::move(m_packets.front());
    m_packets.pop_front();
    packet.input.bytes = ByteView(packet.bytes);
    return packet;
}

void
KernelQueue::Remove(uint32_t queuePair)
{
    const auto isOfIt = [queuePair](const Packet& packet) {
        return packet.input.queuePair == queuePair && !packet.input.isLocal;
    };
    m_packets.erase(std::remove_if(m_packets.begin(), m_packets.end(), isOfIt), m_packets.end());
}

Tick
KernelQueue::PlanRun(Tick now)
{
    if (m_packets.empty() || m_readyAt == TICK_NEVER)
    {
        return TICK_NEVER;
    }
    const Tick at = std::max(m_readyAt, now);
    if (at >= m_runAt)
    {
        return TICK_NEVER;
    }
    m_runAt = at;
    return at;
}

bool
KernelQueue::TakeRun(Tick now)
{
    if (m_runAt != now)
    {
        return false;
    }
    m_runAt = TICK_NEVER;
    return true;
}

} // namespace ns3::rdma
