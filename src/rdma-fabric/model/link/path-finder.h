// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PATH_FINDER_H
#define RDMA_PATH_FINDER_H

#include "ns3/tick.h"

#include <cstdint>

namespace ns3::rdma
{

/// Properties of the path from one NIC to another.
struct PathFacts
{
    Tick rtt{0};      ///< Round trip in the empty network; 0: unknown.
    uint32_t hops{0}; ///< Number of switches on the path.
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
     * @param src, dst two different endpoints
     * @param entropy of the frames to dst
     * @param dataBytes, ackBytes of a frame to dst and of one back by the same ports, without FCS
     * @return the current properties; all zero if there is no path.
     */
    virtual PathFacts FindFacts(uint32_t src,
                                uint32_t dst,
                                uint32_t entropy,
                                uint32_t dataBytes,
                                uint32_t ackBytes) = 0;
};

} // namespace ns3::rdma

#endif // RDMA_PATH_FINDER_H
