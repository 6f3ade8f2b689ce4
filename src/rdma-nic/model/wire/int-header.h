// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_INT_HEADER_H
#define RDMA_INT_HEADER_H

#include "ns3/int-stack.h"

#include <vector>

namespace ns3::rdma
{

/// Which packets of a NIC carry INT headers, and how long these are.
struct IntRules
{
    uint32_t hops{0};    ///< Room in each; 0: no packet carries one.
    bool onReads{false}; ///< Also READ responses, which are acknowledged then.

    /// @return whether packets of an opcode carry one: SEND and WRITE on reliable connections, and
    /// what acknowledges them.
    bool IsCarriedBy(uint8_t code) const;
};

/**
 * @ingroup rdma-wire
 * @brief The INT header as HPCC's simulator has it (Li et al. 2019): 16 bits with the number of
 * hops on top, and 64 bits per hop, of which there is room for a fixed number.
 *
 * A hop, from the highest bit on: 3 bits for the rate (RATES_GBPS), 24 for the time in ns, 20 for
 * sent bytes in units of 128, 17 for the queue in units of 80 bytes.  Time and sent bytes wrap, the
 * queue is capped.  That the number comes first, and the header behind all others, is ours.
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

    /// @return hops with what the header says of them: rounded, without what has wrapped.
    static std::vector<IntHop> Read(const uint8_t* header, uint32_t room);
};

} // namespace ns3::rdma

#endif // RDMA_INT_HEADER_H
