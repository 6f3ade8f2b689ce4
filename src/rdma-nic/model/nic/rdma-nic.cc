// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rdma-nic.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/boolean.h"
#include "ns3/dscp-map.h"
#include "ns3/go-back-n.h"
#include "ns3/instant-chip.h"
#include "ns3/no-congestion-control.h"
#include "ns3/opcode.h"
#include "ns3/policy-error.h"
#include "ns3/send-schedulers.h"
#include "ns3/timed-completions.h"
#include "ns3/uinteger.h"
#include "ns3/verbs-error.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(RdmaNic);

namespace
{
/// Streams of credit schedulers, by endpoint: behind those of the entropy selectors.
constexpr uint64_t CREDIT_STREAMS{uint64_t{1} << 61};

bool
IsSamePath(const PathInfo& left, const PathInfo& right)
{
    return left.lineRate == right.lineRate && left.baseRtt == right.baseRtt &&
           left.mtuBytes == right.mtuBytes && left.packetBytes == right.packetBytes;
}

/// @param dscp DSCPS: that of data in the same class, else the class selector
FrameMark
MakeAnswerMark(const FrameMark& data, uint8_t priority, uint8_t dscp)
{
    const bool isAsData = priority == data.priority && dscp == DSCPS;
    return isAsData ? data : FrameMark{priority, dscp};
}
} // namespace

RdmaNic::RdmaNic()
    : m_design(std::make_shared<const NicDesign>())
{
}

RdmaNic::RdmaNic(const RdmaNic& original)
    : Object(original),
      m_design(original.m_design),
      m_factory(original.m_factory),
      m_settings(original.m_settings),
      m_style(original.m_style),
      m_cnpInterval(original.m_cnpInterval)
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

Ptr<RdmaNic>
RdmaNic::Copy() const
{
    return Ptr<RdmaNic>(new RdmaNic(*this), false);
}

Ptr<NicHardware>
RdmaNic::MakeHardware(const NicDesign& design)
{
    return NicHardware::Make(design, design.Create<RdmaNic>()->m_settings->hardwareType);
}

void
RdmaNic::DoDispose()
{
    if (m_core)
    {
        m_core->ports.Clear();
    }
    m_core = nullptr;
    m_factory.reset();
    if (m_hardware)
    {
        m_hardware->Dispose();
        m_hardware = nullptr;
    }
    Object::DoDispose();
}

void
RdmaNic::Start(FabricCore& core,
               FabricDevice& device,
               uint32_t endpoint,
               Tick baseRtt,
               uint64_t seed)
{
    Start(core, {{&device, endpoint}}, baseRtt, seed);
}

void
RdmaNic::Start(FabricCore& core, const std::vector<NicPort>& ports, Tick baseRtt, uint64_t seed)
{
    if (m_settings->isHardwareTimed)
    {
        const Ptr<NicHardware> hardware = NicHardware::Make(*m_design, m_settings->hardwareType);
        hardware->Start(seed, ports.front().endpoint);
        m_hardware = hardware;
    }
    const DataRate rate = ports.front().device->GetPort().GetRate();
    PathInfo path{rate, ToTime(GetBaseRtt(baseRtt, rate)), m_settings->pathMtu};
    if (m_settings->entropySelectorType != EntropySelector::GetTypeId())
    {
        path.lineRate = DataRate(rate.GetBitRate() * ports.size()); // A queue pair uses all ports.
    }
    const HeaderSizes sizes = GetHeaderSizes();
    path.packetBytes = sizes.GetWriteFrame(false, m_settings->pathMtu);
    // A pool of READs belongs to one NIC.
    if (!m_factory || m_factory->GetDefaults().readPool ||
        m_factory->GetDefaults().planes != ports.size() ||
        !IsSamePath(m_factory->GetDefaults().path, path))
    {
        m_factory = std::make_shared<const TransportFactory>(
            MakeDefaults(core, path, static_cast<uint32_t>(ports.size()), seed),
            core.engine);
    }
    if (!m_style)
    {
        m_style = MakeStyle(sizes);
    }
    m_core = std::make_unique<NicCore>(core, *m_factory, ToTick(m_cnpInterval));
    m_core->dataPriorities = static_cast<uint8_t>(1U << m_settings->dataPriority);
    NS_ABORT_MSG_IF(ports.size() > QueuePair::MAX_PORTS, "a NIC has at most 32 ports");
    for (uint32_t number = 0; number < ports.size(); ++number)
    {
        FabricDevice* device = ports[number].device;
        auto chip = MakeChip(core, ports[number], number);
        NS_ABORT_MSG_IF(ports[number].endpoint >= MAX_ENDPOINTS, "too many endpoints for a frame");
        device->GetPort().SetOwner(chip.get(),
                                   static_cast<uint8_t>(1U << m_settings->dataPriority));
        m_core->ports.Add(std::move(chip));
    }
    m_core->ports.Join(m_factory->GetDefaults().entropySelector != nullptr);
    if (m_factory->GetDefaults().creditBytes > 0)
    {
        const auto scheduler = m_design->Create<CreditScheduler>(m_settings->creditSchedulerType);
        CreditFacts facts;
        facts.rate = DataRate(rate.GetBitRate() * ports.size());
        facts.packetBytes = m_settings->pathMtu;
        facts.windowBytes = m_factory->GetDefaults().creditBytes;
        facts.baseRtt = m_factory->GetDefaults().path.baseRtt;
        facts.oversubscription = core.oversubscription;
        facts.random =
            RandomStream(m_factory->GetDefaults().seed, CREDIT_STREAMS + ports.front().endpoint);
        CallPolicy(*scheduler, "Start()", [&] { scheduler->Start(facts); });
        m_core->transport.SetCredits(
            std::make_unique<CreditSender>(core,
                                           m_core->ports,
                                           scheduler,
                                           m_factory->GetDefaults().creditBytes));
    }
    if (m_hardware)
    {
        m_core->reporter.SetPath(std::make_unique<TimedCompletions>(*core.engine,
                                                                    *m_hardware,
                                                                    m_core->table,
                                                                    m_core->reporter));
    }
    if (m_traces)
    {
        GetTraces();
    }
}

FrameStyle
RdmaNic::MakeStyle(const HeaderSizes& sizes) const
{
    const Ptr<const WireFormat> format = MakeWireFormat();
    FrameStyle style;
    style.sizes = sizes;
    style.data = {m_settings->dataPriority, m_settings->dataDscp};
    style.ack = MakeAnswerMark(style.data, m_settings->ackPriority, m_settings->ackDscp);
    style.cnp = MakeAnswerMark(style.data, m_settings->cnpPriority, m_settings->cnpDscp);
    style.reportPriority = m_settings->reportPriority;
    style.creditPriority = m_settings->creditPriority;
    style.hasPsnOffset =
        CallPolicy(*format, "HasPsnOffset()", [&] { return format->HasPsnOffset(); });
    style.intRules = GetIntRules();
    return style;
}

void
RdmaNic::ApplyMark(QueuePair& queuePair) const
{
    const QueuePairAttributes& attributes = queuePair.GetSetup().attributes;
    if (!attributes.dscp && !attributes.serviceLevel && queuePair.GetClassNumber() == 0 &&
        !queuePair.HasOwnMark())
    {
        return;
    }
    NicPorts& ports = m_core->ports;
    const FrameStyle& style = *m_style;
    FrameMark mark = style.data;
    if (attributes.serviceLevel)
    {
        mark = {*attributes.serviceLevel, attributes.dscp.value_or(DSCPS)};
    }
    else if (attributes.dscp)
    {
        mark = {DscpMap(m_settings->dscpMap).GetPriority(*attributes.dscp), *attributes.dscp};
    }
    const uint8_t classNumber = style.GetClassNumber(mark.priority);
    const auto bit = static_cast<uint8_t>(1U << mark.priority);
    for (uint32_t port = 0; port < ports.GetCount(); ++port)
    {
        if ((m_core->dataPriorities & bit) == 0)
        {
            ports.GetPath(port).AddClass(
                classNumber,
                m_design->Create<SendScheduler>(m_settings->schedulerType));
        }
    }
    m_core->dataPriorities |= bit;
    if (classNumber != queuePair.GetClassNumber())
    {
        ports.LeaveSchedulers(queuePair); // It was reset while it had another class.
    }
    queuePair.SetMark(mark, !(mark == style.data), classNumber);
}

std::unique_ptr<PacketPath>
RdmaNic::MakeChip(FabricCore& core, const NicPort& port, uint32_t number) const
{
    FrameStyle style = *m_style;
    style.endpoint = port.endpoint;
    if (style.intRules.hops > 0 && !core.areHopsRecorded)
    {
        FabricPort::RecordHops(core);
    }
    const ChipSetup setup{core,
                          port.device,
                          number,
                          style,
                          m_design->Create<SendScheduler>(m_settings->schedulerType)};
    std::optional<RateLimiter> limiter;
    if (m_settings->portRateLimit.GetBitRate() > 0)
    {
        limiter.emplace(m_settings->portRateLimit, m_settings->portRateBurst);
    }
    if (m_hardware)
    {
        return std::make_unique<TimedChip>(*m_core, setup, limiter, *m_hardware);
    }
    return std::make_unique<InstantChip>(*m_core, setup, limiter);
}

void
RdmaNic::SetCnpInterval(Time interval)
{
    m_cnpInterval = interval;
    if (m_core)
    {
        m_core->transport.SetCnpInterval(ToTick(interval));
    }
}

Time
RdmaNic::GetCnpInterval() const
{
    return m_cnpInterval;
}

NicCore&
RdmaNic::GetStarted() const
{
    if (!m_core)
    {
        throw VerbsError("the NIC has no port: it is not started, or disposed of");
    }
    return *m_core;
}

TimedChip&
RdmaNic::GetTimed(uint32_t port) const
{
    auto* chip = dynamic_cast<TimedChip*>(&GetStarted().ports.GetPath(port));
    if (!chip)
    {
        throw VerbsError("the NIC of endpoint " + std::to_string(GetEndpoint(port)) +
                         " has no such counts: its hardware takes no time");
    }
    return *chip;
}

TransportDefaults
RdmaNic::MakeDefaults(const FabricCore& core,
                      const PathInfo& path,
                      uint32_t ports,
                      uint64_t seed) const
{
    TransportDefaults defaults;
    static_cast<TransportSettings&>(defaults) = *m_settings;
    defaults.congestionControl =
        m_design->Create<CongestionControl>(m_settings->congestionControlType);
    defaults.lossDetector = m_design->Create<LossDetector>(m_settings->lossDetectorType);
    defaults.timeout = m_design->Create<RetransmissionTimeout>(m_settings->timeoutType);
    defaults.traits = GetCheckedTraits(*defaults.lossDetector);
    defaults.seed = seed;
    defaults.planes = ports;
    defaults.core = &core;
    if (m_settings->flightType != FlightFactory::GetTypeId())
    {
        defaults.flights = m_design->Create<FlightFactory>(m_settings->flightType);
    }
    if (m_settings->receiverControlType != ReceiverControl::GetTypeId())
    {
        defaults.receiverControl =
            m_design->Create<ReceiverControl>(m_settings->receiverControlType);
        if (defaults.traits.responder.outOfOrderWindow == 0 &&
            SendsReports(defaults.receiverControl))
        {
            FailPolicy(*defaults.lossDetector,
                       "GetTraits()",
                       "an outOfOrderWindow above 0 beside a ReceiverControl that sends reports",
                       "0");
        }
    }
    if (m_settings->admissionType != OutOfOrderAdmission::GetTypeId())
    {
        defaults.admission = m_design->Create<OutOfOrderAdmission>(m_settings->admissionType);
    }
    if (m_settings->creditSchedulerType != CreditScheduler::GetTypeId())
    {
        // The largest window: 1.5 bandwidth-delay products (UE 1.0.3, 3.6.14).
        defaults.creditBytes = std::max<uint64_t>(path.GetBdpBytes() * 3 / 2, path.packetBytes);
    }
    if (m_settings->entropySelectorType != EntropySelector::GetTypeId())
    {
        defaults.entropySelector =
            m_design->Create<EntropySelector>(m_settings->entropySelectorType);
    }
    defaults.limit = FindQueuePairLimit(m_settings->maxQueuePairs, *defaults.timeout);
    defaults.pathSelector = m_design->Create<PathSelector>(m_settings->pathSelectorType);
    defaults.path = path;
    defaults.feedback = GetCheckedFeedback(*defaults.congestionControl);
    defaults.hasDoorbell = m_settings->isHardwareTimed;
    if (m_hardware)
    {
        defaults.maxOutstandingBytes = m_hardware->GetMaxOutstandingBytes();
        if (m_hardware->GetMaxReads() > 0)
        {
            const uint32_t entries = m_hardware->GetMaxReads();
            defaults.readPool = m_hardware->HoldsReadsUntilPlaced()
                                    ? Ptr<ReadPool>(Create<PlacedReadPool>(core.engine, entries))
                                    : Create<ReadPool>(core.engine, entries);
        }
    }
    return defaults;
}

QueuePairLimit
RdmaNic::GetQueuePairLimit(const NicDesign& design)
{
    const auto nic = design.Create<RdmaNic>();
    return FindQueuePairLimit(nic->m_settings->maxQueuePairs,
                              *design.Create<RetransmissionTimeout>(nic->m_settings->timeoutType));
}

Tick
RdmaNic::GetBaseRtt(Tick networkRtt, DataRate rate) const
{
    if (!m_hardware)
    {
        return networkRtt;
    }
    // A round trip that a NIC measures on an idle path includes both chips.
    const uint32_t frameBytes = GetHeaderSizes().GetWriteFrame(false, m_settings->pathMtu);
    return networkRtt + m_hardware->GetIdleRoundTrip(m_settings->pathMtu, frameBytes, rate);
}

const NicHardware*
RdmaNic::GetHardware() const
{
    return PeekPointer(m_hardware);
}

Ptr<GpuMemory>
RdmaNic::GetGpuMemory() const
{
    return m_hardware ? m_hardware->GetGpuPath().GetMemory() : nullptr;
}

TimedReceivePath::PlacedTrace&
RdmaNic::GetPlacedTrace(uint32_t port)
{
    return GetTimed(port).GetReceivePath().GetPlacedTrace();
}

const SlowPathStats&
RdmaNic::GetSlowPathStats(uint32_t port) const
{
    return GetTimed(port).GetSlowPath().GetStats();
}

const SendPathStats&
RdmaNic::GetSendPathStats(uint32_t port) const
{
    return GetTimed(port).GetSendPath().GetStats();
}

QueuePairTraces&
RdmaNic::GetTraces()
{
    if (!m_traces)
    {
        m_traces = std::make_unique<QueuePairTraces>();
    }
    for (uint32_t port = 0; port < GetPortCount(); ++port)
    {
        m_core->ports.GetPath(port).SetTraces(*m_traces);
    }
    if (m_core)
    {
        m_core->transport.SetTraces(*m_traces);
        m_core->reporter.SetTraces(*m_traces);
    }
    return *m_traces;
}

void
RdmaNic::SetCompletionHandler(CompletionHandler handler)
{
    GetStarted().reporter.SetCompletionHandler(std::move(handler));
}

void
RdmaNic::SetAsyncEventHandler(AsyncEventHandler handler)
{
    GetStarted().reporter.SetAsyncEventHandler(std::move(handler));
}

uint32_t
RdmaNic::FindPort(uint32_t queuePair) const
{
    const QueuePair* found = GetStarted().table.Find(queuePair);
    return found ? found->GetPort() : 0;
}

std::optional<QueuePairView>
RdmaNic::FindQueuePair(uint32_t queuePair) const
{
    const QueuePair* found = m_core ? m_core->table.Find(queuePair) : nullptr;
    return found ? std::make_optional<QueuePairView>(*found, m_style->data) : std::nullopt;
}

NicStats
RdmaNic::GetStats() const
{
    NicStats stats;
    stats.cnpsSent = m_core ? m_core->transport.GetCnpsSent() : 0;
    for (uint32_t port = 0; port < GetPortCount(); ++port)
    {
        stats.dataFrames += m_core->ports.GetPath(port).GetDataFrames();
    }
    return stats;
}

uint32_t
RdmaNic::GetPlaneCount() const
{
    const bool sprays = m_factory && m_factory->GetDefaults().entropySelector;
    return sprays ? m_factory->GetDefaults().planes : 1;
}

HeaderSizes
RdmaNic::GetHeaderSizes() const
{
    return m_style ? m_style->sizes : HeaderSizes(*MakeWireFormat(), GetIpVersion(), GetIntRules());
}

Feedback
RdmaNic::GetFeedback() const
{
    if (m_factory)
    {
        // Policies are made once per design: there are many NICs and few designs, and making
        // policies is slow.
        return m_factory->GetDefaults().feedback;
    }
    const auto control = m_design->Create<CongestionControl>(m_settings->congestionControlType);
    return GetCheckedFeedback(*control);
}

IntRules
RdmaNic::GetIntRules() const
{
    if (GetFeedback() != Feedback::INT)
    {
        return {};
    }
    if (m_factory)
    {
        return {m_settings->intHops, m_factory->GetDefaults().traits.responder.acknowledgesReads};
    }
    const auto detector = m_design->Create<LossDetector>(m_settings->lossDetectorType);
    return {m_settings->intHops, GetCheckedTraits(*detector).responder.acknowledgesReads};
}

Ptr<WireFormat>
RdmaNic::MakeWireFormat() const
{
    return m_design->Create<WireFormat>(m_settings->wireFormatType);
}

IpVersion
RdmaNic::GetIpVersion() const
{
    return m_settings->hasIpv6 ? IpVersion::V6 : IpVersion::V4;
}

uint32_t
RdmaNic::ChooseNic(uint64_t connection, uint32_t nics) const
{
    const PathSelector& selector = GetStarted().ports.GetSelector();
    const uint32_t nic =
        CallPolicy(selector, "ChooseNic()", [&] { return selector.ChooseNic(connection, nics); });
    if (nic >= nics)
    {
        FailPolicy(selector,
                   "ChooseNic()",
                   "a number below " + std::to_string(nics),
                   std::to_string(nic));
    }
    return nic;
}

uint32_t
RdmaNic::ChoosePort(uint64_t connection) const
{
    return GetStarted().ports.Choose(connection);
}

} // namespace ns3::rdma
