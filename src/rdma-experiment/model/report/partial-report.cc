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

void
PartialReport::Pack(ByteBuffer& buffer) const
{
    buffer.Put(counts.flowsStarted);
    buffer.PutAll(counts.flowsStartedByWorkload);
    buffer.Put(counts.isPartial);
    buffer.Put(counts.simulatedPs);
    buffer.Put(static_cast<uint64_t>(counts.drops.size()));
    for (const auto& [reason, count] : counts.drops)
    {
        buffer.PutText(reason);
        buffer.Put(count);
    }
    for (const RunCounter& counter : GetRunCounters())
    {
        buffer.Put(counts.*counter.value);
    }
    buffer.PutAll(hosts);
    buffer.Put(rank);
    buffer.Put(static_cast<uint64_t>(violations.size()));
    for (const Violation& violation : violations)
    {
        buffer.Put(violation.atPs);
        buffer.Put(violation.flow);
        buffer.PutText(violation.text);
    }
    buffer.Put(losslessDrops);
    buffer.Put(framesLeft);
    buffer.Put(static_cast<uint64_t>(bytesLeft.size()));
    for (const auto& [node, bytes] : bytesLeft)
    {
        buffer.Put(node);
        buffer.Put(bytes);
    }
}

void
PartialReport::Unpack(ByteReader& reader)
{
    counts.flowsStarted = reader.Get<uint64_t>();
    counts.flowsStartedByWorkload = reader.GetAll<uint64_t>();
    counts.isPartial = reader.Get<bool>();
    counts.simulatedPs = reader.Get<int64_t>();
    for (auto left = reader.Get<uint64_t>(); left > 0; --left)
    {
        std::string reason = reader.GetText();
        counts.drops[std::move(reason)] = reader.Get<uint64_t>();
    }
    for (const RunCounter& counter : GetRunCounters())
    {
        counts.*counter.value = reader.Get<uint64_t>();
    }
    hosts = reader.GetAll<HostRecord>();
    rank = reader.Get<RankReport>();
    for (auto left = reader.Get<uint64_t>(); left > 0; --left)
    {
        Violation violation{};
        violation.atPs = reader.Get<int64_t>();
        violation.flow = reader.Get<uint64_t>();
        violation.text = reader.GetText();
        violations.push_back(std::move(violation));
    }
    losslessDrops = reader.Get<uint64_t>();
    framesLeft = reader.Get<uint64_t>();
    for (auto left = reader.Get<uint64_t>(); left > 0; --left)
    {
        const auto node = reader.Get<uint32_t>();
        bytesLeft[node] = reader.Get<uint64_t>();
    }
}

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
