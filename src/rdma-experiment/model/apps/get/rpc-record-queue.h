// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RPC_RECORD_QUEUE_H
#define RDMA_RPC_RECORD_QUEUE_H

#include "ns3/rpc-report.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-rpc
 * @brief Brings records of requests, which come as requests end, into the order of rpcs.csv, which
 * is that of their starts.
 *
 * Records wait until no request that began earlier can end any more.
 */
class RpcRecordQueue
{
  public:
    void Add(const std::vector<RpcRecord>& records);

    /// Writes requests that began before a time. None that did may be added later. @param report
    /// with a file
    void WriteBefore(int64_t timePs, RpcReport& report);

    /// @return all that are left, in any order; clears this.
    std::vector<RpcRecord> Take();

  private:
    std::vector<RpcRecord> m_records;
    int64_t m_earliestPs{INT64_MAX}; ///< When the first of them began.
};

} // namespace ns3::rdma

#endif // RDMA_RPC_RECORD_QUEUE_H
