// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WORK_POSTERS_H
#define RDMA_WORK_POSTERS_H

#include "ns3/collective-plan.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-collective
 * @brief Threads that post the messages of ranks, each one message after the other.
 *
 * A proxy thread of the host posts all messages of a rank (NVSHMEM's IBRC, NCCL's GIN proxy).  On a
 * GPU a thread block per queue pair posts, with doorbells from the GPU to the NIC (IBGDA, GDAKI);
 * DeepEP has a queue pair per expert on the peer for this (deepseek-ai/DeepEP, issue 46).  No core
 * of the host takes part.
 *
 * Not modelled: the time of work requests from GPU memory to the NIC beyond that of host memory and
 * GpuPath::Latency, descriptors from the GPU to a proxy, polling of completions, and blocks that
 * wait for a multiprocessor of the GPU.
 */
class WorkPosters
{
  public:
    /// @param posting outlives this @param ranks, @param queuePairs of a communicator
    WorkPosters(const std::optional<PostingThreads>& posting,
                std::size_t ranks,
                std::size_t queuePairs);

    /// @return whether messages are posted by these threads.
    explicit operator bool() const
    {
        return m_posting.has_value();
    }

    /// A message is ready now. @return when it is posted
    Tick Take(Tick now, uint32_t rank, uint32_t queuePair);

  private:
    const std::optional<PostingThreads>& m_posting;
    std::vector<Tick> m_freeAt; ///< By thread.
};

} // namespace ns3::rdma

#endif // RDMA_WORK_POSTERS_H
