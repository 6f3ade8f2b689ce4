// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/transport-factory.h"

#include "ns3/policy-error.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// Most READs and atomics in flight: max_rd_atomic of ConnectX, requests per queue pair of Coyote.
constexpr uint32_t MAX_READS{16};

/// The random streams of entropy selectors begin here; those of ports and NICs are far below.
constexpr uint64_t SELECTOR_STREAMS{uint64_t{1} << 60};

/// @param code of the queue pair attribute "timeout"
Ptr<const RetransmissionTimeout>
WithAckTimeout(const RetransmissionTimeout& shared, uint8_t code)
{
    constexpr int64_t BASE_NS{4096};
    const Time time = code == 0 ? Time::Max() : NanoSeconds(BASE_NS << code);
    const Ptr<const RetransmissionTimeout> own =
        CallPolicy(shared, "WithAckTimeout()", [&] { return shared.WithAckTimeout(time); });
    if (!own)
    {
        FailPolicy(shared, "WithAckTimeout()", "an object", "null");
    }
    return own;
}

std::optional<FirstTimeout>
GetFirstTimeout(const RetransmissionTimeout& timeout)
{
    const auto first = CallPolicy(timeout, "GetFirst()", [&] { return timeout.GetFirst(); });
    if (first && std::min(first->few, first->many) <= 0)
    {
        FailPolicy(timeout,
                   "GetFirst()",
                   "times above zero",
                   DescribeTick(std::min(first->few, first->many)));
    }
    return first;
}
} // namespace

Feedback
GetCheckedFeedback(const CongestionControl& control)
{
    const Feedback feedback =
        CallPolicy(control, "GetNeededFeedback()", [&] { return control.GetNeededFeedback(); });
    if (feedback < Feedback::NONE || feedback > Feedback::INT)
    {
        FailPolicy(control,
                   "GetNeededFeedback()",
                   "NONE, CNP, ECN_ECHO or INT",
                   std::to_string(static_cast<int>(feedback)));
    }
    return feedback;
}

QueuePairLimit
FindQueuePairLimit(uint32_t tables, const RetransmissionTimeout& timeout)
{
    const uint32_t timers =
        CallPolicy(timeout, "GetMaxQueuePairs()", [&] { return timeout.GetMaxQueuePairs(); });
    if (timers < tables)
    {
        return {timers, timeout.GetInstanceTypeId().GetName()};
    }
    return {tables, "ns3::rdma::RdmaNic"};
}

DetectorTraits
GetCheckedTraits(const LossDetector& detector)
{
    constexpr uint32_t MAX_BITMAP{Psn::MAX_WINDOW / 2};
    const DetectorTraits traits =
        CallPolicy(detector, "GetTraits()", [&] { return detector.GetTraits(); });
    if (traits.responder.outOfOrderWindow > MAX_BITMAP)
    {
        FailPolicy(detector,
                   "GetTraits()",
                   "outOfOrderWindow at most " + std::to_string(MAX_BITMAP),
                   std::to_string(traits.responder.outOfOrderWindow));
    }
    return traits;
}

TransportFactory::TransportFactory(const TransportDefaults& defaults,
                                   std::shared_ptr<FabricEngine> engine)
    : m_defaults(defaults),
      m_engine(std::move(engine))
{
    const QueuePair plain(0);
    RequesterRules rules = MakeRules(plain);
    rules.hasDoorbell = m_defaults.hasDoorbell;
    m_plainRules = Requester::Rules(rules);
    m_plainResponder = Responder::Config(MakeResponderConfig(plain));
}

bool
TransportFactory::IsPlain(const QueuePair& queuePair)
{
    return !queuePair.HasSetup() && queuePair.GetService() == Service::RC;
}

uint32_t
TransportFactory::GetMaxReads(const QueuePair& queuePair) const
{
    return queuePair.GetSetup().attributes.maxReadsAndAtomics.value_or(MAX_READS);
}

template <typename Policy>
Ptr<Policy>
TransportFactory::Fork(const Policy& prototype, const Policy*& latest)
{
    Ptr<Policy> fork = CallPolicy(prototype, "Fork()", [&] { return prototype.Fork(); });
    if (!fork)
    {
        FailPolicy(prototype, "Fork()", "a new object", "null");
    }
    const Policy& made = *fork;
    // The queue pairs would share their state.
    if (&made == &prototype || (&made == latest && made.GetReferenceCount() > 1))
    {
        FailPolicy(prototype, "Fork()", "a new object", "one that is in use");
    }
    // The policy inherits Fork() from its base class: the fork lacks the state of the derived
    // class.
    if (typeid(made) != typeid(prototype))
    {
        FailPolicy(prototype,
                   "Fork()",
                   "an object of " + GetClassName(typeid(prototype)),
                   "one of " + GetClassName(typeid(made)));
    }
    latest = &made;
    return fork;
}

template <typename Policy>
Ptr<Policy>
TransportFactory::Take(std::vector<Ptr<Policy>>& idle,
                       const Policy& prototype,
                       const Policy*& latest)
{
    if (idle.empty())
    {
        return Fork(prototype, latest);
    }
    Ptr<Policy> policy = std::move(idle.back());
    idle.pop_back();
    return policy;
}

template <typename Policy>
void
TransportFactory::Keep(Ptr<Policy>&& policy,
                       const Policy& prototype,
                       std::vector<Ptr<Policy>>& idle)
{
    if (policy->GetReferenceCount() == 1 &&
        CallPolicy(*policy, "Restart()", [&] { return policy->Restart(prototype); }))
    {
        idle.push_back(std::move(policy));
    }
}

void
TransportFactory::Keep(RequesterPolicies&& policies) const
{
    Keep(std::move(policies.congestionControl), *m_defaults.congestionControl, m_idleControls);
    Keep(std::move(policies.lossDetector), *m_defaults.lossDetector, m_idleDetectors);
}

RequesterParts
TransportFactory::MakeParts(const QueuePair& queuePair) const
{
    RequesterParts parts;
    parts.congestionControl = Take(m_idleControls, *m_defaults.congestionControl, m_latestControl);
    parts.lossDetector = Take(m_idleDetectors, *m_defaults.lossDetector, m_latestDetector);
    parts.initialPsn = queuePair.GetConnection().initialPsn;
    parts.qpNumber = queuePair.GetNumber();
    parts.ownPath = queuePair.GetOwnPath();
    parts.entropy = queuePair.GetConnection().entropy;
    if (m_defaults.entropySelector)
    {
        parts.entropySelector = MakeSelector(queuePair);
        parts.planes = m_defaults.planes;
        parts.peerPorts = FindPeerPorts(queuePair);
    }
    return parts;
}

uint32_t
TransportFactory::FindPeerPorts(const QueuePair& queuePair) const
{
    uint32_t ports = ~0U;
    if (!m_defaults.core || !queuePair.IsConnected())
    {
        return ports;
    }
    for (const uint32_t endpoint : m_defaults.core->deadEndpoints)
    {
        const uint32_t port = m_defaults.core->endpoints.Get(endpoint).port;
        const uint32_t remote = queuePair.GetConnection().remoteEndpoint;
        if (m_defaults.core->endpoints.FindPort(remote, port) == endpoint)
        {
            ports &= ~(1U << port);
        }
    }
    return ports;
}

Ptr<EntropySelector>
TransportFactory::MakeSelector(const QueuePair& queuePair) const
{
    Ptr<EntropySelector> selector = Fork(*m_defaults.entropySelector, m_latestSelector);
    const PathInfo& path = m_defaults.path;
    EntropyFacts facts;
    // A connection's entropy is a function of its ends and, in flows, of their number.
    const uint64_t stream =
        uint64_t{queuePair.GetConnection().entropy} << 24 | queuePair.GetNumber();
    facts.random = RandomStream(m_defaults.seed, SELECTOR_STREAMS + stream);
    const uint64_t packetBytes = std::max<uint64_t>(path.packetBytes, path.mtuBytes);
    facts.bdpPackets =
        static_cast<uint32_t>(std::max<uint64_t>(path.GetBdpBytes() / packetBytes, 1));
    facts.baseRtt = path.baseRtt;
    facts.planes = m_defaults.planes;
    CallPolicy(*selector, "Start()", [&] { selector->Start(facts); });
    return selector;
}

RequesterRules
TransportFactory::MakeRules(const QueuePair& queuePair) const
{
    const QueuePairAttributes& attributes = queuePair.GetSetup().attributes;
    RequesterRules rules;
    rules.path = m_defaults.path;
    rules.path.mtuBytes = GetMtu(queuePair);
    rules.flightCapBytes = m_defaults.hasBdpFlowControl
                               ? std::max<uint64_t>(rules.path.GetBdpBytes(), rules.path.mtuBytes)
                               : std::numeric_limits<uint64_t>::max();
    rules.flightCapBytes = std::min(rules.flightCapBytes, m_defaults.maxOutstandingBytes);
    rules.timeout = attributes.timeout ? WithAckTimeout(*m_defaults.timeout, *attributes.timeout)
                                       : m_defaults.timeout;
    rules.firstTimeout = GetFirstTimeout(*rules.timeout);
    rules.needsRtt =
        CallPolicy(*rules.timeout, "NeedsRtt()", [&] { return rules.timeout->NeedsRtt(); });
    rules.heldLimit =
        m_defaults.traits.windowCountsHeld ? 0 : m_defaults.traits.responder.outOfOrderWindow;
    // Not value_or(): it would cut the NIC's count to the 8 bits of the queue pair's attribute.
    rules.retryCount = attributes.retryCount ? *attributes.retryCount : m_defaults.retryCount;
    rules.isReliable = queuePair.GetService() == Service::RC;
    rules.flights = rules.isReliable ? m_defaults.flights : nullptr;
    if (rules.isReliable && SendsReports(m_defaults.receiverControl))
    {
        rules.reports = {true, m_defaults.requestsReports, m_defaults.creditBytes};
    }
    rules.rnrRetry = attributes.rnrRetry.value_or(rules.rnrRetry);
    rules.maxReadsAndAtomics = GetMaxReads(queuePair);
    rules.readRequestBytes = m_defaults.readRequestBytes;
    rules.isEverythingSignaled = queuePair.GetSetup().init.isEverythingSignaled;
    rules.domain = queuePair.GetSetup().init.domain;
    rules.readPool = m_defaults.readPool;
    rules.handlers = queuePair.GetSetup().init.handlers;
    rules.queuePair = queuePair.GetNumber();
    const DataRate rateLimit = attributes.rateLimit.value_or(DataRate(0));
    rules.rateLimit = rateLimit.GetBitRate() > 0 ? rateLimit : rules.rateLimit;
    return rules;
}

Requester::Rules
TransportFactory::GetRules(const QueuePair& queuePair) const
{
    if (IsPlain(queuePair))
    {
        return m_plainRules;
    }
    RequesterRules rules = MakeRules(queuePair);
    rules.hasDoorbell = m_defaults.hasDoorbell;
    return Requester::Rules(rules);
}

Requester&
TransportFactory::MakeRequester(QueuePair& queuePair) const
{
    queuePair.m_requester =
        std::make_unique<Requester>(MakeParts(queuePair), GetRules(queuePair), m_engine->Now());
    CheckRoutes(*queuePair.GetRequester());
    queuePair.m_hasAllPorts = m_defaults.entropySelector && m_defaults.planes > 1;
    return *queuePair.GetRequester();
}

void
TransportFactory::CheckRoutes(const Requester& requester) const
{
    if (m_defaults.flights && m_defaults.entropySelector && m_defaults.planes > 1 &&
        !requester.FindRoutes())
    {
        FailPolicy(*m_defaults.flights,
                   "Flight::FindRoutes()",
                   "routes, since the NIC has an EntropySelector and several ports",
                   "null");
    }
}

Requester&
TransportFactory::GetReadSender(QueuePair& queuePair) const
{
    std::unique_ptr<Requester>& sender = queuePair.GetRare().readSender;
    if (!sender)
    {
        RequesterRules rules = MakeRules(queuePair);
        if (rules.reports)
        {
            rules.reports = ReportRules{}; // Credit and probes are for requests only.
        }
        sender = std::make_unique<Requester>(MakeParts(queuePair),
                                             Requester::Rules(rules),
                                             m_engine->Now());
        CheckRoutes(*sender);
    }
    return *sender;
}

RequestContext
TransportFactory::MakeRequestContext(const QueuePair& queuePair)
{
    const QueuePairSetup& setup = queuePair.GetSetup();
    RequestContext context;
    context.service = queuePair.GetService();
    context.domain = setup.init.domain;
    context.receiveQueue = setup.receiveQueue;
    context.isReceiveQueueShared = setup.init.sharedReceiveQueue != nullptr;
    context.access = setup.attributes.access.value_or(context.access);
    context.queueKey = setup.attributes.queueKey.value_or(0);
    context.qpNumber = queuePair.GetNumber();
    context.handlers = setup.init.handlers;
    return context;
}

ResponderConfig
TransportFactory::MakeResponderConfig(const QueuePair& queuePair) const
{
    const QueuePairAttributes& attributes = queuePair.GetSetup().attributes;
    ResponderConfig config;
    config.rules = m_defaults.traits.responder;
    config.echoesCe =
        m_defaults.feedback == Feedback::ECN_ECHO || m_defaults.feedback == Feedback::INT;
    config.ackInterval = m_defaults.ackInterval;
    config.initialPsn = queuePair.GetConnection().initialPsn;
    config.mtuBytes = GetMtu(queuePair);
    config.minRnrTimer = attributes.minRnrTimer.value_or(config.minRnrTimer);
    config.maxReadsAndAtomics = attributes.maxDestReadsAndAtomics.value_or(MAX_READS);
    config.receiverControl = m_defaults.receiverControl;
    config.admission = m_defaults.admission;
    config.requests = MakeRequestContext(queuePair);
    return config;
}

Responder::Config
TransportFactory::GetResponderConfig(const QueuePair& queuePair) const
{
    if (IsPlain(queuePair))
    {
        return m_plainResponder;
    }
    return Responder::Config(MakeResponderConfig(queuePair));
}

void
TransportFactory::Update(QueuePair& queuePair) const
{
    if (!queuePair.HasSetup())
    {
        return; // Nothing has changed.
    }
    if (queuePair.GetRequester())
    {
        queuePair.GetRequester()->SetRules(GetRules(queuePair), m_engine->Now());
    }
    if (queuePair.GetResponder())
    {
        queuePair.GetResponder()->SetConfig(GetResponderConfig(queuePair));
    }
    if (UnreliableResponder* unreliable = queuePair.GetUnreliable())
    {
        const RequestContext context = MakeRequestContext(queuePair);
        unreliable->SetLimits(context.access, context.queueKey);
    }
}

Responder&
TransportFactory::MakeResponder(QueuePair& queuePair) const
{
    queuePair.m_responder.emplace(GetResponderConfig(queuePair),
                                  queuePair.GetConnection().initialPsn,
                                  queuePair.GetNumber());
    return *queuePair.GetResponder();
}

Responder&
TransportFactory::GetReadReceiver(QueuePair& queuePair) const
{
    std::unique_ptr<Responder>& receiver = queuePair.GetRare().readReceiver;
    if (!receiver)
    {
        ResponderConfig config = MakeResponderConfig(queuePair);
        config.ackOperation = opcode::READ_ACK;
        config.requests = RequestContext{}; // It has no requests: their memory is the requester's.
        config.requests.qpNumber = queuePair.GetNumber();
        receiver = std::make_unique<Responder>(config);
    }
    return *receiver;
}

UnreliableResponder&
TransportFactory::GetUnreliable(QueuePair& queuePair) const
{
    std::unique_ptr<UnreliableResponder>& unreliable = queuePair.GetRare().unreliable;
    if (!unreliable)
    {
        unreliable = std::make_unique<UnreliableResponder>(MakeRequestContext(queuePair),
                                                           queuePair.GetConnection().initialPsn);
    }
    return *unreliable;
}

} // namespace ns3::rdma
