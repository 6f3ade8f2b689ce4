// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SERIES_TEXT_H
#define RDMA_SERIES_TEXT_H

#include "ns3/table-schema.h"
#include "ns3/tick.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

namespace ns3::rdma
{

/**
 * @ingroup rdma-series
 * @brief Builds a CSV file: a line per row; numbers are exact and the same on all machines.
 */
class SeriesText
{
  public:
    /// @param isOfList whether the scenario has a list of workloads
    explicit SeriesText(const TableSchema& table, bool isOfList = false);
    SeriesText(const SeriesText&) = delete;
    SeriesText& operator=(const SeriesText&) = delete;

    SeriesText& Add(uint64_t number);
    /// @param word of at most 64 characters
    SeriesText& AddWord(const std::string& word);
    /// Nanoseconds, with decimals only where they are needed.
    SeriesText& AddTime(Tick picoseconds);
    /// Gb/s with three decimals. @param span above zero
    SeriesText& AddRate(uint64_t bytes, Tick span);
    SeriesText& AddRate(uint64_t bitsPerSecond);
    /// An empty field.
    SeriesText& Skip();
    void EndLine();

    /// @throws std::runtime_error if it cannot be written
    void Write(const std::filesystem::path& path) const;

  private:
    SeriesText& AddMilli(uint64_t thousandths);
    void Separate();
    void AppendDecimals(uint64_t rest); ///< @param rest of a thousand

    std::string m_text;           ///< Lines that have ended.
    std::array<char, 512> m_line; ///< Buffer for the current line: a row has few fields.
    char* m_end{m_line.data()};   ///< End of the text in m_line.
};

} // namespace ns3::rdma

#endif // RDMA_SERIES_TEXT_H
