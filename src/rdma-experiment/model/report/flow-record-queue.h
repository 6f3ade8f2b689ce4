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
 * @brief Sorts flow records for flows.csv: by end, then by number.
 *
 * Records of flows that end at the same picosecond, or on different ranks, arrive in any order. A
 * record is kept until no earlier one can arrive.
 */
class FlowRecordQueue
{
  public:
    void Add(FlowRecord&& record);

    /// Writes the flows that ended before a time. No flow that ended before it may be added later.
    void WriteBefore(int64_t timePs, FlowLog& log);

    /// Appends all records, for the queue of another process, and clears this one.
    void Pack(ByteBuffer& buffer);
    /// Adds the records that Pack() has written.
    void Unpack(ByteReader& reader);

  private:
    static bool IsBefore(const FlowRecord& left, const FlowRecord& right);

    std::vector<FlowRecord> m_records;
    int64_t m_earliestPs{INT64_MAX}; ///< When the first of them ended.
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_RECORD_QUEUE_H
