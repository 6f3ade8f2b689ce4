// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REGION_LAYOUT_H
#define RDMA_REGION_LAYOUT_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Block of a memory region that a message fills, and use of the region.
struct BlockLabel
{
    uint32_t turn;   ///< Uses of the region before this one, modulo RegionLayout::TURNS.
    uint32_t region; ///< Of the queue pair, from 0.
    uint32_t block;  ///< Of the region, from 0.
};

/**
 * @ingroup rdma-program
 * @brief Memory regions that a queue pair's messages fill in turn, and the labels of their blocks
 * in immediate data.
 *
 * A region has one block for each linked request of a list (thesis, section 3.5.2).  Messages are
 * numbered from 0 on: number n fills block n mod blocks of region (n / blocks) mod regions in that
 * region's turn n / (blocks * regions).
 *
 * The 32 bits of immediate data are, from the highest: 12 of the turn, 10 of the region, 10 of the
 * block.  The labels alone determine the missing messages, unless 2048 turns of all regions are
 * lost in a row.
 *
 * Source: the RDMA memory manager of the thesis, section 4.3.1, which prints no encoding.
 */
class RegionLayout
{
  public:
    static constexpr uint32_t TURNS{1U << 12};
    static constexpr uint32_t MAX_REGIONS{1U << 10};
    static constexpr uint32_t MAX_BLOCKS{1U << 10};

    /**
     * @param addresses of the regions, in any order; at least one
     * @param blocks of each region; at least 1
     * @param blockBytes of each block; at least 1
     * @throws VerbsError if there are more regions or blocks than labels, or regions overlap
     */
    RegionLayout(std::vector<uint64_t> addresses, uint32_t blocks, uint32_t blockBytes);

    /// Makes contiguous regions.
    /// @throws VerbsError as the constructor
    static RegionLayout MakeDense(uint64_t address,
                                  uint32_t regions,
                                  uint32_t blocks,
                                  uint32_t blockBytes);

    /// @return the address of a message's block.
    uint64_t GetAddress(uint64_t number) const;

    /// @return the immediate data of a message.
    uint32_t GetImmediate(uint64_t number) const;

    /// @return the label in immediate data; see IsValid().
    static BlockLabel Decode(uint32_t immediate);

    /// @return whether the layout has this block.
    bool IsValid(const BlockLabel& label) const
    {
        return label.region < GetRegions() && label.block < m_blocks;
    }

    /// @param label valid
    /// @return the number of its message modulo GetModulus()
    uint64_t GetNumber(const BlockLabel& label) const;

    /// @return the number of messages after which labels repeat.
    uint64_t GetModulus() const
    {
        return uint64_t{TURNS} * GetRegions() * m_blocks;
    }

    uint32_t GetRegions() const
    {
        return static_cast<uint32_t>(m_addresses.size());
    }

    uint32_t GetBlocks() const
    {
        return m_blocks;
    }

  private:
    /// @return the fault, one line; empty if there is none.
    std::string FindFault() const;

    std::vector<uint64_t> m_addresses;
    uint32_t m_blocks;
    uint32_t m_blockBytes;
};

} // namespace ns3::rdma

#endif // RDMA_REGION_LAYOUT_H
