// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TABLE_SCHEMA_H
#define RDMA_TABLE_SCHEMA_H

#include <string>
#include <vector>

namespace ns3::rdma
{

/// The values of a column.
enum class ColumnType
{
    WHOLE,         ///< Whole numbers from 0.
    REAL,          ///< Numbers from 0.
    REAL_OR_EMPTY, ///< Numbers from 0, or an empty field.
    WORD,
    NAME, ///< Of a workload.
};

/// @return "whole", "real", "real or empty", "word" or "name"
const char* GetColumnTypeName(ColumnType type);

/// A column of a result file.
struct ResultColumn
{
    std::string name;
    std::string unit;    ///< As "ns" or "Gb/s"; empty: a number, an id or a word.
    std::string meaning; ///< A phrase, as docs/reference/results.md shows it.
    ColumnType type{ColumnType::WHOLE};
};

/// What the rows of a table belong to.
enum class TableScope
{
    WORKLOAD, ///< Each row to one workload: of a list of workloads its name is the first column.
    RUN,
};

/**
 * @ingroup rdma-metrics
 * @brief Name and columns of a result file.
 *
 * The part of a RecordTable that does not depend on its records.  Declared once, as a global
 * constant.  The constructor registers the file, so that a later run into the same folder removes
 * it.
 */
class TableSchema
{
  public:
    /// @param file within the folder of a run, as "rpcs.csv" or "series/queue.csv"
    TableSchema(std::string file,
                std::vector<ResultColumn> columns,
                TableScope scope = TableScope::WORKLOAD);
    ~TableSchema();
    TableSchema(const TableSchema&) = delete;
    TableSchema& operator=(const TableSchema&) = delete;

    const std::string& GetFile() const
    {
        return m_file;
    }

    const std::vector<ResultColumn>& GetColumns() const
    {
        return m_columns;
    }

    TableScope GetScope() const
    {
        return m_scope;
    }

    /// @return the column that rows of a list of workloads begin with.
    static const ResultColumn& GetWorkloadColumn();

    /// @return the first line of the file, with its end of line. @param isOfList whether the
    /// scenario has a list of workloads
    std::string GetHeader(bool isOfList = false) const;

    /// @return all tables of the program and its plug-ins, by file name.
    static std::vector<const TableSchema*> GetAll();

  private:
    std::string m_file;
    std::vector<ResultColumn> m_columns;
    TableScope m_scope;
};

} // namespace ns3::rdma

#endif // RDMA_TABLE_SCHEMA_H
