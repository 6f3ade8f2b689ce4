// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-driver.h"

#include "ns3/abort.h"
#include "ns3/work-failure.h"

#include <algorithm>

namespace ns3::rdma
{

FlowDriver::FlowDriver(const FlowDriverConfig& config)
    : m_config(config),
      m_engine(*config.fabric->GetCore().engine),
      m_graph(config.source->GetGraph()),
      m_paths(*config.fabric, *config.nics),
      m_endpoints(config.fabric->GetCore().endpoints, *config.nics),
      m_starter(m_engine,
                *config.source,
                config.traffic ? config.traffic->CountQueuePairs()
                               : std::vector<uint32_t>(config.nics->size(), 0),
                config.beginAt,
                [this](const FlowStart& start) { StartFlow(start); }),
      m_precision(config.precision,
                  config.beginAt + config.warmup,
                  static_cast<uint32_t>(config.nics->size()),
                  config.fabric->GetGraph().GetServerCount()),
      m_decider(m_precision, config.stallLimit, m_engine.Now(), config.endAt),
      m_ledger(*config.log, *config.ranks),
      m_teardownDelay(std::max<Tick>(config.fabric->GetMaxBaseRtt(0, 0) / 2, 1)),
      m_teardown(m_engine,
                 *config.nics,
                 m_graph ? FlowTeardown::ReceivedQuery([this](uint64_t flow) {
                     return m_graphStarter->IsReceived(static_cast<uint32_t>(flow));
                 })
                         : nullptr),
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
    if (m_graph)
    {
        UseGraph(*m_graph);
    }
}

void
FlowDriver::UseGraph(const FlowGraph& graph)
{
    const auto first = std::find_if(m_config.nics->begin(),
                                    m_config.nics->end(),
                                    [](const auto& nic) { return nic != nullptr; });
    m_connections = std::make_unique<GraphConnections>(
        graph,
        m_endpoints,
        *m_config.nics,
        [this](uint32_t node) { return IsHere(node); },
        [this](uint32_t operation) { m_graphStarter->OnReceived(operation); });
    GraphStarterConfig config;
    config.fabric = m_config.fabric;
    config.graph = &graph;
    config.ackFrameBytes = (*first)->GetHeaderSizes().GetAckFrame();
    config.ranks = m_config.ranks->GetCount();
    config.ownRank = m_config.ranks->GetRank();
    config.getRank = [this](uint32_t node) { return m_config.partition->GetRank(node); };
    config.onStart = [this](uint32_t operation) { StartOperation(operation); };
    config.onExpect = [this](uint32_t operation) { m_connections->Expect(operation); };
    m_graphStarter = std::make_unique<GraphStarter>(std::move(config));
}

void
FlowDriver::Start()
{
    m_starter.Start();
    if (m_graph)
    {
        m_graphStarter->Start();
    }
    if (m_config.traffic)
    {
        m_config.traffic->Start();
    }
}

Tick
FlowDriver::GetLookahead() const
{
    return m_graph ? std::min(m_teardownDelay, m_graphStarter->GetLookahead()) : m_teardownDelay;
}

uint64_t
FlowDriver::GetStarted() const
{
    return m_graph ? std::max(m_all.started, m_ownStarted) : m_starter.GetStarted();
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

uint64_t
FlowDriver::GetPathNumber(const ActiveFlow& flow) const
{
    return m_graph ? m_graph->GetConnection(static_cast<uint32_t>(flow.number)).first : flow.number;
}

bool
FlowDriver::IsShared(const ActiveFlow& flow) const
{
    return m_graph && m_graph->GetConnection(static_cast<uint32_t>(flow.number)).isShared;
}

uint32_t
FlowDriver::AddActive(const FlowStart& start, const ConnectionEnds& ends)
{
    if (m_free.empty())
    {
        m_free.push_back(static_cast<uint32_t>(m_flows.size()));
        m_flows.emplace_back();
    }
    const uint32_t slot = m_free.back();
    m_free.pop_back();
    ActiveFlow& flow = m_flows[slot];
    flow = {start.number, start.arrival, ends, 0, start.srcQp, start.dstQp, true};
    flow.idealFct = FindIdealFct(flow);
    ++m_ownStarted;
    if (m_config.observer)
    {
        m_config.observer->OnStart(start, ends);
    }
    return slot;
}

QueuePairInit
FlowDriver::MakeInit(uint32_t endpoint) const
{
    return m_config.services ? m_config.services->MakeInit(endpoint) : QueuePairInit{};
}

void
FlowDriver::Attach(uint32_t endpoint, uint32_t queuePair, uint32_t server, uint32_t peer) const
{
    if (m_config.services)
    {
        m_config.services->Attach(endpoint, queuePair, server, peer);
    }
}

void
FlowDriver::StartFlow(const FlowStart& start)
{
    const FlowArrival& arrival = start.arrival;
    const ConnectionEnds ends = m_endpoints.Choose(arrival.src, arrival.dst);
    std::optional<FlowPlace> place;
    if (m_config.gpuMemory)
    {
        place = m_config.gpuMemory->TakePlace(ends.dst, arrival.bytes - arrival.fluidBytes);
    }
    if (IsHere(ends.dst))
    {
        RdmaNic& receiver = GetNic(ends.dst);
        QueuePairInit init = MakeInit(ends.dst);
        init.domain = place ? m_config.gpuMemory->GetDomain(ends.dst) : nullptr;
        receiver.CreateQueuePair(init, start.dstQp, m_endpoints.GetPort(ends.dst));
        Attach(ends.dst, start.dstQp, arrival.dst, arrival.src);
        receiver.Connect(start.dstQp,
                         {ends.src, start.srcQp, FlowPath::MakeEntropy(start.number, false)});
    }
    if (!IsHere(ends.src))
    {
        return;
    }
    const uint32_t slot = AddActive(start, ends);
    RdmaNic& sender = GetNic(ends.src);
    sender.CreateQueuePair(MakeInit(ends.src), start.srcQp, m_endpoints.GetPort(ends.src));
    Attach(ends.src, start.srcQp, arrival.src, arrival.dst);
    sender.Connect(start.srcQp, {ends.dst, start.dstQp, FlowPath::MakeEntropy(start.number, true)});
    PostFlow(slot, place);
}

void
FlowDriver::PostFlow(uint32_t slot, const std::optional<FlowPlace>& place)
{
    const ActiveFlow& flow = m_flows[slot];
    const uint64_t bytes = flow.arrival.bytes - flow.arrival.fluidBytes;
    RdmaNic& sender = GetNic(flow.ends.src);
    if (!place)
    {
        sender.PostWrite(flow.srcQp, slot, bytes);
        return;
    }
    SendWorkRequest request;
    request.wrId = slot;
    request.opcode = WrOpcode::RDMA_WRITE;
    request.remoteAddress = place->address;
    request.remoteKey = place->remoteKey;
    request.sgList = {{0, static_cast<uint32_t>(bytes), 0}}; // FlowKind has checked the size.
    const PostResult result = sender.PostSend(flow.srcQp, request);
    NS_ABORT_MSG_IF(result != PostResult::OK, "a queue pair takes no WRITE to GPU memory");
}

void
FlowDriver::StartOperation(uint32_t operation)
{
    const FlowOperation& one = m_graph->Get(operation);
    const uint32_t slot = AddActive({operation,
                                     {one.src, one.dst, one.bytes, m_engine.Now()},
                                     m_connections->GetSrcQp(operation),
                                     m_connections->GetDstQp(operation)},
                                    m_connections->GetEnds(operation));
    if (!m_connections->Post(operation, slot))
    {
        End(slot, FlowStatus::FAILED, "its queue pair takes no more");
    }
}

Tick
FlowDriver::FindIdealFct(const ActiveFlow& flow) const
{
    return m_paths.FindIdealFct(GetPathNumber(flow),
                                flow.ends,
                                flow.arrival.bytes,
                                GetNic(flow.ends.src).GetPathMtu(),
                                m_graph != nullptr);
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
    if (m_graph)
    {
        m_graphStarter->OnSent(static_cast<uint32_t>(number));
    }
}

FlowRecord
FlowDriver::MakeRecord(const ActiveFlow& flow, Tick end)
{
    const RequesterStats stats =
        m_graph ? m_connections->TakeStats(static_cast<uint32_t>(flow.number))
                : GetNic(flow.ends.src).FindQueuePair(flow.srcQp)->requester->GetStats();
    FlowRecord record;
    record.flow = flow.number;
    record.src = flow.arrival.src;
    record.dst = flow.arrival.dst;
    record.bytes = flow.arrival.bytes;
    record.startPs = flow.arrival.startPs;
    record.fctPs = end - flow.arrival.startPs;
    // A flow that started while a link was down has its ideal from the path it took in the end.
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
    // The fluid model has neither headers of short packets nor slow links between switches.
    m_ledger.Add(std::move(record), m_config.checksIdealFct && flow.arrival.fluidBytes == 0);
    CloseSender(flow);
    if (!IsShared(flow))
    {
        SendTeardown(flow, status == FlowStatus::COMPLETED);
    }
    flow.isActive = false;
    m_free.push_back(slot);
}

void
FlowDriver::CloseSender(const ActiveFlow& flow)
{
    if (m_graph)
    {
        m_connections->CloseSender(static_cast<uint32_t>(flow.number));
        return;
    }
    GetNic(flow.ends.src).DestroyQueuePair(flow.srcQp);
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
    if (m_graph)
    {
        state.nextTime = std::min(state.nextTime, m_graphStarter->GetEarliestSent());
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
    if (m_graph)
    {
        m_graphStarter->Pack(rank, buffer);
    }
    m_precision.Pack(buffer);
    if (rank == 0)
    {
        m_ledger.Pack(buffer);
    }
}

void
FlowDriver::Unpack(ByteReader& reader)
{
    for (const TeardownNotice& notice : reader.GetAll<TeardownNotice>())
    {
        m_teardown.Expect(notice);
    }
    if (m_graph)
    {
        m_graphStarter->Unpack(reader);
    }
    m_precision.Unpack(reader);
    if (m_config.ranks->GetRank() == 0)
    {
        m_ledger.Unpack(reader);
    }
}

uint64_t
FlowDriver::MeasureProgress() const
{
    uint64_t progress = m_ledger.GetBytes() + (m_graph ? m_connections->GetSharedBytes() : 0);
    for (const ActiveFlow& flow : m_flows)
    {
        if (flow.isActive && !IsShared(flow))
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
    return m_paths.GetStallReason(GetPathNumber(flow), ends) + "; " +
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
        m_endTime = m_all.now; // Stopped on request, or what is left waits for what has failed.
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
    const bool isAllStarted = m_graph ? m_all.started == m_graph->GetCount() : !m_starter.HasMore();
    return isAllStarted && m_all.done == m_all.started;
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
