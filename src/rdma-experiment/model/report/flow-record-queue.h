// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_RECORD_QUEUE_H
#define RDMA_FLOW_RECORD_QUEUE_H

#include "ns3/byte-buffer.h"
#include "ns3/flow-log.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-metrics
 * @brief Brings flow records into the order of flows.csv: by end, flows that end at the same time
 * by number.
 *
 * Flows that end at the same picosecond come in any order, and those of several ranks from several
 * sides.  Records wait until nothing can come before them.
 */
class FlowRecordQueue
{
  public:
    void Add(FlowRecord record);

    /// Writes what has ended before a time. Nothing that ended before it may be added later.
    void WriteBefore(int64_t timePs, FlowLog& log);

    /// Appends all records, for the queue of another process, and clears this one.
    void Pack(ByteBuffer& buffer);
    /// Adds what Pack() has put.
    void Unpack(ByteReader& reader);

  private:
    static bool IsBefore(const FlowRecord& left, const FlowRecord& right);

    std::vector<FlowRecord> m_records;
    int64_t m_earliestPs{INT64_MAX}; ///< When the first of them ended.
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_RECORD_QUEUE_H
