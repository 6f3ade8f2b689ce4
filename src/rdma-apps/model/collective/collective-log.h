// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_COLLECTIVE_LOG_H
#define RDMA_COLLECTIVE_LOG_H

#include "ns3/tick.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/// One iteration of one communicator, as far as it has come.
struct IterationRecord
{
    Tick firstBegin{TICK_NEVER}; ///< When the first rank began.
    Tick lastBegin{-1};          ///< When the last rank began; -1: none.
    Tick end{-1};                ///< When the last rank was done; -1: none.
    uint32_t ranksDone{0};
    uint32_t slowest{0};          ///< The rank that was done last; of several, the lowest.
    uint32_t awaited{UINT32_MAX}; ///< Sender of the last message to it; none: UINT32_MAX.

    /// Adds what another process has seen.
    void Add(const IterationRecord& other);
};

/**
 * @ingroup rdma-collective
 * @brief When the ranks of a communicator began and ended each iteration.
 */
class CollectiveLog
{
  public:
    explicit CollectiveLog(uint32_t iterations)
        : m_records(iterations)
    {
    }

    void OnBegin(uint32_t iteration, Tick now);

    /// @param awaited sender of the message that was last; unset: there was none
    void OnEnd(uint32_t iteration, uint32_t rank, std::optional<uint32_t> awaited, Tick now);

    const std::vector<IterationRecord>& GetRecords() const
    {
        return m_records;
    }

  private:
    std::vector<IterationRecord> m_records; ///< By iteration.
};

} // namespace ns3::rdma

#endif // RDMA_COLLECTIVE_LOG_H
