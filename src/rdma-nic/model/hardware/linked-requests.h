// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LINKED_REQUESTS_H
#define RDMA_LINKED_REQUESTS_H

#include "ns3/pcie-link.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-hardware
 * @brief Receive work requests of one queue that form a linked list in host memory: computes when
 * each is on the chip.
 *
 * The address of a request is known when the previous one has been read, so one request is read at
 * a time, and the read latency limits the requests per second of a queue.  mlx5 stores shared
 * receive queues in this way (rdma-core, struct mlx5_wqe_srq_next_seg): with messages of 4 KiB,
 * 1.79 million per second from a list and 5.39 million from a ring, which its hardware fetches in
 * batches (rdma-core, pull request 1183).
 *
 * Not modelled: a prediction of the next address, a list shorter than the read-ahead.
 */
class LinkedRequests
{
  public:
    /// @param ahead requests read before their messages arrive; 0: each is read when its message
    /// arrives @param bytes of a request
    LinkedRequests(uint32_t ahead, uint32_t bytes);

    /// A message takes the next request. @param now not before an earlier call
    /// @return when the request is on the chip
    Tick Take(Tick now, PcieLink& pcie);

  private:
    Tick ReadNext(Tick now, PcieLink& pcie);

    std::vector<Tick> m_ready; ///< Of the requests read ahead: a ring.
    std::size_t m_next{0};     ///< Index of the oldest.
    Tick m_last{0};            ///< When the newest one is on the chip.
    uint32_t m_bytes;
    bool m_hasBegun{false};
};

} // namespace ns3::rdma

#endif // RDMA_LINKED_REQUESTS_H
