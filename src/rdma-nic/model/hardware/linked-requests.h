// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LINKED_REQUESTS_H
#define RDMA_LINKED_REQUESTS_H

#include "ns3/pcie-link.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-hardware
 * @brief Receive work requests of one queue that are a linked list in host memory: when each is on
 * the chip.
 *
 * Where a request lies is known when the one before it has been read, so there is one read of a
 * request under way at a time, and a queue has no more requests per second than a read's latency
 * allows.  mlx5 keeps shared receive queues so (rdma-core, struct mlx5_wqe_srq_next_seg): with
 * messages of 4 KiB, 1.79 million per second from a list and 5.39 million from a ring, which its
 * hardware fetches in batches (rdma-core, pull request 1183).
 *
 * Not modelled: a guess at the next place, a list shorter than what is read ahead.
 */
class LinkedRequests
{
  public:
    /// @param ahead requests read before there is a message for them; 0: each when its message
    /// comes @param bytes of a request
    LinkedRequests(uint32_t ahead, uint32_t bytes);

    /// A message takes the next request. @param now never before an earlier call's
    /// @return when the request is on the chip
    Tick Take(Tick now, PcieLink& pcie);

  private:
    Tick ReadNext(Tick now, PcieLink& pcie);

    std::vector<Tick> m_ready; ///< Of the requests read ahead: a ring.
    std::size_t m_next{0};     ///< The oldest of them.
    Tick m_last{0};            ///< When the newest one is there.
    uint32_t m_bytes;
    bool m_hasBegun{false};
};

} // namespace ns3::rdma

#endif // RDMA_LINKED_REQUESTS_H
