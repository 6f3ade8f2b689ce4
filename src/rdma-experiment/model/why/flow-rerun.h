// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_RERUN_H
#define RDMA_FLOW_RERUN_H

#include "ns3/flow-account.h"
#include "ns3/recorded-run.h"
#include "ns3/run-progress.h"
#include "ns3/run-report.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// A flow, and where its time went.
struct ExplainedFlow
{
    FlowRecord record;
    FlowAccount account;
};

/// What a repeated run says.
struct RerunOutcome
{
    std::vector<ExplainedFlow> flows; ///< In the order in which they ended.
    std::vector<std::string> ports;   ///< Names of the ports that accounts number.
};

/**
 * Simulates a recorded run again, in this process, and explains a flow of it, or all that have
 * completed. Stops when all that is wanted has ended.
 *
 * @param flow unset: all @param onProgress called now and then
 * @throws InputError if a flow does not come out as it is recorded
 */
RerunOutcome RepeatRun(const RecordedRun& run,
                       std::optional<uint64_t> flow,
                       const std::function<void(const RunProgress&)>& onProgress);

} // namespace ns3::rdma

#endif // RDMA_FLOW_RERUN_H
