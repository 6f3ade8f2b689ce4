// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ACCOUNT_REPORT_H
#define RDMA_ACCOUNT_REPORT_H

#include "ns3/flow-rerun.h"

#include <ostream>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// All intervals of one place together.
struct FlowPart
{
    FlowPlace place;
    Tick time;
};

/// @return the parts of a flow's time: by cause, the first to occur first. They add up to it.
std::vector<FlowPart> MakeParts(const FlowAccount& account);

/// As text. @param ports names of the ports that the account numbers @param nic of the run
void WriteText(const ExplainedFlow& flow,
               const std::vector<std::string>& ports,
               const std::string& nic,
               const std::vector<std::string>& workloads,
               std::ostream& out);

/// As JSON, times in picoseconds.
void WriteJson(const ExplainedFlow& flow,
               const std::vector<std::string>& ports,
               const std::string& nic,
               const std::vector<std::string>& workloads,
               std::ostream& out);

/// One line for each flow, by rising number, with a column for each cause, in picoseconds.
void WriteTable(std::vector<ExplainedFlow> flows,
                const std::vector<std::string>& workloads,
                std::ostream& out);

} // namespace ns3::rdma

#endif // RDMA_ACCOUNT_REPORT_H
