// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KERNEL_TAP_H
#define FPGA_KERNEL_TAP_H

#include "ns3/kernel-host.h"
#include "ns3/stream-service.h"

namespace ns3::rdma
{

/**
 * @ingroup fpga-balboa
 * @brief Gives a kernel that is no StreamService a copy of a stream, in a parallel slot.
 *
 * The kernel gets each packet as one of a stream of its own (KernelInput::isStream).  It answers
 * nothing that the data would wait for; a copy that finds its queue full is lost, and counted among
 * the drops of its KernelHost.
 */
class KernelTap : public StreamService
{
  public:
    static TypeId GetTypeId();

    /// @param host outlives the streams @param code of a kernel that is deployed there
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
