// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/work-posters.h"

#include <algorithm>

namespace ns3::rdma
{

WorkPosters::WorkPosters(const std::optional<PostingThreads>& posting,
                         std::size_t ranks,
                         std::size_t queuePairs)
    : m_posting(posting),
      m_freeAt(!posting                   ? 0
               : posting->arePerQueuePair ? queuePairs
                                          : ranks)
{
}

Tick
WorkPosters::Take(Tick now, uint32_t rank, uint32_t queuePair)
{
    Tick& freeAt = m_freeAt[m_posting->arePerQueuePair ? queuePair : rank];
    freeAt = std::max(freeAt, now) + m_posting->postTime;
    return freeAt;
}

} // namespace ns3::rdma
