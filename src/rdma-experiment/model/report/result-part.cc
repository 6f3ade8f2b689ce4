// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/result-part.h"

namespace ns3::rdma
{

TableFile::TableFile(const TableSchema& schema, const std::filesystem::path& folder)
    : out(folder / schema.GetFile(), std::ios::binary)
{
    out << schema.GetHeader();
}

} // namespace ns3::rdma
