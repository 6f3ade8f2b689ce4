// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rdma-nic.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/boolean.h"
#include "ns3/go-back-n.h"
#include "ns3/no-congestion-control.h"
#include "ns3/object-factory.h"
#include "ns3/opcode.h"
#include "ns3/round-robin-scheduler.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(RdmaNic);

namespace
{
template <typename Policy>
Ptr<Policy>
MakePolicy(TypeId type)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    Ptr<Policy> policy = DynamicCast<Policy>(factory.Create());
    NS_ABORT_MSG_UNLESS(policy, type.GetName() << " is not a " << Policy::GetTypeId().GetName());
    return policy;
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
                          "Shortest time between two CNPs of a queue pair (4 us: NVIDIA "
                          "min_time_between_cnps; 50 us: Zhu et al. 2015)",
                          TimeValue(MicroSeconds(4)),
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
            .AddAttribute("Ipv6",
                          "Whether IPv6 is below UDP (IPv4: as SRNIC's 58 bytes of headers)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RdmaNic::m_hasIpv6),
                          MakeBooleanChecker());
    return tid;
}

RdmaNic::RdmaNic() = default;

RdmaNic::~RdmaNic() = default;

void
RdmaNic::DoDispose()
{
    if (m_core)
    {
        m_core->engine->Unregister(m_target);
        m_core = nullptr;
    }
    m_onCompletion = nullptr;
    m_queuePairs.Clear();
    m_scheduler = nullptr;
    m_congestionControl = nullptr;
    m_lossRecovery = nullptr;
    Object::DoDispose();
}

void
RdmaNic::Start(FabricCore& core, FabricDevice& device, uint32_t node, Tick baseRtt)
{
    m_core = &core;
    m_port = &device.GetPort();
    m_port->SetOwner(this);
    m_node = node;
    m_target = core.engine->Register(this);
    m_scheduler = MakePolicy<SendScheduler>(m_schedulerType);
    m_congestionControl = MakePolicy<CongestionControl>(m_congestionControlType);
    m_lossRecovery = MakePolicy<LossRecovery>(m_lossRecoveryType);
    m_headerSizes = GetHeaderSizes();
    m_feedback = m_congestionControl->GetNeededFeedback();
    m_responderRules = m_lossRecovery->GetResponderRules();
    m_path = {m_port->GetRate(), ToTime(baseRtt), m_pathMtu};
}

void
RdmaNic::SetCompletionHandler(CompletionHandler handler)
{
    m_onCompletion = std::move(handler);
}

uint32_t
RdmaNic::CreateQueuePair()
{
    return m_queuePairs.Create().number;
}

void
RdmaNic::Connect(uint32_t queuePair, const Connection& connection)
{
    m_queuePairs.Find(queuePair)->connection = connection;
}

void
RdmaNic::DestroyQueuePair(uint32_t queuePair)
{
    m_queuePairs.Destroy(queuePair);
}

const QueuePair*
RdmaNic::FindQueuePair(uint32_t queuePair) const
{
    return m_queuePairs.Find(queuePair);
}

uint32_t
RdmaNic::GetQueuePairCount() const
{
    return m_queuePairs.GetCount();
}

const NicStats&
RdmaNic::GetStats() const
{
    return m_stats;
}

HeaderSizes
RdmaNic::GetHeaderSizes() const
{
    return HeaderSizes(*MakePolicy<WireFormat>(m_wireFormatType),
                       m_hasIpv6 ? IpVersion::V6 : IpVersion::V4);
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
RdmaNic::PostWrite(uint32_t number, uint64_t wrId, uint64_t bytes)
{
    QueuePair* queuePair = m_queuePairs.Find(number);
    NS_ASSERT_MSG(queuePair, "no queue pair " << number);
    Requester& requester = GetRequester(*queuePair);
    if (requester.IsBroken())
    {
        m_onCompletion({wrId, WcStatus::WR_FLUSH_ERR, number});
        return;
    }
    requester.Post(wrId, bytes);
    Activate(*queuePair);
}

Requester&
RdmaNic::GetRequester(QueuePair& queuePair)
{
    if (!queuePair.requester)
    {
        RequesterConfig config;
        config.congestionControl = m_congestionControl->Fork();
        config.lossRecovery = m_lossRecovery->Fork();
        config.path = m_path;
        config.flightCapBytes = m_hasBdpFlowControl
                                    ? std::max<uint64_t>(m_path.GetBdpBytes(), m_pathMtu)
                                    : std::numeric_limits<uint64_t>::max();
        config.retryCount = m_retryCount;
        config.initialPsn = queuePair.connection.initialPsn;
        queuePair.requester = std::make_unique<Requester>(config, m_core->engine->Now());
    }
    return *queuePair.requester;
}

Responder&
RdmaNic::GetResponder(QueuePair& queuePair)
{
    if (!queuePair.responder)
    {
        ResponderConfig config;
        config.rules = m_responderRules;
        config.sendsCnps = m_feedback == Feedback::CNP;
        config.echoesCe = m_feedback == Feedback::ECN_ECHO;
        config.cnpInterval = ToTick(m_cnpInterval);
        config.ackInterval = m_ackInterval;
        config.initialPsn = queuePair.connection.initialPsn;
        queuePair.responder = std::make_unique<Responder>(config);
    }
    return *queuePair.responder;
}

void
RdmaNic::Receive(FabricPort&, FrameIndex index)
{
    const Frame& frame = m_core->pool[index];
    QueuePair* queuePair = m_queuePairs.Find(frame.dstQp);
    if (!queuePair)
    {
        Drop(index, DropReason::UNKNOWN_QP);
        return;
    }
    if (opcode::IsRequest(frame.opcode))
    {
        ReceiveData(*queuePair, frame);
    }
    else if (queuePair->requester)
    {
        Completions completions;
        if (frame.opcode == opcode::CNP)
        {
            queuePair->requester->OnCnp(m_core->engine->Now());
        }
        else
        {
            completions = queuePair->requester->OnAck(frame, m_core->engine->Now());
        }
        Activate(*queuePair);
        Complete(*queuePair, completions);
    }
    m_core->pool.Free(index);
}

void
RdmaNic::ReceiveData(QueuePair& queuePair, const Frame& frame)
{
    const Answer answer = GetResponder(queuePair).OnData(frame, m_core->engine->Now());
    if (answer.isDropped)
    {
        m_core->drops.Count(DropReason::OUT_OF_ORDER);
        m_port->GetDropTrace()(frame, DropReason::OUT_OF_ORDER);
    }
    if (answer.hasCnp)
    {
        SendCnp(queuePair);
    }
    if (answer.hasAck)
    {
        SendAck(queuePair, answer, frame);
    }
}

void
RdmaNic::Complete(const QueuePair& queuePair, const Completions& completions)
{
    // The handler may destroy the queue pair: nothing of it is used after the first call.
    const uint32_t number = queuePair.number;
    for (const auto& [wrId, status] : completions)
    {
        m_onCompletion({wrId, status, number});
    }
}

FrameIndex
RdmaNic::MakeFrame(const QueuePair& queuePair, uint8_t code, uint8_t priority, uint32_t bytes)
{
    const FrameIndex index = m_core->pool.Allocate();
    Frame& frame = m_core->pool[index];
    frame = Frame{};
    frame.src = m_node;
    frame.dst = queuePair.connection.remoteNode;
    frame.entropy = queuePair.connection.entropy;
    frame.wireBytes = bytes;
    frame.priority = priority;
    frame.srcQp = queuePair.number;
    frame.dstQp = queuePair.connection.remoteQp;
    frame.opcode = code;
    return index;
}

FrameIndex
RdmaNic::MakeData(QueuePair& queuePair, Tick now)
{
    Requester& requester = *queuePair.requester;
    const Requester::Outgoing packet = requester.TakeNext();
    const PacketPlan& plan = packet.plan;
    const FrameIndex index =
        MakeFrame(queuePair,
                  opcode::GetByPlace(opcode::WRITE_FIRST, plan.isFirst, plan.isLast),
                  m_dataPriority,
                  m_headerSizes.GetWriteFrame(plan.isFirst, plan.payloadBytes));
    Frame& frame = m_core->pool[index];
    frame.flags = frame_flag::ECN_CAPABLE | frame_flag::ACK_REQUEST |
                  (packet.isRetransmission ? frame_flag::RETRANSMISSION : 0);
    frame.sendTime = now;
    frame.payloadBytes = static_cast<uint16_t>(plan.payloadBytes);
    frame.psn = packet.psn.Get();
    ++m_stats.dataFrames;
    const uint32_t onWire = std::max(frame.wireBytes, m_core->minimumBytes) + m_core->overheadBytes;
    requester.OnSent(packet, onWire, now);
    ArmTimer(queuePair);
    return index;
}

void
RdmaNic::SendAck(const QueuePair& queuePair, const Answer& answer, const Frame& data)
{
    const FrameIndex index =
        MakeFrame(queuePair, opcode::RC_ACK, m_ackPriority, m_headerSizes.GetAckFrame());
    Frame& frame = m_core->pool[index];
    frame.flags = static_cast<uint8_t>((answer.isCeEchoed ? frame_flag::CE_ECHO : 0) |
                                       (answer.isSelective ? frame_flag::SELECTIVE : 0));
    frame.sendTime = data.sendTime;
    frame.psn = answer.psn.Get();
    frame.ack.selectivePsn = answer.selective.Get();
    frame.ack.msn = queuePair.responder->GetMsn();
    frame.syndrome = answer.syndrome;
    m_port->Enqueue(index);
}

void
RdmaNic::SendCnp(const QueuePair& queuePair)
{
    ++m_stats.cnpsSent;
    m_port->Enqueue(MakeFrame(queuePair, opcode::CNP, m_cnpPriority, m_headerSizes.GetCnpFrame()));
}

void
RdmaNic::Drop(FrameIndex index, DropReason reason)
{
    m_core->drops.Count(reason);
    m_port->GetDropTrace()(m_core->pool[index], reason);
    m_core->pool.Free(index);
}

void
RdmaNic::OnDequeue(FabricPort&, Frame&)
{
}

PulledFrame
RdmaNic::Pull(FabricPort& port)
{
    if (port.IsPaused(m_dataPriority))
    {
        return {}; // The port asks again when the pause ends.
    }
    const Tick now = m_core->engine->Now();
    while (const auto number = m_scheduler->Pick(now))
    {
        QueuePair* queuePair = m_queuePairs.Find(*number);
        if (!queuePair || !queuePair->isScheduled)
        {
            continue; // Destroyed while it waited for its turn, its number perhaps in use again.
        }
        queuePair->isScheduled = false;
        if (queuePair->requester->GetNextSendTime() > now)
        {
            Schedule(*queuePair); // Its window closed, or its rate fell, while it waited.
            continue;
        }
        const FrameIndex index = MakeData(*queuePair, now);
        Schedule(*queuePair);
        const Tick idleAt = now + port.GetSerialization(m_core->pool[index].wireBytes);
        const Tick nextReady = m_scheduler->GetNextReady(now);
        const bool hasMore = nextReady <= idleAt;
        if (!hasMore)
        {
            WakeAt(nextReady);
        }
        return {index, hasMore};
    }
    WakeAt(m_scheduler->GetNextReady(now));
    return {};
}

bool
RdmaNic::Schedule(QueuePair& queuePair)
{
    const Tick readyAt =
        queuePair.isScheduled ? TICK_NEVER : queuePair.requester->GetNextSendTime();
    if (readyAt == TICK_NEVER)
    {
        return false;
    }
    queuePair.isScheduled = true;
    m_scheduler->Add(queuePair.number, readyAt, m_core->engine->Now());
    return true;
}

void
RdmaNic::Activate(QueuePair& queuePair)
{
    if (Schedule(queuePair))
    {
        const Tick now = m_core->engine->Now();
        const Tick nextReady = m_scheduler->GetNextReady(now);
        if (nextReady <= now)
        {
            m_port->Kick();
        }
        else
        {
            WakeAt(nextReady);
        }
    }
    ArmTimer(queuePair);
}

void
RdmaNic::ArmTimer(QueuePair& queuePair)
{
    // A deadline that moves back needs no event of its own: the one under way looks again.
    const Tick deadline = queuePair.requester->GetDeadline();
    if (deadline < queuePair.timerAt)
    {
        queuePair.timerAt = deadline;
        m_core->engine->Schedule(deadline,
                                 FabricEngine::MakeOwner(m_target, QP_TIMER),
                                 queuePair.number);
    }
}

void
RdmaNic::WakeAt(Tick when)
{
    if (when < m_wakeAt)
    {
        m_wakeAt = when;
        m_core->engine->Schedule(when, FabricEngine::MakeOwner(m_target, PACING), 0);
    }
}

void
RdmaNic::HandleEvent(uint32_t kind, uint32_t argument)
{
    if (kind == QP_TIMER)
    {
        OnTimer(argument);
        return;
    }
    if (m_wakeAt == m_core->engine->Now())
    {
        m_wakeAt = TICK_NEVER;
        m_port->Kick();
    }
}

void
RdmaNic::OnTimer(uint32_t number)
{
    QueuePair* queuePair = m_queuePairs.Find(number);
    const Tick now = m_core->engine->Now();
    if (!queuePair || queuePair->timerAt != now)
    {
        return; // Destroyed, or an earlier look was scheduled since.
    }
    queuePair->timerAt = TICK_NEVER;
    Completions completions;
    if (queuePair->requester->GetDeadline() <= now)
    {
        completions = queuePair->requester->OnDeadline(now);
    }
    Activate(*queuePair);
    Complete(*queuePair, completions);
}

} // namespace ns3::rdma
