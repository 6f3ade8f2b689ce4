// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SERIES_TABLE_H
#define RDMA_SERIES_TABLE_H

#include "ns3/byte-buffer.h"
#include "ns3/tick.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-series
 * @brief Rows of plain data by sampling time, bounded: when there are too many times, every second
 * one is removed, and later times are thinned in the same way.
 *
 * The remaining times are evenly spaced over the whole run, and the newest time is always among
 * them.  Which times remain depends only on their number: the tables of all ranks keep the same
 * ones.
 *
 * @tparam Row has GetKey(), by which the rows of a time are ordered, and Absorb(), which merges a
 * removed earlier row of the same key.
 */
template <typename Row>
class SeriesTable
{
  public:
    /// The rows of one time, by rising key.
    struct Block
    {
        Tick at;
        std::vector<Row> rows;
    };

    static constexpr std::size_t MAX_ROWS{200'000};
    static constexpr std::size_t MIN_TIMES{100};

    /// @param rowsPerTime at most, over all ranks
    explicit SeriesTable(std::size_t rowsPerTime)
        : m_maxTimes(std::max(MIN_TIMES, MAX_ROWS / std::max<std::size_t>(rowsPerTime, 1)) / 2 * 2)
    {
    }

    /// Adds a time, after all others. @param rows in any order, of different keys
    void Add(Tick at, std::vector<Row> rows)
    {
        Sort(rows);
        Block block{at, std::move(rows)};
        m_hasReplaced = m_inNewest < m_stride && !m_blocks.empty();
        if (m_hasReplaced)
        {
            m_inPrevious = m_inNewest;
            Absorb(m_blocks.back(), block);
            m_blocks.back() = std::move(block);
            ++m_inNewest;
            return;
        }
        if (m_blocks.size() == m_maxTimes)
        {
            Thin();
        }
        m_inPrevious = m_stride; // A block that takes no more times is full.
        m_blocks.push_back(std::move(block));
        m_inNewest = 1;
    }

    /// The newest time replaces the previous one, unless Add() has done that. It does not count for
    /// the thinning: how often an idle time is sampled depends on the number of ranks.
    void MergeNewest()
    {
        const std::size_t count = m_blocks.size();
        if (m_hasReplaced || count >= 2)
        {
            m_inNewest = m_inPrevious;
        }
        if (m_hasReplaced || count < 2)
        {
            return;
        }
        Absorb(m_blocks[count - 2], m_blocks[count - 1]);
        m_blocks.erase(m_blocks.end() - 2);
    }

    const std::vector<Block>& GetBlocks() const
    {
        return m_blocks;
    }

    void Pack(ByteBuffer& buffer) const
    {
        buffer.Put(static_cast<uint64_t>(m_blocks.size()));
        for (const Block& block : m_blocks)
        {
            buffer.Put(block.at);
            buffer.PutAll(block.rows);
        }
    }

    /// Adds the rows of another rank's table.
    /// @param limit most rows of a time: the lowest keys are kept
    void Unpack(ByteReader& reader, std::size_t limit)
    {
        for (auto left = reader.Get<uint64_t>(); left > 0; --left)
        {
            const Tick at = reader.Get<Tick>();
            const auto rows = reader.GetAll<Row>();
            auto place =
                std::lower_bound(m_blocks.begin(),
                                 m_blocks.end(),
                                 at,
                                 [](const Block& block, Tick time) { return block.at < time; });
            if (place == m_blocks.end() || place->at != at)
            {
                place = m_blocks.insert(place, {at, {}}); // This rank was stopped before that time.
            }
            place->rows.insert(place->rows.end(), rows.begin(), rows.end());
            Sort(place->rows);
            place->rows.resize(std::min(limit, place->rows.size()));
        }
    }

  private:
    static void Sort(std::vector<Row>& rows)
    {
        std::sort(rows.begin(), rows.end(), [](const Row& left, const Row& right) {
            return left.GetKey() < right.GetKey();
        });
    }

    /// Removes the earlier one of each pair of neighbours.
    void Thin()
    {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < m_blocks.size(); ++i)
        {
            const bool isGoing = i % 2 == 0 && i + 1 < m_blocks.size();
            if (isGoing)
            {
                Absorb(m_blocks[i], m_blocks[i + 1]);
            }
            else
            {
                std::swap(m_blocks[kept++], m_blocks[i]);
            }
        }
        m_blocks.resize(kept);
        m_stride *= 2;
    }

    static void Absorb(const Block& going, Block& staying)
    {
        auto earlier = going.rows.begin();
        for (Row& row : staying.rows)
        {
            while (earlier != going.rows.end() && earlier->GetKey() < row.GetKey())
            {
                ++earlier;
            }
            if (earlier != going.rows.end() && earlier->GetKey() == row.GetKey())
            {
                row.Absorb(*earlier);
            }
        }
    }

    std::size_t m_maxTimes;    ///< Even: removing every second time leaves none over.
    uint64_t m_stride{1};      ///< Times of sampling per block.
    uint64_t m_inNewest{0};    ///< Times of sampling in the newest block.
    uint64_t m_inPrevious{0};  ///< Times of sampling in the newest block before the last Add().
    bool m_hasReplaced{false}; ///< The newest time has replaced the previous one.
    std::vector<Block> m_blocks;
};

} // namespace ns3::rdma

#endif // RDMA_SERIES_TABLE_H
