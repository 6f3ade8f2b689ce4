// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-driver.h"

#include "ns3/ideal-fct.h"
#include "ns3/random-stream.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
/// How often a stall is looked for within the stall limit: it is found at most a quarter too late.
constexpr Tick WATCHES_PER_LIMIT{4};

uint32_t
MakeEntropy(uint64_t flow, bool isForward)
{
    return static_cast<uint32_t>(RandomStream::Scramble(2 * flow + (isForward ? 1 : 2)));
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
      m_target(m_engine.Register(this))
{
    const auto first = std::find_if(config.nics->begin(), config.nics->end(), [](const auto& nic) {
        return nic != nullptr;
    });
    m_headerSizes = (*first)->GetHeaderSizes(); // The same for all of a run.
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
    const Tick now = m_engine.Now();
    m_lastProgress = now;
    m_engine.Schedule(now + m_config.stallLimit / WATCHES_PER_LIMIT,
                      FabricEngine::MakeOwner(m_target, WATCH),
                      0);
    if (m_config.endAt != TICK_NEVER)
    {
        m_engine.Schedule(m_config.endAt, FabricEngine::MakeOwner(m_target, END), 0);
    }
}

void
FlowDriver::ScheduleNextArrival()
{
    if (m_next)
    {
        m_engine.Schedule(m_next->startPs, FabricEngine::MakeOwner(m_target, ARRIVAL), 0);
    }
}

void
FlowDriver::HandleEvent(uint32_t kind, uint32_t)
{
    switch (kind)
    {
    case ARRIVAL:
        while (m_next && m_next->startPs <= m_engine.Now())
        {
            StartFlow(*m_next);
            m_next = m_config.source->Next();
        }
        ScheduleNextArrival();
        break;
    case WATCH:
        Watch();
        break;
    default:
        m_endTime = m_engine.Now();
        Simulator::Stop();
    }
}

RdmaNic&
FlowDriver::GetNic(uint32_t node) const
{
    return *(*m_config.nics)[node];
}

void
FlowDriver::StartFlow(const FlowArrival& arrival)
{
    if (m_free.empty())
    {
        m_free.push_back(static_cast<uint32_t>(m_flows.size()));
        m_flows.emplace_back();
    }
    const uint32_t slot = m_free.back();
    m_free.pop_back();
    const uint64_t number = m_started++;
    RdmaNic& sender = GetNic(arrival.src);
    RdmaNic& receiver = GetNic(arrival.dst);
    const uint32_t forward = MakeEntropy(number, true);
    const uint32_t backward = MakeEntropy(number, false);
    ActiveFlow& flow = m_flows[slot];
    flow.number = number;
    flow.arrival = arrival;
    flow.idealFct = FindIdealFct(flow);
    flow.srcQp = sender.CreateQueuePair();
    flow.dstQp = receiver.CreateQueuePair();
    flow.isActive = true;
    sender.Connect(flow.srcQp, {arrival.dst, flow.dstQp, forward});
    receiver.Connect(flow.dstQp, {arrival.src, flow.srcQp, backward});
    sender.PostWrite(flow.srcQp, slot, arrival.bytes);
}

Tick
FlowDriver::FindIdealFct(const ActiveFlow& flow) const
{
    const FlowArrival& arrival = flow.arrival;
    const auto there =
        m_config.fabric->FindPath(arrival.src, arrival.dst, MakeEntropy(flow.number, true));
    const auto back =
        m_config.fabric->FindPath(arrival.dst, arrival.src, MakeEntropy(flow.number, false));
    if (there.empty() || back.empty())
    {
        return 0; // While no link leads there, nothing can be said about the ideal.
    }
    const RdmaNic& sender = GetNic(arrival.src);
    return ComputeIdealFct(there, back, m_headerSizes, sender.GetPathMtu(), arrival.bytes);
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

void
FlowDriver::End(uint32_t slot, FlowStatus status, const std::string& reason)
{
    ActiveFlow& flow = m_flows[slot];
    RdmaNic& sender = GetNic(flow.arrival.src);
    RdmaNic& receiver = GetNic(flow.arrival.dst);
    const RequesterStats& stats = sender.FindQueuePair(flow.srcQp)->requester->GetStats();
    FlowRecord record;
    record.flow = flow.number;
    record.src = flow.arrival.src;
    record.dst = flow.arrival.dst;
    record.bytes = flow.arrival.bytes;
    record.startPs = flow.arrival.startPs;
    record.fctPs = m_engine.Now() - flow.arrival.startPs;
    // A flow that started while a link was down has its ideal from the path it took in the end.
    record.idealPs = flow.idealFct > 0 ? flow.idealFct : FindIdealFct(flow);
    record.packets = stats.packets;
    record.retransmitted = stats.retransmitted;
    record.timeouts = stats.timeouts;
    record.status = status;
    record.reason = reason;
    if (status == FlowStatus::COMPLETED)
    {
        CheckCompletion(flow, record);
    }
    m_config.log->Write(record);
    m_retransmitted += record.retransmitted;
    m_timeouts += record.timeouts;
    m_endedBytes += record.bytes;
    ++m_done;
    m_endTime = m_engine.Now();
    sender.DestroyQueuePair(flow.srcQp);
    receiver.DestroyQueuePair(flow.dstQp);
    flow.isActive = false;
    m_free.push_back(slot);
}

void
FlowDriver::CheckCompletion(const ActiveFlow& flow, const FlowRecord& record)
{
    const auto& responder = GetNic(record.dst).FindQueuePair(flow.dstQp)->responder;
    const uint64_t placed = responder ? responder->GetPlacedBytes() : 0;
    const std::string name = "flow " + std::to_string(record.flow);
    if (placed != record.bytes)
    {
        m_violations.push_back(name + " completed with " + std::to_string(placed) + " of " +
                               std::to_string(record.bytes) + " bytes placed");
    }
    if (m_config.checksIdealFct && record.fctPs < record.idealPs)
    {
        m_violations.push_back(name + " took " + std::to_string(record.fctPs) +
                               " ps, less than the ideal " + std::to_string(record.idealPs));
    }
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

void
FlowDriver::Watch()
{
    const Tick now = m_engine.Now();
    const bool hasActive = m_done < m_started;
    if (!hasActive && !m_next)
    {
        return; // All is done: the simulation ends when the last frames have arrived.
    }
    const uint64_t progress = MeasureProgress();
    if (progress != m_progressThen || !hasActive)
    {
        m_progressThen = progress;
        m_lastProgress = now;
    }
    else if (now - m_lastProgress >= m_config.stallLimit)
    {
        m_isStalled = true;
        m_endTime = now;
        Simulator::Stop();
        return;
    }
    m_engine.Schedule(now + m_config.stallLimit / WATCHES_PER_LIMIT,
                      FabricEngine::MakeOwner(m_target, WATCH),
                      0);
}

std::string
FlowDriver::DescribeStall(const ActiveFlow& flow) const
{
    const Requester& requester = *GetNic(flow.arrival.src).FindQueuePair(flow.srcQp)->requester;
    const FabricPort& port = m_config.fabric->GetServerDevice(flow.arrival.src).GetPort();
    const FabricPort& remote = m_config.fabric->GetServerDevice(flow.arrival.dst).GetPort();
    const auto path = m_config.fabric->FindPath(flow.arrival.src,
                                                flow.arrival.dst,
                                                MakeEntropy(flow.number, true));
    std::string cause = "waits for acknowledgments";
    if (!port.IsLinkUp() || !remote.IsLinkUp())
    {
        cause = "the link of server " +
                std::to_string(port.IsLinkUp() ? flow.arrival.dst : flow.arrival.src) + " is down";
    }
    else if (path.empty())
    {
        cause = "no route: a link is down";
    }
    else if (std::any_of(path.begin(), path.end(), [](const FabricPort* hop) {
                 return hop->IsAnyPaused();
             }))
    {
        cause = "a port on its path is paused by PFC";
    }
    return cause + "; " + std::to_string(requester.GetAcknowledgedBytes()) +
           " bytes acknowledged, " + std::to_string(requester.GetStats().timeouts) + " timeouts";
}

void
FlowDriver::Finish()
{
    std::vector<uint32_t> slots;
    for (uint32_t slot = 0; slot < m_flows.size(); ++slot)
    {
        if (m_flows[slot].isActive)
        {
            slots.push_back(slot);
        }
    }
    std::sort(slots.begin(), slots.end(), [this](uint32_t left, uint32_t right) {
        return m_flows[left].number < m_flows[right].number;
    });
    for (const uint32_t slot : slots)
    {
        const std::string reason = m_isStalled ? DescribeStall(m_flows[slot]) : "the run ended";
        End(slot, m_isStalled ? FlowStatus::STALLED : FlowStatus::UNFINISHED, reason);
    }
}

uint64_t
FlowDriver::GetStarted() const
{
    return m_started;
}

uint64_t
FlowDriver::GetDone() const
{
    return m_done;
}

bool
FlowDriver::IsComplete() const
{
    return !m_next && m_done == m_started;
}

uint64_t
FlowDriver::GetRetransmitted() const
{
    return m_retransmitted;
}

uint64_t
FlowDriver::GetTimeouts() const
{
    return m_timeouts;
}

Tick
FlowDriver::GetEndTime() const
{
    return m_endTime;
}

const std::vector<std::string>&
FlowDriver::GetViolations() const
{
    return m_violations;
}

} // namespace ns3::rdma
