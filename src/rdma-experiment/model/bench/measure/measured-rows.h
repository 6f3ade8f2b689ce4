// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MEASURED_ROWS_H
#define RDMA_MEASURED_ROWS_H

#include "ns3/latency-summary.h"

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// A column of a measurement's results. The last part of its name is the unit: "duration_us".
struct MeasuredColumn
{
    std::string name;
    std::string meaning; ///< A phrase.

    /// @return as "us" or "Gb/s"; empty: a number without a unit, or a word.
    std::string GetUnit() const;
};

/**
 * @ingroup rdma-measure
 * @brief The results of a measurement: rows of numbers and words, and notes.
 *
 * A column is declared by the first value that is set in it.
 */
class MeasuredRows
{
  public:
    using Json = nlohmann::ordered_json;

    /// Begins a row.
    void Begin();

    /// Sets a value of the last row. @param meaning of the column
    void Set(const std::string& name, const Json& value, const std::string& meaning);

    /// Sets "latency_mean_us", "latency_p99_us" and so on.
    void SetLatency(const LatencySummary& latency, const std::string& meaning);

    /// Appends a sentence about all rows.
    void AddNote(const std::string& note);

    /// @return a value of the last row; null if it was not set.
    Json Get(const std::string& name) const;

    /// @return the same, 0 if it was not set.
    double GetNumber(const std::string& name) const;

    /// @return "columns" (name, unit, meaning), "rows" and "notes"; a value that was not set is
    /// null.
    Json Describe() const;

    /// Writes a line per row; a single row has a line per column, with its meaning.
    void WriteTable(std::ostream& out) const;

  private:
    std::vector<MeasuredColumn> m_columns;
    std::vector<Json> m_rows; ///< Objects.
    std::vector<std::string> m_notes;
};

} // namespace ns3::rdma

#endif // RDMA_MEASURED_ROWS_H
