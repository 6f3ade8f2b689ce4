// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-driver.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
uint32_t
CountServers(const std::vector<Ptr<RdmaNic>>& nics)
{
    return static_cast<uint32_t>(nics.size() - std::count(nics.begin(), nics.end(), nullptr));
}

std::string
DescribeStatus(WcStatus status)
{
    return status == WcStatus::RETRY_EXC_ERR ? "transport retry counter exceeded"
                                             : "flushed after an earlier error";
}
} // namespace

FlowDriver::FlowDriver(const FlowDriverConfig& config)
    : m_config(config),
      m_engine(*config.fabric->GetCore().engine),
      m_paths(*config.fabric, *config.nics),
      m_target(m_engine.Register(this)),
      m_watch(config.stallLimit, m_engine.Now()),
      m_precision(config.precision,
                  config.beginAt + config.warmup,
                  static_cast<uint32_t>(config.nics->size()),
                  CountServers(*config.nics)),
      m_queuePairs(config.nics->size(), 0),
      m_farewellDelay(std::max<Tick>(config.fabric->GetMaxBaseRtt(0, 0) / 2, 1)),
      m_farewells(m_engine, *config.nics),
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
}

FlowDriver::~FlowDriver()
{
    m_engine.Unregister(m_target);
}

void
FlowDriver::Start()
{
    m_next = m_config.source->Next();
    ScheduleNextArrival();
}

Tick
FlowDriver::GetPostTime(const FlowArrival& arrival) const
{
    return std::max(arrival.startPs, m_config.beginAt);
}

void
FlowDriver::ScheduleNextArrival()
{
    if (m_next)
    {
        m_engine.Schedule(GetPostTime(*m_next), FabricEngine::MakeOwner(m_target, 0), 0);
    }
}

void
FlowDriver::HandleEvent(uint32_t, uint32_t)
{
    ++m_arrivalEvents;
    while (m_next && GetPostTime(*m_next) <= m_engine.Now())
    {
        StartFlow(*m_next);
        m_next = m_config.source->Next();
    }
    ScheduleNextArrival();
}

RdmaNic&
FlowDriver::GetNic(uint32_t node) const
{
    return *(*m_config.nics)[node];
}

bool
FlowDriver::IsHere(uint32_t node) const
{
    return m_config.partition->GetRank(node) == m_config.ranks->GetRank();
}

void
FlowDriver::StartFlow(const FlowArrival& arrival)
{
    const uint64_t number = m_started++;
    // The same on all ranks: nobody need ask the other end for its queue pair.
    const uint32_t srcQp = QueuePairTable::GetNumber(m_queuePairs[arrival.src]++);
    const uint32_t dstQp = QueuePairTable::GetNumber(m_queuePairs[arrival.dst]++);
    if (IsHere(arrival.dst))
    {
        RdmaNic& receiver = GetNic(arrival.dst);
        receiver.CreateQueuePair({}, dstQp);
        receiver.Connect(dstQp, {arrival.src, srcQp, FlowPath::MakeEntropy(number, false)});
    }
    if (!IsHere(arrival.src))
    {
        return;
    }
    if (m_free.empty())
    {
        m_free.push_back(static_cast<uint32_t>(m_flows.size()));
        m_flows.emplace_back();
    }
    const uint32_t slot = m_free.back();
    m_free.pop_back();
    ActiveFlow& flow = m_flows[slot];
    flow.number = number;
    flow.arrival = arrival;
    flow.idealFct = FindIdealFct(flow);
    flow.srcQp = srcQp;
    flow.dstQp = dstQp;
    flow.isActive = true;
    RdmaNic& sender = GetNic(arrival.src);
    sender.CreateQueuePair({}, srcQp);
    sender.Connect(srcQp, {arrival.dst, dstQp, FlowPath::MakeEntropy(number, true)});
    sender.PostWrite(srcQp, slot, arrival.bytes - arrival.fluidBytes);
}

Tick
FlowDriver::FindIdealFct(const ActiveFlow& flow) const
{
    const uint32_t mtuBytes = GetNic(flow.arrival.src).GetPathMtu();
    return m_paths.FindIdealFct(flow.number, flow.arrival, mtuBytes);
}

void
FlowDriver::OnCompletion(const WorkCompletion& completion)
{
    const auto slot = static_cast<uint32_t>(completion.wrId);
    if (completion.status == WcStatus::SUCCESS)
    {
        End(slot, FlowStatus::COMPLETED, "");
        return;
    }
    End(slot,
        FlowStatus::FAILED,
        DescribeStatus(completion.status) + "; " + DescribeStall(m_flows[slot]));
}

FlowRecord
FlowDriver::MakeRecord(const ActiveFlow& flow, Tick end) const
{
    const RequesterStats& stats =
        GetNic(flow.arrival.src).FindQueuePair(flow.srcQp)->requester->GetStats();
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
    // The fluid knows neither headers of short packets nor slow links between switches.
    const bool hasBound = m_config.checksIdealFct && flow.arrival.fluidBytes == 0;
    if (status == FlowStatus::COMPLETED && hasBound && record.fctPs < record.idealPs)
    {
        m_violations.push_back({m_engine.Now(),
                                flow.number,
                                "took " + std::to_string(record.fctPs) +
                                    " ps, less than the ideal " + std::to_string(record.idealPs)});
    }
    m_retransmitted += record.retransmitted;
    m_timeouts += record.timeouts;
    m_endedBytes += record.bytes;
    ++m_done;
    m_lastEnd = m_engine.Now();
    if (m_config.ranks->GetCount() == 1)
    {
        m_records.WriteBefore(m_lastEnd, *m_config.log);
    }
    if (status == FlowStatus::COMPLETED)
    {
        m_precision.Add(record);
    }
    m_records.Add(std::move(record));
    GetNic(flow.arrival.src).DestroyQueuePair(flow.srcQp);
    SayFarewell(flow, status == FlowStatus::COMPLETED);
    flow.isActive = false;
    m_free.push_back(slot);
}

void
FlowDriver::SayFarewell(const ActiveFlow& flow, bool isCompleted)
{
    const Farewell farewell{m_engine.Now() + m_farewellDelay,
                            flow.number,
                            flow.arrival.bytes - flow.arrival.fluidBytes,
                            flow.arrival.dst,
                            flow.dstQp,
                            isCompleted};
    if (IsHere(farewell.dst))
    {
        m_farewells.Expect(farewell);
        return;
    }
    m_outbox[m_config.partition->GetRank(farewell.dst)].push_back(farewell);
    m_earliestSent = std::min(m_earliestSent, farewell.at);
}

WindowState
FlowDriver::GetState(bool isDue) const
{
    WindowState state;
    state.nextTime = m_earliestSent;
    state.endTime = m_lastEnd;
    state.done = m_done;
    state.progress = isDue ? MeasureProgress() : 0;
    return state;
}

void
FlowDriver::Pack(uint32_t rank, ByteBuffer& buffer)
{
    buffer.PutAll(m_outbox[rank]);
    m_outbox[rank].clear();
    m_precision.Pack(buffer);
    if (rank == 0)
    {
        m_records.Pack(buffer);
    }
}

void
FlowDriver::Unpack(ByteReader& reader)
{
    for (const Farewell& farewell : reader.GetAll<Farewell>())
    {
        m_farewells.Expect(farewell);
    }
    m_precision.Unpack(reader);
    if (m_config.ranks->GetRank() == 0)
    {
        m_records.Unpack(reader);
    }
}

void
FlowDriver::OnWindow(const WindowState& all)
{
    m_all = all;
    m_endTime = all.endTime;
    m_earliestSent = TICK_NEVER;
    m_precision.Forget();
    if (m_config.ranks->GetRank() == 0)
    {
        m_records.WriteBefore(TICK_NEVER, *m_config.log);
    }
}

Tick
FlowDriver::GetDecisionTime() const
{
    const Tick next = std::min({m_watch.GetNextTime(), m_precision.GetNextTime(), m_config.endAt});
    return next == TICK_NEVER ? TICK_NEVER : next + 1;
}

bool
FlowDriver::Decide(const WindowState& all)
{
    const Tick now = GetDecisionTime() - 1;
    const bool hasActive = all.done < m_started;
    if (now == m_watch.GetNextTime())
    {
        if (!hasActive && !m_next)
        {
            m_watch.End(); // The simulation ends when the last frames have arrived.
        }
        else
        {
            m_isStalled = m_watch.Look(all.progress, hasActive);
        }
    }
    const bool isPrecise = now == m_precision.GetNextTime() && m_precision.Look();
    m_isDecided = m_isStalled || isPrecise || now == m_config.endAt;
    m_endTime = m_isDecided ? now : m_endTime;
    return !m_isDecided;
}

uint64_t
FlowDriver::MeasureProgress() const
{
    uint64_t progress = m_endedBytes;
    for (const ActiveFlow& flow : m_flows)
    {
        if (flow.isActive)
        {
            progress += GetNic(flow.arrival.src)
                            .FindQueuePair(flow.srcQp)
                            ->requester->GetAcknowledgedBytes();
        }
    }
    return progress;
}

std::string
FlowDriver::DescribeStall(const ActiveFlow& flow) const
{
    const Requester& requester = *GetNic(flow.arrival.src).FindQueuePair(flow.srcQp)->requester;
    return m_paths.FindHindrance(flow.number, flow.arrival) + "; " +
           std::to_string(requester.GetAcknowledgedBytes()) + " bytes acknowledged, " +
           std::to_string(requester.GetStats().timeouts) + " timeouts";
}

void
FlowDriver::Finish()
{
    if (m_isStalled)
    {
        m_paths.SharePauses(*m_config.ranks);
    }
    if (!m_isDecided && !IsComplete())
    {
        m_endTime = m_all.now; // Stopped on request.
    }
    for (const ActiveFlow& flow : m_flows)
    {
        if (!flow.isActive)
        {
            continue;
        }
        FlowRecord record = MakeRecord(flow, m_endTime);
        record.status = m_isStalled ? FlowStatus::STALLED : FlowStatus::UNFINISHED;
        record.reason = m_isStalled ? DescribeStall(flow) : "the run ended";
        m_retransmitted += record.retransmitted;
        m_timeouts += record.timeouts;
        m_records.Add(std::move(record));
    }
    m_config.ranks->CollectAtFirst([this](ByteBuffer& buffer) { m_records.Pack(buffer); },
                                   [this](ByteReader& reader) { m_records.Unpack(reader); });
    if (m_config.ranks->GetRank() == 0)
    {
        m_records.WriteBefore(TICK_NEVER, *m_config.log);
    }
}

bool
FlowDriver::IsComplete() const
{
    return !m_next && m_all.done == m_started;
}

std::optional<PrecisionReport>
FlowDriver::GetPrecision() const
{
    return m_precision.IsOn() ? std::optional(m_precision.GetReport(m_endTime)) : std::nullopt;
}

std::vector<Violation>
FlowDriver::GetViolations() const
{
    std::vector<Violation> all = m_violations;
    const auto& farewells = m_farewells.GetViolations();
    all.insert(all.end(), farewells.begin(), farewells.end());
    return all;
}

} // namespace ns3::rdma
