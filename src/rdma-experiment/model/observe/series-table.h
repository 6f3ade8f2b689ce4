// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SERIES_TABLE_H
#define RDMA_SERIES_TABLE_H

#include "ns3/tick.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/// What rows of all series have.
struct SeriesRow
{
    uint64_t key;  ///< Number of a flow, a switch or a port, unique at a time.
    Tick begin{0}; ///< Start of the first interval of the key.

    /// Merges a removed earlier row of the same key. Default: nothing is left of it.
    void Absorb(const SeriesRow&)
    {
    }

    /// Adds the row of the same key of another rank. Default: no key is on two ranks.
    void Join(const SeriesRow&)
    {
    }
};

/**
 * @ingroup rdma-series
 * @brief Rows of plain data by sampling time, bounded: when there are too many times, every second
 * one is removed, and later times are thinned in the same way.
 *
 * The remaining times are evenly spaced over the whole run, and the newest time is always among
 * them.  Which times remain depends only on their number: the tables of all ranks keep the same
 * ones.
 *
 * @tparam Row derived from SeriesRow
 */
template <typename Row>
class SeriesTable
{
  public:
    /// The rows of one time, by rising key.
    struct Block
    {
        template <typename Self, typename Visit>
        static void VisitFields(Self& self, const Visit& visit)
        {
            visit(self.at, self.rows);
        }

        Tick at;
        std::vector<Row> rows;
    };

    static constexpr std::size_t MAX_ROWS{200'000};
    static constexpr std::size_t MIN_TIMES{100};

    /// @param rowsPerTime at most, over all ranks
    explicit SeriesTable(std::size_t rowsPerTime)
        : m_rowsPerTime(rowsPerTime),
          m_maxTimes(std::max(MIN_TIMES, MAX_ROWS / std::max<std::size_t>(rowsPerTime, 1)) / 2 * 2)
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

    /// Adds the rows of another rank's table. The lowest keys of a time are kept.
    void Merge(const std::vector<Block>& others)
    {
        for (const Block& other : others)
        {
            auto place =
                std::lower_bound(m_blocks.begin(),
                                 m_blocks.end(),
                                 other.at,
                                 [](const Block& block, Tick time) { return block.at < time; });
            if (place == m_blocks.end() || place->at != other.at)
            {
                // This rank was stopped before that time.
                place = m_blocks.insert(place, {other.at, {}});
            }
            place->rows.insert(place->rows.end(), other.rows.begin(), other.rows.end());
            Sort(place->rows);
            JoinEqual(place->rows);
            place->rows.resize(std::min(m_rowsPerTime, place->rows.size()));
        }
    }

  private:
    static void Sort(std::vector<Row>& rows)
    {
        std::sort(rows.begin(), rows.end(), [](const Row& left, const Row& right) {
            return left.key < right.key;
        });
    }

    /// Of rows of one key, one remains. @param rows by rising key
    static void JoinEqual(std::vector<Row>& rows)
    {
        std::size_t kept = 0;
        for (std::size_t i = 1; i < rows.size(); ++i)
        {
            if (rows[i].key == rows[kept].key)
            {
                rows[kept].Join(rows[i]);
            }
            else
            {
                rows[++kept] = rows[i];
            }
        }
        rows.resize(std::min(kept + 1, rows.size()));
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
            while (earlier != going.rows.end() && earlier->key < row.key)
            {
                ++earlier;
            }
            if (earlier != going.rows.end() && earlier->key == row.key)
            {
                row.Absorb(*earlier);
            }
        }
    }

    std::size_t m_rowsPerTime;
    std::size_t m_maxTimes;    ///< Even: removing every second time leaves none over.
    uint64_t m_stride{1};      ///< Times of sampling per block.
    uint64_t m_inNewest{0};    ///< Times of sampling in the newest block.
    uint64_t m_inPrevious{0};  ///< Times of sampling in the newest block before the last Add().
    bool m_hasReplaced{false}; ///< The newest time has replaced the previous one.
    std::vector<Block> m_blocks;
};

} // namespace ns3::rdma

#endif // RDMA_SERIES_TABLE_H
