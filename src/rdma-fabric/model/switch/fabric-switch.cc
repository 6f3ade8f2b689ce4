// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-switch.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/ecmp-balancer.h"
#include "ns3/lazy-trace-accessor.h"
#include "ns3/policy-error.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(FabricSwitch);

namespace
{
auto&
GetBufferTraceOf(FabricSwitch& fabricSwitch)
{
    return fabricSwitch.GetBufferTrace();
}
} // namespace

TypeId
FabricSwitch::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::FabricSwitch")
            .SetParent<Object>()
            .SetGroupName("RdmaFabric")
            .AddConstructor<FabricSwitch>()
            .AddAttribute("BufferSize",
                          "Packet memory shared by all ports, bytes (32 MiB: SRNIC's public "
                          "simulator; Broadcom Tomahawk 3 class)",
                          UintegerValue(32U << 20),
                          MakeUintegerAccessor(&FabricSwitch::m_bufferBytes),
                          MakeUintegerChecker<uint64_t>(64 * 1024))
            .AddAttribute("QueueReserve",
                          "Memory set aside for each ingress port and lossless priority, bytes "
                          "(4 KiB: HPCC simulator family)",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&FabricSwitch::m_reserveBytes),
                          MakeUintegerChecker<uint64_t>(0, SharedBuffer::MAX_SET_ASIDE))
            .AddAttribute("PfcEnabled",
                          "Whether the lossless priorities pause their senders (IEEE 802.1Qbb)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FabricSwitch::m_isPfcEnabled),
                          MakeBooleanChecker())
            .AddAttribute("LosslessPriorities",
                          "Bit mask of the priorities that have headroom and PFC (bit 3: RoCE's "
                          "usual class)",
                          UintegerValue(0x08),
                          MakeUintegerAccessor(&FabricSwitch::m_losslessPriorities),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("ResumeMargin",
                          "How far below its threshold a paused queue must fall, bytes (3 kB: HPCC "
                          "simulator family)",
                          UintegerValue(3000),
                          MakeUintegerAccessor(&FabricSwitch::m_resumeMargin),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("PauseQuanta",
                          "Duration written into a pause frame, 512 bit times each (65535: the "
                          "largest, usual in practice)",
                          UintegerValue(65535),
                          MakeUintegerAccessor(&FabricSwitch::m_pauseQuanta),
                          MakeUintegerChecker<uint16_t>(2))
            .AddAttribute("LoadBalancer",
                          "Class that chooses among ports of equal cost",
                          TypeIdValue(EcmpBalancer::GetTypeId()),
                          MakeTypeIdAccessor(&FabricSwitch::m_loadBalancerType),
                          MakeTypeIdChecker())
            .AddTraceSource("BufferUse",
                            "A frame joins or leaves a queue: bytes that the shared buffer holds",
                            MakeLazyTraceAccessor(&GetBufferTraceOf),
                            "ns3::rdma::FabricSwitch::BufferCallback");
    return tid;
}

FabricSwitch::FabricSwitch() = default;

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
    Object::DoDispose();
}

void
FabricSwitch::Start(std::shared_ptr<FabricCore> core,
                    const std::vector<SwitchPortConfig>& ports,
                    const AttributeValues& attributes,
                    uint64_t seed,
                    uint64_t firstStream)
{
    m_core = std::move(core);
    m_target = m_core->engine->Register(this);
    std::vector<BufferQuota> quotas;
    uint64_t stream = firstStream;
    m_portCount = static_cast<uint32_t>(ports.size());
    quotas.resize(ports.size() * PRIORITIES);
    for (uint32_t number = 0; number < m_portCount; ++number)
    {
        const SwitchPortConfig& config = ports[number];
        m_ports.push_back(config.port);
        m_portTargets.push_back(config.port->GetTarget());
        config.port->SetOwner(this);
        config.port->JoinSwitch();
        m_markers.emplace_back(config.ecn, RandomStream(seed, stream++));
        for (uint32_t priority = 0; priority < PRIORITIES; ++priority)
        {
            const bool isLossless = IsLossless(priority);
            quotas[MakeQueue(number, priority)] = {isLossless ? m_reserveBytes : 0,
                                                   isLossless ? config.headroomBytes : 0,
                                                   config.alpha};
        }
    }
    m_buffer.emplace(m_bufferBytes, quotas);
    m_pauses.resize(quotas.size());
    m_loadBalancer = attributes.Create<LoadBalancer>(m_loadBalancerType);
    m_balancer = PeekPointer(m_loadBalancer);
    CallPolicy(*m_loadBalancer, "Start()", [&] {
        m_loadBalancer->Start(RandomStream(seed, stream).Next());
    });
    m_canPredict =
        CallPolicy(*m_loadBalancer, "IsStateless()", [&] { return m_balancer->IsStateless(); });
}

void
FabricSwitch::SetRoutes(const Routes& routes, uint32_t number)
{
    const RouteTable& table = routes.tables[number];
    // Frames that are on their way here set out by the old ones.
    m_egressKnownFrom = m_nextHops.empty() ? 0 : m_core->engine->Now() + GetLongestFlight();
    m_number = number;
    m_attachments = routes.attachments.data();
    m_nextHops.clear();
    for (const PortGroup& group : table.groups)
    {
        NS_ABORT_MSG_IF(group.first > NextHops::MAX_FIRST || group.count > NextHops::MAX_COUNT,
                        "a switch has more ports of equal cost than it can keep");
    }
    for (const uint16_t group : table.groupOf)
    {
        m_nextHops.push_back({table.groups[group].first, table.groups[group].count});
    }
    m_nextPorts.clear();
    m_nextTargets.clear();
    for (const uint16_t port : table.ports)
    {
        m_nextPorts.push_back(m_ports[port]);
        m_nextTargets.push_back(m_ports[port]->GetTarget());
    }
}

Tick
FabricSwitch::GetLongestFlight() const
{
    constexpr uint32_t LARGEST_FRAME{1U << 17}; // Lengths of payload have 16 bits.
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

template <typename Chooser>
[[gnu::always_inline]] inline FabricPort*
FabricSwitch::FindPort(uint32_t dst, Chooser choose) const
{
    const Attachment& attachment = m_attachments[dst];
    if (attachment.switchNumber == m_number)
    {
        return m_ports[attachment.port];
    }
    if (attachment.switchNumber == Attachment::NOWHERE)
    {
        return nullptr;
    }
    const NextHops hops = m_nextHops[attachment.switchNumber];
    return hops.count == 0 ? nullptr : m_nextPorts[choose(hops)];
}

FabricPort*
FabricSwitch::FindEgress(const Frame& frame) const
{
    return FindPort(frame.dst, [&](NextHops hops) { return ChooseNextHop(frame, hops); });
}

FabricPort*
FabricSwitch::FindFlowEgress(uint32_t dst, uint32_t entropy) const
{
    return FindPort(dst, [&](NextHops hops) {
        const auto known = hops.count == 1
                               ? std::optional<uint32_t>(0)
                               : CallPolicy(*m_balancer, "ChooseForFlow()", [&] {
                                     return m_balancer->ChooseForFlow(entropy, hops.count);
                                 });
        CheckChoice("ChooseForFlow()", known.value_or(0), hops.count);
        return hops.first + known.value_or(0);
    });
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
FabricSwitch::ChooseAmong(const Frame& frame, NextHops hops) const
{
    const PortChoice choice{m_nextPorts.data() + hops.first, hops.count};
    const uint32_t chosen = CallPolicy(*m_balancer, "Choose()", [&] {
        return m_balancer->Choose(frame, choice, m_core->engine->Now());
    });
    CheckChoice("Choose()", chosen, hops.count);
    return hops.first + chosen;
}

uint32_t
FabricSwitch::PredictEgress(const Frame& frame) const
{
    if (!m_canPredict)
    {
        return NO_EGRESS;
    }
    // As FindEgress(), but without a look at any port.
    const Attachment& attachment = m_attachments[frame.dst];
    if (attachment.switchNumber == m_number)
    {
        return m_portTargets[attachment.port];
    }
    if (attachment.switchNumber == Attachment::NOWHERE)
    {
        return NO_EGRESS;
    }
    const NextHops hops = m_nextHops[attachment.switchNumber];
    return hops.count == 0 ? NO_EGRESS : m_nextTargets[ChooseNextHop(frame, hops)];
}

FabricPort*
FabricSwitch::GetEgress(const Frame& frame) const
{
    if (frame.egress != NO_EGRESS && m_core->engine->Now() >= m_egressKnownFrom)
    {
        return static_cast<FabricPort*>(m_core->engine->GetTarget(frame.egress));
    }
    return FindEgress(frame);
}

[[gnu::always_inline]] inline void
FabricSwitch::Forward(FrameIndex index)
{
    Frame& frame = m_core->pool[index];
    ++m_core->packetHops;
    FabricPort* egress = GetEgress(frame);
    if (!egress)
    {
        Drop(index, DropReason::NO_ROUTE);
        return;
    }
    const uint32_t queue = MakeQueue(frame.ingressPort, frame.priority);
    if (!m_buffer->HasRoom(queue, frame.wireBytes))
    {
        m_core->losslessDrops += m_isPfcEnabled && IsLossless(frame.priority);
        Drop(index, DropReason::BUFFER_FULL);
        return;
    }
    if (egress->IsFree(frame.priority))
    {
        // It would be charged and released in the same instant.
        egress->Transmit(index);
        return;
    }
    m_buffer->Add(queue, frame.wireBytes);
    egress->Wait(index);
    if (m_isPfcEnabled && !m_pauses[queue].isPaused && IsLossless(frame.priority) &&
        m_buffer->IsOverThreshold(queue))
    {
        Pause(queue);
    }
}

void
FabricSwitch::Receive(FrameIndex index)
{
    Forward(index);
}

void
FabricSwitch::OnDequeue(FabricPort& port, Frame& frame)
{
    const uint32_t queue = MakeQueue(frame.ingressPort, frame.priority);
    m_buffer->Remove(queue, frame.wireBytes);
    if ((frame.flags & frame_flag::ECN_CAPABLE) &&
        m_markers[port.GetNumber()].ShouldMark(port.GetQueueBytes(frame.priority)))
    {
        frame.flags |= frame_flag::CE;
        ++m_core->ecnMarks;
        port.CountMark(frame);
    }
    if (m_isPfcEnabled && m_pauses[queue].isPaused &&
        m_buffer->IsBelowThreshold(queue, m_resumeMargin))
    {
        Resume(queue);
    }
}

PulledFrame
FabricSwitch::Pull(FabricPort&)
{
    return {};
}

void
FabricSwitch::Drop(FrameIndex index, DropReason reason)
{
    const Frame& frame = m_core->pool[index];
    m_ports[frame.ingressPort]->CountDrop(frame, reason);
    m_core->pool.Free(index);
}

void
FabricSwitch::Pause(uint32_t queue)
{
    m_pauses[queue].isPaused = true;
    m_pauses[queue].notifiedAt = m_core->engine->Now();
    ++m_core->pfcPauses;
    m_ports[queue % m_portCount]->SendPause(static_cast<uint8_t>(queue / m_portCount),
                                            m_pauseQuanta);
    ScheduleRefresh(queue);
}

void
FabricSwitch::Resume(uint32_t queue)
{
    m_pauses[queue].isPaused = false;
    m_ports[queue % m_portCount]->SendPause(static_cast<uint8_t>(queue / m_portCount), 0);
}

Tick
FabricSwitch::GetRefreshInterval(uint32_t queue) const
{
    return m_ports[queue % m_portCount]->GetPauseDuration(m_pauseQuanta) / 2;
}

void
FabricSwitch::ScheduleRefresh(uint32_t queue)
{
    if (!m_pauses[queue].hasRefresh)
    {
        m_pauses[queue].hasRefresh = true;
        m_core->engine->Schedule(m_pauses[queue].notifiedAt + GetRefreshInterval(queue),
                                 FabricEngine::MakeOwner(m_target, REFRESH_PAUSE),
                                 queue);
    }
}

void
FabricSwitch::HandleEvent(uint32_t kind, uint32_t argument)
{
    kind == ARRIVAL ? Forward(argument) : RefreshPause(argument);
}

void
FabricSwitch::RefreshPause(uint32_t queue)
{
    PauseState& pause = m_pauses[queue];
    pause.hasRefresh = false;
    if (!pause.isPaused)
    {
        return;
    }
    // The queue may have resumed and paused again since: then its time is not up yet.
    if (m_core->engine->Now() < pause.notifiedAt + GetRefreshInterval(queue))
    {
        ScheduleRefresh(queue);
        return;
    }
    Pause(queue);
}

} // namespace ns3::rdma
