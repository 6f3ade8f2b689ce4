// SPDX-License-Identifier: GPL-2.0-only

// The attributes of a switch, and what Start() makes of them.

#include "ns3/fabric-switch.h"
#include "ns3/lazy-trace-accessor.h"
#include "ns3/marking-policies.h"
#include "ns3/policy-error.h"
#include "ns3/simple-balancers.h"
#include "ns3/startup-accessor.h"
#include "ns3/type-attributes.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(FabricSwitch);

namespace
{
/// Between the random streams of the markings of two classes.
constexpr uint64_t CLASS_STREAMS{uint64_t{1} << 56};

auto&
GetBufferTraceOf(FabricSwitch& fabricSwitch)
{
    return fabricSwitch.GetBufferTrace();
}
} // namespace

TypeId
FabricSwitch::GetTypeId()
{
    const auto atStart = [](AttributeField field) {
        field.accessor = Create<StartupAccessor>(field.accessor, [](const ObjectBase& object) {
            return static_cast<const FabricSwitch&>(object).m_buffer.has_value();
        });
        return field;
    };
    static TypeId tid =
        TypeAttributes(
            TypeId("ns3::rdma::FabricSwitch")
                .SetParent<Object>()
                .SetGroupName("RdmaFabric")
                .AddConstructor<FabricSwitch>()
                .AddTraceSource(
                    "BufferUse",
                    "A frame joins or leaves a queue: bytes that the shared buffer holds",
                    MakeLazyTraceAccessor(&GetBufferTraceOf),
                    "ns3::rdma::FabricSwitch::BufferCallback"))
            .Add("BufferSize",
                 atStart(Member(&FabricSwitch::m_bufferBytes, 32U << 20, 64 * 1024)),
                 "Packet memory shared by all ports, bytes (32 MiB: SRNIC's public simulator; "
                 "Broadcom Tomahawk 3 class)")
            .Add("QueueReserve",
                 atStart(
                     Member(&FabricSwitch::m_reserveBytes, 4096, 0, SharedBuffer::MAX_SET_ASIDE)),
                 "Memory set aside for each ingress port and lossless priority, bytes (4 KiB: HPCC "
                 "simulator family)")
            .Add("PfcEnabled",
                 atStart(Member(&FabricSwitch::m_isPfcEnabled, false)),
                 "Whether the lossless priorities pause their senders (IEEE 802.1Qbb)")
            .Add(
                "LosslessPriorities",
                atStart(Member(&FabricSwitch::m_losslessPriorities, 0x08)),
                "Bit mask of the priorities that have headroom and PFC (bit 3: RoCE's usual class)")
            .Add("CutThrough",
                 atStart(Member(&FabricSwitch::m_cutsThrough, false)),
                 "Whether a frame is forwarded when its first 64 bytes have arrived (HPE 5700 "
                 "Layer 2 guide; the default of Cisco Nexus 9000), unless it arrives at a lower "
                 "rate than that of the switch's fastest port")
            .Add("ResumeMargin",
                 Member(&FabricSwitch::m_resumeMargin, 3000),
                 "How far below its threshold a paused queue must fall, bytes (3 kB: HPCC "
                 "simulator family)")
            .Add("PauseQuanta",
                 Member(&FabricSwitch::m_pauseQuanta, 65535, 2),
                 "Duration written into a pause frame, 512 bit times each (65535: the largest, "
                 "usual in practice)")
            .Add("LoadBalancer",
                 atStart(Member(&FabricSwitch::m_loadBalancerType, EcmpBalancer::GetTypeId())),
                 "Class that chooses among ports of equal cost")
            .Add("AdmissionPolicy",
                 atStart(Member(&FabricSwitch::m_admissionType, TailDrop::GetTypeId())),
                 "Class that decides whether a frame is queued, trimmed or dropped")
            .Add("MarkingPolicy",
                 atStart(Member(&FabricSwitch::m_markingType, RedMarking::GetTypeId())),
                 "Class that decides which frames get CE")
            .Add("EgressScheduler",
                 atStart(Member(&FabricSwitch::m_schedulerType, EgressScheduler::GetTypeId())),
                 "Class that chooses which traffic class a port of a switch or NIC serves "
                 "(EgressScheduler: strict priority)")
            .Add("TrimPriority",
                 atStart(Member(&FabricSwitch::m_trimPriority, 5, 0, PRIORITIES - 1)),
                 "Priority of frames whose payload was removed (5: no other frames have it by "
                 "default; above data, below CNPs)")
            .Add("DscpMap",
                 atStart(DscpMapField(Member(&FabricSwitch::m_dscpMapText, ""))),
                 "Priorities that arriving frames get by their DSCP, as \"26:3,48:6\"; those not "
                 "listed: DSCP / 8. Empty: frames keep the priority that their sender gave them");
    return tid;
}

void
FabricSwitch::Start(std::shared_ptr<FabricCore> core,
                    const std::vector<SwitchPortConfig>& ports,
                    const Routes& routes,
                    const FabricScale& scale,
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
        config.port->JoinSwitch();
        config.port->ReleaseByOwner();
        m_view.ports.push_back({config.port, config.leadsToServer});
        for (uint32_t priority = 0; priority < PRIORITIES; ++priority)
        {
            const bool isLossless = IsLossless(priority);
            const uint64_t reserve = isLossless ? m_reserveBytes : 0;
            const SwitchPortClass& portClass = config.classes[priority];
            const uint64_t own =
                m_classes ? (*m_classes)[priority].reserveBytes.value_or(reserve) : reserve;
            m_hasLinkBuffers = m_hasLinkBuffers || portClass.linkBytes > 0;
            quotas[MakeQueue(port, priority)] = {
                std::max(own, portClass.linkBytes),
                isLossless ? portClass.headroomBytes : 0,
                portClass.alpha,
                m_classes && (*m_classes)[priority].pool ? *(*m_classes)[priority].pool + 1 : 0};
        }
    }
    m_buffer.emplace(m_bufferBytes, quotas, m_pools);
    m_pauses.resize(quotas.size());
    m_table.number = number;
    m_view.number = number;
    m_view.routes = &routes;
    m_view.frames = &m_core->pool;
    m_view.scale = scale;
    TakeRoutes();
    IgnoreLossyPauses();
    if (m_watchdogConfig)
    {
        m_watchdog =
            std::make_unique<PfcWatchdog>(m_core,
                                          m_ports,
                                          *m_watchdogConfig,
                                          [this](FabricPort& port, uint8_t priority, bool isStorm) {
                                              OnStorm(port, priority, isStorm);
                                          });
    }
    StartPolicies(ports, attributes, seed, firstStream);
    for (const SwitchPortConfig& config : ports)
    {
        config.port->SetOwner(this); // The port at the other end calls GetEgressTable().
    }
}

bool
FabricSwitch::HasPolicies() const
{
    const auto hasPolicy = [](const ClassSettings& settings) {
        return settings.markingPolicy.value_or(RedMarking::GetTypeId()) != RedMarking::GetTypeId();
    };
    return m_admissionType != TailDrop::GetTypeId() || m_markingType != RedMarking::GetTypeId() ||
           (m_classes && std::any_of(m_classes->begin(), m_classes->end(), hasPolicy));
}

void
FabricSwitch::StartPolicies(const std::vector<SwitchPortConfig>& ports,
                            const AttributeValues& attributes,
                            uint64_t seed,
                            uint64_t firstStream)
{
    if (!m_dscpMapText.empty())
    {
        m_dscpMap.emplace(m_dscpMapText);
    }
    uint64_t stream = firstStream + ports.size();
    m_view.seed = RandomStream(seed, stream++).Next();
    m_loadBalancer = attributes.Create<LoadBalancer>(m_loadBalancerType);
    m_balancer = PeekPointer(m_loadBalancer);
    CallPolicy(*m_loadBalancer, "Start()", [&] { m_loadBalancer->Start(m_view); });
    m_isEcmp = m_loadBalancerType == EcmpBalancer::GetTypeId();
    if (m_isEcmp)
    {
        m_table.ecmp = static_cast<const EcmpBalancer&>(*m_loadBalancer).GetHash();
    }
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
    StartMarkings(ports, attributes, seed, firstStream);
    m_hasFramePolicies = m_needsOnForward || m_admission || m_marksAtEnqueue || m_egressLimits;
    const bool needsFree = m_admission && CallPolicy(*m_admission, "NeedsFree()", [&] {
                               return m_admission->NeedsFree();
                           });
    m_isFreePlain = !m_needsOnForward && !m_marksAtEnqueue && !needsFree;
    m_asksAfterDequeue = m_marksAtDequeue || m_hasLinkBuffers;
    UpdatePlain();
}

void
FabricSwitch::UpdatePlain()
{
    const bool isStorm = m_watchdog && m_watchdog->IsDroppingAny();
    const bool isPlain = m_isFreePlain && !isStorm && !m_dscpMap && !m_hasLinkBuffers;
    m_plainFrom = isPlain ? m_egressKnownFrom : TICK_NEVER;
}

void
FabricSwitch::StartMarkings(const std::vector<SwitchPortConfig>& ports,
                            const AttributeValues& attributes,
                            uint64_t seed,
                            uint64_t firstStream)
{
    m_markers.resize(ports.size());
    std::vector<MarkingPort> shared;
    ClassMarkings::Ports own;
    for (std::size_t port = 0; port < ports.size(); ++port)
    {
        shared.push_back({ports[port].ecn, RandomStream(seed, firstStream + port)});
        for (uint32_t number = 0; number < PRIORITIES; ++number)
        {
            const uint64_t stream = firstStream + port + (uint64_t{number} + 1) * CLASS_STREAMS;
            own[number].push_back({ports[port].classes[number].ecn, RandomStream(seed, stream)});
        }
    }
    const bool hasClasses =
        m_classes && std::any_of(m_classes->begin(), m_classes->end(), [](const auto& settings) {
            return settings.HasMarking();
        });
    if (hasClasses)
    {
        m_classMarkings = std::make_unique<ClassMarkings>(*m_classes,
                                                          m_markingType,
                                                          attributes,
                                                          m_view,
                                                          shared,
                                                          own);
        m_marksAtEnqueue = m_classMarkings->HasPoint(MarkingPoint::ENQUEUE);
        m_marksAtDequeue = m_classMarkings->HasPoint(MarkingPoint::DEQUEUE);
        return;
    }
    m_marking = attributes.Create<MarkingPolicy>(m_markingType);
    m_marksAtEnqueue = StartMarking(*m_marking, m_view, shared) == MarkingPoint::ENQUEUE;
    if (auto markers = TakeDequeueMarkers(*m_marking, ports.size()))
    {
        m_markers = std::move(markers->markers);
        m_marksPayloadOnly = markers->onlyPayload;
        m_marking = nullptr;
        m_marksAtEnqueue = false;
    }
    m_marksAtDequeue = m_marking && !m_marksAtEnqueue;
}

void
FabricSwitch::SetClasses(const ClassTable& classes, const std::vector<uint64_t>& pools)
{
    m_classes = std::make_unique<ClassTable>(classes);
    m_pools = pools;
    m_egressLimits =
        EgressLimits::IsAny(classes) ? std::make_unique<EgressLimits>(classes) : nullptr;
    for (uint32_t number = 0; number < PRIORITIES; ++number)
    {
        const bool isLossless = classes[number].isLossless.value_or(IsLossless(number));
        m_losslessPriorities = static_cast<uint8_t>((m_losslessPriorities & ~(1U << number)) |
                                                    (uint32_t{isLossless} << number));
    }
}

void
FabricSwitch::SetWatchdog(const PfcWatchdogConfig& config)
{
    m_watchdogConfig = config;
}

} // namespace ns3::rdma
