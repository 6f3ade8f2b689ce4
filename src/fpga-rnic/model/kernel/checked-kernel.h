// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_CHECKED_KERNEL_H
#define FPGA_CHECKED_KERNEL_H

#include "ns3/offload-kernel.h"

namespace ns3::rdma
{

/// Largest number of commands in one step.
constexpr std::size_t MAX_STEP_COMMANDS{65'536};

/// Checks a step. Lengths and addresses are not checked: a client may have sent them, and commands
/// with invalid memory end in OnFault().
/// @param call that returned the step, for example "OnData()"
/// @return the step
/// @throws PolicyError if there are too many commands, if a command has an invalid kind or time, or
/// if a time of the step is negative
KernelStep CheckStep(const OffloadKernel& kernel, const char* call, KernelStep step);

/**
 * @ingroup fpga-kernel
 * @brief Calls a kernel, which may be a plug-in, and checks each step that it returns.
 *
 * The functions are those of OffloadKernel.  An exception of the kernel and an invalid step cause a
 * PolicyError with the kernel's type, the call and the value.
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

    /// @throws PolicyError also if the next OnWake() is not later than now
    KernelStep OnWake(Tick now) const;
    KernelStep OnQueuePairEnd(uint32_t queuePair, Tick now) const;

  private:
    OffloadKernel& m_kernel;
};

} // namespace ns3::rdma

#endif // FPGA_CHECKED_KERNEL_H
