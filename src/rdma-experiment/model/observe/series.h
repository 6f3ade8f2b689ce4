// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SERIES_H
#define RDMA_SERIES_H

#include "ns3/byte-buffer.h"
#include "ns3/flow-number.h"
#include "ns3/flow-under-way.h"
#include "ns3/record-table.h"
#include "ns3/series-table.h"
#include "ns3/wide-integer.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::rdma
{

/// A row of a series in its file.
template <typename Row>
struct SeriesPoint : Row
{
    Tick at;    ///< Time of the sample.
    Tick since; ///< Time of the previous row of the same key; else the begin of the row's object.
    Row before; ///< The previous row of the same key; zero: there is none.
};

/// @return Gb/s with three decimals, rounded. @param span above zero, ps
inline MilliCell
GetRateCell(uint64_t bytes, Tick span)
{
    constexpr uint64_t BIT_PS_PER_MBIT{8'000'000}; // One Mb/s is a bit in a microsecond.
    const auto time = static_cast<uint64_t>(span);
    const auto scaled = static_cast<Uint128>(bytes) * BIT_PS_PER_MBIT + time / 2;
    return {static_cast<uint64_t>(scaled / time)};
}

inline MilliCell
GetRateCell(uint64_t bitsPerSecond)
{
    constexpr uint64_t MBIT{1'000'000};
    return {(bitsPerSecond + MBIT / 2) / MBIT};
}

/// @return the column "time_ns", the first of each series.
template <typename Row>
typename RecordTable<SeriesPoint<Row>>::Column
MakeTimeColumn()
{
    return {"time_ns", "ns", "time of the sample", [](const SeriesPoint<Row>& point) {
                return NsCell{point.at};
            }};
}

/// What the traffic of this rank contributes to a sample.
struct SeriesInput
{
    std::vector<FlowUnderWay> flows; ///< Of its senders, in any order.
    std::vector<uint64_t> delivered; ///< Payload in bytes, by workload.
};

/**
 * @ingroup rdma-series
 * @brief Samples of one kind over the time of a run: a file of the folder series/.
 */
class Series
{
  public:
    virtual ~Series() = default;

    /// Adds a sample. All events before `at` have run.
    virtual void Sample(Tick at, const SeriesInput& input) = 0;

    /// The newest sample replaces the previous one.
    virtual void MergeNewest() = 0;

    /// Appends the samples of this rank, for the first rank.
    virtual void Pack(ByteBuffer& buffer) const = 0;
    virtual void Unpack(ByteReader& reader) = 0;

    /// @param folder must exist @throws std::runtime_error if the file cannot be written
    virtual void Write(const std::filesystem::path& folder) const = 0;
};

/**
 * @ingroup rdma-series
 * @brief A Series whose samples are rows of plain data.
 *
 * @tparam Row derived from SeriesRow
 */
template <typename Row>
class RowSeries : public Series
{
  public:
    using Point = SeriesPoint<Row>;
    using Columns = RecordTable<Point>;

    /// @param columns outlive this @param rowsPerTime at most, over all ranks
    /// @param workloads names of a list, if rows belong to flows; none: there is no list
    RowSeries(const Columns& columns,
              std::size_t rowsPerTime,
              const std::vector<std::string>& workloads = {})
        : m_columns(columns),
          m_workloads(workloads),
          m_table(rowsPerTime)
    {
    }

    void Sample(Tick at, const SeriesInput& input) override
    {
        m_table.Add(at, MakeRows(at, input));
    }

    void MergeNewest() override
    {
        m_table.MergeNewest();
    }

    void Pack(ByteBuffer& buffer) const override
    {
        buffer.Put(m_table.GetBlocks());
    }

    void Unpack(ByteReader& reader) override
    {
        m_table.Merge(reader.Get<std::vector<typename SeriesTable<Row>::Block>>());
    }

    void Write(const std::filesystem::path& folder) const override
    {
        const auto path = folder / std::filesystem::path(m_columns.GetFile()).filename();
        std::ofstream out(path, std::ios::binary);
        out << m_columns.GetHeader(!m_workloads.empty());
        WriteRows(out);
        out.close();
        if (!out)
        {
            throw std::runtime_error(path.string() + ": cannot be written");
        }
    }

  private:
    /// @return the rows of this rank at a time, in any order.
    virtual std::vector<Row> MakeRows(Tick at, const SeriesInput& input) const = 0;

    void WriteRows(std::ostream& out) const
    {
        TextRow text;
        std::unordered_map<uint64_t, std::pair<Tick, Row>> before; // Never iterated.
        for (const auto& block : m_table.GetBlocks())
        {
            for (const Row& row : block.rows)
            {
                const auto found = before.try_emplace(row.key, row.begin, Row{}).first;
                auto& [since, previous] = found->second;
                if (!m_workloads.empty())
                {
                    text.Add(m_workloads[flow_number::GetWorkload(row.key)]);
                }
                m_columns.AddTo(text, Point{row, block.at, since, previous}).WriteTo(out);
                since = block.at;
                previous = row;
            }
        }
    }

    const Columns& m_columns;
    std::vector<std::string> m_workloads;
    SeriesTable<Row> m_table;
};

} // namespace ns3::rdma

#endif // RDMA_SERIES_H
