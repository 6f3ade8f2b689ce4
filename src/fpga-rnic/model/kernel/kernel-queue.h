// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KERNEL_QUEUE_H
#define FPGA_KERNEL_QUEUE_H

#include "ns3/offload-kernel.h"

#include <deque>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup fpga-kernel
 * @brief The packets that wait for one kernel, and when it takes the next.
 *
 * Their bytes are copied: the frame of a packet is freed before its kernel takes it.
 */
class KernelQueue
{
  public:
    /// A packet and what its view is of.
    struct Packet
    {
        KernelInput input;
        std::vector<uint8_t> bytes;
    };

    explicit KernelQueue(Ptr<OffloadKernel> kernel);

    OffloadKernel& GetKernel() const
    {
        return *m_kernel;
    }

    std::size_t GetSize() const
    {
        return m_packets.size();
    }

    void Push(const KernelInput& input, Tick now);

    /// @param now of its input. Only if there is a packet and the kernel is ready.
    /// @return the oldest packet; its input has the time since which it waited
    Packet Pop();

    /// Drops the packets that came in on a queue pair.
    void Remove(uint32_t queuePair);

    /// @return whether the kernel takes a packet now.
    bool IsReady(Tick now) const
    {
        return !m_packets.empty() && m_readyAt <= now;
    }

    /// @param readyAt when the kernel can take the next packet
    void SetReadyAt(Tick readyAt)
    {
        m_readyAt = readyAt;
    }

    /// @return when to look whether it IsReady(), if no event is under way for that; else
    /// TICK_NEVER.
    Tick PlanRun(Tick now);

    /// An event of PlanRun() has come. @return whether it is the latest planned one
    bool TakeRun(Tick now);

  private:
    Ptr<OffloadKernel> m_kernel;
    std::deque<Packet> m_packets;
    Tick m_readyAt{0};
    Tick m_runAt{TICK_NEVER}; ///< Of the latest planned event.
};

} // namespace ns3::rdma

#endif // FPGA_KERNEL_QUEUE_H
