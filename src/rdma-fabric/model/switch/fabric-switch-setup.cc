// SPDX-License-Identifier: GPL-2.0-only

// The attributes of a switch, and what Start() makes of them.

#include "ns3/boolean.h"
#include "ns3/ecmp-balancer.h"
#include "ns3/fabric-switch.h"
#include "ns3/lazy-trace-accessor.h"
#include "ns3/policy-error.h"
#include "ns3/red-marking.h"
#include "ns3/startup-accessor.h"
#include "ns3/uinteger.h"

#include <string>
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
    const auto atStart = [](Ptr<const AttributeAccessor> accessor) {
        return Create<StartupAccessor>(std::move(accessor), [](const ObjectBase& object) {
            return static_cast<const FabricSwitch&>(object).m_buffer.has_value();
        });
    };
    static TypeId tid =
        TypeId("ns3::rdma::FabricSwitch")
            .SetParent<Object>()
            .SetGroupName("RdmaFabric")
            .AddConstructor<FabricSwitch>()
            .AddAttribute("BufferSize",
                          "Packet memory shared by all ports, bytes (32 MiB: SRNIC's public "
                          "simulator; Broadcom Tomahawk 3 class)",
                          UintegerValue(32U << 20),
                          atStart(MakeUintegerAccessor(&FabricSwitch::m_bufferBytes)),
                          MakeUintegerChecker<uint64_t>(64 * 1024))
            .AddAttribute("QueueReserve",
                          "Memory set aside for each ingress port and lossless priority, bytes "
                          "(4 KiB: HPCC simulator family)",
                          UintegerValue(4096),
                          atStart(MakeUintegerAccessor(&FabricSwitch::m_reserveBytes)),
                          MakeUintegerChecker<uint64_t>(0, SharedBuffer::MAX_SET_ASIDE))
            .AddAttribute("PfcEnabled",
                          "Whether the lossless priorities pause their senders (IEEE 802.1Qbb)",
                          BooleanValue(false),
                          atStart(MakeBooleanAccessor(&FabricSwitch::m_isPfcEnabled)),
                          MakeBooleanChecker())
            .AddAttribute("LosslessPriorities",
                          "Bit mask of the priorities that have headroom and PFC (bit 3: RoCE's "
                          "usual class)",
                          UintegerValue(0x08),
                          atStart(MakeUintegerAccessor(&FabricSwitch::m_losslessPriorities)),
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
                          atStart(MakeTypeIdAccessor(&FabricSwitch::m_loadBalancerType)),
                          MakeTypeIdChecker())
            .AddAttribute("AdmissionPolicy",
                          "Class that decides whether a frame is queued, trimmed or dropped",
                          TypeIdValue(TailDrop::GetTypeId()),
                          atStart(MakeTypeIdAccessor(&FabricSwitch::m_admissionType)),
                          MakeTypeIdChecker())
            .AddAttribute("MarkingPolicy",
                          "Class that decides which frames get CE",
                          TypeIdValue(RedMarking::GetTypeId()),
                          atStart(MakeTypeIdAccessor(&FabricSwitch::m_markingType)),
                          MakeTypeIdChecker())
            .AddAttribute(
                "TrimPriority",
                "Priority of frames whose payload was removed (5: no other frames have it "
                "by default; above data, below CNPs)",
                UintegerValue(5),
                atStart(MakeUintegerAccessor(&FabricSwitch::m_trimPriority)),
                MakeUintegerChecker<uint8_t>(0, PRIORITIES - 1))
            .AddTraceSource("BufferUse",
                            "A frame joins or leaves a queue: bytes that the shared buffer holds",
                            MakeLazyTraceAccessor(&GetBufferTraceOf),
                            "ns3::rdma::FabricSwitch::BufferCallback");
    return tid;
}

void
FabricSwitch::Start(std::shared_ptr<FabricCore> core,
                    const std::vector<SwitchPortConfig>& ports,
                    const Routes& routes,
                    uint32_t number,
                    const AttributeValues& attributes,
                    uint64_t seed,
                    uint64_t firstStream)
{
    m_core = std::move(core);
    m_target = m_core->engine->Register(this);
    std::vector<BufferQuota> quotas;
    m_portCount = static_cast<uint32_t>(ports.size());
    quotas.resize(ports.size() * PRIORITIES);
    for (uint32_t port = 0; port < m_portCount; ++port)
    {
        const SwitchPortConfig& config = ports[port];
        m_ports.push_back(config.port);
        m_portTargets.push_back(config.port->GetTarget());
        config.port->SetOwner(this);
        config.port->JoinSwitch();
        m_view.ports.push_back({config.port, config.leadsToServer});
        for (uint32_t priority = 0; priority < PRIORITIES; ++priority)
        {
            const bool isLossless = IsLossless(priority);
            quotas[MakeQueue(port, priority)] = {isLossless ? m_reserveBytes : 0,
                                                 isLossless ? config.headroomBytes : 0,
                                                 config.alpha};
        }
    }
    m_buffer.emplace(m_bufferBytes, quotas);
    m_pauses.resize(quotas.size());
    m_number = number;
    m_view.number = number;
    m_view.routes = &routes;
    m_view.frames = &m_core->pool;
    TakeRoutes();
    StartPolicies(ports, attributes, seed, firstStream);
}

void
FabricSwitch::StartPolicies(const std::vector<SwitchPortConfig>& ports,
                            const AttributeValues& attributes,
                            uint64_t seed,
                            uint64_t firstStream)
{
    uint64_t stream = firstStream;
    std::vector<MarkingPort> markingPorts;
    for (const SwitchPortConfig& config : ports)
    {
        markingPorts.push_back({config.ecn, RandomStream(seed, stream++)});
    }
    m_view.seed = RandomStream(seed, stream++).Next();
    m_loadBalancer = attributes.Create<LoadBalancer>(m_loadBalancerType);
    m_balancer = PeekPointer(m_loadBalancer);
    CallPolicy(*m_loadBalancer, "Start()", [&] { m_loadBalancer->Start(m_view); });
    m_isEcmp = m_loadBalancerType == EcmpBalancer::GetTypeId();
    if (m_isEcmp)
    {
        m_ecmp = static_cast<const EcmpBalancer&>(*m_loadBalancer).GetHash();
    }
    m_canPredict =
        CallPolicy(*m_loadBalancer, "IsStateless()", [&] { return m_balancer->IsStateless(); });
    m_needsOnForward = CallPolicy(*m_loadBalancer, "NeedsOnForward()", [&] {
        return m_balancer->NeedsOnForward();
    });
    SwitchView view = m_view;
    view.seed = RandomStream(seed, stream++).Next();
    if (m_admissionType != TailDrop::GetTypeId())
    {
        m_admission = attributes.Create<AdmissionPolicy>(m_admissionType);
        CallPolicy(*m_admission, "Start()", [&] { m_admission->Start(view); });
    }
    m_marking = attributes.Create<MarkingPolicy>(m_markingType);
    CallPolicy(*m_marking, "Start()", [&] { m_marking->Start(view, markingPorts); });
    const MarkingPoint point =
        CallPolicy(*m_marking, "GetPoint()", [&] { return m_marking->GetPoint(); });
    if (point != MarkingPoint::ENQUEUE && point != MarkingPoint::DEQUEUE)
    {
        FailPolicy(*m_marking,
                   "GetPoint()",
                   "ENQUEUE or DEQUEUE",
                   std::to_string(static_cast<uint32_t>(point)));
    }
    m_marksAtEnqueue = point == MarkingPoint::ENQUEUE;
    m_markers.resize(ports.size());
    if (m_markingType == RedMarking::GetTypeId() && !m_marksAtEnqueue)
    {
        m_markers = static_cast<const RedMarking&>(*m_marking).GetMarkers();
        m_marking = nullptr;
    }
    const bool marksAtDequeue = m_marking && !m_marksAtEnqueue;
    m_dequeueTasks =
        static_cast<uint8_t>((m_isPfcEnabled ? PFC : 0) | (marksAtDequeue ? MARKING : 0));
    if (m_needsOnForward || m_admission || m_marksAtEnqueue)
    {
        m_egressKnownFrom = TICK_NEVER;
    }
}

} // namespace ns3::rdma
