// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_TRAVERSAL_KERNEL_H
#define FPGA_TRAVERSAL_KERNEL_H

#include "ns3/call-kernel.h"
#include "ns3/kernel-parameters.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup fpga-strom
 * @brief Traverses a data structure in the host's memory until a key matches, and sends the value
 * of that key (StRoM section 6.2, Table 2).
 *
 * Answers: OK with the value; NOT_FOUND at an element without a successor; FAULT at a pointer to
 * memory that is not pinned, including a null pointer to a value; TOO_MANY_STEPS after MaxElements,
 * which ends a cycle; BAD_PARAMETERS.  Parameters too short to hold a target are dropped and
 * counted, since there is no address for an answer.
 *
 * Several calls are in progress at a time, each with one read.
 */
class TraversalKernel : public CallKernel
{
  public:
    static constexpr uint64_t RPC_CODE{3}; ///< POINTER in fpgasystems/davos, FpgaController.h.

    static TypeId GetTypeId();

    uint64_t GetRpcCode() const override;
    KernelStep OnPacket(const KernelInput& input) override;
    KernelStep OnData(uint64_t tag, ByteView bytes, Tick now) override;
    KernelStep OnFault(uint64_t tag, Tick now) override;

  private:
    /// A call in progress.
    struct Walk
    {
        TraversalParameters parameters;
        uint32_t elements{0}; ///< Elements read.
        bool isAtValue{false};
    };

    void EndAt(uint32_t place, const KernelReply& reply, Tick now, KernelStep& step);

    uint32_t m_maxElements{0};
    std::vector<Walk> m_walks; ///< By place.
};

} // namespace ns3::rdma

#endif // FPGA_TRAVERSAL_KERNEL_H
