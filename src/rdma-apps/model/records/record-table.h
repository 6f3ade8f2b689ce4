// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RECORD_TABLE_H
#define RDMA_RECORD_TABLE_H

#include "ns3/result-part.h"
#include "ns3/text-row.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/// @return the values of a column whose getter returns values of a type.
template <typename Value>
constexpr ColumnType
GetColumnType(const Value*)
{
    if (std::is_convertible_v<const Value&, std::string_view>)
    {
        return ColumnType::WORD;
    }
    return std::is_integral_v<Value> ? ColumnType::WHOLE : ColumnType::REAL;
}

template <typename Value>
constexpr ColumnType
GetColumnType(const std::optional<Value>*)
{
    return ColumnType::REAL_OR_EMPTY;
}

/**
 * @ingroup rdma-metrics
 * @brief A result file whose rows are records: from one list of columns come the header, the rows,
 * the documentation and the types that Python reads.
 *
 * A column is {name, unit, meaning, getter}. The getter is a member of the record, or a function of
 * the record, or of the record and the context. It returns a value that TextRow::Add() takes; the
 * type of the value is the type of the column.
 *
 * @tparam Context what getters need beside the record, for example the number of the row
 */
template <typename Record, typename... Context>
class RecordTable : public TableSchema
{
  public:
    /// A column, and how its cell is made.
    struct Column : ResultColumn
    {
        template <typename Getter>
        Column(std::string itsName, std::string itsUnit, std::string itsMeaning, Getter get)
            : ResultColumn{std::move(itsName), std::move(itsUnit), std::move(itsMeaning)}
        {
            const auto read = [get](const Record& record, const Context&... context) {
                if constexpr (std::is_invocable_v<Getter, const Record&, const Context&...>)
                {
                    return std::invoke(get, record, context...);
                }
                else
                {
                    return std::invoke(get, record);
                }
            };
            using Value = std::invoke_result_t<decltype(read), const Record&, const Context&...>;
            type = GetColumnType(static_cast<const Value*>(nullptr));
            add = [read](TextRow& row, const Record& record, const Context&... context) {
                row.Add(read(record, context...));
            };
        }

        std::function<void(TextRow&, const Record&, const Context&...)> add;
    };

    RecordTable(std::string file,
                std::vector<Column> columns,
                TableScope scope = TableScope::WORKLOAD)
        : TableSchema(std::move(file), {columns.begin(), columns.end()}, scope),
          m_columns(std::move(columns))
    {
    }

    /// Adds the cells of a record. @return the row
    TextRow& AddTo(TextRow& row, const Record& record, const Context&... context) const
    {
        for (const Column& column : m_columns)
        {
            column.add(row, record, context...);
        }
        return row;
    }

    /// @return the file with a row of each record. @param context the same for all
    ResultTable MakeResult(std::shared_ptr<const std::vector<Record>> records,
                           std::shared_ptr<const Context>... context) const
    {
        const auto write = [this, records, context...](std::ostream& out,
                                                       const std::string& workload) {
            TextRow row(workload);
            for (const Record& record : *records)
            {
                AddTo(row, record, *context...).WriteTo(out);
            }
        };
        return {this, write, nullptr};
    }

  private:
    std::vector<Column> m_columns;
};

} // namespace ns3::rdma

#endif // RDMA_RECORD_TABLE_H
