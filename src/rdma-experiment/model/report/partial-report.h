// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PARTIAL_REPORT_H
#define RDMA_PARTIAL_REPORT_H

#include "ns3/byte-buffer.h"
#include "ns3/host-report.h"
#include "ns3/run-report.h"

#include <map>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-metrics
 * @brief The part of a run that one rank simulated: a part of the RunReport, still to be added up.
 */
struct PartialReport
{
    RunReport
        counts; ///< Of this rank's nodes; without parts, violations, ranks, wall-clock numbers.
    std::vector<HostRecord> hosts; ///< Of its NICs; empty if hardware takes no time.
    RankReport rank;
    std::vector<Violation> violations;      ///< Of flows.
    uint64_t losslessDrops{0};              ///< Frames that PFC should have kept.
    uint64_t framesLeft{0};                 ///< Neither delivered nor dropped when all was over.
    std::map<uint32_t, uint64_t> bytesLeft; ///< Then, in switches that are not empty, by node id.

    void Pack(ByteBuffer& buffer) const;
    void Unpack(ByteReader& reader);
};

/// Adds up the parts of all ranks. @param parts in order of the ranks, at least one
/// @return the same report for any number of ranks, but for RunReport::ranks
RunReport MergeReports(const std::vector<PartialReport>& parts);

} // namespace ns3::rdma

#endif // RDMA_PARTIAL_REPORT_H
