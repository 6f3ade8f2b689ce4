// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KERNEL_TAP_H
#define FPGA_KERNEL_TAP_H

#include "ns3/kernel-host.h"
#include "ns3/stream-service.h"

namespace ns3::rdma
{

/**
 * @ingroup fpga-balboa
 * @brief Passes a copy of a stream to a kernel that is not a StreamService, in a parallel slot.
 *
 * The kernel receives each packet as part of a separate stream (KernelInput::isStream).  It has no
 * verdict, so it does not delay the data.  If the kernel's queue is full, a copy is dropped and
 * counted in the drops of its KernelHost.
 */
class KernelTap : public StreamService
{
  public:
    static TypeId GetTypeId();

    /// @param host outlives the streams
    /// @param code of a kernel deployed on it
    KernelTap(KernelHost& host, uint64_t code);

    uint64_t GetRpcCode() const override;
    Placement GetPlacement() const override;
    KernelStep OnPacket(const KernelInput& input) override;
    StreamStep OnStream(const StreamInput& input) override;

  private:
    KernelHost& m_host;
    uint64_t m_code;
};

} // namespace ns3::rdma

#endif // FPGA_KERNEL_TAP_H
