// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/measured-rows.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

namespace ns3::rdma
{

namespace
{

/// The last part of a column's name, and the unit.
constexpr std::array<std::pair<const char*, const char*>, 10> UNITS{{{"ns", "ns"},
                                                                     {"us", "us"},
                                                                     {"s", "s"},
                                                                     {"gbps", "Gb/s"},
                                                                     {"GBps", "GB/s"},
                                                                     {"MBps", "MB/s"},
                                                                     {"mops", "M/s"},
                                                                     {"bytes", "bytes"},
                                                                     {"cores", "cores"},
                                                                     {"share", ""}}};

/// @return a value as a table shows it: numbers with six digits.
std::string
FormatValue(const MeasuredRows::Json& value)
{
    if (value.is_null())
    {
        return "-";
    }
    if (value.is_string())
    {
        return value.get<std::string>();
    }
    if (!value.is_number_float())
    {
        return value.dump();
    }
    std::ostringstream text;
    text << value.get<double>();
    return text.str();
}

/// A column of a table as it is printed.
struct TextColumn
{
    std::vector<std::string> texts;
    bool isRight{false}; ///< Aligned to the right.
};

/// Writes columns side by side. @param columns of equal length
void
WriteColumns(std::ostream& out, const std::vector<TextColumn>& columns)
{
    std::vector<std::string> lines(columns.empty() ? 0 : columns.front().texts.size());
    for (const TextColumn& column : columns)
    {
        std::size_t width = 0;
        for (const std::string& text : column.texts)
        {
            width = std::max(width, text.size());
        }
        for (std::size_t place = 0; place < lines.size(); ++place)
        {
            const std::string& text = column.texts[place];
            const std::string blanks(width - text.size(), ' ');
            lines[place] += (lines[place].empty() ? "" : "  ") +
                            (column.isRight ? blanks + text : text + blanks);
        }
    }
    for (const std::string& line : lines)
    {
        out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
    }
}

} // namespace

std::string
MeasuredColumn::GetUnit() const
{
    const std::string last = name.substr(name.rfind('_') + 1);
    const auto found = std::find_if(UNITS.begin(), UNITS.end(), [&last](const auto& unit) {
        return last == unit.first;
    });
    return found == UNITS.end() ? "" : found->second;
}

void
MeasuredRows::Begin()
{
    m_rows.push_back(Json::object());
}

void
MeasuredRows::Set(const std::string& name, const Json& value, const std::string& meaning)
{
    const bool isKnown = std::any_of(m_columns.begin(), m_columns.end(), [&](const auto& column) {
        return column.name == name;
    });
    if (!isKnown)
    {
        m_columns.push_back({name, meaning});
    }
    m_rows.back()[name] = value;
}

void
MeasuredRows::SetLatency(const LatencySummary& latency, const std::string& meaning)
{
    Set("latency_mean_us", latency.average, meaning + ", mean");
    Set("latency_min_us", latency.min, meaning + ", least");
    Set("latency_p1_us", latency.p1, meaning + ", 1st percentile");
    Set("latency_p50_us", latency.typical, meaning + ", median");
    Set("latency_p99_us", latency.p99, meaning + ", 99th percentile");
    Set("latency_p999_us", latency.p999, meaning + ", 99.9th percentile");
    Set("latency_max_us", latency.max, meaning + ", most");
}

void
MeasuredRows::AddNote(const std::string& note)
{
    m_notes.push_back(note);
}

MeasuredRows::Json
MeasuredRows::Get(const std::string& name) const
{
    return m_rows.back().value(name, Json());
}

double
MeasuredRows::GetNumber(const std::string& name) const
{
    return m_rows.back().value(name, 0.0);
}

MeasuredRows::Json
MeasuredRows::Describe() const
{
    Json columns = Json::array();
    for (const MeasuredColumn& column : m_columns)
    {
        columns.push_back(
            {{"name", column.name}, {"unit", column.GetUnit()}, {"meaning", column.meaning}});
    }
    Json rows = Json::array();
    for (const Json& given : m_rows)
    {
        Json row = Json::object();
        for (const MeasuredColumn& column : m_columns)
        {
            row[column.name] = given.value(column.name, Json());
        }
        rows.push_back(std::move(row));
    }
    return {{"columns", columns}, {"rows", rows}, {"notes", m_notes}};
}

void
MeasuredRows::WriteTable(std::ostream& out) const
{
    std::vector<TextColumn> table;
    if (m_rows.size() == 1)
    {
        table.resize(3); // Name, value and meaning.
        table[1].isRight = true;
        for (const MeasuredColumn& column : m_columns)
        {
            table[0].texts.push_back(column.name);
            table[1].texts.push_back(FormatValue(Get(column.name)));
            table[2].texts.push_back(column.meaning);
        }
    }
    else
    {
        for (const MeasuredColumn& column : m_columns)
        {
            table.push_back({{column.name}, true});
            for (const Json& row : m_rows)
            {
                table.back().texts.push_back(FormatValue(row.value(column.name, Json())));
            }
        }
    }
    WriteColumns(out, table);
    for (const std::string& note : m_notes)
    {
        out << note << '\n';
    }
}

} // namespace ns3::rdma
