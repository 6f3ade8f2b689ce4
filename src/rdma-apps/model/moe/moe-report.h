// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MOE_REPORT_H
#define RDMA_MOE_REPORT_H

#include "ns3/sequence-report.h"
#include "ns3/token-exchange.h"

namespace ns3::rdma
{

/// @return the part "sequence" of a plan that repeats a layer, whose summary has "moe": tokens per
/// second and bytes. @param phases of a layer @param tokens of all ranks
ResultPart MakeMoePart(const CollectivePlan& plan,
                       const std::vector<SequencePhase>& phases,
                       const TokenExchange& exchange,
                       uint64_t tokens,
                       CollectiveReport report,
                       bool isPartial);

} // namespace ns3::rdma

#endif // RDMA_MOE_REPORT_H
