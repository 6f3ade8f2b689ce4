// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/traffic-list.h"

#include "ns3/checked-flow-source.h"
#include "ns3/result-folder.h"
#include "ns3/workload-kind.h"

#include <iterator>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// What workloads place in a server's memory is below this address.
constexpr uint64_t AREA_BYTES{uint64_t{1} << 45};
} // namespace

std::vector<WorkloadTraffic>
MakeTraffic(const Scenario& scenario, TrafficContext& context)
{
    std::vector<WorkloadTraffic> all;
    context.madeQueuePairs.assign(context.nics->size(), 0);
    for (std::size_t index = 0; index < scenario.workloads.size(); ++index)
    {
        const auto& workload = scenario.workloads[index];
        if (!workload->HasTraffic())
        {
            continue;
        }
        context.workload = static_cast<uint32_t>(index);
        context.streamKey = workload->GetStreamKey();
        context.trafficClass = workload->GetTrafficClass();
        context.area = all.size() * AREA_BYTES;
        auto traffic = CallKind(*workload, "MakeTraffic()", [&] {
            return workload->MakeTraffic(scenario, context);
        });
        if (!traffic)
        {
            FailPolicy(*workload, "MakeTraffic()", "traffic, as HasTraffic() has it", "null");
        }
        const std::vector<uint32_t> made = traffic->CountQueuePairs();
        for (std::size_t node = 0; node < made.size(); ++node)
        {
            context.madeQueuePairs[node] += made[node];
        }
        all.push_back({workload->GetPlace().name, std::move(traffic)});
    }
    return all;
}

void
StreamTo(const std::filesystem::path& folder, bool isFirst, const std::vector<WorkloadTraffic>& all)
{
    for (const WorkloadTraffic& one : all)
    {
        const auto own = ResultFolder::GetRowsFolder(folder, one.name);
        if (isFirst)
        {
            std::filesystem::create_directories(own);
        }
        one.traffic->StreamTo(own, one.name, isFirst);
    }
}

void
AddTrafficParts(RankGroup& ranks, const std::vector<WorkloadTraffic>& all, RunReport& report)
{
    std::vector<ResultPart> parts;
    for (const WorkloadTraffic& one : all)
    {
        for (ResultPart& part : one.traffic->Report(ranks, report.isPartial))
        {
            part.workload = one.name;
            report.violations.insert(report.violations.end(),
                                     part.violations.begin(),
                                     part.violations.end());
            parts.push_back(std::move(part));
        }
    }
    report.parts.insert(report.parts.begin(),
                        std::make_move_iterator(parts.begin()),
                        std::make_move_iterator(parts.end()));
}

} // namespace ns3::rdma
