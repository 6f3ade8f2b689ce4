// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PARTIAL_REPORT_H
#define RDMA_PARTIAL_REPORT_H

#include "ns3/host-report.h"
#include "ns3/run-report.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-metrics
 * @brief The results of one rank, to be merged into the RunReport.
 */
struct PartialReport
{
    template <typename Self, typename Visit>
    static void VisitFields(Self& self, const Visit& visit)
    {
        visit(self.counts.flowsStarted,
              self.counts.flowsStartedByWorkload,
              self.counts.isPartial,
              self.counts.simulatedPs,
              self.counts.drops,
              self.counts.classes);
        for (const RunCounter& counter : GetRunCounters())
        {
            visit(self.counts.*counter.value);
        }
        visit(self.hosts,
              self.rank,
              self.violations,
              self.unusedLosses,
              self.losslessDrops,
              self.framesLeft,
              self.bytesLeft);
    }

    RunReport
        counts; ///< Of this rank's nodes; without parts, violations, ranks, wall-clock numbers.
    std::vector<HostRecord> hosts; ///< Of its NICs; empty if hardware takes no time.
    RankReport rank;
    std::vector<Violation> violations; ///< Of flows.
    /// LossModel::FindUnused(), by link, twice its number, one more for the direction to its first
    /// end.
    std::map<uint32_t, std::string> unusedLosses;
    uint64_t losslessDrops{0}; ///< Frames that PFC should have kept.
    /// Neither delivered nor dropped at the end of the run.
    uint64_t framesLeft{0};
    /// At the end of the run, in switches that are not empty, by node id.
    std::map<uint32_t, uint64_t> bytesLeft;
};

/// Adds up the parts of all ranks. @param parts in order of the ranks, at least one
/// @param workloads names of a list of workloads
/// @return a report that does not depend on the number of ranks, except RunReport::ranks
RunReport MergeReports(const std::vector<PartialReport>& parts,
                       const std::vector<std::string>& workloads = {});

} // namespace ns3::rdma

#endif // RDMA_PARTIAL_REPORT_H
