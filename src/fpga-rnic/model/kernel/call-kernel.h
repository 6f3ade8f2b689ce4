// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_CALL_KERNEL_H
#define FPGA_CALL_KERNEL_H

#include "ns3/kernel-reply.h"
#include "ns3/offload-kernel.h"

#include <optional>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup fpga-kernel
 * @brief What kernels have in common that answer one call after the other, several under way at a
 * time.
 *
 * Each call has a place, which is the tag of its commands; the kernel takes no more calls while all
 * places are in use.
 */
class CallKernel : public OffloadKernel
{
  public:
    static TypeId GetTypeId();

    /// @return calls without a target: there is nowhere to answer.
    uint64_t GetDropped() const
    {
        return m_dropped;
    }

  protected:
    /// @return where a call's answer goes; unset if it has no target, which is counted.
    std::optional<ReplyAddress> FindReply(const KernelInput& input);

    /// A call begins. @return its place
    uint32_t Begin(const ReplyAddress& reply, Tick now, KernelStep& step);

    /// @return the place of the call that a command belongs to.
    /// @param handler for example "OnData()"; fails if no such call is under way
    uint32_t GetPlace(const char* handler, uint64_t tag) const;

    /// It is over: adds its answer. @param at when that leaves
    void End(uint32_t place, const KernelReply& reply, Tick at, Tick now, KernelStep& step);

    /// Refuses parameters.
    void Refuse(const ReplyAddress& reply, Tick now, KernelStep& step) const;

    /// Adds a read of the host's memory. @param place of its call
    void Read(uint32_t place, uint64_t address, uint32_t bytes, Tick now, KernelStep& step) const;

    uint32_t m_latency{0}; ///< Cycles from one input to the next command; each kernel's attribute.

  private:
    struct Place
    {
        ReplyAddress reply;
        bool isUsed{false};
    };

    uint32_t m_maxCalls{0};
    std::vector<Place> m_places;
    uint32_t m_used{0};
    uint64_t m_dropped{0};
};

} // namespace ns3::rdma

#endif // FPGA_CALL_KERNEL_H
