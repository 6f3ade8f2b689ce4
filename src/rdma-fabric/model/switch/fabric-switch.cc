// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-switch.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/policy-error.h"

#include <algorithm>
#include <sstream>
#include <string>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("FabricSwitch");

namespace
{
/// @return the way of a frame through the switch, for the log.
std::string
DescribeWay(const Frame& frame, const FabricPort& egress, Tick now)
{
    std::ostringstream text;
    text << "a frame from endpoint " << frame.src << " to " << frame.dst << ", PSN " << frame.psn
         << ", " << frame.wireBytes << " B, arrives by port " << frame.ingressPort
         << " and will leave by port " << egress.GetNumber() << " (id " << egress.GetTarget()
         << "), which is " << (egress.IsFree(frame.priority, now) ? "idle" : "busy or paused");
    return text.str();
}
} // namespace

FabricSwitch::~FabricSwitch() = default;

void
FabricSwitch::DoDispose()
{
    if (m_core)
    {
        m_core->engine->Unregister(m_target);
        m_core = nullptr;
    }
    m_loadBalancer = nullptr;
    m_balancer = nullptr;
    m_admission = nullptr;
    m_marking = nullptr;
    m_classMarkings = nullptr;
    m_watchdog = nullptr;
    Object::DoDispose();
}

void
FabricSwitch::UpdateRoutes()
{
    TakeRoutes();
    // The egress of frames in flight to this switch was predicted with the old routes.
    m_egressKnownFrom = m_core->engine->Now() + GetLongestFlight();
    UpdatePlain();
    CallPolicy(*m_loadBalancer, "OnRoutes()", [&] { m_loadBalancer->OnRoutes(m_view); });
}

void
FabricSwitch::TakeRoutes()
{
    const RouteTable& table = m_view.routes->tables[m_view.number];
    m_nextPorts.assign(1, nullptr);
    m_nextTargets.assign(1, NO_EGRESS);
    for (const uint16_t port : table.ports)
    {
        m_nextPorts.push_back(m_ports[port]);
        m_nextTargets.push_back(m_ports[port]->GetTarget());
    }
    m_groups.clear();
    for (const PortGroup& group : table.groups)
    {
        NS_ABORT_MSG_IF(group.first >= NextHops::MAX_FIRST || group.count > NextHops::MAX_COUNT,
                        "a switch has more ports of equal cost than it can keep");
        m_groups.push_back({group.count, group.count == 0 ? 0 : group.first + 1});
    }
    m_table.attachments = m_view.routes->attachments.data();
    m_table.portTargets = m_portTargets.data();
    m_table.nextTargets = m_nextTargets.data();
    m_table.groups = m_groups.data();
    m_table.groupOf = table.groupOf.data();
    m_table.firstUnusual = table.firstUnusual;
    m_table.unusualCount = table.unusualCount;
    m_table.usual = m_groups.empty() ? NextHops{0, 0} : m_groups[table.usualGroup];
}

Tick
FabricSwitch::GetLongestFlight() const
{
    constexpr uint32_t LARGEST_FRAME{1U << 17}; // Payload lengths have 16 bits.
    Tick longest = 0;
    for (const FabricPort* port : m_ports)
    {
        longest = std::max(longest, port->GetDelay() + port->GetSerialization(LARGEST_FRAME));
    }
    return longest;
}

const SharedBuffer&
FabricSwitch::GetBuffer() const
{
    return *m_buffer;
}

TracedCallback<uint64_t>&
FabricSwitch::GetBufferTrace()
{
    if (!m_bufferTrace)
    {
        m_bufferTrace = std::make_unique<TracedCallback<uint64_t>>();
        const auto observe = MakeCallback(&FabricSwitch::ObserveBuffer, this);
        for (FabricPort* port : m_ports)
        {
            port->GetTraces().enqueue.ConnectWithoutContext(observe);
            port->GetTraces().dequeue.ConnectWithoutContext(observe);
        }
    }
    return *m_bufferTrace;
}

void
FabricSwitch::ObserveBuffer(const Frame&, uint32_t)
{
    (*m_bufferTrace)(m_buffer->GetTotalUsed());
}

FabricPort*
FabricSwitch::FindEgress(Frame& frame) const
{
    return FindPort(frame.dst, [&](NextHops hops) { return ChooseNextHop(frame, hops); });
}

uint32_t
FabricSwitch::ChooseForFlow(uint32_t entropy, NextHops hops) const
{
    const auto known = CallPolicy(*m_balancer, "ChooseForFlow()", [&] {
        return m_balancer->ChooseForFlow(entropy, hops.count);
    });
    CheckChoice("ChooseForFlow()", known.value_or(0), hops.count);
    return hops.first + known.value_or(0);
}

inline void
FabricSwitch::CheckChoice(const char* call, uint32_t chosen, uint32_t count) const
{
    if (chosen >= count)
    {
        FailChoice(call, chosen, count);
    }
}

void
FabricSwitch::FailChoice(const char* call, uint32_t chosen, uint32_t count) const
{
    FailPolicy(*m_balancer,
               call,
               "a number below " + std::to_string(count),
               std::to_string(chosen));
}

uint32_t
FabricSwitch::ChooseAmong(Frame& frame, NextHops hops) const
{
    // The first of m_nextPorts belongs to no group.
    const PortChoice choice{m_nextPorts.data() + hops.first, hops.count, hops.first - 1U};
    const uint32_t chosen = CallPolicy(*m_balancer, "Choose()", [&] {
        return m_balancer->Choose(frame, choice, m_core->engine->Now());
    });
    CheckChoice("Choose()", chosen, hops.count);
    return hops.first + chosen;
}

const EgressTable*
FabricSwitch::GetEgressTable() const
{
    return m_isEcmp ? &m_table : PortOwner::GetEgressTable();
}

inline bool
FabricSwitch::HasRoom(const Frame& frame) const
{
    return m_buffer->HasRoom(MakeQueue(frame.ingressPort, frame.priority), frame.wireBytes);
}

bool
FabricSwitch::FitsQueue(const Frame& frame, const FabricPort& egress, Tick now) const
{
    const uint8_t priority = frame.priority;
    return !m_egressLimits || egress.IsFree(priority, now) ||
           m_egressLimits->Admits(priority,
                                  uint64_t{egress.GetQueueBytes(priority)} + frame.wireBytes,
                                  m_buffer->GetFree(MakeQueue(frame.ingressPort, priority)));
}

void
FabricSwitch::SendIfRoom(FrameIndex index, Frame& frame, FabricPort& egress, Tick now)
{
    // The frame would be charged and released at the same time.
    if (m_hasLinkBuffers && HasRoom(frame))
    {
        ReleaseToLink(frame);
    }
    HasRoom(frame) ? egress.Transmit(frame, index, now) : DropForLackOfRoom(index);
}

void
FabricSwitch::AdmitToQueue(FrameIndex index, Frame& frame, FabricPort& egress, Tick now)
{
    const uint8_t priority = frame.priority;
    if (m_hasFramePolicies && !PassPolicies(index, frame, egress, now))
    {
        return;
    }
    // A trimmed frame may find its own queue empty.
    frame.priority == priority ? Queue(index, frame, egress, now)
                               : Admit(index, frame, egress, now);
}

[[gnu::always_inline]] inline void
FabricSwitch::Queue(FrameIndex index, Frame& frame, FabricPort& egress, Tick now)
{
    const uint32_t queue = MakeQueue(frame.ingressPort, frame.priority);
    if (!m_buffer->HasRoom(queue, frame.wireBytes))
    {
        DropForLackOfRoom(index);
        return;
    }
    m_buffer->Add(queue, frame.wireBytes);
    egress.Wait(frame, index, now);
    NS_LOG_LOGIC("switch " << m_view.number << ": port " << egress.GetNumber()
                           << " queues the frame from endpoint " << frame.src << " to " << frame.dst
                           << ", PSN " << frame.psn << "; its queue of priority " << +frame.priority
                           << " has " << egress.GetQueueBytes(frame.priority) << " B");
    if (m_isPfcEnabled && m_buffer->IsOverThreshold(queue))
    {
        PauseIfOver(queue);
    }
}

void
FabricSwitch::DropForLackOfRoom(FrameIndex index)
{
    m_core->losslessDrops += m_isPfcEnabled && IsLossless(m_core->pool[index].priority);
    Drop(index, DropReason::BUFFER_FULL);
}

[[gnu::always_inline]] inline void
FabricSwitch::Forward(FrameIndex index, Tick now)
{
    FabricCore& core = *m_core;
    Frame& frame = core.pool[index];
    ++core.packetHops;
    if (frame.egress == NO_EGRESS || now < m_plainFrom)
    {
        RouteAndForward(index, now);
        return;
    }
    FabricPort& egress = *static_cast<FabricPort*>(core.engine->GetTarget(frame.egress));
    NS_LOG_LOGIC("switch " << m_view.number << ": " << DescribeWay(frame, egress, now));
    if (!egress.IsFree(frame.priority, now))
    {
        AdmitToQueue(index, frame, egress, now);
        return;
    }
    if (!m_buffer->HasAmpleRoom(frame.wireBytes))
    {
        SendIfRoom(index, frame, egress, now);
        return;
    }
    egress.Transmit(frame, index, now);
}

void
FabricSwitch::Classify(Frame& frame) const
{
    if ((frame.flags & frame_flag::TRIMMED) && !frame.IsReport())
    {
        return; // The switch that removed its payload has rewritten its DSCP.
    }
    frame.SetDscp(frame.GetDscp()); // It no longer depends on the priority.
    frame.priority = m_dscpMap->GetPriority(static_cast<uint8_t>(frame.dscp));
}

void
FabricSwitch::RouteAndForward(FrameIndex index, Tick now)
{
    Frame& frame = m_core->pool[index];
    if (m_dscpMap)
    {
        Classify(frame);
    }
    const bool isEgressKnown = frame.egress != NO_EGRESS && now >= m_egressKnownFrom;
    FabricPort* egress = isEgressKnown
                             ? static_cast<FabricPort*>(m_core->engine->GetTarget(frame.egress))
                             : FindEgress(frame);
    if (!egress)
    {
        Drop(index, DropReason::NO_ROUTE);
        return;
    }
    if (m_watchdog && m_watchdog->IsDropping(egress->GetNumber(), frame.priority))
    {
        Drop(index, DropReason::PAUSE_STORM);
        return;
    }
    NS_LOG_LOGIC("switch " << m_view.number << ": " << DescribeWay(frame, *egress, now));
    const bool isPlain = m_isFreePlain && egress->IsFree(frame.priority, now);
    isPlain ? Admit(index, frame, *egress, now) : AdmitByPolicies(index, frame, *egress, now);
}

void
FabricSwitch::Admit(FrameIndex index, Frame& frame, FabricPort& egress, Tick now)
{
    egress.IsFree(frame.priority, now) ? SendIfRoom(index, frame, egress, now)
                                       : Queue(index, frame, egress, now);
}

bool
FabricSwitch::PassPolicies(FrameIndex index, Frame& frame, FabricPort& egress, Tick now)
{
    if (m_needsOnForward)
    {
        CallPolicy(*m_balancer, "OnForward()", [&] { m_balancer->OnForward(frame, egress, now); });
    }
    if (m_admission && !Decide(index, frame, egress, now))
    {
        return false;
    }
    if (!FitsQueue(frame, egress, now))
    {
        DropForLackOfRoom(index);
        return false;
    }
    // Dropped frames are not marked.
    if (m_marksAtEnqueue && HasRoom(frame))
    {
        MarkByPolicy(frame, egress, egress.GetQueueBytes(frame.priority), MarkingPoint::ENQUEUE);
    }
    return true;
}

void
FabricSwitch::AdmitByPolicies(FrameIndex index, Frame& frame, FabricPort& egress, Tick now)
{
    if (PassPolicies(index, frame, egress, now))
    {
        Admit(index, frame, egress, now);
    }
}

bool
FabricSwitch::Decide(FrameIndex index, Frame& frame, FabricPort& egress, Tick now)
{
    const ArrivedFrame arrived{frame, egress, HasRoom(frame) && FitsQueue(frame, egress, now)};
    const Admission admission =
        CallPolicy(*m_admission, "Decide()", [&] { return m_admission->Decide(arrived, now); });
    if (admission == Admission::QUEUE)
    {
        return true;
    }
    if (admission > Admission::DROP_NEWEST)
    {
        FailPolicy(*m_admission,
                   "Decide()",
                   "QUEUE, TRIM, DROP, TRIM_NEWEST or DROP_NEWEST",
                   std::to_string(static_cast<uint32_t>(admission)));
    }
    const bool isNewest =
        admission == Admission::TRIM_NEWEST || admission == Admission::DROP_NEWEST;
    if (isNewest && IsReplaceable(arrived))
    {
        ReplaceNewest(index, egress); // From here on, frame is the one that was queued.
    }
    const bool isTrimmed = admission == Admission::TRIM || admission == Admission::TRIM_NEWEST;
    if (isTrimmed && frame.payloadBytes > 0)
    {
        Trim(frame, egress);
        const ArrivedFrame trimmed{frame, egress, HasRoom(frame) && FitsQueue(frame, egress, now)};
        if (CallPolicy(*m_admission, "HasRoomForTrimmed()", [&] {
                return m_admission->HasRoomForTrimmed(trimmed, now);
            }))
        {
            return true;
        }
    }
    DropForLackOfRoom(index);
    return false;
}

bool
FabricSwitch::IsReplaceable(const ArrivedFrame& arrived)
{
    const Frame* newest = arrived.egress.FindNewest(arrived.frame.priority);
    return arrived.hasRoom && newest && newest->payloadBytes > 0;
}

void
FabricSwitch::ReplaceNewest(FrameIndex index, FabricPort& egress)
{
    Frame& arrived = m_core->pool[index];
    const Frame& newest = *egress.FindNewest(arrived.priority);
    const uint32_t released = MakeQueue(newest.ingressPort, newest.priority);
    const uint32_t charged = MakeQueue(arrived.ingressPort, arrived.priority);
    m_buffer->Remove(released, newest.wireBytes);
    m_buffer->Add(charged, arrived.wireBytes);
    if (m_marksAtEnqueue)
    {
        MarkByPolicy(arrived,
                     egress,
                     egress.GetQueueBytes(arrived.priority) - newest.wireBytes,
                     MarkingPoint::ENQUEUE);
    }
    NS_LOG_LOGIC("switch " << m_view.number << ": port " << egress.GetNumber()
                           << " queues the frame from endpoint " << arrived.src << " to "
                           << arrived.dst << ", PSN " << arrived.psn << ", in place of PSN "
                           << newest.psn << " from endpoint " << newest.src << " to "
                           << newest.dst);
    egress.ReplaceNewest(index);
    ResumeIfBelow(released);
    PauseIfOver(charged);
}

bool
FabricSwitch::IsLastHop(const FabricPort& egress) const
{
    return m_view.ports[egress.GetNumber()].leadsToServer;
}

void
FabricSwitch::Trim(Frame& frame, FabricPort& egress)
{
    if (m_hasLinkBuffers)
    {
        ReleaseToLink(frame);
    }
    const uint32_t paddedBytes = (frame.payloadBytes + 3U) & ~3U;
    NS_ASSERT_MSG(paddedBytes < frame.wireBytes, "a frame has headers");
    frame.wireBytes = static_cast<uint16_t>(frame.wireBytes - paddedBytes);
    frame.payloadBytes = 0;
    frame.priority = m_trimPriority;
    frame.flags |= frame_flag::TRIMMED;
    frame.flags = ChangeFlags(frame.flags, frame_flag::LAST_HOP, IsLastHop(egress));
    m_core->pool.RemoveCargo(frame);
    NS_LOG_INFO("switch " << m_view.number << " removes the payload of a frame from endpoint "
                          << frame.src << " to " << frame.dst << ", PSN " << frame.psn << ", port "
                          << egress.GetNumber() << "; " << frame.wireBytes << " B are left");
    egress.CountTrim(frame);
}

void
FabricSwitch::MarkByPolicy(Frame& frame,
                           FabricPort& egress,
                           uint64_t queueBytes,
                           MarkingPoint point)
{
    if ((frame.flags & frame_flag::ECN_CAPABLE) && ShouldMark(frame, egress, queueBytes, point))
    {
        Mark(frame, egress);
    }
}

bool
FabricSwitch::ShouldMark(const Frame& frame,
                         const FabricPort& egress,
                         uint64_t queueBytes,
                         MarkingPoint point)
{
    const Tick now = m_core->engine->Now();
    if (m_classMarkings)
    {
        return m_classMarkings->ShouldMark(frame, egress, queueBytes, point, now);
    }
    return CallPolicy(*m_marking, "ShouldMark()", [&] {
        return m_marking->ShouldMark(frame, egress, queueBytes, now);
    });
}

inline void
FabricSwitch::Mark(Frame& frame, FabricPort& egress)
{
    frame.flags |= frame_flag::CE;
    ++m_core->ecnMarks;
    NS_LOG_LOGIC("switch " << m_view.number << " sets CE in a frame from endpoint " << frame.src
                           << " to " << frame.dst << ", PSN " << frame.psn << ", port "
                           << egress.GetNumber() << ", queue of "
                           << egress.GetQueueBytes(frame.priority) << " B");
    egress.CountMark(frame);
}

void
FabricSwitch::Receive(FrameIndex index)
{
    Forward(index, m_core->engine->Now());
}

void
FabricSwitch::OnDequeue(FabricPort& port, Frame& frame)
{
    m_buffer->Remove(MakeQueue(frame.ingressPort, frame.priority), frame.wireBytes);
    const bool mayMark = (frame.flags & frame_flag::ECN_CAPABLE) &&
                         m_markers[port.GetNumber()].MayMark(port.GetQueueBytes(frame.priority));
    if (mayMark || m_asksAfterDequeue || m_pausedQueues > 0)
    {
        AfterDequeue(port, frame);
    }
}

void
FabricSwitch::AfterDequeue(FabricPort& port, Frame& frame)
{
    const uint32_t queueBytes = port.GetQueueBytes(frame.priority);
    if ((frame.flags & frame_flag::ECN_CAPABLE) &&
        (frame.payloadBytes > 0 || !m_marksPayloadOnly) &&
        m_markers[port.GetNumber()].ShouldMark(queueBytes))
    {
        Mark(frame, port);
    }
    if (m_marksAtDequeue)
    {
        MarkByPolicy(frame, port, queueBytes, MarkingPoint::DEQUEUE);
    }
    ResumeIfBelow(MakeQueue(frame.ingressPort, frame.priority));
    if (m_hasLinkBuffers)
    {
        ReleaseToLink(frame);
    }
}

void
FabricSwitch::ReleaseToLink(const Frame& frame)
{
    m_ports[frame.ingressPort]->Release(frame.priority, frame.wireBytes);
}

PulledFrame
FabricSwitch::Pull(FabricPort&, uint32_t)
{
    return {};
}

void
FabricSwitch::Drop(FrameIndex index, DropReason reason)
{
    const Frame& frame = m_core->pool[index];
    // A report of a trimmed frame has the flag, too.
    m_core->trimmedDrops += (frame.flags & frame_flag::TRIMMED) != 0 && !frame.IsReport();
    m_ports[frame.ingressPort]->CountDrop(frame, reason);
    if (m_hasLinkBuffers)
    {
        ReleaseToLink(frame);
    }
    m_core->pool.Free(index);
}

void
FabricSwitch::HandleEvent(uint32_t kind, uint32_t argument)
{
    kind == ARRIVAL ? Forward(argument, m_core->engine->GetEventTime()) : RefreshPause(argument);
}

bool
FabricSwitch::IsUpkeep(uint32_t kind, uint32_t) const
{
    return kind == REFRESH_PAUSE;
}

} // namespace ns3::rdma
