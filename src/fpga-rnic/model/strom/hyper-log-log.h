// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_HYPER_LOG_LOG_H
#define FPGA_HYPER_LOG_LOG_H

#include "ns3/byte-view.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup fpga-strom
 * @brief A sketch that estimates the number of distinct items (Flajolet et al., HyperLogLog, AofA
 * 2007).
 *
 * The sketch has 2^precision registers.  The hash of an item has 64 bits.  The upper `precision`
 * bits select the register, and the leading zeros of the others are the rank, as in
 * fpgasystems/fpga-hyperloglog.  The hash is the finalizer of MurmurHash3 for 64 bits over item and
 * seed.  The relative standard error is 1.04 / sqrt(registers).  With 64 bits, large values need no
 * correction (Heule et al., EDBT 2013, section 4).  Up to 2.5 items per register, the estimate is
 * based on the number of empty registers.
 */
class HyperLogLog
{
  public:
    static constexpr uint32_t MIN_PRECISION{7}; ///< Smallest one for the formula of alpha.
    static constexpr uint32_t MAX_PRECISION{16};

    /// @param precision MIN_PRECISION to MAX_PRECISION
    explicit HyperLogLog(uint32_t precision, uint64_t seed = 0);

    void Add(uint64_t item);

    /// Adds adjacent items.
    /// @param itemBytes 4 or 8
    /// @return bytes left over at the end, fewer than an item
    std::size_t AddItems(ByteView bytes, uint32_t itemBytes);

    /// Merges another sketch of the same precision and seed.
    void Merge(const HyperLogLog& other);

    double Estimate() const;
    void Clear();

  private:
    uint32_t m_precision;
    uint64_t m_seed;
    std::vector<uint8_t> m_registers; ///< The highest rank so far; 0: none.
};

} // namespace ns3::rdma

#endif // FPGA_HYPER_LOG_LOG_H
