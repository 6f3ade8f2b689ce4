// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-port.h"

#include "ns3/assert.h"
#include "ns3/fetch-lines.h"
#include "ns3/int-stack.h"
#include "ns3/log.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("FabricPort");

namespace
{
/// @param bits not 0
/// @return the number of the highest bit.
uint32_t
GetHighest(uint32_t bits)
{
    return static_cast<uint32_t>(31 - __builtin_clz(bits));
}
} // namespace

FabricPort::FabricPort(FabricCore& core, uint16_t number)
    : m_core(core),
      m_number(number)
{
    core.engine->Register(this); // Target of arrivals, which is redirected to the owner.
    m_target = core.engine->Register(this);
}

FabricPort::~FabricPort()
{
    m_core.engine->Unregister(m_target);
    m_core.engine->Unregister(m_target - 1);
}

void
FabricPort::Connect(FabricPort& a, FabricPort& b, DataRate rate, Tick delay)
{
    for (auto [near, far] : {std::pair{&a, &b}, std::pair{&b, &a}})
    {
        near->m_peer = far;
        near->m_peerArrival = FabricEngine::MakeOwner(far->m_target - 1, ARRIVAL);
        near->m_peerNumber = far->m_number;
        near->SetPeerOwner(far->m_owner);
        near->m_rate = rate;
        near->m_serialization = SerializationRate(rate);
        near->m_delay = delay;
    }
}

void
FabricPort::SetReducedRate(DataRate rate)
{
    NS_ASSERT_MSG(rate <= GetNominalRate(), "a link is not faster than its nominal rate");
    m_core.nominalRates.emplace(m_target, m_rate);
    m_rate = rate;
    m_serialization = SerializationRate(rate);
}

void
FabricPort::SetOwner(PortOwner* owner, uint8_t classes)
{
    m_owner = owner;
    m_ownerClasses = classes;
    if (m_peer)
    {
        m_peer->SetPeerOwner(owner);
    }
    ChooseReceiver();
}

void
FabricPort::SetHead(uint32_t headBytes)
{
    const bool isChecked =
        m_link && std::any_of(m_link->slots.begin(), m_link->slots.end(), [](const auto& slot) {
            return slot.policy->ChecksFrames();
        });
    m_headBytes = isChecked ? 0 : headBytes;
    UpdateChecked();
}

void
FabricPort::SetScheduler(Ptr<EgressScheduler> scheduler)
{
    m_schedulerHolder = scheduler;
    m_scheduler = PeekPointer(scheduler);
    UpdateChecked();
}

void
FabricPort::SetPeerOwner(const PortOwner* owner)
{
    m_peerOwner = owner;
    const bool isLast = owner && owner->IsDestination();
    m_peerRoutes = owner && !isLast ? owner->GetEgressTable() : nullptr;
    SetAttention(PEERLESS, !owner);
    SetAttention(OFF_TABLE, isLast || (m_peerRoutes && !m_peerRoutes->attachments));
}

void
FabricPort::ChooseReceiver()
{
    const bool isOwnTarget = !m_owner || (m_attention & WATCHED);
    m_core.engine->Redirect(m_target - 1, isOwnTarget ? static_cast<EventTarget*>(this) : m_owner);
}

void
FabricPort::SetLossModel(Ptr<LossModel> model)
{
    m_lossModelHolder = model;
    m_lossModel = PeekPointer(model);
    SetAttention(LOSSY, m_lossModel != nullptr);
}

LossModel*
FabricPort::GetLossModel() const
{
    return m_lossModel;
}

void
FabricPort::SetAttention(Attention bit, bool isSet)
{
    m_attention = static_cast<uint8_t>(isSet ? m_attention | bit : m_attention & ~bit);
    ChooseReceiver();
}

void
FabricPort::RecordHops(FabricCore& core)
{
    core.areHopsRecorded = true;
    for (FabricPort* port : core.switchPorts)
    {
        port->SetRecording(true);
    }
}

void
FabricPort::JoinSwitch()
{
    m_core.switchPorts.push_back(this);
    SetRecording(m_core.areHopsRecorded);
}

void
FabricPort::RecordHop(const Frame& frame)
{
    const FrameDetail* detail = m_core.pool.FindDetail(frame);
    if (detail && detail->path)
    {
        detail->path->Push({m_core.engine->Now(),
                            m_sentBytes,
                            m_rate.GetBitRate(),
                            m_queues.GetBytes(frame.priority)});
    }
    m_sentBytes += m_core.CountOnWire(frame.wireBytes);
}

void
FabricPort::SetPeerRank(uint16_t rank)
{
    m_peerRank = rank;
    SetAttention(REMOTE, true);
}

void
FabricPort::SetLinkUp(bool isUp)
{
    for (FabricPort* port : {this, m_peer})
    {
        if (isUp && !port->m_isUp)
        {
            port->m_upSince = m_core.engine->Now();
        }
        port->m_isUp = isUp;
        port->ResetLink();
        port->m_wasDown = port->m_wasDown || !isUp;
        port->UpdateChecked();
        port->SetAttention(WATCHED, (port->m_attention & WATCHED) || port->m_wasDown);
    }
}

FabricPort*
FabricPort::GetPeer() const
{
    return m_peer;
}

void
FabricPort::StartCounters()
{
    if (!m_traces)
    {
        m_traces = std::make_unique<PortTraces>(m_paused, m_core.engine->Now());
        SetAttention(OBSERVED, true);
    }
}

PortTraces&
FabricPort::GetTraces()
{
    StartCounters();
    m_traces->hasListeners = true;
    return *m_traces;
}

PortTraces&
FabricPort::GetArrivalTraces()
{
    SetAttention(WATCHED, true);
    return GetTraces();
}

const PortCounters*
FabricPort::GetCounters() const
{
    return m_traces ? &m_traces->counters : nullptr;
}

uint32_t
FabricPort::TakeMaxQueueBytes()
{
    StartCounters();
    return std::exchange(m_traces->counters.maxQueueBytes, m_queues.GetTotalBytes());
}

uint32_t
FabricPort::PredictEgress(const Frame& frame) const
{
    // A loss model may send copies at other times, which are routed on arrival.
    if (!m_peerOwner || m_lossModel || (frame.flags & frame_flag::MAC_CONTROL))
    {
        return NO_EGRESS;
    }
    return LookUpEgress(frame);
}

void
FabricPort::LaunchWithAttention(FrameIndex index, bool hasWaited)
{
    Frame& frame = m_core.pool[index];
    frame.egress = PredictEgress(frame);
    if (m_isRecording)
    {
        RecordHop(frame);
    }
    if (m_scheduler && (frame.flags & frame_flag::MAC_CONTROL) == 0)
    {
        ReportToScheduler(frame);
    }
    if (m_attention & OBSERVED)
    {
        CountDeparture(frame, hasWaited);
    }
    if (m_link)
    {
        PassDeparture(index);
    }
    if (!m_isUp)
    {
        Drop(index, DropReason::LINK_DOWN);
    }
    else if (m_lossModel)
    {
        ApplyImpairments(index, m_lossModel->Decide(frame));
    }
    else
    {
        SendOff(index, GetArrival(frame));
    }
}

void
FabricPort::ObserveEnqueue(FrameIndex index)
{
    const Frame& frame = m_core.pool[index];
    uint32_t& most = m_traces->counters.maxQueueBytes;
    most = std::max(most, m_queues.GetTotalBytes());
    if (m_traces->hasListeners)
    {
        m_traces->enqueue(frame, m_queues.GetBytes(frame.priority));
    }
    if (m_link)
    {
        UpdatePaused(); // The size of the next frame is known now.
    }
    if (!IsPaused(frame.priority))
    {
        WakeWhenIdle(m_core.engine->Now());
    }
}

void
FabricPort::ReplaceNewest(FrameIndex index)
{
    const uint8_t priority = m_core.pool[index].priority;
    const FrameIndex queued = m_queues.ReplaceNewest(m_core.pool, priority, index);
    if (m_attention & OBSERVED)
    {
        ObserveEnqueue(queued);
    }
}

void
FabricPort::SendOff(FrameIndex index, Tick arrival)
{
    const uint32_t owner = GetPeerArrival(m_core.pool[index]);
    if (m_attention & REMOTE)
    {
        m_core.outbox->Add(m_peerRank, m_core.pool, {arrival, owner, index});
    }
    else
    {
        m_core.engine->Schedule(arrival, owner, index);
    }
}

void
FabricPort::ApplyImpairments(FrameIndex index, const FrameImpairment& impairment)
{
    if (impairment.arrivals == 0)
    {
        Damage(m_core.pool[index]) ? SendOff(index, GetArrival(m_core.pool[index]))
                                   : Drop(index, DropReason::LINK_LOSS);
        return;
    }
    const Tick first = GetArrival(m_core.pool[index]);
    for (uint32_t arrival = 0; arrival < impairment.arrivals; ++arrival)
    {
        // The frame itself is sent last: copies are made from it before.
        const bool isLast = arrival + 1 == impairment.arrivals;
        SendOff(isLast ? index : m_core.pool.Copy(index), first + impairment.extraDelays[arrival]);
    }
}

// The functions up to HandleEvent() are inlined: they are the path of most events.

[[gnu::always_inline]] inline void
FabricPort::SendWaiting(uint32_t queue, Tick now)
{
    const FrameIndex index = m_queues.Take(m_core.pool, queue);
    Frame& frame = m_core.pool[index];
    // Before OnDequeue(), in which the owner may send a pause.
    Occupy(frame, now);
    if (queue == PortQueues::CONTROL)
    {
        LaunchControl(index); // The port at the other end consumes it.
        return;
    }
    NS_LOG_LOGIC("port " << m_number << " (id " << m_target
                         << ") begins to send a queued frame from endpoint " << frame.src << " to "
                         << frame.dst << ", PSN " << frame.psn << ", " << frame.wireBytes << " B");
    m_owner->OnDequeue(*this, frame);
    Launch(frame, index, true);
}

[[gnu::always_inline]] inline bool
FabricPort::SendPulled(uint32_t classNumber, Tick now)
{
    // Cache lines that Pull() of a NIC reads (InstantChip).
    constexpr std::size_t LINES{3};
    FetchLines<LINES>(m_owner);
    const PulledFrame pulled = m_owner->Pull(*this, classNumber);
    const uint32_t isReady = pulled.frame != NO_FRAME && pulled.hasMore;
    m_ownerReady =
        static_cast<uint8_t>((m_ownerReady & ~(1U << classNumber)) | (isReady << classNumber));
    if (pulled.frame == NO_FRAME)
    {
        return false;
    }
    NS_LOG_LOGIC("port " << m_number << " (id " << m_target
                         << ") begins to send a frame of its NIC from endpoint "
                         << m_core.pool[pulled.frame].src << " to " << m_core.pool[pulled.frame].dst
                         << ", PSN " << m_core.pool[pulled.frame].psn << ", "
                         << m_core.pool[pulled.frame].wireBytes << " B");
    Transmit(m_core.pool[pulled.frame], pulled.frame, now);
    return true;
}

[[gnu::always_inline]] inline void
FabricPort::SendNext(Tick now)
{
    if (m_scheduler)
    {
        SendScheduled(now);
        return;
    }
    const uint32_t eligible = GetEligible();
    uint32_t ready = m_ownerReady;
    // The owner keeps its frames until they are pulled: frames queued here in a lower priority must
    // not overtake them. The condition compares the highest bits.
    while (eligible == 0 || (ready & ~eligible) > eligible)
    {
        // An idle port without queued frames asks all classes of the owner.
        ready = ready == 0 ? m_ownerClasses : ready;
        const uint32_t highest = GetHighest(ready);
        if (SendPulled(highest, now))
        {
            WakeIfWaiting(now);
            return;
        }
        ready &= ~(1U << highest);
        if (eligible == 0 && ready == 0)
        {
            return;
        }
    }
    SendWaiting(GetHighest(eligible), now);
    WakeIfWaiting(now);
}

uint32_t
FabricPort::ChooseScheduled()
{
    // The end of a pause kicks the owner again.
    m_ownerReady &= static_cast<uint8_t>(~m_paused);
    EgressQueues queues;
    queues.waiting = GetWaitingClasses();
    queues.eligible = queues.waiting & ~uint32_t{m_paused};
    for (uint32_t left = queues.eligible & m_queues.GetWaiting(); left != 0; left &= left - 1)
    {
        const auto number = static_cast<uint32_t>(__builtin_ctz(left));
        queues.headBytes[number] =
            m_core.CountOnWire(m_core.pool[m_queues.GetHead(number)].wireBytes);
    }
    return queues.eligible == 0 ? PRIORITIES : m_scheduler->Choose(queues);
}

void
FabricPort::SendScheduled(Tick now)
{
    if ((m_queues.GetWaiting() >> PortQueues::CONTROL) != 0)
    {
        SendWaiting(PortQueues::CONTROL, now);
        WakeIfWaiting(now);
        return;
    }
    bool isSent = false;
    while (!isSent)
    {
        const uint32_t chosen = ChooseScheduled();
        if (chosen == PRIORITIES)
        {
            return;
        }
        m_isChosen = true;
        isSent = true;
        if (((GetEligible() >> chosen) & 1) != 0)
        {
            SendWaiting(chosen, now);
        }
        else
        {
            isSent = SendPulled(chosen, now);
        }
        m_isChosen = false;
    }
    WakeIfWaiting(now);
}

void
FabricPort::ReportToScheduler(const Frame& frame)
{
    const uint32_t wireBytes = m_core.CountOnWire(frame.wireBytes);
    if (!m_isChosen)
    {
        // The port was idle: no other class may send.
        EgressQueues queues;
        queues.eligible = 1U << frame.priority;
        queues.waiting = GetWaitingClasses() | queues.eligible;
        queues.headBytes[frame.priority] = wireBytes;
        m_scheduler->Choose(queues);
    }
    m_scheduler->OnSend(frame.priority, wireBytes);
}

void
FabricPort::SendWhenIdle(Tick now)
{
    if (m_busyUntil <= now)
    {
        SendNext(now);
    }
    else
    {
        WakeWhenIdle(now);
    }
}

void
FabricPort::Kick(uint8_t classes)
{
    m_ownerReady |= classes;
    SendWhenIdle(m_core.engine->Now());
}

void
FabricPort::HandleEvent(uint32_t kind, uint32_t argument)
{
    if (kind == WAKE)
    {
        m_attention &= static_cast<uint8_t>(~WOKEN);
        SendWhenIdle(m_core.engine->GetEventTime());
        return;
    }
    HandleOtherEvent(kind, argument);
}

bool
FabricPort::IsUpkeep(uint32_t kind, uint32_t argument) const
{
    // A pause that is not repeated ends too, but no frame that matters to a flow depends on it.
    return kind == PAUSE_ENDS ||
           (kind == CONTROL_ARRIVAL && m_core.pool[argument].payloadBytes > 0) ||
           (kind == LINK_TIMER && m_link->slots[argument].policy->IsUpkeep());
}

void
FabricPort::HandleOtherEvent(uint32_t kind, uint32_t argument)
{
    switch (kind)
    {
    case ARRIVAL:
    case CONTROL_ARRIVAL:
        Arrive(argument);
        break;
    case LINK_TIMER:
        HandleLinkTimer(argument);
        break;
    case PAUSE_ENDS:
        // A later pause may have moved the end: it has an event of its own.
        if (((m_pfcPaused >> argument) & 1) != 0 && m_pausedUntil[argument] <= m_core.engine->Now())
        {
            EndPause(static_cast<uint8_t>(argument));
        }
        break;
    default:
        NS_ASSERT_MSG(false, "a port has no event of kind " << kind);
    }
}

void
FabricPort::Arrive(FrameIndex index)
{
    const Frame& frame = m_core.pool[index];
    if (m_attention & WATCHED)
    {
        if (m_wasDown && IsCutOff(frame))
        {
            Drop(index, DropReason::LINK_DOWN);
            return;
        }
        if (m_link && !PassArrival(index))
        {
            return;
        }
        if (m_traces && !IsLinkMessage(frame))
        {
            m_traces->receive(frame);
        }
    }
    if (frame.flags & frame_flag::MAC_CONTROL)
    {
        IsLinkMessage(frame) ? HandleMessage(frame) : HandlePause(frame);
        m_core.pool.Free(index);
    }
    else
    {
        m_owner->Receive(index);
    }
}

bool
FabricPort::IsCutOff(const Frame& frame) const
{
    const Tick length = IsOrderedSet(frame) ? m_serialization.GetDuration(frame.wireBytes)
                                            : m_peer->GetHeadTime(frame.wireBytes);
    const Tick start = m_core.engine->Now() - m_delay - length;
    return !m_isUp || start < m_upSince;
}

void
FabricPort::Drop(FrameIndex index, DropReason reason)
{
    if (!IsLinkMessage(m_core.pool[index]))
    {
        CountDrop(m_core.pool[index], reason);
    }
    m_core.pool.Free(index);
}

void
FabricPort::CountDrop(const Frame& frame, DropReason reason)
{
    NS_LOG_INFO("port " << m_number << " (id " << m_target << ") drops a frame from endpoint "
                        << frame.src << " to " << frame.dst << ", queue pair " << frame.dstQp
                        << ", PSN " << frame.psn << ": " << GetDropReasonName(reason));
    m_core.drops.Count(reason);
    if (m_traces)
    {
        m_traces->OnDrop(frame, reason);
    }
}

} // namespace ns3::rdma
