// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_CHECKED_KERNEL_H
#define FPGA_CHECKED_KERNEL_H

#include "ns3/offload-kernel.h"

namespace ns3::rdma
{

/// Commands of one step at most.
constexpr std::size_t MAX_STEP_COMMANDS{65'536};

/// @return the step. @param call for example "OnData()"
/// @throws PolicyError if a command has no kind or no time, if there are too many commands, or if a
/// time of the step is negative. Lengths and addresses may come from a client: commands that reach
/// no memory end in OnFault().
KernelStep CheckStep(const OffloadKernel& kernel, const char* call, KernelStep step);

/**
 * @ingroup fpga-kernel
 * @brief Calls a kernel, possibly of a plug-in, and checks each step that it returns.
 *
 * The functions are those of OffloadKernel.  An exception of the kernel and an invalid step end in
 * a PolicyError that names the kernel's type, the call and the value.
 */
class CheckedKernel
{
  public:
    explicit CheckedKernel(OffloadKernel& kernel)
        : m_kernel(kernel)
    {
    }

    uint64_t GetRpcCode() const;
    std::string FindFault() const;
    KernelStep OnPacket(const KernelInput& input) const;
    KernelStep OnData(uint64_t tag, ByteView bytes, Tick now) const;
    KernelStep OnFault(uint64_t tag, Tick now) const;

    /// The next OnWake() must be later.
    KernelStep OnWake(Tick now) const;
    KernelStep OnQueuePairEnd(uint32_t queuePair, Tick now) const;

  private:
    OffloadKernel& m_kernel;
};

} // namespace ns3::rdma

#endif // FPGA_CHECKED_KERNEL_H
