// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/queue-pair-verbs.h"

#include "ns3/policy-error.h"
#include "ns3/verbs-error.h"
#include "ns3/work-poster.h"

namespace ns3::rdma
{

QueuePairVerbs::QueuePairVerbs(NicPorts& ports, const TransportFactory& factory, Tick chipRtt)
    : m_ports(ports),
      m_factory(factory),
      m_chipRtt(chipRtt)
{
}

uint32_t
QueuePairVerbs::Create(const QueuePairInit& init, std::optional<uint32_t> number, uint32_t port)
{
    if (init.sharedReceiveQueue && !init.receiveCompletions)
    {
        throw VerbsError("a shared receive queue needs a completion queue");
    }
    const LossRecovery& recovery = *m_factory.GetDefaults().lossRecovery;
    const uint32_t most =
        CallPolicy(recovery, "GetMaxQueuePairs()", [&] { return recovery.GetMaxQueuePairs(); });
    if (m_ports.CountQueuePairs() >= most)
    {
        throw VerbsError("the NIC of endpoint " +
                         std::to_string(m_ports.GetChip(0).parts.frames.GetStyle().endpoint) +
                         " holds at most " + std::to_string(most) + " queue pairs at a time, as " +
                         recovery.GetInstanceTypeId().GetName() + " says");
    }
    QueuePair& queuePair = m_ports.Create(port, number);
    queuePair.service = init.service;
    if (IsPlain(init))
    {
        return queuePair.number;
    }
    QueuePairSetup& setup = queuePair.ChangeSetup();
    setup.init = init;
    setup.receiveQueue = init.sharedReceiveQueue;
    if (init.receiveCompletions && !setup.receiveQueue)
    {
        setup.receiveQueue = ns3::Create<ReceiveQueue>(init.capabilities.maxReceiveRequests,
                                                       init.capabilities.maxReceiveSge);
    }
    return queuePair.number;
}

bool
QueuePairVerbs::Modify(uint32_t number, QpState state, const QueuePairAttributes& attributes)
{
    NicChip& chip = m_ports.FindChip(number);
    QueuePair* queuePair = chip.parts.table.Find(number);
    if (!queuePair || !IsTransitionAllowed(queuePair->state, state) ||
        !queuePair->Apply(attributes, state))
    {
        return false;
    }
    if (state == QpState::RTR && queuePair->service == Service::RC &&
        m_factory.GetDefaults().congestionControl->UsesOwnPath())
    {
        queuePair->GetExtras().ownPath = FindOwnPath(chip, queuePair->connection);
    }
    const QpState before = queuePair->state;
    if (state == QpState::ERR)
    {
        chip.parts.reporter.EnterError(*queuePair, std::nullopt);
        chip.parts.reporter.Deliver();
        return true;
    }
    chip.parts.reporter.SetState(*queuePair, state);
    m_factory.Update(*queuePair);
    if (state == QpState::RESET)
    {
        queuePair->Reset();
        m_ports.Forget(number);
    }
    else if (state == QpState::SQD || before == QpState::SQD)
    {
        queuePair->GetExtras().wasDrained = false;
        m_factory.GetRequester(*queuePair).SetDraining(state == QpState::SQD);
        WorkPoster(chip, m_factory).Continue(*queuePair);
        return true; // The handler may have destroyed the queue pair.
    }
    else if (before == QpState::SQE)
    {
        queuePair->connection.initialPsn = queuePair->requester->GetNextPsn().Get();
        queuePair->requester = nullptr; // Made anew, where the old one stopped.
        if (queuePair->extras)
        {
            queuePair->extras->heldWqes = {};
        }
        chip.ForgetDoorbells(number);
        queuePair->timerAt = TICK_NEVER;
    }
    return true;
}

PathFacts
QueuePairVerbs::FindOwnPath(const NicChip& chip, const Connection& connection) const
{
    const FrameStyle& style = chip.parts.frames.GetStyle();
    FabricCore& core = chip.parts.core;
    if (!core.paths || connection.remoteEndpoint == style.endpoint)
    {
        return {};
    }
    PathFacts facts = core.paths->FindFacts(
        style.endpoint,
        connection.remoteEndpoint,
        connection.entropy,
        style.sizes.GetWriteFrame(false, m_factory.GetDefaults().path.mtuBytes),
        style.sizes.GetAckFrame());
    facts.rtt = facts.rtt > 0 ? facts.rtt + m_chipRtt : 0;
    return facts;
}

} // namespace ns3::rdma
