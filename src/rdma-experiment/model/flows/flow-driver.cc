// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-driver.h"

#include "ns3/work-failure.h"

#include <algorithm>
#include <numeric>

namespace ns3::rdma
{

FlowDriver::FlowDriver(const FlowDriverConfig& config)
    : m_config(config),
      m_engine(*config.fabric->GetCore().engine),
      m_paths(*config.fabric, *config.nics),
      m_numbers(config.traffic ? config.traffic->CountQueuePairs()
                               : std::vector<uint32_t>(config.nics->size(), 0)),
      m_starter(
          m_engine,
          *config.source,
          config.workloads.size(),
          config.limits.beginAt,
          [this](uint64_t number, const FlowArrival& arrival) { StartFlow(number, arrival); }),
      m_teardown(m_engine, *config.nics, [this](uint64_t flow) { return IsReceived(flow); }),
      m_precision(config.limits.precision,
                  config.limits.beginAt + config.limits.warmup,
                  static_cast<uint32_t>(config.nics->size()),
                  config.fabric->GetGraph().GetServerCount()),
      m_deadlocks(*config.fabric, *config.ranks),
      m_decider(m_precision,
                config.limits.stallLimit,
                m_engine.Now(),
                config.limits.endAt,
                [this] { return !m_deadlocks.Find().empty(); }),
      m_ledger(*config.log, *config.ranks),
      m_teardownDelay(std::max<Tick>(config.fabric->GetMaxBaseRtt(0, 0) / 2, 1)),
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
    MakeWorkloads();
}

void
FlowDriver::MakeWorkloads()
{
    m_context = {m_config.fabric,
                 m_config.nics,
                 m_config.ranks,
                 m_config.partition,
                 m_config.services,
                 &m_numbers};
    for (const FlowWorkloadSpec& spec : m_config.workloads)
    {
        m_workloads.push_back(std::make_unique<FlowWorkload>(
            static_cast<uint32_t>(m_workloads.size()),
            spec,
            m_context,
            [this](uint64_t number, const FlowArrival& arrival) { StartFlow(number, arrival); }));
    }
}

void
FlowDriver::Start()
{
    m_starter.Start();
    for (const auto& workload : m_workloads)
    {
        if (FlowSchedule* graph = workload->GetSchedule())
        {
            graph->Start();
        }
    }
    if (m_config.traffic)
    {
        m_config.traffic->Start();
    }
}

Tick
FlowDriver::GetLookahead() const
{
    Tick lookahead = m_teardownDelay;
    for (const auto& workload : m_workloads)
    {
        const FlowSchedule* const graph = workload->GetSchedule();
        lookahead = graph ? std::min(lookahead, graph->GetLookahead()) : lookahead;
    }
    return lookahead;
}

std::vector<uint64_t>
FlowDriver::CountStartedByWorkload() const
{
    std::vector<uint64_t> counts;
    for (uint32_t i = 0; i < m_workloads.size(); ++i)
    {
        const FlowSchedule* const graph = m_workloads[i]->GetSchedule();
        counts.push_back(graph ? graph->CountStarted(m_workloads[i]->GetState())
                               : m_starter.CountStartedOf(i));
    }
    return counts;
}

uint64_t
FlowDriver::GetStarted() const
{
    const std::vector<uint64_t> counts = CountStartedByWorkload();
    return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
}

bool
FlowDriver::IsReceived(uint64_t number) const
{
    const FlowSchedule* const graph = GetWorkload(number).GetSchedule();
    return !graph || graph->IsReceived(flow_number::GetLocal(number));
}

bool
FlowDriver::IsAllStarted() const
{
    return m_starter.IsAllStarted(m_all) &&
           std::all_of(m_workloads.begin(), m_workloads.end(), [](const auto& workload) {
               const FlowSchedule* const graph = workload->GetSchedule();
               return !graph || graph->IsAllStarted(workload->GetState());
           });
}

RdmaNic&
FlowDriver::GetNic(uint32_t endpoint) const
{
    return *(*m_config.nics)[endpoint];
}

bool
FlowDriver::IsHere(uint32_t id) const
{
    return m_config.partition->GetRank(id) == m_config.ranks->GetRank();
}

uint32_t
FlowDriver::AddActive(uint64_t number, const FlowArrival& arrival, const FlowQueuePair& queuePair)
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
FlowDriver::StartFlow(uint64_t number, const FlowArrival& arrival)
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
FlowDriver::FindIdealFct(const ActiveFlow& flow) const
{
    const FlowWorkload& workload = GetWorkload(flow.number);
    return m_paths.FindIdealFct(workload.GetPathNumber(flow.number),
                                flow.ends,
                                flow.arrival.bytes,
                                GetNic(flow.ends.src).GetPathMtu(),
                                workload.GetQueuePairs().HasImmediate());
}

void
FlowDriver::OnCompletion(const WorkCompletion& completion)
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
    if (FlowSchedule* graph = GetWorkload(number).GetSchedule())
    {
        graph->OnSent(flow_number::GetLocal(number));
    }
}

FlowRecord
FlowDriver::MakeRecord(const ActiveFlow& flow, Tick end)
{
    const RequesterStats stats =
        GetWorkload(flow.number)
            .GetQueuePairs()
            .TakeStats(flow_number::GetLocal(flow.number), flow.ends.src, flow.srcQp);
    FlowRecord record;
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
FlowDriver::End(uint32_t slot, FlowStatus status, const std::string& reason)
{
    ActiveFlow& flow = m_flows[slot];
    FlowRecord record = MakeRecord(flow, m_engine.Now());
    record.status = status;
    record.reason = reason;
    FlowWorkload& workload = GetWorkload(flow.number);
    if (status == FlowStatus::COMPLETED && workload.IsMeasured())
    {
        m_precision.Add(record);
    }
    // Nothing here may change what MeasureProgress() returns: the failure of a flow is no progress,
    // bytes of a shared queue pair count there, and those of the fluid were never packets.
    const bool isWhole = status == FlowStatus::COMPLETED;
    const uint64_t delivered = flow.isShared ? 0
                               : isWhole     ? flow.arrival.bytes - flow.arrival.fluidBytes
                                             : GetAcknowledgedBytes(flow);
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

void
FlowDriver::SendTeardown(const ActiveFlow& flow, bool isCompleted)
{
    const TeardownNotice notice{m_engine.Now() + m_teardownDelay,
                                flow.number,
                                flow.arrival.bytes - flow.arrival.fluidBytes,
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

WindowState
FlowDriver::GetState(bool isDue) const
{
    WindowState state;
    state.nextTime = m_outbox.GetEarliestSent();
    for (const auto& workload : m_workloads)
    {
        const FlowSchedule* const graph = workload->GetSchedule();
        state.nextTime =
            graph ? std::min(state.nextTime, graph->GetEarliestSent()) : state.nextTime;
    }
    state.endTime = m_ledger.GetLastEnd();
    state.started = m_ownStarted;
    state.done = m_ledger.GetDone();
    state.progress = isDue ? MeasureProgress() : 0;
    if (m_config.traffic)
    {
        m_config.traffic->AddTo(state, isDue);
    }
    return state;
}

void
FlowDriver::Pack(uint32_t rank, ByteBuffer& buffer)
{
    m_outbox.Pack(rank, buffer);
    for (const auto& workload : m_workloads)
    {
        workload->Pack(rank, buffer, IsAlone());
    }
    m_precision.Pack(buffer);
    if (rank == 0)
    {
        m_ledger.Pack(buffer);
        if (m_config.traffic)
        {
            m_config.traffic->Pack(buffer);
        }
    }
}

void
FlowDriver::Unpack(ByteReader& reader)
{
    for (const TeardownNotice& notice : reader.GetAll<TeardownNotice>())
    {
        m_teardown.Expect(notice);
    }
    for (const auto& workload : m_workloads)
    {
        workload->Unpack(reader, IsAlone());
    }
    m_precision.Unpack(reader);
    if (m_config.ranks->GetRank() == 0)
    {
        m_ledger.Unpack(reader);
        if (m_config.traffic)
        {
            m_config.traffic->Unpack(reader);
        }
    }
}

uint64_t
FlowDriver::GetAcknowledgedBytes(const ActiveFlow& flow) const
{
    return GetNic(flow.ends.src).FindQueuePair(flow.srcQp)->requester->GetAcknowledgedBytes();
}

uint64_t
FlowDriver::MeasureProgress() const
{
    uint64_t progress = m_ledger.GetBytes();
    for (const auto& workload : m_workloads)
    {
        progress += workload->GetQueuePairs().GetSharedBytes();
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
FlowDriver::DescribeStall(const ActiveFlow& flow) const
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
FlowDriver::Finish()
{
    const bool isStalled = m_decider.IsStalled();
    if (isStalled)
    {
        m_paths.SharePauses(*m_config.ranks);
    }
    const bool hasOnlyPauses = m_all.nextTime != TICK_NEVER && m_all.nextWork == TICK_NEVER;
    if (isStalled || hasOnlyPauses)
    {
        m_pauseCycle = m_deadlocks.Find();
    }
    if (!m_decider.IsDecided() && !IsComplete())
    {
        m_endTime = m_all.now; // Stopped on request, or the other operations depend on failed ones.
    }
    for (const ActiveFlow& flow : m_flows)
    {
        if (!flow.isActive)
        {
            continue;
        }
        FlowRecord record = MakeRecord(flow, m_endTime);
        record.status = isStalled ? FlowStatus::STALLED : FlowStatus::UNFINISHED;
        record.reason = isStalled ? DescribeStall(flow) : "the run ended";
        m_ledger.AddUnfinished(std::move(record));
    }
    if (m_config.traffic)
    {
        m_config.traffic->Finish(isStalled);
    }
    m_ledger.Close();
}

bool
FlowDriver::IsComplete() const
{
    return IsAllStarted() && m_all.done == m_all.started;
}

std::optional<PrecisionReport>
FlowDriver::GetPrecision() const
{
    return m_precision.IsOn() ? std::optional(m_precision.GetReport(m_endTime)) : std::nullopt;
}

std::vector<Violation>
FlowDriver::GetViolations() const
{
    std::vector<Violation> all = m_ledger.GetViolations();
    const auto& teardowns = m_teardown.GetViolations();
    all.insert(all.end(), teardowns.begin(), teardowns.end());
    return all;
}

} // namespace ns3::rdma
