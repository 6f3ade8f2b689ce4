// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REGION_TRACKER_H
#define RDMA_REGION_TRACKER_H

#include "ns3/region-layout.h"

#include <functional>

namespace ns3::rdma
{

/// Class of a message, by its immediate data.
enum class BlockArrival
{
    NEW,       ///< The newest message so far.
    LATE,      ///< Counted as missing until now.
    DUPLICATE, ///< Its block has already arrived.
    STALE,     ///< Of an earlier turn of its region.
    INVALID,   ///< No such block, or older than the first message.
};

/// A use of a memory region that has ended with blocks missing.
struct RegionReport
{
    uint32_t region;
    uint64_t turn;                 ///< Of the region, from 0.
    std::vector<uint32_t> missing; ///< Blocks, in ascending order.
};

/// The memory manager's state of a region.
struct RegionState
{
    uint64_t turn{0};    ///< The newest, even if all of its messages were skipped.
    uint32_t arrived{0}; ///< Blocks of that turn.
    bool isQueued{true}; ///< Some blocks of that turn have not arrived.
    bool isValid{false}; ///< All blocks of that turn have arrived.
};

/**
 * @ingroup rdma-program
 * @brief Determines from immediate data which blocks of a queue pair's memory regions have arrived.
 *
 * An unreliable connection drops whole messages without notice and keeps the order of the others.
 * The blocks between two consecutive labels are therefore missing.  A use of a region ends when a
 * message of its next use, or a newer message, arrives; missing blocks are then reported.
 */
class RegionTracker
{
  public:
    using ReportHandler = std::function<void(const RegionReport&)>;

    /// @param first number of the sender's first message; earlier ones do not count as missing
    explicit RegionTracker(RegionLayout layout, uint64_t first = 0);

    /// @param handler called when a use of a region ends with blocks missing
    void SetReportHandler(ReportHandler handler);

    /// Called for each message that arrives.
    BlockArrival Take(uint32_t immediate);

    const RegionState& GetRegion(uint32_t region) const
    {
        return m_regions[region];
    }

    /// @return the number of the next expected message: one more than that of the newest.
    uint64_t GetNext() const
    {
        return m_next;
    }

    /// @return blocks that were skipped and have not arrived during their use.
    uint64_t GetMissing() const
    {
        return m_missing;
    }

    uint64_t GetDuplicates() const
    {
        return m_duplicates;
    }

    /// @return messages that arrived out of order, but during their region's use.
    uint64_t GetLate() const
    {
        return m_late;
    }

    /// @return uses of regions that ended with all blocks.
    uint64_t GetWhole() const
    {
        return m_whole;
    }

    /// @return uses of regions that ended with blocks missing.
    uint64_t GetIncomplete() const
    {
        return m_incomplete;
    }

    const RegionLayout& GetLayout() const
    {
        return m_layout;
    }

  private:
    BlockArrival TakeOld(uint64_t number);
    void Pass(uint64_t slot);
    void End(uint32_t region);
    void Mark(uint32_t region, uint32_t block);
    bool IsMarked(uint32_t region, uint32_t block) const;

    RegionLayout m_layout;
    ReportHandler m_onReport;
    std::vector<RegionState> m_regions;
    std::vector<uint64_t> m_bits; ///< Arrived blocks: m_words for each region.
    uint32_t m_words;
    uint64_t m_first;
    uint64_t m_next; ///< Number of the next expected message.
    uint64_t m_missing{0};
    uint64_t m_duplicates{0};
    uint64_t m_late{0};
    uint64_t m_whole{0};
    uint64_t m_incomplete{0};
};

} // namespace ns3::rdma

#endif // RDMA_REGION_TRACKER_H
