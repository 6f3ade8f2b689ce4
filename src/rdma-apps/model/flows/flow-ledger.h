// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_LEDGER_H
#define RDMA_FLOW_LEDGER_H

#include "ns3/flow-log.h"
#include "ns3/rank-group.h"
#include "ns3/record-queue.h"
#include "ns3/tick.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief Collects the records of the flows of this rank's senders for the log of the first rank,
 * and sums over them.
 */
class FlowLedger
{
  public:
    /// @param log written to on the first rank only; both outlive this
    FlowLedger(FlowLog& log, RankGroup& ranks);

    /// Adds a flow that has completed or failed.
    /// @param hasBound whether it cannot be faster than its ideal
    /// @param deliveredBytes payload of its packets that is acknowledged, without what a fluid has
    /// sent. 0 on a shared queue pair, whose bytes are counted there.
    void Add(FlowRecord&& record, bool hasBound, uint64_t deliveredBytes);

    /// Adds a flow that is active at the end of the run.
    void AddUnfinished(FlowRecord&& record);

    /// Appends the records, for the first rank.
    void Pack(ByteBuffer& buffer);
    void Unpack(ByteReader& reader);

    /// Writes the flows that ended before a time, when all ranks' records of them have arrived. On
    /// the first rank.
    void WriteBefore(Tick end);

    /// Sends all records to the first rank, which writes them. Collective call.
    void Close();

    /// @return flows that have ended in any way.
    uint64_t GetDone() const
    {
        return m_done;
    }

    /// @return delivered bytes of the flows that have ended.
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    const FlowTotals& GetTotals() const
    {
        return m_totals;
    }

    /// @return when the last of them ended.
    Tick GetLastEnd() const
    {
        return m_lastEnd;
    }

    const std::vector<Violation>& GetViolations() const
    {
        return m_violations;
    }

  private:
    void Count(const FlowRecord& record);

    FlowLog& m_log;
    RankGroup& m_ranks;
    RecordQueue<FlowRecord> m_records;
    uint64_t m_done{0};
    uint64_t m_bytes{0};
    FlowTotals m_totals;
    Tick m_lastEnd{0};
    std::vector<Violation> m_violations;
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_LEDGER_H
