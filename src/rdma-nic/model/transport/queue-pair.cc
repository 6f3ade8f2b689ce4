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
           attributes.rnrRetry.value_or(0) <= MAX_RETRIES;
}

/// @return whether any attribute besides the connection is set.
bool
HasSettings(const QueuePairAttributes& attributes)
{
    return attributes.queueKey || attributes.pathMtu || attributes.maxReadsAndAtomics ||
           attributes.maxDestReadsAndAtomics || attributes.minRnrTimer || attributes.timeout ||
           attributes.retryCount || attributes.rnrRetry || attributes.access ||
           attributes.rateLimit;
}
} // namespace

const QueuePairSetup QueuePair::PLAIN{};

QueuePair::QueuePair()
    : isScheduled(false),
      hasResponses(false),
      isConnected(false),
      wasResponse(false),
      wasDrained(false),
      hasLostCompletions(false),
      hasAllPorts(false)
{
}

QueuePairSetup&
QueuePair::ChangeSetup()
{
    if (!setup)
    {
        setup = std::make_unique<QueuePairSetup>();
    }
    return *setup;
}

RareHalves&
QueuePair::GetRare()
{
    if (!rare)
    {
        rare = std::make_unique<RareHalves>();
    }
    return *rare;
}

bool
QueuePair::Apply(const QueuePairAttributes& changes, QpState target)
{
    if (target == QpState::RESET)
    {
        return true; // There is no setup to keep.
    }
    const bool isUnderWay = state == QpState::RTS || state == QpState::SQD || state == QpState::SQE;
    if (isUnderWay && (changes.connection || changes.pathMtu))
    {
        return false;
    }
    const bool hasPeer = changes.connection || isConnected || service == Service::UD;
    if (!IsWithinBounds(changes) || (target == QpState::RTR && !hasPeer))
    {
        return false;
    }
    if (changes.connection)
    {
        connection = *changes.connection;
        isConnected = true;
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
    }
    return true;
}

void
QueuePair::Reset()
{
    requester = nullptr;
    responder.reset();
    rare = nullptr;
    connection = {};
    isConnected = false;
    hasResponses = false;
    wasResponse = false;
    wasDrained = false;
    hasLostCompletions = false;
    timerAt = TICK_NEVER;
    nextCnp = 0;
    // isScheduled is kept: its number is still in the NIC's scheduler.
    if (!setup)
    {
        return;
    }
    setup->attributes = {};
    if (setup->receiveQueue && !setup->init.sharedReceiveQueue)
    {
        while (setup->receiveQueue->Take())
        {
        }
    }
}

} // namespace ns3::rdma
