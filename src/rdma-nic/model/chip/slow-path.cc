// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/slow-path.h"

#include "ns3/log.h"
#include "ns3/opcode.h"

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("SlowPath");

namespace
{
constexpr uint32_t DOORBELL_BYTES{8};
} // namespace

SlowPath::SlowPath(FabricCore& core,
                   const QueuePairTable& table,
                   NicTransport& transport,
                   NicPorts& ports,
                   WorkReporter& reporter,
                   FrameMaker& frames,
                   NicHardware& hardware,
                   ControlPath& controlPath)
    : m_core(core),
      m_table(table),
      m_transport(transport),
      m_ports(ports),
      m_reporter(reporter),
      m_frames(frames),
      m_hardware(hardware),
      m_controlPath(controlPath),
      m_bitmaps(hardware.OnloadsBitmaps() ? &transport.OnloadBitmaps() : nullptr),
      m_divertsNaks(m_bitmaps || hardware.GetNakDelay() > 0),
      m_target(m_core.engine->Register(this))
{
}

SlowPath::~SlowPath()
{
    m_core.engine->Unregister(m_target);
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
    const Tick handledAt = m_bitmaps ? NotifySoftware(m_core.pool[answer].dstQp)
                                     : m_core.engine->Now() + m_hardware.GetNakDelay();
    NS_LOG_LOGIC("endpoint " << m_core.pool[answer].dst << ", queue pair "
                             << m_core.pool[answer].dstQp << ": the answer with PSN "
                             << m_core.pool[answer].psn << " is handled in "
                             << handledAt - m_core.engine->Now() << " ps");
    m_core.engine->Schedule(handledAt, FabricEngine::MakeOwner(m_target, ANSWER), answer);
}

Tick
SlowPath::Report(uint32_t queuePair, const Frame& frame)
{
    ++m_stats.metadata;
    const Tick handledAt = NotifySoftware(queuePair);
    NS_LOG_LOGIC("endpoint " << frame.dst << ", queue pair " << queuePair
                             << ": software handles PSN " << frame.psn << " in "
                             << handledAt - m_core.engine->Now() << " ps");
    const uint32_t generation = m_bitmaps->Find(queuePair)->generation;
    ScheduleNote(handledAt,
                 METADATA,
                 {queuePair, generation, Psn(frame.psn), frame.sendTime, frame.entropy});
    return handledAt;
}

void
SlowPath::Forget(uint32_t queuePair)
{
    if (m_bitmaps)
    {
        m_bitmaps->Forget(queuePair);
    }
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
    QueuePair* queuePair = m_table.Find(number);
    bool isRetried = false;
    Notices completions;
    if (queuePair && queuePair->GetState() >= QpState::RTR && queuePair->GetRequester())
    {
        completions = m_transport
                          .OnPacket(*queuePair,
                                    frame,
                                    m_core.pool.FindDetail(frame),
                                    m_frames,
                                    GetTimeOnChip(m_core, answer))
                          .completions;
        const Requester* readSender = queuePair->GetReadSender();
        isRetried = queuePair->GetRequester()->GetWindow().HasLost() ||
                    (readSender && readSender->GetWindow().HasLost());
        if (!m_bitmaps || !isRetried)
        {
            m_ports.FindPath(*queuePair).Activate(*queuePair);
        }
    }
    m_core.pool.Free(answer);
    m_reporter.Deliver(completions);
    if (isRetried)
    {
        const Tick arrivesAt = m_hardware.GetPcie().Store(m_core.engine->Now(), DOORBELL_BYTES);
        m_core.engine->Schedule(arrivesAt, FabricEngine::MakeOwner(m_target, RETRY), number);
    }
}

void
SlowPath::OnRetry(uint32_t number)
{
    QueuePair* queuePair = m_table.Find(number);
    if (queuePair && queuePair->GetRequester())
    {
        m_ports.FindPath(*queuePair).Activate(*queuePair);
    }
}

BitmapOnloading*
SlowPath::FindState(const Note& note)
{
    OnloadedBitmaps::State* state = m_bitmaps->Find(note.queuePair);
    return state && state->generation == note.generation ? &state->onloading : nullptr;
}

void
SlowPath::OnMetadata(const Note& note)
{
    BitmapOnloading* state = FindState(note);
    if (!state)
    {
        return;
    }
    if (const auto expected = state->OnMetadata())
    {
        ++m_stats.updates;
        const Tick now = m_core.engine->Now();
        ScheduleNote(m_hardware.GetPcie().Store(now, DOORBELL_BYTES),
                     UPDATE,
                     {note.queuePair, note.generation, *expected, note.sendTime, note.entropy});
    }
}

void
SlowPath::OnUpdate(const Note& note)
{
    BitmapOnloading* state = FindState(note);
    if (!state)
    {
        return;
    }
    const Psn before = state->GetExpected();
    m_stats.exits += state->OnUpdate(note.psn);
    const Psn expected = state->GetExpected();
    if (before.IsBefore(expected))
    {
        Acknowledge(note, expected);
    }
}

void
SlowPath::Acknowledge(const Note& note, Psn expected)
{
    QueuePair* queuePair = m_table.Find(note.queuePair);
    if (!queuePair || !queuePair->GetResponder() || queuePair->GetState() < QpState::RTR)
    {
        return;
    }
    const Responder& responder = *queuePair->GetResponder();
    Acknowledgment acknowledgment{};
    acknowledgment.operation = opcode::ACK;
    acknowledgment.syndrome = syndrome::ACK;
    const bool isBehind = responder.GetExpected().IsBefore(expected);
    acknowledgment.psn = (isBehind ? responder.GetExpected() : expected) + Psn::MASK;
    acknowledgment.selective = acknowledgment.psn;
    acknowledgment.msn = responder.GetMsn();
    acknowledgment.sendTime = note.sendTime;
    acknowledgment.entropy = note.entropy;
    m_controlPath.Send(m_frames.MakeAcknowledgment(*queuePair, acknowledgment));
}

} // namespace ns3::rdma
