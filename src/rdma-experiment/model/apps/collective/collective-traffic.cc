// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/collective-traffic.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3::rdma
{

namespace
{

/// @return the one that is behind; of two, the lower rank.
std::optional<WaitingRank>
FindLater(const std::optional<WaitingRank>& left, const std::optional<WaitingRank>& right)
{
    if (!left || !right)
    {
        return left ? left : right;
    }
    return std::tie(left->turn, left->rank) <= std::tie(right->turn, right->rank) ? left : right;
}

/// A communicator's part of a report, on one process.
struct PackedCommunicator
{
    CommunicatorCounts counts;
    bool hasLast;
    WaitingRank last;
};

} // namespace

CollectiveTraffic::CollectiveTraffic(CollectivePlan plan, const TrafficContext& context)
    : m_plan(std::move(plan)),
      m_context(context),
      m_connector(m_context, first_connection::COLLECTIVES)
{
    for (uint32_t number = 0; number < m_plan.communicators.size(); ++number)
    {
        m_communicators.push_back(
            std::make_unique<Communicator>(m_plan, number, m_context, m_connector));
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
CollectiveTraffic::AddTo(WindowState& state, bool isDue) const
{
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

void
CollectiveTraffic::Finish(bool)
{
}

void
CollectiveTraffic::AddOther(CollectiveReport& report, ByteReader& reader)
{
    for (std::size_t number = 0; number < m_communicators.size(); ++number)
    {
        const auto other = reader.Get<PackedCommunicator>();
        CommunicatorResult& result = report.communicators[number];
        result.counts.posted += other.counts.posted;
        result.counts.arrived += other.counts.arrived;
        result.counts.ended += other.counts.ended;
        result.counts.failed += other.counts.failed;
        result.last =
            FindLater(result.last, other.hasLast ? std::optional(other.last) : std::nullopt);
        m_communicators[number]->GetLog().Add(reader.GetAll<IterationRecord>());
    }
    report.payloadBytes += reader.Get<uint64_t>();
    report.packets += reader.Get<uint64_t>();
    report.retransmitted += reader.Get<uint64_t>();
    report.timeouts += reader.Get<uint64_t>();
}

std::vector<ResultPart>
CollectiveTraffic::Report(RankGroup& ranks, bool isPartial)
{
    CollectiveReport report;
    for (const auto& communicator : m_communicators)
    {
        const RequesterStats stats = communicator->GetLinks().SumStats();
        report.payloadBytes += stats.ackedBytes;
        report.packets += stats.packets;
        report.retransmitted += stats.retransmitted;
        report.timeouts += stats.timeouts;
        report.communicators.push_back(
            {{}, 0, communicator->GetCounts(), communicator->FindLast()});
    }
    ranks.CollectAtFirst(
        [this, &report](ByteBuffer& buffer) {
            for (std::size_t number = 0; number < m_communicators.size(); ++number)
            {
                const CommunicatorResult& one = report.communicators[number];
                buffer.Put(PackedCommunicator{one.counts,
                                              one.last.has_value(),
                                              one.last.value_or(WaitingRank{})});
                buffer.PutAll(m_communicators[number]->GetLog().GetRecords());
            }
            buffer.Put(report.payloadBytes);
            buffer.Put(report.packets);
            buffer.Put(report.retransmitted);
            buffer.Put(report.timeouts);
        },
        [this, &report](ByteReader& reader) { AddOther(report, reader); });
    if (ranks.GetRank() != 0)
    {
        return {};
    }
    for (std::size_t number = 0; number < m_communicators.size(); ++number)
    {
        report.communicators[number].iterations = m_communicators[number]->GetLog().GetRecords();
        report.communicators[number].bound = m_communicators[number]->FindBound();
    }
    return {MakeCollectivePart(m_plan, std::move(report), isPartial)};
}

} // namespace ns3::rdma
