// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_COLLECTIVE_REPORT_H
#define RDMA_COLLECTIVE_REPORT_H

#include "ns3/collective-log.h"
#include "ns3/collective-plan.h"
#include "ns3/communicator.h"
#include "ns3/result-part.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/// The iterations of one communicator, of all processes.
struct CommunicatorResult
{
    template <typename Self, typename Visit>
    static void VisitFields(Self& self, const Visit& visit)
    {
        visit(self.iterations, self.counts, self.last);
    }

    /// Adds what another process has seen.
    void Add(const CommunicatorResult& other);

    std::vector<IterationRecord> iterations;
    Tick bound{0}; ///< Duration of an iteration in the empty network, at least; 0: unknown.
    CommunicatorCounts counts;
    std::optional<WaitingRank> last; ///< Unset: all ranks have ended.
};

/// All communicators of a run, and the counters of their queue pairs.
struct CollectiveReport
{
    template <typename Self, typename Visit>
    static void VisitFields(Self& self, const Visit& visit)
    {
        visit(self.communicators, self.stats, self.renewals);
    }

    /// Adds the report of another process on the same communicators.
    void Add(const CollectiveReport& other);

    std::vector<CommunicatorResult> communicators;
    RequesterStats stats;   ///< Of all communicators.
    RenewalCounts renewals; ///< Of all communicators.
};

/// @return the report behind the part "collective"; null if there is none.
inline const CollectiveReport*
FindCollectiveReport(const std::vector<ResultPart>& parts)
{
    return FindDetails<CollectiveReport>(parts);
}

/// @return the part "collective": collectives.csv, means, what is missing. @param isPartial whether
/// the run was stopped on request
ResultPart MakeCollectivePart(const CollectivePlan& plan, CollectiveReport report, bool isPartial);

} // namespace ns3::rdma

#endif // RDMA_COLLECTIVE_REPORT_H
