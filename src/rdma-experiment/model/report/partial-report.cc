// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/partial-report.h"

#include "ns3/flow-number.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3::rdma
{

namespace
{

/// Adds the counts of a further rank.
void
Add(const RunReport& part, RunReport& sum)
{
    // Each rank counts all flows.
    sum.flowsStarted = std::max(sum.flowsStarted, part.flowsStarted);
    sum.flowsStartedByWorkload = std::max(sum.flowsStartedByWorkload, part.flowsStartedByWorkload);
    sum.isPartial = sum.isPartial || part.isPartial;
    sum.simulatedPs = std::max(sum.simulatedPs, part.simulatedPs);
    for (const auto& [reason, count] : part.drops)
    {
        sum.drops[reason] += count;
    }
    sum.classes.resize(part.classes.size());
    for (std::size_t number = 0; number < part.classes.size(); ++number)
    {
        const ClassTotals& one = part.classes[number];
        ClassTotals& all = sum.classes[number];
        all.sentBytes += one.sentBytes;
        all.marks += one.marks;
        all.fabricDrops += one.fabricDrops;
        all.nicDiscards += one.nicDiscards;
        all.pausedPs += one.pausedPs;
    }
    for (const RunCounter& counter : GetRunCounters())
    {
        sum.*counter.value += part.*counter.value;
    }
}

std::vector<std::string>
DescribeViolations(const std::vector<PartialReport>& parts,
                   const std::vector<std::string>& workloads)
{
    std::vector<Violation> ofFlows;
    uint64_t losslessDrops = 0;
    uint64_t framesLeft = 0;
    std::map<uint32_t, uint64_t> bytesLeft;
    for (const PartialReport& part : parts)
    {
        ofFlows.insert(ofFlows.end(), part.violations.begin(), part.violations.end());
        losslessDrops += part.losslessDrops;
        framesLeft += part.framesLeft;
        bytesLeft.insert(part.bytesLeft.begin(), part.bytesLeft.end());
    }
    std::sort(ofFlows.begin(), ofFlows.end(), [](const Violation& left, const Violation& right) {
        return std::tie(left.atPs, left.flow) < std::tie(right.atPs, right.flow);
    });
    std::vector<std::string> lines;
    for (const Violation& violation : ofFlows)
    {
        lines.push_back(flow_number::Describe(violation.flow, workloads) + " " + violation.text);
    }
    if (losslessDrops != 0)
    {
        lines.push_back(std::to_string(losslessDrops) +
                        " frames of a lossless priority were dropped for want of buffer");
    }
    if (framesLeft != 0)
    {
        lines.push_back(std::to_string(framesLeft) + " frames are neither delivered nor dropped");
    }
    for (const auto& [node, bytes] : bytesLeft)
    {
        lines.push_back("switch " + std::to_string(node) + " still holds " + std::to_string(bytes) +
                        " bytes");
    }
    return lines;
}

} // namespace

RunReport
MergeReports(const std::vector<PartialReport>& parts, const std::vector<std::string>& workloads)
{
    RunReport report;
    std::vector<HostRecord> hosts;
    for (const PartialReport& part : parts)
    {
        Add(part.counts, report);
        hosts.insert(hosts.end(), part.hosts.begin(), part.hosts.end());
        report.ranks.push_back(part.rank);
    }
    if (!hosts.empty())
    {
        report.parts.push_back(MakeHardwarePart(std::move(hosts)));
    }
    report.violations = DescribeViolations(parts, workloads);
    return report;
}

} // namespace ns3::rdma
