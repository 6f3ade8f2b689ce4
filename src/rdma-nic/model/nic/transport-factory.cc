// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/transport-factory.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// READs and atomics under way at most: max_rd_atomic of ConnectX, requests per queue pair of
/// Coyote.
constexpr uint32_t MAX_READS{16};

/// @param code of the queue pair attribute "timeout"
Time
GetAckTimeout(uint8_t code)
{
    constexpr int64_t BASE_NS{4096};
    return code == 0 ? Time::Max() : NanoSeconds(BASE_NS << code);
}
} // namespace

TransportFactory::TransportFactory(const TransportDefaults& defaults,
                                   std::shared_ptr<FabricEngine> engine)
    : m_defaults(defaults),
      m_engine(std::move(engine))
{
}

uint32_t
TransportFactory::GetMaxReads(const QueuePair& queuePair) const
{
    return queuePair.attributes.maxReadsAndAtomics.value_or(MAX_READS);
}

RequesterConfig
TransportFactory::MakeRequesterConfig(const QueuePair& queuePair) const
{
    const QueuePairAttributes& attributes = queuePair.attributes;
    RequesterConfig config;
    config.congestionControl = m_defaults.congestionControl->Fork();
    config.lossRecovery = m_defaults.lossRecovery->Fork();
    if (attributes.timeout)
    {
        config.lossRecovery->SetAckTimeout(GetAckTimeout(*attributes.timeout));
    }
    config.path = m_defaults.path;
    config.path.mtuBytes = GetMtu(queuePair);
    config.flightCapBytes =
        m_defaults.hasBdpFlowControl
            ? std::max<uint64_t>(config.path.GetBdpBytes(), config.path.mtuBytes)
            : std::numeric_limits<uint64_t>::max();
    config.retryCount = attributes.retryCount.value_or(m_defaults.retryCount);
    config.initialPsn = queuePair.connection.initialPsn;
    config.qpNumber = queuePair.number;
    config.rnrRetry = attributes.rnrRetry.value_or(config.rnrRetry);
    config.maxReadsAndAtomics = GetMaxReads(queuePair);
    config.isReliable = queuePair.service == Service::RC;
    config.isEverythingSignaled = queuePair.init.isEverythingSignaled;
    config.domain = queuePair.init.domain;
    return config;
}

Requester&
TransportFactory::MakeRequester(QueuePair& queuePair) const
{
    RequesterConfig config = MakeRequesterConfig(queuePair);
    config.hasDoorbell = m_defaults.hasDoorbell;
    queuePair.requester = std::make_unique<Requester>(config, m_engine->Now());
    return *queuePair.requester;
}

Requester&
TransportFactory::GetReadSender(QueuePair& queuePair) const
{
    std::unique_ptr<Requester>& sender = queuePair.readStreams.sender;
    if (!sender)
    {
        sender = std::make_unique<Requester>(MakeRequesterConfig(queuePair), m_engine->Now());
    }
    return *sender;
}

ExecutorConfig
TransportFactory::MakeExecutorConfig(const QueuePair& queuePair)
{
    ExecutorConfig config;
    config.service = queuePair.service;
    config.domain = queuePair.init.domain;
    config.receiveQueue = queuePair.receiveQueue;
    config.isReceiveQueueShared = queuePair.init.sharedReceiveQueue != nullptr;
    config.access = queuePair.attributes.access.value_or(config.access);
    config.queueKey = queuePair.attributes.queueKey.value_or(0);
    config.qpNumber = queuePair.number;
    return config;
}

ResponderConfig
TransportFactory::MakeResponderConfig(const QueuePair& queuePair) const
{
    ResponderConfig config;
    config.rules = m_defaults.rules;
    config.echoesCe = m_defaults.feedback == Feedback::ECN_ECHO;
    config.ackInterval = m_defaults.ackInterval;
    config.initialPsn = queuePair.connection.initialPsn;
    config.mtuBytes = GetMtu(queuePair);
    config.minRnrTimer = queuePair.attributes.minRnrTimer.value_or(config.minRnrTimer);
    config.maxReadsAndAtomics = queuePair.attributes.maxDestReadsAndAtomics.value_or(MAX_READS);
    config.execution = MakeExecutorConfig(queuePair);
    return config;
}

void
TransportFactory::Update(QueuePair& queuePair) const
{
    const QueuePairAttributes& attributes = queuePair.attributes;
    if (queuePair.requester)
    {
        const RequesterConfig defaults{};
        queuePair.requester->SetLimits(attributes.retryCount.value_or(m_defaults.retryCount),
                                       attributes.rnrRetry.value_or(defaults.rnrRetry),
                                       GetMaxReads(queuePair));
        if (attributes.timeout)
        {
            queuePair.requester->SetAckTimeout(GetAckTimeout(*attributes.timeout));
        }
    }
    const ResponderConfig config = MakeResponderConfig(queuePair);
    if (queuePair.responder)
    {
        queuePair.responder->SetLimits(config.execution.access,
                                       config.minRnrTimer,
                                       config.maxReadsAndAtomics);
    }
    if (queuePair.unreliable)
    {
        queuePair.unreliable->SetLimits(config.execution.access, config.execution.queueKey);
    }
}

Responder&
TransportFactory::MakeResponder(QueuePair& queuePair) const
{
    queuePair.responder = std::make_unique<Responder>(MakeResponderConfig(queuePair));
    return *queuePair.responder;
}

Responder&
TransportFactory::GetReadReceiver(QueuePair& queuePair) const
{
    std::unique_ptr<Responder>& receiver = queuePair.readStreams.receiver;
    if (!receiver)
    {
        ResponderConfig config = MakeResponderConfig(queuePair);
        config.isReadStream = true;
        receiver = std::make_unique<Responder>(config);
    }
    return *receiver;
}

UnreliableResponder&
TransportFactory::GetUnreliable(QueuePair& queuePair) const
{
    if (!queuePair.unreliable)
    {
        queuePair.unreliable =
            std::make_unique<UnreliableResponder>(MakeExecutorConfig(queuePair),
                                                  queuePair.connection.initialPsn);
    }
    return *queuePair.unreliable;
}

} // namespace ns3::rdma
