// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/collective-traffic.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

CollectiveTraffic::CollectiveTraffic(CollectivePlan plan,
                                     const TrafficContext& context,
                                     Reporter reporter)
    : m_plan(std::move(plan)),
      m_context(context),
      m_reporter(std::move(reporter)),
      m_connector(m_context, first_connection::COLLECTIVES)
{
    if (m_plan.renewal)
    {
        m_renewals = std::make_unique<QueuePairRenewals>(m_context, m_connector, *m_plan.renewal);
    }
    for (uint32_t number = 0; number < m_plan.communicators.size(); ++number)
    {
        m_communicators.push_back(std::make_unique<Communicator>(m_plan,
                                                                 number,
                                                                 m_context,
                                                                 m_connector,
                                                                 m_renewals.get()));
        if (m_context.poll)
        {
            m_context.poll();
        }
    }
}

std::vector<uint32_t>
CollectiveTraffic::CountQueuePairs() const
{
    return m_connector.CountQueuePairs();
}

void
CollectiveTraffic::Start()
{
    for (const auto& communicator : m_communicators)
    {
        communicator->Start();
    }
}

Tick
CollectiveTraffic::GetEnd() const
{
    return 0; // All iterations count as started from the beginning.
}

void
CollectiveTraffic::Pack(uint32_t rank, ByteBuffer& buffer)
{
    if (m_renewals)
    {
        m_renewals->Pack(rank, buffer);
    }
}

void
CollectiveTraffic::Unpack(ByteReader& reader)
{
    if (m_renewals)
    {
        m_renewals->Unpack(reader);
    }
}

void
CollectiveTraffic::OnWindow(const WindowState&, Tick)
{
    if (m_renewals)
    {
        m_renewals->OnWindow();
    }
}

void
CollectiveTraffic::AddTo(WindowState& state, bool isDue) const
{
    if (m_renewals)
    {
        m_renewals->AddTo(state);
    }
    for (const auto& communicator : m_communicators)
    {
        const CommunicatorCounts& counts = communicator->GetCounts();
        state.started += uint64_t{communicator->GetRanksHere()} * m_plan.iterations;
        state.done += counts.ended;
        state.endTime = std::max(state.endTime, counts.lastEnd);
        if (isDue)
        {
            const uint64_t bytes = communicator->GetLinks().SumStats().ackedBytes;
            state.progress += counts.arrived + counts.ended + bytes;
        }
    }
}

std::vector<ResultPart>
CollectiveTraffic::Report(RankGroup& ranks, bool isPartial)
{
    std::vector<CollectiveReport> reports(1);
    for (const auto& communicator : m_communicators)
    {
        reports[0].stats.Add(communicator->GetLinks().SumStats());
        reports[0].communicators.push_back({communicator->GetLog().GetRecords(),
                                            0,
                                            communicator->GetCounts(),
                                            communicator->FindLast()});
    }
    if (m_renewals)
    {
        reports[0].renewals = m_renewals->GetCounts();
    }
    ranks.CollectAtFirst(reports);
    if (ranks.GetRank() != 0)
    {
        return {};
    }
    for (std::size_t rank = 1; rank < reports.size(); ++rank)
    {
        reports[0].Add(reports[rank]);
    }
    for (std::size_t number = 0; number < m_communicators.size(); ++number)
    {
        reports[0].communicators[number].bound = m_communicators[number]->FindBound();
    }
    return {m_reporter(m_plan, std::move(reports[0]), isPartial)};
}

} // namespace ns3::rdma
