// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_CONSISTENCY_KERNEL_H
#define FPGA_CONSISTENCY_KERNEL_H

#include "ns3/call-kernel.h"

#include <vector>

namespace ns3::rdma
{

/// Parameters of a consistent read, 20 bytes: target at the caller, address and size of the object.
struct ConsistencyParameters
{
    static constexpr uint32_t BYTES{20};

    uint64_t target{0};
    uint64_t address{0};
    uint32_t bytes{0}; ///< Checksum at the end included, so more than 8.

    std::vector<uint8_t> Encode() const;
};

/**
 * @ingroup fpga-strom
 * @brief Reads an object of the host's memory until its checksum is correct, and sends it (StRoM
 * section 6.3).
 *
 * The last 8 bytes of an object are the CRC-64 of the bytes before them, as in fpgasystems/davos.
 * If an object changes during a read, its checksum is wrong, and it is read again at once.
 * Answers: OK with the object, checksum included; TOO_MANY_STEPS if MaxReads reads have failed;
 * FAULT; BAD_PARAMETERS.
 */
class ConsistencyKernel : public CallKernel
{
  public:
    /// READ_CONSISTENT in fpgasystems/davos, FpgaController.h.
    static constexpr uint64_t RPC_CODE{4};
    static constexpr uint32_t CRC_BYTES{8};

    static TypeId GetTypeId();

    uint64_t GetRpcCode() const override;
    KernelStep OnPacket(const KernelInput& input) override;
    KernelStep OnData(uint64_t tag, ByteView bytes, Tick now) override;
    KernelStep OnFault(uint64_t tag, Tick now) override;

    /// @return reads that were repeated.
    uint64_t GetRepeatedReads() const
    {
        return m_repeatedReads;
    }

  private:
    /// A call in progress.
    struct Wanted
    {
        uint64_t address{0};
        uint32_t bytes{0};
        uint32_t reads{0};
    };

    void ReadObject(uint32_t place, Tick now, KernelStep& step);

    uint32_t m_maxReads{0};
    std::vector<Wanted> m_objects; ///< By place.
    uint64_t m_repeatedReads{0};
};

} // namespace ns3::rdma

#endif // FPGA_CONSISTENCY_KERNEL_H
