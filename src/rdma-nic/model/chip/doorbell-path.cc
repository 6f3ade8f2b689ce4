// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/doorbell-path.h"

#include "ns3/log.h"

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("DoorbellPath");

DoorbellPath::DoorbellPath(FabricEngine& engine,
                           const QueuePairTable& table,
                           NicTransmitter& transmitter,
                           WorkReporter& reporter,
                           TimedSendPath& sendPath,
                           NicHardware& hardware)
    : m_engine(engine),
      m_table(table),
      m_transmitter(transmitter),
      m_reporter(reporter),
      m_sendPath(sendPath),
      m_hardware(hardware),
      m_target(engine.Register(this))
{
}

DoorbellPath::~DoorbellPath()
{
    m_engine.Unregister(m_target);
}

void
DoorbellPath::Ring(QueuePair& queuePair, uint32_t requests)
{
    const Requester& requester = *queuePair.GetRequester();
    const SendWorkRequest& newest = requester.GetWindow().GetQueue().GetNewest().GetRequest();
    const auto inlineBytes = newest.isInline ? GetTotalBytes(newest.sgList) : 0;
    const uint32_t pushed =
        requests == 1 ? m_hardware.GetWqeFetcher().Push(newest.isInline, inlineBytes) : 0;
    const Tick arrivesAt =
        queuePair.GetSetup().init.hasOwnCosts
            ? m_hardware.StoreDoorbell(m_engine.Now(), pushed)
            : m_hardware.Ring(m_engine.Now(), queuePair.GetNumber(), requests, pushed);
    const uint32_t place = m_doorbells.Put(
        {queuePair.GetNumber(), pushed > 0, requester.GetWindow().GetQueue().GetEnd()});
    NS_LOG_LOGIC("queue pair " << queuePair.GetNumber() << " to endpoint "
                               << queuePair.GetConnection().remoteEndpoint << ": the doorbell of "
                               << requests << " work requests reaches the chip in "
                               << arrivesAt - m_engine.Now() << " ps"
                               << (pushed > 0 ? ", with the work request" : ""));
    m_engine.Schedule(arrivesAt, FabricEngine::MakeOwner(m_target, 0), place);
}

void
DoorbellPath::HandleEvent(uint32_t, uint32_t place)
{
    const Doorbell doorbell = m_doorbells.Take(place);
    QueuePair* queuePair = m_table.Find(doorbell.queuePair);
    if (!queuePair || !queuePair->GetRequester())
    {
        return; // The queue pair was destroyed or reset in the meantime.
    }
    const Requester& requester = *queuePair->GetRequester();
    const bool isAlone = requester.GetWindow().GetNext() == requester.GetWindow().GetKnownEnd();
    const bool isHere = doorbell.isPushed && (isAlone || m_hardware.GetWqeFetcher().QueuesPushed());
    MakeKnown(*queuePair, doorbell.postedEnd, isHere);
}

void
DoorbellPath::MakeKnown(QueuePair& queuePair, uint64_t postedEnd, bool isHere)
{
    if (isHere)
    {
        m_sendPath.Hold(queuePair, postedEnd);
    }
    queuePair.GetRequester()->Ring(postedEnd);
    m_sendPath.ReadAhead(queuePair, m_engine.Now());
    if (QueuePairTraces* traces = m_transmitter.GetTraces())
    {
        traces->progress(queuePair.GetNumber(), *queuePair.GetRequester(), nullptr);
    }
    m_transmitter.Activate(queuePair);
    Notices notices;
    m_reporter.FinishRequests(queuePair, {}, notices); // One of the requests may be invalid.
    m_reporter.Deliver(notices);
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
