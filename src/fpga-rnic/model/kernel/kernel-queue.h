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
 * @brief The queue of packets for one kernel, and when the kernel accepts the next packet.
 *
 * Payload is copied, since the frame of a packet is freed before its kernel accepts it.
 */
class KernelQueue
{
  public:
    /// A packet and the bytes that its view refers to.
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

    /// Only if IsReady().
    /// @return the oldest packet; KernelInput::at is the time at which it was queued
    Packet Pop();

    /// Drops the packets received on a queue pair.
    void Remove(uint32_t queuePair);

    /// @return whether the kernel can accept a packet now.
    bool IsReady(Tick now) const
    {
        return !m_packets.empty() && m_readyAt <= now;
    }

    /// @param readyAt when the kernel can accept the next packet
    void SetReadyAt(Tick readyAt)
    {
        m_readyAt = readyAt;
    }

    /// @return when to check IsReady(); TICK_NEVER if no new event is needed for that.
    Tick PlanRun(Tick now);

    /// Called at a time of PlanRun().
    /// @return whether it is the latest planned event
    bool TakeRun(Tick now);

  private:
    Ptr<OffloadKernel> m_kernel;
    std::deque<Packet> m_packets;
    Tick m_readyAt{0};
    Tick m_runAt{TICK_NEVER}; ///< Of the latest planned event.
};

} // namespace ns3::rdma

#endif // FPGA_KERNEL_QUEUE_H
