// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/traffic-list.h"

#include "ns3/checked-flow-source.h"
#include "ns3/result-folder.h"
#include "ns3/workload-kind.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// What workloads place in a server's memory is below this address.
constexpr uint64_t AREA_BYTES{uint64_t{1} << 45};
} // namespace

TrafficList::TrafficList(const Scenario& scenario, TrafficContext context)
{
    context.madeQueuePairs.assign(context.nics->size(), 0);
    for (const auto& workload : scenario.workloads)
    {
        if (!workload->HasTraffic())
        {
            continue;
        }
        context.streamKey = workload->GetStreamKey();
        context.area = m_all.size() * AREA_BYTES;
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
        m_all.push_back({workload->GetPlace().name, std::move(traffic)});
    }
}

std::vector<uint32_t>
TrafficList::CountQueuePairs() const
{
    std::vector<uint32_t> sum;
    for (const Member& member : m_all)
    {
        const std::vector<uint32_t> made = member.traffic->CountQueuePairs();
        sum.resize(std::max(sum.size(), made.size()), 0);
        for (std::size_t node = 0; node < made.size(); ++node)
        {
            sum[node] += made[node];
        }
    }
    return sum;
}

void
TrafficList::Start()
{
    for (const Member& member : m_all)
    {
        member.traffic->Start();
    }
}

Tick
TrafficList::GetEnd() const
{
    Tick end = 0;
    for (const Member& member : m_all)
    {
        end = std::max(end, member.traffic->GetEnd());
    }
    return end;
}

void
TrafficList::AddTo(WindowState& state, bool isDue) const
{
    for (const Member& member : m_all)
    {
        member.traffic->AddTo(state, isDue);
    }
}

void
TrafficList::Finish(bool isStalled)
{
    for (const Member& member : m_all)
    {
        member.traffic->Finish(isStalled);
    }
}

void
TrafficList::StreamTo(const std::filesystem::path& folder, bool isFirst)
{
    for (const Member& member : m_all)
    {
        const auto own = ResultFolder::GetRowsFolder(folder, member.name);
        if (isFirst)
        {
            std::filesystem::create_directories(own);
        }
        member.traffic->StreamTo(own, isFirst);
    }
}

void
TrafficList::Pack(ByteBuffer& buffer)
{
    for (const Member& member : m_all)
    {
        member.traffic->Pack(buffer);
    }
}

void
TrafficList::Unpack(ByteReader& reader)
{
    for (const Member& member : m_all)
    {
        member.traffic->Unpack(reader);
    }
}

void
TrafficList::WriteEnded()
{
    for (const Member& member : m_all)
    {
        member.traffic->WriteEnded();
    }
}

std::vector<ResultPart>
TrafficList::Report(RankGroup& ranks, bool isPartial)
{
    std::vector<ResultPart> all;
    for (const Member& member : m_all)
    {
        for (ResultPart& part : member.traffic->Report(ranks, isPartial))
        {
            part.workload = member.name;
            all.push_back(std::move(part));
        }
    }
    return all;
}

} // namespace ns3::rdma
