// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rdma-nic.h"

#include "ns3/assert.h"
#include "ns3/boolean.h"
#include "ns3/go-back-n.h"
#include "ns3/instant-chip.h"
#include "ns3/no-congestion-control.h"
#include "ns3/opcode.h"
#include "ns3/policy-error.h"
#include "ns3/round-robin-scheduler.h"
#include "ns3/uinteger.h"
#include "ns3/verbs-error.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(RdmaNic);

namespace
{
bool
IsSamePath(const PathInfo& left, const PathInfo& right)
{
    return left.lineRate == right.lineRate && left.baseRtt == right.baseRtt &&
           left.mtuBytes == right.mtuBytes;
}
} // namespace

TypeId
RdmaNic::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::RdmaNic")
            .SetParent<Object>()
            .SetGroupName("RdmaNic")
            .AddConstructor<RdmaNic>()
            .AddAttribute("CongestionControl",
                          "Class given to each queue pair",
                          TypeIdValue(NoCongestionControl::GetTypeId()),
                          MakeTypeIdAccessor(&RdmaNic::m_congestionControlType),
                          MakeTypeIdChecker())
            .AddAttribute("LossRecovery",
                          "Class given to each queue pair",
                          TypeIdValue(GoBackN::GetTypeId()),
                          MakeTypeIdAccessor(&RdmaNic::m_lossRecoveryType),
                          MakeTypeIdChecker())
            .AddAttribute("SendScheduler",
                          "Class that picks the next queue pair",
                          TypeIdValue(RoundRobinScheduler::GetTypeId()),
                          MakeTypeIdAccessor(&RdmaNic::m_schedulerType),
                          MakeTypeIdChecker())
            .AddAttribute("PathMtu",
                          "Payload of a full packet, bytes (1024: SRNIC section 6.1; any size is "
                          "allowed, InfiniBand has 256 to 4096)",
                          UintegerValue(1024),
                          MakeUintegerAccessor(&RdmaNic::m_pathMtu),
                          MakeUintegerChecker<uint32_t>(1, 65535))
            .AddAttribute("DataPriority",
                          "Priority of data packets (3: RoCE's usual class)",
                          UintegerValue(3),
                          MakeUintegerAccessor(&RdmaNic::m_dataPriority),
                          MakeUintegerChecker<uint8_t>(0, PRIORITIES - 1))
            .AddAttribute("AckPriority",
                          "Priority of acknowledgments (3, as data: SRNIC's simulator)",
                          UintegerValue(3),
                          MakeUintegerAccessor(&RdmaNic::m_ackPriority),
                          MakeUintegerChecker<uint8_t>(0, PRIORITIES - 1))
            .AddAttribute("CnpPriority",
                          "Priority of congestion notification packets (6: NVIDIA cnp_802p_prio)",
                          UintegerValue(6),
                          MakeUintegerAccessor(&RdmaNic::m_cnpPriority),
                          MakeUintegerChecker<uint8_t>(0, PRIORITIES - 1))
            .AddAttribute("CnpInterval",
                          "Shortest time between two CNPs of a queue pair (0, one per marked "
                          "packet: HPCC's simulator; 4 us: NVIDIA min_time_between_cnps; 50 us: "
                          "Zhu et al. 2015)",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RdmaNic::m_cnpInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("AckInterval",
                          "In-order packets per acknowledgment (1: SRNIC's simulator, Coyote)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RdmaNic::m_ackInterval),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("RetryCount",
                          "Timer expiries in a row before a queue pair breaks (7: the largest "
                          "retry_cnt of InfiniBand)",
                          UintegerValue(7),
                          MakeUintegerAccessor(&RdmaNic::m_retryCount),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("BdpFlowControl",
                          "Whether at most one bandwidth-delay product is in flight (BDP-FC, IRN "
                          "section 3.2)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RdmaNic::m_hasBdpFlowControl),
                          MakeBooleanChecker())
            .AddAttribute("WireFormat",
                          "Class that says which headers packets have",
                          TypeIdValue(IbtaFormat::GetTypeId()),
                          MakeTypeIdAccessor(&RdmaNic::m_wireFormatType),
                          MakeTypeIdChecker())
            .AddAttribute("PathSelector",
                          "Class that says which NIC of a server and which of its ports a queue "
                          "pair uses",
                          TypeIdValue(FixedPath::GetTypeId()),
                          MakeTypeIdAccessor(&RdmaNic::m_pathSelectorType),
                          MakeTypeIdChecker())
            .AddAttribute("Ipv6",
                          "Whether IPv6 is below UDP (IPv4: as SRNIC's 58 bytes of headers)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RdmaNic::m_hasIpv6),
                          MakeBooleanChecker())
            .AddAttribute("IntHops",
                          "Hops that INT headers have room for (5: HPCC section 4.1, 42 bytes; as "
                          "many as a fat-tree has); only if congestion control asks for INT",
                          UintegerValue(5),
                          MakeUintegerAccessor(&RdmaNic::m_intHops),
                          MakeUintegerChecker<uint32_t>(1, IntStack::MAX_HOPS))
            .AddAttribute("Hardware",
                          "Whether PCIe, caches, pipelines and the host's CPU take time",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RdmaNic::m_isHardwareTimed),
                          MakeBooleanChecker())
            .AddAttribute("HardwareClass",
                          "Class of the units that take time",
                          TypeIdValue(NicHardware::GetTypeId()),
                          MakeTypeIdAccessor(&RdmaNic::m_hardwareType),
                          MakeTypeIdChecker());
    static const TypeId withTraces = AddQueuePairTraces<RdmaNic>(tid);
    return withTraces;
}

RdmaNic::RdmaNic()
    : m_design(std::make_shared<const NicDesign>())
{
}

RdmaNic::~RdmaNic() = default;

Ptr<RdmaNic>
RdmaNic::Make(std::shared_ptr<const NicDesign> design)
{
    auto nic = design->Create<RdmaNic>();
    nic->m_design = std::move(design);
    return nic;
}

Ptr<NicHardware>
RdmaNic::MakeHardware(const NicDesign& design)
{
    return NicHardware::Make(design, design.Create<RdmaNic>()->m_hardwareType);
}

void
RdmaNic::DoDispose()
{
    if (m_chip)
    {
        // Frames may still be on their way here.
        m_device->TakePortBack();
        GetCore().destinations.ClearEndpoint(GetEndpoint());
    }
    m_timed = nullptr;
    m_poster.reset();
    m_chip.reset();
    m_device = nullptr;
    m_factory.reset();
    if (m_hardware)
    {
        m_hardware->Dispose();
        m_hardware = nullptr;
    }
    Object::DoDispose();
}

void
RdmaNic::Start(FabricCore& core, FabricDevice& device, uint32_t endpoint, Tick baseRtt)
{
    m_device = &device;
    FabricPort& port = device.GetPort();
    if (m_isHardwareTimed)
    {
        m_hardware = NicHardware::Make(*m_design, m_hardwareType);
        m_hardware->Start(m_seed, endpoint);
    }
    if (!m_pathSelector)
    {
        m_pathSelector = m_design->Create<PathSelector>(m_pathSelectorType);
    }
    const PathInfo path{port.GetRate(), ToTime(GetBaseRtt(baseRtt)), m_pathMtu};
    if (!m_factory || !IsSamePath(m_factory->GetDefaults().path, path))
    {
        m_factory = std::make_shared<const TransportFactory>(MakeDefaults(path), core.engine);
    }
    MakeChip(core, device, endpoint);
    m_poster.emplace(*m_chip, *m_factory);
    if (m_traces)
    {
        m_chip->SetTraces(*m_traces);
    }
    port.SetOwner(m_chip.get(), m_dataPriority, core.pool.AddBookmark());
}

void
RdmaNic::MakeChip(FabricCore& core, FabricDevice& device, uint32_t endpoint)
{
    const FrameStyle style{GetHeaderSizes(),
                           endpoint,
                           MakeWireFormat()->HasPsnOffset(),
                           m_dataPriority,
                           m_ackPriority,
                           m_cnpPriority,
                           GetIntRules()};
    if (style.intRules.hops > 0 && !core.areHopsRecorded)
    {
        FabricPort::RecordHops(core);
    }
    const auto scheduler = m_design->Create<SendScheduler>(m_schedulerType);
    const Tick cnpInterval = ToTick(m_cnpInterval);
    if (!m_hardware)
    {
        m_chip =
            std::make_unique<InstantChip>(core, device, *m_factory, style, scheduler, cnpInterval);
        return;
    }
    auto timed = std::make_unique<TimedChip>(core,
                                             device,
                                             *m_factory,
                                             style,
                                             scheduler,
                                             cnpInterval,
                                             *m_hardware);
    m_timed = timed.get();
    m_chip = std::move(timed);
}

TransportDefaults
RdmaNic::MakeDefaults(const PathInfo& path) const
{
    TransportDefaults defaults;
    defaults.congestionControl = m_design->Create<CongestionControl>(m_congestionControlType);
    defaults.lossRecovery = m_design->Create<LossRecovery>(m_lossRecoveryType);
    defaults.path = path;
    defaults.feedback = GetCheckedFeedback(*defaults.congestionControl);
    defaults.rules = GetCheckedRules(*defaults.lossRecovery);
    defaults.ackInterval = m_ackInterval;
    defaults.retryCount = m_retryCount;
    defaults.hasBdpFlowControl = m_hasBdpFlowControl;
    defaults.hasDoorbell = m_isHardwareTimed;
    if (m_hardware)
    {
        defaults.maxOutstandingBytes = m_hardware->GetMaxOutstandingBytes();
    }
    return defaults;
}

void
RdmaNic::SharePrototypes(const RdmaNic& other)
{
    m_factory = other.m_factory;
    m_pathSelector = other.m_pathSelector;
}

Tick
RdmaNic::GetBaseRtt(Tick networkRtt) const
{
    if (!m_hardware)
    {
        return networkRtt;
    }
    // What a NIC measures on an idle path is the way through both chips, too.
    const uint32_t frameBytes = GetHeaderSizes().GetWriteFrame(false, m_pathMtu);
    return networkRtt + m_hardware->GetIdleRoundTrip(m_pathMtu, frameBytes);
}

void
RdmaNic::SetSeed(uint64_t seed)
{
    m_seed = seed;
}

const NicHardware*
RdmaNic::GetHardware() const
{
    return PeekPointer(m_hardware);
}

TimedReceivePath::PlacedTrace&
RdmaNic::GetPlacedTrace()
{
    return m_timed->GetReceivePath().GetPlacedTrace();
}

const SlowPathStats&
RdmaNic::GetSlowPathStats() const
{
    return m_timed->GetSlowPath().GetStats();
}

const SendPathStats&
RdmaNic::GetSendPathStats() const
{
    return m_timed->GetSendPath().GetStats();
}

QueuePairTraces&
RdmaNic::GetTraces()
{
    m_traces = m_traces ? std::move(m_traces) : std::make_unique<QueuePairTraces>();
    if (m_chip)
    {
        m_chip->SetTraces(*m_traces);
    }
    return *m_traces;
}

void
RdmaNic::SetCompletionHandler(CompletionHandler handler)
{
    m_chip->parts.reporter.SetCompletionHandler(std::move(handler));
}

void
RdmaNic::SetAsyncEventHandler(AsyncEventHandler handler)
{
    m_chip->parts.reporter.SetAsyncEventHandler(std::move(handler));
}

uint32_t
RdmaNic::CreateQueuePair(const QueuePairInit& init, std::optional<uint32_t> number)
{
    if (init.sharedReceiveQueue && !init.receiveCompletions)
    {
        throw VerbsError("a shared receive queue needs a completion queue");
    }
    QueuePair& queuePair =
        number ? m_chip->parts.table.Create(*number) : m_chip->parts.table.Create();
    queuePair.service = init.service;
    m_chip->parts.core.destinations.Set(m_chip->parts.frames.GetStyle().endpoint,
                                        queuePair.number,
                                        &queuePair);
    if (IsPlain(init))
    {
        return queuePair.number;
    }
    QueuePairSetup& setup = queuePair.ChangeSetup();
    setup.init = init;
    setup.receiveQueue = init.sharedReceiveQueue;
    if (init.receiveCompletions && !setup.receiveQueue)
    {
        setup.receiveQueue = Create<ReceiveQueue>(init.capabilities.maxReceiveRequests,
                                                  init.capabilities.maxReceiveSge);
    }
    return queuePair.number;
}

void
RdmaNic::Connect(uint32_t number, const Connection& connection, QueuePairAttributes attributes)
{
    attributes.connection = connection;
    for (const QpState state : {QpState::INIT, QpState::RTR, QpState::RTS})
    {
        if (!ModifyQueuePair(number, state, attributes))
        {
            throw VerbsError("queue pair " + std::to_string(number) + " cannot become " +
                             GetQpStateName(state));
        }
    }
}

bool
RdmaNic::ModifyQueuePair(uint32_t number, QpState state, const QueuePairAttributes& attributes)
{
    QueuePair* queuePair = m_chip->parts.table.Find(number);
    if (!queuePair || !IsTransitionAllowed(queuePair->state, state) ||
        !queuePair->Apply(attributes, state))
    {
        return false;
    }
    if (state == QpState::RTR && queuePair->service == Service::RC &&
        m_factory->GetDefaults().congestionControl->UsesOwnPath())
    {
        queuePair->GetExtras().ownPath = FindOwnPath(queuePair->connection);
    }
    const QpState before = queuePair->state;
    if (state == QpState::ERR)
    {
        m_chip->parts.reporter.EnterError(*queuePair, std::nullopt);
        m_chip->parts.reporter.Deliver();
        return true;
    }
    m_chip->parts.reporter.SetState(*queuePair, state);
    m_factory->Update(*queuePair);
    if (state == QpState::RESET)
    {
        queuePair->Reset();
        m_chip->Forget(number);
    }
    else if (state == QpState::SQD || before == QpState::SQD)
    {
        queuePair->GetExtras().wasDrained = false;
        m_factory->GetRequester(*queuePair).SetDraining(state == QpState::SQD);
        m_poster->Continue(*queuePair);
        return true; // Whoever was told may have destroyed the queue pair.
    }
    else if (before == QpState::SQE)
    {
        queuePair->connection.initialPsn = queuePair->requester->GetNextPsn().Get();
        queuePair->requester = nullptr; // Made anew, where the old one stopped.
        if (queuePair->extras)
        {
            queuePair->extras->heldWqes = {};
        }
        m_chip->ForgetDoorbells(number);
        queuePair->timerAt = TICK_NEVER;
    }
    return true;
}

PathFacts
RdmaNic::FindOwnPath(const Connection& connection) const
{
    FabricCore& core = GetCore();
    if (!core.paths || connection.remoteEndpoint == GetEndpoint())
    {
        return {};
    }
    const HeaderSizes& sizes = m_chip->parts.frames.GetStyle().sizes;
    PathFacts facts = core.paths->FindFacts(GetEndpoint(),
                                            connection.remoteEndpoint,
                                            connection.entropy,
                                            sizes.GetWriteFrame(false, m_pathMtu),
                                            sizes.GetAckFrame());
    facts.rtt = facts.rtt > 0 ? GetBaseRtt(facts.rtt) : 0;
    return facts;
}

void
RdmaNic::DestroyQueuePair(uint32_t queuePair)
{
    if (const QueuePair* going = m_chip->parts.table.Find(queuePair))
    {
        m_chip->Forget(queuePair);
        NicParts& parts = m_chip->parts;
        parts.core.destinations.Clear(parts.frames.GetStyle().endpoint, queuePair, going);
        m_chip->transmitter.Forget(*going);
        parts.table.Destroy(queuePair);
    }
}

const QueuePair*
RdmaNic::FindQueuePair(uint32_t queuePair) const
{
    return m_chip ? m_chip->parts.table.Find(queuePair) : nullptr;
}

uint32_t
RdmaNic::GetQueuePairCount() const
{
    return m_chip ? m_chip->parts.table.GetCount() : 0;
}

NicStats
RdmaNic::GetStats() const
{
    return {m_chip->transport.GetCnpsSent(), m_chip->transmitter.GetDataFrames()};
}

HeaderSizes
RdmaNic::GetHeaderSizes() const
{
    return HeaderSizes(*MakeWireFormat(), GetIpVersion(), GetIntRules());
}

IntRules
RdmaNic::GetIntRules() const
{
    if (m_factory)
    {
        // Making policies takes long: NICs are many, designs few.
        const TransportDefaults& defaults = m_factory->GetDefaults();
        return defaults.feedback == Feedback::INT
                   ? IntRules{m_intHops, defaults.rules.acknowledgesReads}
                   : IntRules();
    }
    const auto control = m_design->Create<CongestionControl>(m_congestionControlType);
    if (control->GetNeededFeedback() != Feedback::INT)
    {
        return {};
    }
    const auto recovery = m_design->Create<LossRecovery>(m_lossRecoveryType);
    return {m_intHops, recovery->GetResponderRules().acknowledgesReads};
}

Ptr<WireFormat>
RdmaNic::MakeWireFormat() const
{
    return m_design->Create<WireFormat>(m_wireFormatType);
}

IpVersion
RdmaNic::GetIpVersion() const
{
    return m_hasIpv6 ? IpVersion::V6 : IpVersion::V4;
}

uint32_t
RdmaNic::ChooseNic(uint64_t connection, uint32_t nics) const
{
    const uint32_t nic = m_pathSelector->ChooseNic(connection, nics);
    CheckChoice("ChooseNic()", nic, nics);
    return nic;
}

uint32_t
RdmaNic::ChoosePort(uint64_t connection) const
{
    const uint64_t up = m_device->GetPort().IsLinkUp() ? 1 : 0;
    const uint32_t port = m_pathSelector->ChoosePort(connection, {1, up});
    CheckChoice("ChoosePort()", port, 1);
    return port;
}

void
RdmaNic::CheckChoice(const char* call, uint32_t chosen, uint32_t count) const
{
    if (chosen >= count)
    {
        FailPolicy(*m_pathSelector,
                   call,
                   "a number below " + std::to_string(count),
                   std::to_string(chosen));
    }
}

uint32_t
RdmaNic::GetEndpoint() const
{
    return m_chip->parts.frames.GetStyle().endpoint;
}

Ptr<FabricDevice>
RdmaNic::GetDevice() const
{
    return m_device;
}

FabricCore&
RdmaNic::GetCore() const
{
    return m_chip->parts.core;
}

uint32_t
RdmaNic::GetAckInterval() const
{
    return m_ackInterval;
}

uint32_t
RdmaNic::GetPathMtu() const
{
    return m_pathMtu;
}

void
RdmaNic::PostWrite(uint32_t queuePair, uint64_t wrId, uint64_t bytes)
{
    m_poster->PostWrite(queuePair, wrId, bytes);
}

PostResult
RdmaNic::PostSend(uint32_t queuePair, const SendWorkRequest& request, const SendWorkRequest** bad)
{
    return m_poster->PostSend(queuePair, request, bad);
}

PostResult
RdmaNic::PostOnChip(uint32_t queuePair, const SendWorkRequest& request)
{
    return m_poster->PostOnChip(queuePair, request);
}

PostResult
RdmaNic::PostReceive(uint32_t queuePair,
                     const ReceiveWorkRequest& request,
                     const ReceiveWorkRequest** bad)
{
    return m_poster->PostReceive(queuePair, request, bad);
}

} // namespace ns3::rdma
