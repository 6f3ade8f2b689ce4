// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SEQUENCE_REPORT_H
#define RDMA_SEQUENCE_REPORT_H

#include "ns3/collective-report.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// A phase of a sequence, as its results name it.
struct SequencePhase
{
    std::string name;
    std::string kind;                ///< As "compute".
    uint32_t step;                   ///< Of the plan.
    std::optional<uint32_t> barrier; ///< Step of the barrier behind it; unset: there is none.
};

/// @return the part "sequence": sequence.csv, means, what is missing. @param phases in order
/// @param isPartial whether the run was stopped on request
ResultPart MakeSequencePart(const CollectivePlan& plan,
                            const std::vector<SequencePhase>& phases,
                            CollectiveReport report,
                            bool isPartial);

} // namespace ns3::rdma

#endif // RDMA_SEQUENCE_REPORT_H
