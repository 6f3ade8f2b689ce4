// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/table-schema.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// In the order of registration, which is that of the linker.
std::vector<const TableSchema*>&
GetRegisteredTables()
{
    static std::vector<const TableSchema*> tables;
    return tables;
}
} // namespace

const char*
GetColumnTypeName(ColumnType type)
{
    static const char* const names[]{"whole", "real", "real or empty", "word", "name"};
    return names[static_cast<std::size_t>(type)];
}

TableSchema::TableSchema(std::string file, std::vector<ResultColumn> columns, TableScope scope)
    : m_file(std::move(file)),
      m_columns(std::move(columns)),
      m_scope(scope)
{
    GetRegisteredTables().push_back(this);
}

TableSchema::~TableSchema()
{
    auto& tables = GetRegisteredTables();
    tables.erase(std::remove(tables.begin(), tables.end(), this), tables.end());
}

const ResultColumn&
TableSchema::GetWorkloadColumn()
{
    static const ResultColumn column{"workload",
                                     "",
                                     "name of the workload; only if the scenario has `workloads`",
                                     ColumnType::NAME};
    return column;
}

std::string
TableSchema::GetHeader(bool isOfList) const
{
    std::string header =
        isOfList && m_scope == TableScope::WORKLOAD ? GetWorkloadColumn().name : std::string();
    for (const ResultColumn& column : m_columns)
    {
        header += (header.empty() ? "" : ",") + column.name;
    }
    return header + "\n";
}

std::vector<const TableSchema*>
TableSchema::GetAll()
{
    std::vector<const TableSchema*> tables = GetRegisteredTables();
    std::sort(tables.begin(), tables.end(), [](const TableSchema* left, const TableSchema* right) {
        return left->GetFile() < right->GetFile();
    });
    return tables;
}

} // namespace ns3::rdma
