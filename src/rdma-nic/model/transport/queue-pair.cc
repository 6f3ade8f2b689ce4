// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/queue-pair.h"

namespace ns3::rdma
{

namespace
{
template <typename T>
void
TakeOver(const std::optional<T>& from, std::optional<T>& to)
{
    if (from)
    {
        to = from;
    }
}

bool
IsWithinBounds(const QueuePairAttributes& attributes)
{
    constexpr uint32_t MAX_CODE{31};
    constexpr uint32_t MAX_RETRIES{7};
    const uint32_t mtu = attributes.pathMtu.value_or(1);
    return mtu > 0 && mtu <= MAX_PAYLOAD && attributes.minRnrTimer.value_or(0) <= MAX_CODE &&
           attributes.timeout.value_or(0) <= MAX_CODE &&
           attributes.retryCount.value_or(0) <= MAX_RETRIES &&
           attributes.rnrRetry.value_or(0) <= MAX_RETRIES && attributes.dscp.value_or(0) < DSCPS &&
           attributes.serviceLevel.value_or(0) < PRIORITIES;
}

/// @return whether any attribute besides the connection is set.
bool
HasSettings(const QueuePairAttributes& attributes)
{
    return attributes.queueKey || attributes.pathMtu || attributes.maxReadsAndAtomics ||
           attributes.maxDestReadsAndAtomics || attributes.minRnrTimer || attributes.timeout ||
           attributes.retryCount || attributes.rnrRetry || attributes.access ||
           attributes.rateLimit || attributes.dscp || attributes.serviceLevel;
}
} // namespace

const QueuePairSetup QueuePair::PLAIN{};

QueuePair::QueuePair(uint32_t number)
    : m_number(number),
      m_isScheduled(false),
      m_hasResponses(false),
      m_isConnected(false),
      m_wasResponse(false),
      m_wasDrained(false),
      m_hasLostCompletions(false),
      m_hasAllPorts(false),
      m_hasOwnMark(false)
{
}

QueuePairSetup&
QueuePair::ChangeSetup()
{
    if (!m_setup)
    {
        m_setup = std::make_unique<QueuePairSetup>();
    }
    return *m_setup;
}

QueuePair::Rare&
QueuePair::GetRare()
{
    if (!m_rare)
    {
        m_rare = std::make_unique<Rare>();
    }
    return *m_rare;
}

void
QueuePair::Open(const QueuePairInit& init)
{
    m_service = init.service;
    if (IsPlain(init))
    {
        return;
    }
    QueuePairSetup& setup = ChangeSetup();
    setup.init = init;
    setup.receiveQueue = init.sharedReceiveQueue;
    if (init.receiveCompletions && !setup.receiveQueue)
    {
        setup.receiveQueue = Create<ReceiveQueue>(init.capabilities.maxReceiveRequests,
                                                  init.capabilities.maxReceiveSge);
    }
}

void
QueuePair::SetOwnPath(const PathFacts& path)
{
    GetRare().ownPath = path;
}

void
QueuePair::EnterState(QpState state)
{
    m_wasDrained = false;
    m_state = state;
}

void
QueuePair::MoveToPort(uint32_t port, uint32_t remote)
{
    m_lane = static_cast<uint8_t>((m_lane & ~PORT_MASK) | port);
    m_connection.remoteEndpoint = remote;
    m_isScheduled = false;
    m_timerAt = TICK_NEVER;
}

void
QueuePair::SetMark(const FrameMark& mark, bool isOwn, uint8_t classNumber)
{
    m_hasOwnMark = isOwn;
    m_lane = MakeLane(GetPort(), classNumber);
    if (isOwn)
    {
        ChangeSetup().mark = mark;
    }
}

void
QueuePair::DropRequester()
{
    m_connection.initialPsn = Psn(m_requester->GetWindow().GetNext()).Get();
    m_requester = nullptr;
    m_timerAt = TICK_NEVER;
}

bool
QueuePair::Apply(const QueuePairAttributes& changes, QpState target)
{
    if (target == QpState::RESET)
    {
        return true; // There is no setup to keep.
    }
    const bool isUnderWay =
        m_state == QpState::RTS || m_state == QpState::SQD || m_state == QpState::SQE;
    if (isUnderWay &&
        (changes.connection || changes.pathMtu || changes.dscp || changes.serviceLevel))
    {
        return false;
    }
    const bool hasPeer = changes.connection || m_isConnected || m_service == Service::UD;
    if (!IsWithinBounds(changes) || (target == QpState::RTR && !hasPeer))
    {
        return false;
    }
    if (changes.connection)
    {
        m_connection = *changes.connection;
        m_isConnected = true;
    }
    if (HasSettings(changes))
    {
        QueuePairAttributes& attributes = ChangeSetup().attributes;
        TakeOver(changes.queueKey, attributes.queueKey);
        TakeOver(changes.pathMtu, attributes.pathMtu);
        TakeOver(changes.maxReadsAndAtomics, attributes.maxReadsAndAtomics);
        TakeOver(changes.maxDestReadsAndAtomics, attributes.maxDestReadsAndAtomics);
        TakeOver(changes.minRnrTimer, attributes.minRnrTimer);
        TakeOver(changes.timeout, attributes.timeout);
        TakeOver(changes.retryCount, attributes.retryCount);
        TakeOver(changes.rnrRetry, attributes.rnrRetry);
        TakeOver(changes.access, attributes.access);
        TakeOver(changes.rateLimit, attributes.rateLimit);
        TakeOver(changes.dscp, attributes.dscp);
        TakeOver(changes.serviceLevel, attributes.serviceLevel);
    }
    return true;
}

void
QueuePair::Reset()
{
    m_requester = nullptr;
    m_responder.reset();
    m_rare = nullptr;
    m_connection = {};
    m_isConnected = false;
    m_hasResponses = false;
    m_wasResponse = false;
    m_wasDrained = false;
    m_hasLostCompletions = false;
    m_timerAt = TICK_NEVER;
    m_nextCnp = 0;
    // It stays scheduled: its number is still in the NIC's scheduler.
    if (!m_setup)
    {
        return;
    }
    m_setup->attributes = {};
    if (m_setup->receiveQueue && !m_setup->init.sharedReceiveQueue)
    {
        while (m_setup->receiveQueue->Take())
        {
        }
    }
}

} // namespace ns3::rdma
