// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RPC_ROWS_H
#define RDMA_RPC_ROWS_H

#include "ns3/result-part.h"
#include "ns3/rpc-record.h"
#include "ns3/text-row.h"

#include <filesystem>
#include <ostream>

namespace ns3::rdma
{

/// Columns of rpcs.csv.
extern const TableSchema RPC_TABLE;

/**
 * @ingroup rdma-metrics
 * @brief Writes the lines of rpcs.csv, in the order of the Write() calls.
 */
class RpcRows
{
  public:
    /// @param out behind the header line; outlives this object
    explicit RpcRows(std::ostream& out);

    void Write(const RpcRecord& record);

  private:
    std::ostream& m_out;
    TextRow m_row;
    uint64_t m_number{0};
};

/// A file of such rows.
struct RpcFile : TableFile
{
    explicit RpcFile(const std::filesystem::path& folder);

    RpcRows rows;
};

} // namespace ns3::rdma

#endif // RDMA_RPC_ROWS_H
