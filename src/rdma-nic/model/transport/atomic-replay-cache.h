// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ATOMIC_REPLAY_CACHE_H
#define RDMA_ATOMIC_REPLAY_CACHE_H

#include "ns3/psn.h"

#include <algorithm>
#include <boost/circular_buffer.hpp>
#include <optional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-transport
 * @brief Results of the last atomics, so that a repeated request is answered and not carried out
 * again (IBTA Vol. 1, Section 9.4.5).
 *
 * Bounded by the atomics that a requester may have in flight; the oldest result is dropped first.
 */
class AtomicReplayCache
{
  public:
    /// @param capacity max_dest_rd_atomic
    explicit AtomicReplayCache(uint32_t capacity)
        : m_results(capacity)
    {
    }

    /// Drops the oldest results beyond the capacity.
    void SetCapacity(uint32_t capacity)
    {
        m_results.rset_capacity(capacity);
    }

    void Add(Psn psn, uint64_t originalValue)
    {
        m_results.push_back({psn, originalValue});
    }

    /// @return the original value that the request of this PSN found; unset if it was dropped.
    std::optional<uint64_t> Find(Psn psn) const
    {
        // The newest first: PSNs wrap around.
        const auto result =
            std::find_if(m_results.rbegin(), m_results.rend(), [psn](const Result& candidate) {
                return candidate.psn == psn;
            });
        return result == m_results.rend() ? std::nullopt : std::optional(result->originalValue);
    }

  private:
    struct Result
    {
        Psn psn;
        uint64_t originalValue;
    };

    boost::circular_buffer<Result> m_results;
};

} // namespace ns3::rdma

#endif // RDMA_ATOMIC_REPLAY_CACHE_H
