// SPDX-License-Identifier: GPL-2.0-only

// FabricPort: the calls of its LinkPolicies, and what they make it do.

#include "ns3/fabric-port.h"
#include "ns3/log.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("FabricPortLinks");

void
FabricPort::SetLinkPolicies(const std::vector<Ptr<LinkPolicy>>& policies, uint32_t largestFrame)
{
    m_link = std::make_unique<PortLink>();
    const LinkEnd end{&m_core.pool, m_serialization, m_delay, largestFrame, m_core.overheadBytes};
    for (const Ptr<LinkPolicy>& policy : policies)
    {
        policy->Start(end);
        m_link->slots.push_back({policy});
    }
    StartCounters();
    UpdateChecked();
    SetAttention(WATCHED, true);
}

void
FabricPort::ReleaseByOwner()
{
    if (m_link)
    {
        m_link->isReleasedByOwner = true;
    }
}

uint64_t
FabricPort::GetLinkBuffer(uint32_t classNumber) const
{
    uint64_t bytes = 0;
    for (std::size_t place = 0; m_link && place < m_link->slots.size(); ++place)
    {
        bytes += m_link->slots[place].policy->GetBuffer(classNumber);
    }
    return bytes;
}

bool
FabricPort::IsSenderClosed(uint32_t classNumber) const
{
    return m_link && std::any_of(m_link->slots.begin(), m_link->slots.end(), [&](const auto& slot) {
               return slot.policy->IsSenderClosed(classNumber);
           });
}

Tick
FabricPort::GetShortestFlight() const
{
    const Tick ofFrame = GetNominalSerialization(0);
    // Ordered sets take neither padding nor overhead.
    constexpr uint32_t ORDERED_SET{8};
    const SerializationRate rate(GetNominalRate());
    return m_delay + (m_link ? std::min(ofFrame, rate.GetDuration(ORDERED_SET)) : ofFrame);
}

void
FabricPort::UpdateLink()
{
    HeadSizes heads{};
    constexpr uint32_t CLASSES{(1U << PRIORITIES) - 1};
    for (uint32_t left = m_queues.GetWaiting() & CLASSES; left != 0; left &= left - 1)
    {
        const auto number = static_cast<uint32_t>(__builtin_ctz(left));
        heads[number] = m_core.pool[m_queues.GetHead(number)].wireBytes;
    }
    uint32_t closed = 0;
    for (const PortLink::Slot& slot : m_link->slots)
    {
        closed |= slot.policy->FindClosed(heads);
    }
    m_core.linkWaits += static_cast<uint64_t>(__builtin_popcount(closed & ~m_link->closed));
    m_link->closed = static_cast<uint8_t>(closed);
}

void
FabricPort::PassDeparture(FrameIndex index)
{
    const Frame& frame = m_core.pool[index];
    // A frame that a link does not carry takes neither credit nor number.
    if (!m_isUp || ((frame.flags & frame_flag::MAC_CONTROL) != 0 && !IsLinkMessage(frame)))
    {
        return;
    }
    for (uint32_t place = 0; place < m_link->slots.size(); ++place)
    {
        m_link->slots[place].policy->OnDeparture(index, m_core.engine->Now());
        Act(place, {});
    }
    UpdatePaused();
}

bool
FabricPort::Damage(Frame& frame)
{
    return m_link && std::any_of(m_link->slots.begin(), m_link->slots.end(), [&](const auto& slot) {
               return slot.policy->Damage(frame);
           });
}

bool
FabricPort::PassArrival(FrameIndex index)
{
    Frame& frame = m_core.pool[index];
    const bool isMessage = IsLinkMessage(frame);
    if ((frame.flags & frame_flag::MAC_CONTROL) != 0 &&
        (!isMessage || !ReadLinkMessage(frame).isFrame))
    {
        return true;
    }
    for (uint32_t place = m_link->slots.size(); place-- > 0;)
    {
        const LinkAnswer answer =
            m_link->slots[place].policy->OnArrival(frame, m_core.engine->Now());
        Act(place, answer);
        if (!answer.isAccepted)
        {
            NS_LOG_INFO("port " << m_number << " (id " << m_target
                                << "): the link's policy discards a frame from endpoint "
                                << frame.src << " to " << frame.dst << ", PSN " << frame.psn);
            m_core.pool.Free(index);
            return false;
        }
    }
    frame.ingressPort = m_number;
    if (!isMessage && !m_link->isReleasedByOwner)
    {
        Release(frame.priority, frame.wireBytes);
    }
    return true;
}

void
FabricPort::Release(uint32_t classNumber, uint32_t wireBytes)
{
    for (uint32_t place = 0; m_link && place < m_link->slots.size(); ++place)
    {
        Act(place,
            m_link->slots[place].policy->OnRelease(classNumber, wireBytes, m_core.engine->Now()));
    }
}

void
FabricPort::HandleMessage(const Frame& frame)
{
    const LinkMessage message = ReadLinkMessage(frame);
    for (uint32_t place = 0; place < m_link->slots.size(); ++place)
    {
        Act(place, m_link->slots[place].policy->OnMessage(message, m_core.engine->Now()));
    }
    UpdatePaused();
}

void
FabricPort::HandleLinkTimer(uint32_t place)
{
    PortLink::Slot& slot = m_link->slots[place];
    const Tick now = m_core.engine->Now();
    if (slot.timerAt == now)
    {
        slot.timerAt = std::exchange(slot.laterAt, TICK_NEVER);
    }
    Act(place, slot.policy->GetDeadline() <= now ? slot.policy->OnTimer(now) : LinkAnswer{});
}

void
FabricPort::Act(uint32_t place, const LinkAnswer& answer)
{
    for (uint32_t i = 0; i < answer.messageCount; ++i)
    {
        SendMessage(answer.messages[i]);
    }
    PortLink::Slot& slot = m_link->slots[place];
    const Tick deadline = slot.policy->GetDeadline();
    if (deadline < slot.timerAt)
    {
        slot.laterAt = std::exchange(slot.timerAt, deadline);
        m_core.engine->Schedule(deadline, FabricEngine::MakeOwner(m_target, LINK_TIMER), place);
    }
    if (answer.hasReplay && QueueReplay())
    {
        SendWhenIdle(m_core.engine->Now());
    }
}

void
FabricPort::SendMessage(const LinkMessage& message)
{
    const Tick now = m_core.engine->Now();
    const FrameIndex index = m_core.pool.Allocate();
    Frame& frame = m_core.pool[index];
    frame = MakeLinkFrame(message);
    if (message.isFrame)
    {
        m_queues.Append(m_core.pool, PortQueues::CONTROL, frame, index);
        SendWhenIdle(now);
        return;
    }
    const Tick begin = std::max(now, m_link->orderedSetsUntil);
    const Tick length = m_serialization.GetDuration(frame.wireBytes);
    m_link->orderedSetsUntil = begin + length;
    m_busyUntil = std::max(m_busyUntil, begin) + length;
    m_traces->counters.sentBytes += frame.wireBytes;
    frame.ingressPort = m_peerNumber;
    frame.egress = NO_EGRESS;
    const bool isLost = !m_isUp || (m_lossModel && m_lossModel->Decide(frame).arrivals == 0);
    isLost ? m_core.pool.Free(index) : SendOff(index, begin + length + m_delay);
}

bool
FabricPort::QueueReplay()
{
    for (std::size_t place = 0; m_link->queuedReplay == NO_FRAME && place < m_link->slots.size();
         ++place)
    {
        const FrameIndex index = m_link->slots[place].policy->TakeReplay();
        if (index != NO_FRAME)
        {
            m_link->queuedReplay = index;
            m_queues.Append(m_core.pool, PortQueues::CONTROL, m_core.pool[index], index);
        }
    }
    return m_link->queuedReplay != NO_FRAME;
}

void
FabricPort::LaunchControl(FrameIndex index)
{
    if (!m_link || m_link->queuedReplay != index)
    {
        m_core.pool[index].ingressPort = m_peerNumber;
        LaunchWithAttention(index, false);
        return;
    }
    Frame& frame = m_core.pool[index];
    m_link->queuedReplay = NO_FRAME;
    if (!m_isUp || m_link->isReplayStale)
    {
        m_link->isReplayStale = false;
        m_core.pool.Free(index);
    }
    else
    {
        NS_LOG_INFO("port " << m_number << " (id " << m_target << ") repeats a frame from endpoint "
                            << frame.src << " to " << frame.dst << ", PSN " << frame.psn);
        ++m_core.linkReplays;
        frame.egress = PredictEgress(frame);
        ++m_traces->counters.sentFrames;
        m_traces->counters.sentBytes += m_core.CountOnWire(frame.wireBytes);
        m_lossModel ? ApplyImpairments(index, m_lossModel->Decide(frame))
                    : SendOff(index, GetArrival(frame));
    }
    QueueReplay();
}

void
FabricPort::ResetLink()
{
    if (!m_link)
    {
        return;
    }
    for (const PortLink::Slot& slot : m_link->slots)
    {
        slot.policy->OnLinkDown();
    }
    m_link->isReplayStale = m_link->queuedReplay != NO_FRAME;
    UpdatePaused();
}

} // namespace ns3::rdma
