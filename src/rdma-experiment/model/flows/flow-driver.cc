// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-driver.h"

#include "ns3/flow-starter.h"
#include "ns3/graph-starter.h"
#include "ns3/per-flow-queue-pairs.h"
#include "ns3/persistent-queue-pairs.h"
#include "ns3/work-failure.h"

#include <algorithm>

namespace ns3::rdma
{

FlowDriver::FlowDriver(const FlowDriverConfig& config)
    : m_config(config),
      m_engine(*config.fabric->GetCore().engine),
      m_paths(*config.fabric, *config.nics),
      m_endpoints(config.fabric->GetCore().endpoints, *config.nics),
      m_precision(config.limits.precision,
                  config.limits.beginAt + config.limits.warmup,
                  static_cast<uint32_t>(config.nics->size()),
                  config.fabric->GetGraph().GetServerCount()),
      m_decider(m_precision, config.limits.stallLimit, m_engine.Now(), config.limits.endAt),
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
    if (const FlowGraph* graph = config.source->GetGraph())
    {
        UseGraph(*graph);
    }
    else
    {
        UseTimes();
    }
}

void
FlowDriver::UseTimes()
{
    m_schedule = std::make_unique<FlowStarter>(
        m_engine,
        *m_config.source,
        m_config.limits.beginAt,
        [this](uint64_t number, const FlowArrival& arrival) { StartFlow(number, arrival); });
    MakeTeardown();
    m_queuePairs = std::make_unique<PerFlowQueuePairs>(
        m_endpoints,
        *m_config.nics,
        [this](uint32_t endpoint) { return IsHere(endpoint); },
        m_config.traffic ? m_config.traffic->CountQueuePairs()
                         : std::vector<uint32_t>(m_config.nics->size(), 0),
        m_config.services,
        m_config.gpuMemory);
}

void
FlowDriver::UseGraph(const FlowGraph& graph)
{
    const auto first = std::find_if(m_config.nics->begin(),
                                    m_config.nics->end(),
                                    [](const auto& nic) { return nic != nullptr; });
    GraphStarterConfig config;
    config.fabric = m_config.fabric;
    config.graph = &graph;
    config.ackFrameBytes = (*first)->GetHeaderSizes().GetAckFrame();
    config.ranks = m_config.ranks->GetCount();
    config.ownRank = m_config.ranks->GetRank();
    config.getRank = [this](uint32_t node) { return m_config.partition->GetRank(node); };
    config.onStart = [this, &graph](uint32_t operation) {
        const FlowOperation& one = graph.Get(operation);
        StartFlow(operation, {one.src, one.dst, one.bytes, m_engine.Now()});
    };
    config.onExpect = [this](uint32_t operation) { m_queuePairs->Expect(operation); };
    MakeTeardown();
    m_queuePairs = std::make_unique<PersistentQueuePairs>(
        graph,
        m_endpoints,
        *m_config.nics,
        [this](uint32_t node) { return IsHere(node); },
        [this](uint32_t operation) { m_schedule->OnReceived(operation); });
    m_schedule = std::make_unique<GraphStarter>(std::move(config));
}

void
FlowDriver::MakeTeardown()
{
    m_teardown = std::make_unique<FlowTeardown>(m_engine, *m_config.nics, [this](uint64_t flow) {
        return m_schedule->IsReceived(flow);
    });
}

void
FlowDriver::Start()
{
    m_schedule->Start();
    if (m_config.traffic)
    {
        m_config.traffic->Start();
    }
}

Tick
FlowDriver::GetLookahead() const
{
    return std::min(m_teardownDelay, m_schedule->GetLookahead());
}

uint64_t
FlowDriver::GetStarted() const
{
    return m_schedule->CountStarted(m_all);
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
    const FlowQueuePair queuePair = m_queuePairs->Open(number, arrival);
    if (!IsHere(queuePair.ends.src))
    {
        return;
    }
    const uint32_t slot = AddActive(number, arrival, queuePair);
    if (!m_queuePairs->Post(number, queuePair, arrival.bytes - arrival.fluidBytes, slot))
    {
        End(slot, FlowStatus::FAILED, "its queue pair takes no more");
    }
}

Tick
FlowDriver::FindIdealFct(const ActiveFlow& flow) const
{
    return m_paths.FindIdealFct(m_queuePairs->GetPathNumber(flow.number),
                                flow.ends,
                                flow.arrival.bytes,
                                GetNic(flow.ends.src).GetPathMtu(),
                                m_queuePairs->HasImmediate());
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
    m_schedule->OnSent(number);
}

FlowRecord
FlowDriver::MakeRecord(const ActiveFlow& flow, Tick end)
{
    const RequesterStats stats = m_queuePairs->TakeStats(flow.number, flow.ends.src, flow.srcQp);
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
    return record;
}

void
FlowDriver::End(uint32_t slot, FlowStatus status, const std::string& reason)
{
    ActiveFlow& flow = m_flows[slot];
    FlowRecord record = MakeRecord(flow, m_engine.Now());
    record.status = status;
    record.reason = reason;
    if (status == FlowStatus::COMPLETED)
    {
        m_precision.Add(record);
    }
    // The fluid model ignores headers of short packets and slow links between switches.
    m_ledger.Add(std::move(record), m_config.checksIdealFct && flow.arrival.fluidBytes == 0);
    m_queuePairs->Close(flow.number, flow.ends.src, flow.srcQp);
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
        m_teardown->Expect(notice);
        return;
    }
    m_outbox.Put(m_config.partition->GetRank(notice.dst), notice);
}

WindowState
FlowDriver::GetState(bool isDue) const
{
    WindowState state;
    state.nextTime = std::min(m_outbox.GetEarliestSent(), m_schedule->GetEarliestSent());
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
    m_schedule->Pack(rank, buffer);
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
        m_teardown->Expect(notice);
    }
    m_schedule->Unpack(reader);
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
FlowDriver::MeasureProgress() const
{
    uint64_t progress = m_ledger.GetBytes() + m_queuePairs->GetSharedBytes();
    for (const ActiveFlow& flow : m_flows)
    {
        if (flow.isActive && !flow.isShared)
        {
            progress +=
                GetNic(flow.ends.src).FindQueuePair(flow.srcQp)->requester->GetAcknowledgedBytes();
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
    return m_paths.GetStallReason(m_queuePairs->GetPathNumber(flow.number), ends) + "; " +
           std::to_string(requester.GetAcknowledgedBytes()) + " bytes acknowledged, " +
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
    return m_schedule->IsAllStarted(m_all) && m_all.done == m_all.started;
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
    const auto& teardowns = m_teardown->GetViolations();
    all.insert(all.end(), teardowns.begin(), teardowns.end());
    return all;
}

} // namespace ns3::rdma
