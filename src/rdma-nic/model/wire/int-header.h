// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_INT_HEADER_H
#define RDMA_INT_HEADER_H

#include "ns3/int-stack.h"

#include <vector>

namespace ns3::rdma
{

/// Selects the packets of a NIC that carry INT headers, and the length of these headers.
struct IntRules
{
    uint8_t hops{0};     ///< Capacity of each header; 0: no packet carries one.
    bool onReads{false}; ///< READ responses carry INT, too; they are then acknowledged.

    /// @return whether packets of an opcode carry an INT header: SEND and WRITE on reliable
    /// connections, and their acknowledgments.
    bool IsCarriedBy(uint8_t code) const;
};

/**
 * @ingroup rdma-wire
 * @brief The INT header of HPCC's simulator (Li et al. 2019): 16 bits with the number of hops in
 * the highest bits, and 64 bits for each of a fixed number of hops.
 *
 * A hop, from the highest bit on: 3 bits for the rate (RATES_GBPS), 24 for the time in ns, 20 for
 * sent bytes in units of 128, 17 for the queue in units of 80 bytes.  Time and sent bytes wrap, the
 * queue is capped.  Our choice: the number of hops comes first, and the INT header follows all
 * other headers.
 */
class IntHeader
{
  public:
    static constexpr uint32_t GetBytes(uint32_t hops)
    {
        return 2 + 8 * hops;
    }

    /// @param path null: no hop yet
    static void Write(uint8_t* header, const IntStack* path);

    /// @return the hops in the header: rounded, and modulo the ranges that wrap.
    static std::vector<IntHop> Read(const uint8_t* header, uint32_t room);
};

} // namespace ns3::rdma

#endif // RDMA_INT_HEADER_H
