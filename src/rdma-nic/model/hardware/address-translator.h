// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ADDRESS_TRANSLATOR_H
#define RDMA_ADDRESS_TRANSLATOR_H

#include "ns3/tick.h"

#include <boost/container/small_vector.hpp>
#include <cstdint>

namespace ns3::rdma
{

/// A piece of memory that one DMA command can reach.
struct DmaPiece
{
    uint64_t address; ///< As in the request.
    uint32_t bytes;
    Tick knownAt; ///< When its address in the host is known.
};

using DmaPieces = boost::container::small_vector<DmaPiece, 2>;

/**
 * @ingroup rdma-hardware
 * @brief Translates an address into one in the host's memory, and returns when the result is known.
 */
class AddressTranslator
{
  public:
    virtual ~AddressTranslator() = default;

    /// @param bytes at least 1
    /// @return the pieces in order; empty if any part of the range is not accessible
    virtual DmaPieces Translate(Tick now, uint64_t address, uint32_t bytes) = 0;
};

} // namespace ns3::rdma

#endif // RDMA_ADDRESS_TRANSLATOR_H
