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
    static const char* const names[]{"whole", "real", "real or empty", "word"};
    return names[static_cast<std::size_t>(type)];
}

TableSchema::TableSchema(std::string file, std::vector<ResultColumn> columns)
    : m_file(std::move(file)),
      m_columns(std::move(columns))
{
    GetRegisteredTables().push_back(this);
}

TableSchema::~TableSchema()
{
    auto& tables = GetRegisteredTables();
    tables.erase(std::remove(tables.begin(), tables.end(), this), tables.end());
}

std::string
TableSchema::GetHeader() const
{
    std::string header;
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
