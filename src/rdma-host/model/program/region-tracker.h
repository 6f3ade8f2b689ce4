// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REGION_TRACKER_H
#define RDMA_REGION_TRACKER_H

#include "ns3/region-layout.h"

#include <functional>

namespace ns3::rdma
{

/// What a message is, by its immediate data.
enum class BlockArrival
{
    NEW,       ///< Beyond all before.
    LATE,      ///< Counted as missing until now.
    DUPLICATE, ///< Its block had arrived.
    STALE,     ///< Its region has been used again since.
    INVALID,   ///< There is no such block.
};

/// A use of a memory region that has ended without some of its blocks.
struct RegionReport
{
    uint32_t region;
    uint64_t turn;                 ///< Of the region, from 0.
    std::vector<uint32_t> missing; ///< Blocks, rising.
};

/// The memory manager's state of a region.
struct RegionState
{
    uint64_t turn{0};    ///< The newest that anything has arrived of, or has passed.
    uint32_t arrived{0}; ///< Blocks of that turn.
    bool isQueued{true}; ///< Blocks of that turn are still to come.
    bool isValid{false}; ///< All blocks of that turn have arrived.
};

/**
 * @ingroup rdma-program
 * @brief Determines from immediate data which blocks of a queue pair's memory regions have arrived.
 *
 * An unreliable connection loses whole messages without notice and keeps the order of the others,
 * so the blocks between two labels that follow each other are missing.  A use of a region ends when
 * a message of its next use arrives or all of its messages have been passed by; what is missing
 * then is reported.
 */
class RegionTracker
{
  public:
    using ReportHandler = std::function<void(const RegionReport&)>;

    /// @param first number of the sender's first message: earlier ones are not missing
    explicit RegionTracker(RegionLayout layout, uint64_t first = 0);

    /// @param handler is called when a use of a region ends with blocks missing
    void SetReportHandler(ReportHandler handler);

    /// A message has arrived.
    BlockArrival Take(uint32_t immediate);

    const RegionState& GetRegion(uint32_t region) const
    {
        return m_regions[region];
    }

    /// @return number of the message that is expected next: one more than that of the newest.
    uint64_t GetNext() const
    {
        return m_next;
    }

    /// @return blocks that were passed by and have not arrived.
    uint64_t GetMissing() const
    {
        return m_missing;
    }

    uint64_t GetDuplicates() const
    {
        return m_duplicates;
    }

    /// @return messages out of order that were in time.
    uint64_t GetLate() const
    {
        return m_late;
    }

    /// @return uses of regions that ended whole; with blocks missing.
    uint64_t GetWhole() const
    {
        return m_whole;
    }

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
    std::vector<uint64_t> m_bits; ///< Blocks that arrived, by region; m_words each.
    uint32_t m_words;
    uint64_t m_first;
    uint64_t m_next; ///< Number of the message that is expected.
    uint64_t m_missing{0};
    uint64_t m_duplicates{0};
    uint64_t m_late{0};
    uint64_t m_whole{0};
    uint64_t m_incomplete{0};
};

} // namespace ns3::rdma

#endif // RDMA_REGION_TRACKER_H
