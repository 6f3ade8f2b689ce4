// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_TRAVERSAL_KERNEL_H
#define FPGA_TRAVERSAL_KERNEL_H

#include "ns3/call-kernel.h"
#include "ns3/traversal-parameters.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup fpga-strom
 * @brief Walks a data structure in the host's memory from element to element until a key matches,
 * and sends the value that belongs to it (StRoM section 6.2, Table 2).
 *
 * Answers: OK with the value; NOT_FOUND at an element without next one; FAULT at a pointer to
 * memory that is not pinned, null ones of a value included; TOO_MANY_STEPS after MaxElements, so
 * that a circle ends; BAD_PARAMETERS.  Parameters too short to hold a target are dropped and
 * counted: there is nowhere to answer.
 *
 * Several calls are under way at a time, each with one read.
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
    /// A call under way.
    struct Walk
    {
        TraversalParameters parameters;
        uint32_t elements{0}; ///< Read.
        bool isAtValue{false};
    };

    void EndAt(uint32_t place, const KernelReply& reply, Tick now, KernelStep& step);

    uint32_t m_maxElements{0};
    std::vector<Walk> m_walks; ///< By place.
};

} // namespace ns3::rdma

#endif // FPGA_TRAVERSAL_KERNEL_H
