// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/slow-path.h"

#include "ns3/opcode.h"

namespace ns3::rdma
{

namespace
{
constexpr uint32_t DOORBELL_BYTES{8};
} // namespace

SlowPath::SlowPath(NicParts& parts,
                   NicTransport& transport,
                   NicTransmitter& transmitter,
                   NicHardware& hardware,
                   ControlPath& controlPath)
    : m_parts(parts),
      m_core(parts.core),
      m_transport(transport),
      m_transmitter(transmitter),
      m_hardware(hardware),
      m_controlPath(controlPath),
      m_target(m_core.engine->Register(this)),
      m_isOnloading(hardware.OnloadsBitmaps())
{
}

SlowPath::~SlowPath()
{
    m_core.engine->Unregister(m_target);
}

bool
SlowPath::IsFor(const Frame& answer) const
{
    if (answer.opcode != opcode::ACK && answer.opcode != opcode::READ_ACK)
    {
        return false;
    }
    return answer.syndrome == syndrome::NAK_PSN_SEQUENCE &&
           (m_isOnloading || m_hardware.GetNakDelay() > 0);
}

Tick
SlowPath::NotifySoftware(uint32_t queuePair)
{
    const Tick now = m_core.engine->Now();
    const Tick notifiedAt =
        m_hardware.GetPcie().Write(now, now, DmaKind::SOFTWARE, 0, m_hardware.GetMetadataBytes());
    return m_hardware.GetCpu().Run(now, notifiedAt, queuePair, CpuTask::RETRANSMISSION);
}

void
SlowPath::Divert(FrameIndex answer)
{
    ++m_stats.answers;
    const Tick handledAt = m_isOnloading ? NotifySoftware(m_core.pool[answer].dstQp)
                                         : m_core.engine->Now() + m_hardware.GetNakDelay();
    m_core.engine->Schedule(handledAt, FabricEngine::MakeOwner(m_target, ANSWER), answer);
}

Tick
SlowPath::OnRequest(uint32_t queuePair, const Frame& frame, Psn expected)
{
    const Tick now = m_core.engine->Now();
    const Psn psn(frame.psn);
    if (!m_isOnloading)
    {
        return now;
    }
    auto state = m_states.find(queuePair);
    if (state == m_states.end())
    {
        if (psn - expected <= 0)
        {
            return now; // In order, or a duplicate: the fast path.
        }
        state = m_states.emplace(queuePair, State{BitmapOnloading(expected), m_lives++}).first;
    }
    if (!state->second.onloading.OnPacket(psn))
    {
        return now;
    }
    ++m_stats.metadata;
    const Tick handledAt = NotifySoftware(queuePair);
    ScheduleNote(handledAt, METADATA, {queuePair, state->second.life, psn, frame.sendTime});
    return handledAt;
}

void
SlowPath::Restrict(uint32_t queuePair, Acknowledgment& acknowledgment) const
{
    const auto expected = GetExpected(queuePair);
    const bool isAck = acknowledgment.syndrome == syndrome::ACK;
    if (!expected || acknowledgment.operation != opcode::ACK ||
        (!isAck && acknowledgment.syndrome != syndrome::NAK_PSN_SEQUENCE))
    {
        return;
    }
    const Psn acknowledged = isAck ? acknowledgment.psn + 1 : acknowledgment.psn;
    if (acknowledged.IsBefore(*expected))
    {
        return; // A kept packet was refused at its turn.
    }
    if (acknowledgment.selective.IsBefore(*expected))
    {
        acknowledgment.syndrome = syndrome::ACK;
        acknowledgment.isSelective = false;
        acknowledgment.psn = *expected + Psn::MASK; // One before: 2^24 - 1 is -1.
        return;
    }
    acknowledgment.syndrome = syndrome::NAK_PSN_SEQUENCE;
    acknowledgment.isSelective = true;
    acknowledgment.psn = *expected;
}

std::optional<Psn>
SlowPath::GetExpected(uint32_t queuePair) const
{
    const auto state = m_states.find(queuePair);
    return state == m_states.end() || !state->second.onloading.IsRecovering()
               ? std::nullopt
               : std::optional<Psn>(state->second.onloading.GetExpected());
}

void
SlowPath::Forget(uint32_t queuePair)
{
    m_states.erase(queuePair);
}

void
SlowPath::ScheduleNote(Tick when, Event kind, const Note& note)
{
    const uint32_t place = m_notes.Put(note);
    m_core.engine->Schedule(when, FabricEngine::MakeOwner(m_target, kind), place);
}

void
SlowPath::HandleEvent(uint32_t kind, uint32_t argument)
{
    if (kind == ANSWER)
    {
        OnAnswer(argument);
        return;
    }
    if (kind == RETRY)
    {
        OnRetry(argument);
        return;
    }
    const Note note = m_notes.Take(argument);
    if (kind == METADATA)
    {
        OnMetadata(note);
    }
    else
    {
        OnUpdate(note);
    }
}

void
SlowPath::OnAnswer(FrameIndex answer)
{
    const Frame& frame = m_core.pool[answer];
    const uint32_t number = frame.dstQp;
    QueuePair* queuePair = m_parts.Find(number);
    bool isRetried = false;
    if (queuePair && queuePair->state >= QpState::RTR && queuePair->requester)
    {
        m_transport.OnResponse(*queuePair,
                               frame,
                               m_core.pool.FindDetail(frame),
                               NicParts::GetElapsed(frame, m_core.engine->Now()));
        const Requester* readSender = queuePair->GetReadSender();
        isRetried = queuePair->requester->HasResends() || (readSender && readSender->HasResends());
        if (!m_isOnloading || !isRetried)
        {
            m_transmitter.Activate(*queuePair);
        }
    }
    m_core.pool.Free(answer);
    m_parts.reporter.Deliver();
    if (isRetried)
    {
        const Tick arrivesAt = m_hardware.GetPcie().Store(m_core.engine->Now(), DOORBELL_BYTES);
        m_core.engine->Schedule(arrivesAt, FabricEngine::MakeOwner(m_target, RETRY), number);
    }
}

void
SlowPath::OnRetry(uint32_t number)
{
    QueuePair* queuePair = m_parts.Find(number);
    if (queuePair && queuePair->requester)
    {
        m_transmitter.Activate(*queuePair);
    }
}

SlowPath::State*
SlowPath::FindState(const Note& note)
{
    const auto state = m_states.find(note.queuePair);
    return state != m_states.end() && state->second.life == note.life ? &state->second : nullptr;
}

void
SlowPath::OnMetadata(const Note& note)
{
    State* state = FindState(note);
    if (!state)
    {
        return; // The queue pair was reset.
    }
    if (const auto expected = state->onloading.OnMetadata(note.psn))
    {
        ++m_stats.updates;
        const Tick now = m_core.engine->Now();
        ScheduleNote(m_hardware.GetPcie().Store(now, DOORBELL_BYTES),
                     UPDATE,
                     {note.queuePair, note.life, *expected, note.sendTime});
    }
}

void
SlowPath::OnUpdate(const Note& note)
{
    State* state = FindState(note);
    if (!state)
    {
        return; // The queue pair was reset.
    }
    const Psn before = state->onloading.GetExpected();
    m_stats.exits += state->onloading.OnUpdate(note.psn);
    const Psn expected = state->onloading.GetExpected();
    if (before.IsBefore(expected))
    {
        Acknowledge(note.queuePair, expected, note.sendTime);
    }
}

void
SlowPath::Acknowledge(uint32_t number, Psn expected, Tick sendTime)
{
    QueuePair* queuePair = m_parts.Find(number);
    if (!queuePair || !queuePair->responder || queuePair->state < QpState::RTR)
    {
        return;
    }
    const Responder& responder = *queuePair->responder;
    Acknowledgment acknowledgment{};
    acknowledgment.operation = opcode::ACK;
    acknowledgment.syndrome = syndrome::ACK;
    const bool isBehind = responder.GetExpected().IsBefore(expected);
    acknowledgment.psn = (isBehind ? responder.GetExpected() : expected) + Psn::MASK;
    acknowledgment.selective = acknowledgment.psn;
    acknowledgment.msn = responder.GetMsn();
    acknowledgment.sendTime = sendTime;
    m_controlPath.Send(m_transport.MakeAcknowledgment(*queuePair, acknowledgment));
}

} // namespace ns3::rdma
