// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-traffic.h"

#include "ns3/flow-under-way.h"
#include "ns3/work-failure.h"

#include <algorithm>
#include <numeric>

namespace ns3::rdma
{

namespace
{
bool
HasReads(const std::vector<FlowWorkloadSpec>& workloads)
{
    return std::any_of(workloads.begin(), workloads.end(), [](const FlowWorkloadSpec& one) {
        return one.graph ? one.graph->HasReads() : one.operation == WrOpcode::RDMA_READ;
    });
}
} // namespace

FlowTraffic::FlowTraffic(const FlowTrafficConfig& config)
    : m_config(config),
      m_engine(*config.fabric->GetCore().engine),
      m_paths(*config.fabric, *config.nics, HasReads(config.workloads)),
      m_numbers(config.madeQueuePairs),
      m_starter(
          m_engine,
          *config.source,
          config.workloads.size(),
          config.beginAt,
          [this](uint64_t number, const FlowArrival& arrival) { StartFlow(number, arrival); }),
      m_teardown(m_engine, *config.nics, [this](uint64_t flow) { return IsReceived(flow); }),
      m_delivered(config.workloads.size(), 0),
      m_ledger(*config.log, *config.ranks),
      m_outbox(config.ranks->GetCount())
{
    for (const auto& nic : *config.nics)
    {
        if (nic)
        {
            nic->SetCompletionHandler(
                [this](const WorkCompletion& completion) { OnCompletion(completion); });
        }
    }
    for (const FlowWorkloadSpec& spec : m_config.workloads)
    {
        m_workloads.push_back(std::make_unique<FlowWorkload>(
            static_cast<uint32_t>(m_workloads.size()),
            spec,
            m_config,
            m_numbers,
            [this](uint64_t number, const FlowArrival& arrival) { StartFlow(number, arrival); }));
    }
}

void
FlowTraffic::Start()
{
    m_starter.Start();
    for (const auto& workload : m_workloads)
    {
        if (GraphStarter* graph = workload->GetGraph())
        {
            graph->Start();
        }
    }
}

std::vector<uint32_t>
FlowTraffic::CountQueuePairs() const
{
    return {};
}

Tick
FlowTraffic::GetEnd() const
{
    return TICK_NEVER;
}

std::vector<ResultPart>
FlowTraffic::Report(RankGroup&, bool)
{
    return {};
}

Tick
FlowTraffic::GetLookahead() const
{
    Tick lookahead = m_config.noticeDelay;
    for (const auto& workload : m_workloads)
    {
        const GraphStarter* const graph = workload->GetGraph();
        lookahead = graph ? std::min(lookahead, graph->GetLookahead()) : lookahead;
    }
    return lookahead;
}

std::vector<uint64_t>
FlowTraffic::CountStartedByWorkload() const
{
    std::vector<uint64_t> counts;
    for (uint32_t i = 0; i < m_workloads.size(); ++i)
    {
        const GraphStarter* const graph = m_workloads[i]->GetGraph();
        counts.push_back(graph ? graph->CountStarted(m_workloads[i]->GetState())
                               : m_starter.CountStartedOf(i));
    }
    return counts;
}

uint64_t
FlowTraffic::GetStarted() const
{
    const std::vector<uint64_t> counts = CountStartedByWorkload();
    return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
}

bool
FlowTraffic::IsReceived(uint64_t number) const
{
    const GraphStarter* const graph = GetWorkload(number).GetGraph();
    return !graph || graph->IsReceived(flow_number::GetLocal(number));
}

bool
FlowTraffic::IsAllStarted() const
{
    return !m_starter.HasNext() &&
           std::all_of(m_workloads.begin(), m_workloads.end(), [](const auto& workload) {
               const GraphStarter* const graph = workload->GetGraph();
               return !graph || graph->IsAllStarted(workload->GetState());
           });
}

RdmaNic&
FlowTraffic::GetNic(uint32_t endpoint) const
{
    return *(*m_config.nics)[endpoint];
}

bool
FlowTraffic::IsHere(uint32_t id) const
{
    return m_config.partition->GetRank(id) == m_config.ranks->GetRank();
}

uint32_t
FlowTraffic::AddActive(uint64_t number, const FlowArrival& arrival, const FlowQueuePair& queuePair)
{
    if (m_free.empty())
    {
        m_free.push_back(static_cast<uint32_t>(m_flows.size()));
        m_flows.emplace_back();
    }
    const uint32_t slot = m_free.back();
    m_free.pop_back();
    ActiveFlow& flow = m_flows[slot];
    flow = {number,
            arrival,
            queuePair.ends,
            0,
            queuePair.srcQp,
            queuePair.dstQp,
            queuePair.isShared,
            true};
    flow.idealFct = FindIdealFct(flow);
    ++m_ownStarted;
    GetWorkload(number).CountStart();
    if (m_config.observer)
    {
        m_config.observer->OnStart({number, arrival, queuePair.srcQp, queuePair.dstQp},
                                   queuePair.ends);
    }
    return slot;
}

void
FlowTraffic::StartFlow(uint64_t number, const FlowArrival& arrival)
{
    QueuePairProvider& queuePairs = GetWorkload(number).GetQueuePairs();
    const uint64_t local = flow_number::GetLocal(number);
    const FlowQueuePair queuePair = queuePairs.Open(local, arrival);
    if (!IsHere(queuePair.ends.src))
    {
        return;
    }
    const uint32_t slot = AddActive(number, arrival, queuePair);
    if (!queuePairs.Post(local, queuePair, arrival.bytes - arrival.fluidBytes, slot))
    {
        End(slot, FlowStatus::FAILED, "its queue pair takes no more");
    }
}

Tick
FlowTraffic::FindIdealFct(const ActiveFlow& flow) const
{
    const FlowWorkload& workload = GetWorkload(flow.number);
    return m_paths.FindIdealFct(
        workload.GetPathNumber(flow.number),
        flow.ends,
        flow.arrival.bytes,
        GetNic(flow.ends.src).GetPathMtu(),
        workload.GetQueuePairs().GetOperation(flow_number::GetLocal(flow.number)));
}

void
FlowTraffic::OnCompletion(const WorkCompletion& completion)
{
    const auto slot = static_cast<uint32_t>(completion.wrId);
    if (completion.status != WcStatus::SUCCESS)
    {
        End(slot,
            FlowStatus::FAILED,
            DescribeFailure(completion.status) + "; " + DescribeStall(m_flows[slot]));
        return;
    }
    const uint64_t number = m_flows[slot].number;
    End(slot, FlowStatus::COMPLETED, "");
    if (GraphStarter* graph = GetWorkload(number).GetGraph())
    {
        graph->OnSent(flow_number::GetLocal(number));
    }
}

FlowRecord
FlowTraffic::MakeRecord(const ActiveFlow& flow, Tick end)
{
    const RequesterStats stats =
        GetWorkload(flow.number)
            .GetQueuePairs()
            .TakeStats(flow_number::GetLocal(flow.number), flow.ends.src, flow.srcQp);
    FlowRecord record;
    record.priority = GetNic(flow.ends.src).FindQueuePair(flow.srcQp)->mark.priority;
    record.flow = flow.number;
    record.src = flow.arrival.src;
    record.dst = flow.arrival.dst;
    record.bytes = flow.arrival.bytes;
    record.startPs = flow.arrival.startPs;
    record.fctPs = end - flow.arrival.startPs;
    // If no path existed at its start, the ideal is that of the path at its end.
    record.idealPs = flow.idealFct > 0 ? flow.idealFct : FindIdealFct(flow);
    record.packets = stats.packets;
    record.retransmitted = stats.retransmitted;
    record.timeouts = stats.timeouts;
    record.idleTimeouts = stats.idleTimeouts;
    return record;
}

void
FlowTraffic::End(uint32_t slot, FlowStatus status, const std::string& reason)
{
    ActiveFlow& flow = m_flows[slot];
    FlowRecord record = MakeRecord(flow, m_engine.Now());
    record.status = status;
    record.reason = reason;
    FlowWorkload& workload = GetWorkload(flow.number);
    if (status == FlowStatus::COMPLETED && workload.IsMeasured())
    {
        m_config.precision->Add(record);
    }
    // Nothing here may change what MeasureProgress() returns: the failure of a flow is no progress,
    // bytes of a shared queue pair count there, and those of the fluid were never packets.
    const bool isWhole = status == FlowStatus::COMPLETED;
    const uint64_t delivered = flow.isShared ? 0
                               : isWhole     ? flow.arrival.bytes - flow.arrival.fluidBytes
                                             : GetAcknowledgedBytes(flow);
    m_delivered[flow_number::GetWorkload(flow.number)] +=
        flow.isShared || isWhole ? delivered : GetDeliveredBytes(flow);
    // The fluid model ignores headers of short packets and slow links between switches.
    m_ledger.Add(std::move(record),
                 m_config.checksIdealFct && flow.arrival.fluidBytes == 0,
                 delivered);
    workload.GetQueuePairs().Close(flow_number::GetLocal(flow.number), flow.ends.src, flow.srcQp);
    if (!flow.isShared)
    {
        SendTeardown(flow, status == FlowStatus::COMPLETED);
    }
    flow.isActive = false;
    m_free.push_back(slot);
}

bool
FlowTraffic::IsRead(const ActiveFlow& flow) const
{
    const QueuePairProvider& queuePairs = GetWorkload(flow.number).GetQueuePairs();
    return queuePairs.GetOperation(flow_number::GetLocal(flow.number)) == WrOpcode::RDMA_READ;
}

void
FlowTraffic::SendTeardown(const ActiveFlow& flow, bool isCompleted)
{
    // A READ places nothing at the other end.
    const TeardownNotice notice{m_engine.Now() + m_config.noticeDelay,
                                flow.number,
                                IsRead(flow) ? 0 : flow.arrival.bytes - flow.arrival.fluidBytes,
                                flow.ends.dst,
                                flow.dstQp,
                                isCompleted};
    if (IsHere(notice.dst))
    {
        m_teardown.Expect(notice);
        return;
    }
    m_outbox.Put(m_config.partition->GetRank(notice.dst), notice);
}

bool
FlowTraffic::MayStartMore(const WindowState&) const
{
    return m_starter.HasNext() ||
           std::any_of(m_workloads.begin(), m_workloads.end(), [](const auto& workload) {
               const GraphStarter* const graph = workload->GetGraph();
               return graph && graph->MayStartMore(workload->GetState());
           });
}

void
FlowTraffic::AddTo(WindowState& state, bool isDue) const
{
    state.nextTime = std::min(state.nextTime, m_outbox.GetEarliestSent());
    for (const auto& workload : m_workloads)
    {
        const GraphStarter* const graph = workload->GetGraph();
        state.nextTime =
            graph ? std::min(state.nextTime, graph->GetEarliestSent()) : state.nextTime;
    }
    state.endTime = std::max(state.endTime, m_ledger.GetLastEnd());
    state.started += m_ownStarted;
    state.done += m_ledger.GetDone();
    state.progress += isDue ? MeasureProgress() : 0;
}

void
FlowTraffic::Pack(uint32_t rank, ByteBuffer& buffer)
{
    m_outbox.Pack(rank, buffer);
    for (const auto& workload : m_workloads)
    {
        workload->Pack(rank, buffer, m_config.isAlone);
    }
    m_config.precision->Pack(buffer);
    if (rank == 0)
    {
        m_ledger.Pack(buffer);
    }
}

void
FlowTraffic::Unpack(ByteReader& reader)
{
    for (const TeardownNotice& notice : reader.Get<std::vector<TeardownNotice>>())
    {
        m_teardown.Expect(notice);
    }
    for (const auto& workload : m_workloads)
    {
        workload->Unpack(reader, m_config.isAlone);
    }
    m_config.precision->Unpack(reader);
    if (m_config.ranks->GetRank() == 0)
    {
        m_ledger.Unpack(reader);
    }
}

void
FlowTraffic::OnWindow(const WindowState& all, Tick end)
{
    m_all = all;
    m_outbox.ForgetSent();
    for (const auto& workload : m_workloads)
    {
        workload->EndWindow(all, m_config.isAlone);
    }
    m_config.precision->Forget();
    m_ledger.WriteBefore(end);
}

void
FlowTraffic::ListFlows(std::vector<FlowUnderWay>& flows) const
{
    for (const ActiveFlow& flow : m_flows)
    {
        if (flow.isActive)
        {
            // A shared queue pair exists since the start of the run.
            const Tick posted = std::max<Tick>(flow.arrival.startPs, m_config.beginAt);
            flows.push_back({GetWorkload(flow.number).GetFirstNumber(flow.number),
                             flow.arrival.src,
                             flow.arrival.dst,
                             flow.isShared ? 0 : posted,
                             GetNic(flow.ends.src).FindQueuePair(flow.srcQp)->requester});
        }
    }
}

uint64_t
FlowTraffic::GetAcknowledgedBytes(const ActiveFlow& flow) const
{
    const Requester& requester = *GetNic(flow.ends.src).FindQueuePair(flow.srcQp)->requester;
    // The requests of a READ have no payload, and the packets of its response have numbers.
    return IsRead(flow) ? requester.GetWindow().GetUnacked() : requester.GetAcknowledgedBytes();
}

uint64_t
FlowTraffic::GetDeliveredBytes(const ActiveFlow& flow) const
{
    const Requester& requester = *GetNic(flow.ends.src).FindQueuePair(flow.srcQp)->requester;
    return IsRead(flow) ? requester.GetStats().readBytes : requester.GetAcknowledgedBytes();
}

void
FlowTraffic::AddDelivered(std::vector<uint64_t>& bytes) const
{
    for (std::size_t workload = 0; workload < m_workloads.size(); ++workload)
    {
        bytes[workload] +=
            m_delivered[workload] + m_workloads[workload]->GetQueuePairs().GetSharedBytes();
    }
    for (const ActiveFlow& flow : m_flows)
    {
        if (flow.isActive && !flow.isShared)
        {
            bytes[flow_number::GetWorkload(flow.number)] += GetDeliveredBytes(flow);
        }
    }
}

uint64_t
FlowTraffic::MeasureProgress() const
{
    uint64_t progress = m_ledger.GetBytes();
    for (const auto& workload : m_workloads)
    {
        progress += workload->GetQueuePairs().MeasureSharedProgress();
    }
    for (const ActiveFlow& flow : m_flows)
    {
        if (flow.isActive && !flow.isShared)
        {
            progress += GetAcknowledgedBytes(flow);
        }
    }
    return progress;
}

std::string
FlowTraffic::DescribeStall(const ActiveFlow& flow) const
{
    const RdmaNic& nic = GetNic(flow.ends.src);
    const QueuePairView queuePair = *nic.FindQueuePair(flow.srcQp);
    const Requester& requester = *queuePair.requester;
    const ConnectionEnds ends{nic.GetEndpoint(nic.FindPort(flow.srcQp)),
                              queuePair.connection.remoteEndpoint};
    return m_paths.GetStallReason(GetWorkload(flow.number).GetPathNumber(flow.number), ends) +
           "; " + std::to_string(requester.GetAcknowledgedBytes()) + " bytes acknowledged, " +
           std::to_string(requester.GetStats().timeouts) + " timeouts";
}

void
FlowTraffic::Finish(bool isStalled, Tick end)
{
    if (isStalled)
    {
        m_paths.SharePauses(*m_config.ranks);
    }
    for (const ActiveFlow& flow : m_flows)
    {
        if (!flow.isActive)
        {
            continue;
        }
        FlowRecord record = MakeRecord(flow, end);
        record.status = isStalled ? FlowStatus::STALLED : FlowStatus::UNFINISHED;
        record.reason = isStalled ? DescribeStall(flow) : "the run ended";
        m_ledger.AddUnfinished(std::move(record));
    }
    m_ledger.Close();
}

std::vector<Violation>
FlowTraffic::GetViolations() const
{
    std::vector<Violation> all = m_ledger.GetViolations();
    const auto& teardowns = m_teardown.GetViolations();
    all.insert(all.end(), teardowns.begin(), teardowns.end());
    return all;
}

} // namespace ns3::rdma
