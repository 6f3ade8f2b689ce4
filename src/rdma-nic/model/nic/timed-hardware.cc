// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/timed-hardware.h"

namespace ns3::rdma
{

TimedHardware::TimedHardware(FabricCore& core,
                             FabricPort& port,
                             NicHardware& hardware,
                             QueuePairTable& table,
                             NicTransmitter& transmitter,
                             NicReceiver& receiver,
                             WorkReporter& reporter)
    : m_core(core),
      m_hardware(hardware),
      m_table(table),
      m_transmitter(transmitter),
      m_reporter(reporter),
      m_sendEngine(core, port, table, transmitter, hardware),
      m_receiveEngine(core, port, hardware, table),
      m_slowPath(core, hardware, receiver),
      m_target(core.engine->Register(this))
{
    transmitter.SetEngine(&m_sendEngine);
    m_receiveEngine.SetReceiver(&receiver);
    receiver.SetEngine(&m_receiveEngine, &m_slowPath);
    reporter.SetHardware(core.engine.get(), &hardware);
}

TimedHardware::~TimedHardware()
{
    m_core.engine->Unregister(m_target);
}

void
TimedHardware::Ring(QueuePair& queuePair, uint32_t requests)
{
    const Requester& requester = *queuePair.requester;
    const SendWorkRequest& newest = requester.GetNewest().GetRequest();
    const auto inlineBytes = newest.isInline ? GetTotalBytes(newest.sgList) : 0;
    const uint32_t pushed =
        requests == 1 ? m_hardware.GetWqeFetcher().Push(newest.isInline, inlineBytes) : 0;
    const Tick heardAt = m_hardware.Ring(m_core.engine->Now(), queuePair.number, requests, pushed);
    const uint32_t place =
        m_doorbells.Put({queuePair.number, pushed > 0, requester.GetPostedEnd()});
    m_core.engine->Schedule(heardAt, FabricEngine::MakeOwner(m_target, 0), place);
}

void
TimedHardware::HandleEvent(uint32_t, uint32_t place)
{
    const Doorbell doorbell = m_doorbells.Take(place);
    QueuePair* queuePair = m_table.Find(doorbell.queuePair);
    if (!queuePair || !queuePair->requester)
    {
        return; // Destroyed or reset meanwhile.
    }
    Requester& requester = *queuePair->requester;
    const bool isAlone = requester.GetNextNumber() == requester.GetKnownEnd();
    if (doorbell.isPushed && (isAlone || m_hardware.GetWqeFetcher().QueuesPushed()))
    {
        queuePair->GetExtras().heldWqes = {doorbell.postedEnd,
                                           doorbell.postedEnd,
                                           m_core.engine->Now()};
    }
    requester.Ring(doorbell.postedEnd);
    m_transmitter.Activate(*queuePair);
    Completions none;
    m_reporter.FinishRequests(*queuePair, none); // One of them may be bad.
    m_reporter.Deliver();
}

void
TimedHardware::Forget(uint32_t queuePair)
{
    m_hardware.GetContextCache().Forget(m_table.GetPlace(queuePair));
    m_slowPath.Forget(queuePair);
    m_reporter.Forget(queuePair);
    ForgetDoorbells(queuePair);
}

void
TimedHardware::ForgetDoorbells(uint32_t queuePair)
{
    constexpr uint32_t NONE{0}; // No queue pair has this number.
    for (Doorbell& doorbell : m_doorbells.GetAll())
    {
        doorbell.queuePair = doorbell.queuePair == queuePair ? NONE : doorbell.queuePair;
    }
}

} // namespace ns3::rdma
