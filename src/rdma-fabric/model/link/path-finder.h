// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PATH_FINDER_H
#define RDMA_PATH_FINDER_H

#include "ns3/tick.h"

#include <cstdint>

namespace ns3::rdma
{

/// Queries of a NIC about the path to another one.
struct PathFacts
{
    Tick rtt{0};      ///< Round trip in the empty network; 0: not known.
    uint32_t hops{0}; ///< Switches on the way.
};

/**
 * @ingroup rdma-link
 * @brief Finds the paths of the fabric; NICs have access to their own port only.
 */
class PathFinder
{
  public:
    virtual ~PathFinder() = default;

    /**
     * @param src, dst two different endpoints; @param entropy of the frames there
     * @param dataBytes, ackBytes of a frame there and of one back on the same ports, without FCS
     * @return what holds now; nothing if there is no way.
     */
    virtual PathFacts FindFacts(uint32_t src,
                                uint32_t dst,
                                uint32_t entropy,
                                uint32_t dataBytes,
                                uint32_t ackBytes) = 0;
};

} // namespace ns3::rdma

#endif // RDMA_PATH_FINDER_H
