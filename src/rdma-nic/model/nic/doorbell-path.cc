// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/doorbell-path.h"

namespace ns3::rdma
{

DoorbellPath::DoorbellPath(NicParts& parts, NicTransmitter& transmitter, NicHardware& hardware)
    : m_parts(parts),
      m_transmitter(transmitter),
      m_hardware(hardware),
      m_target(parts.core.engine->Register(this))
{
}

DoorbellPath::~DoorbellPath()
{
    m_parts.core.engine->Unregister(m_target);
}

void
DoorbellPath::Ring(QueuePair& queuePair, uint32_t requests)
{
    const Requester& requester = *queuePair.requester;
    const SendWorkRequest& newest = requester.GetUnsent().GetNewest().GetRequest();
    const auto inlineBytes = newest.isInline ? GetTotalBytes(newest.sgList) : 0;
    const uint32_t pushed =
        requests == 1 ? m_hardware.GetWqeFetcher().Push(newest.isInline, inlineBytes) : 0;
    FabricEngine& engine = *m_parts.core.engine;
    const Tick arrivesAt = queuePair.GetSetup().init.hasProgram
                               ? m_hardware.StoreDoorbell(engine.Now(), pushed)
                               : m_hardware.Ring(engine.Now(), queuePair.number, requests, pushed);
    const uint32_t place =
        m_doorbells.Put({queuePair.number, pushed > 0, requester.GetPostedEnd()});
    engine.Schedule(arrivesAt, FabricEngine::MakeOwner(m_target, 0), place);
}

void
DoorbellPath::HandleEvent(uint32_t, uint32_t place)
{
    const Doorbell doorbell = m_doorbells.Take(place);
    QueuePair* queuePair = m_parts.table.Find(doorbell.queuePair);
    if (!queuePair || !queuePair->requester)
    {
        return; // Destroyed or reset meanwhile.
    }
    const Requester& requester = *queuePair->requester;
    const bool isAlone = requester.GetNextNumber() == requester.GetKnownEnd();
    const bool isHere = doorbell.isPushed && (isAlone || m_hardware.GetWqeFetcher().QueuesPushed());
    MakeKnown(*queuePair, doorbell.postedEnd, isHere);
}

void
DoorbellPath::MakeKnown(QueuePair& queuePair, uint64_t postedEnd, bool isHere)
{
    if (isHere)
    {
        queuePair.GetExtras().heldWqes = {postedEnd, postedEnd, m_parts.core.engine->Now()};
    }
    queuePair.requester->Ring(postedEnd);
    if (m_parts.traces)
    {
        m_parts.traces->progress(queuePair.number, *queuePair.requester, nullptr);
    }
    m_transmitter.Activate(queuePair);
    Completions none;
    m_parts.reporter.FinishRequests(queuePair, none); // One of them may be bad.
    m_parts.reporter.Deliver();
}

void
DoorbellPath::Forget(uint32_t queuePair)
{
    constexpr uint32_t NONE{0}; // No queue pair has this number.
    for (Doorbell& doorbell : m_doorbells.GetAll())
    {
        doorbell.queuePair = doorbell.queuePair == queuePair ? NONE : doorbell.queuePair;
    }
}

} // namespace ns3::rdma
