// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/queue-pair.h"

#include "ns3/fixed-timeout.h"
#include "ns3/go-back-n.h"
#include "ns3/no-congestion-control.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Sets one attribute, the largest or smallest value that is allowed or one that is not.
struct Bound
{
    const char* name;
    bool isAllowed;
    void (*set)(QueuePairAttributes&);
};

const Bound BOUNDS[] = {
    {"mtu 0", false, [](QueuePairAttributes& a) { a.pathMtu = 0; }},
    {"mtu 1", true, [](QueuePairAttributes& a) { a.pathMtu = 1; }},
    {"mtu 65280", true, [](QueuePairAttributes& a) { a.pathMtu = 65280; }},
    {"mtu 65281", false, [](QueuePairAttributes& a) { a.pathMtu = 65281; }},
    {"rnr timer 31", true, [](QueuePairAttributes& a) { a.minRnrTimer = 31; }},
    {"rnr timer 32", false, [](QueuePairAttributes& a) { a.minRnrTimer = 32; }},
    {"timeout 31", true, [](QueuePairAttributes& a) { a.timeout = 31; }},
    {"timeout 32", false, [](QueuePairAttributes& a) { a.timeout = 32; }},
    {"retries 7", true, [](QueuePairAttributes& a) { a.retryCount = 7; }},
    {"retries 8", false, [](QueuePairAttributes& a) { a.retryCount = 8; }},
    {"rnr retries 7", true, [](QueuePairAttributes& a) { a.rnrRetry = 7; }},
    {"rnr retries 8", false, [](QueuePairAttributes& a) { a.rnrRetry = 8; }},
};

QueuePair
MakeQueuePair(Service service = Service::RC)
{
    QueuePair queuePair{};
    queuePair.service = service;
    return queuePair;
}
} // namespace

TEST(QueuePair, AttributesHaveBounds)
{
    for (const Bound& bound : BOUNDS)
    {
        QueuePair queuePair = MakeQueuePair();
        QueuePairAttributes changes;
        changes.queueKey = 5; // Allowed, but not beside what is not.
        bound.set(changes);
        EXPECT_EQ(queuePair.Apply(changes, QpState::INIT), bound.isAllowed) << bound.name;
        EXPECT_EQ(queuePair.GetSetup().attributes.queueKey.has_value(), bound.isAllowed)
            << bound.name;
    }
}

TEST(QueuePair, KeepsWhatIsNotChanged)
{
    QueuePair queuePair = MakeQueuePair();
    QueuePairAttributes first;
    first.timeout = 10;
    first.retryCount = 3;
    first.access = memory_access::REMOTE_READ;
    first.maxReadsAndAtomics = 4;
    first.maxDestReadsAndAtomics = 5;
    ASSERT_TRUE(queuePair.Apply(first, QpState::INIT));
    QueuePairAttributes second;
    second.timeout = 11;
    ASSERT_TRUE(queuePair.Apply(second, QpState::INIT));
    EXPECT_EQ(queuePair.GetSetup().attributes.timeout, 11);
    EXPECT_EQ(queuePair.GetSetup().attributes.retryCount, 3);
    EXPECT_EQ(queuePair.GetSetup().attributes.access, memory_access::REMOTE_READ);
    EXPECT_EQ(queuePair.GetSetup().attributes.maxReadsAndAtomics, 4);
    EXPECT_EQ(queuePair.GetSetup().attributes.maxDestReadsAndAtomics, 5);
    EXPECT_FALSE(queuePair.GetSetup().attributes.rnrRetry.has_value());
}

TEST(QueuePair, AConnectionNeedsAPeerBeforeItReceives)
{
    for (const Service service : {Service::RC, Service::UC})
    {
        QueuePair queuePair = MakeQueuePair(service);
        EXPECT_TRUE(queuePair.Apply({}, QpState::INIT));
        EXPECT_FALSE(queuePair.Apply({}, QpState::RTR));
        QueuePairAttributes attributes;
        attributes.connection = Connection{3, 4, 5, 6};
        EXPECT_TRUE(queuePair.Apply(attributes, QpState::RTR));
        EXPECT_EQ(queuePair.connection.remoteEndpoint, 3);
        EXPECT_EQ(queuePair.connection.remoteQp, 4);
        EXPECT_EQ(queuePair.connection.entropy, 5);
        EXPECT_EQ(queuePair.connection.initialPsn, 6);
        EXPECT_TRUE(queuePair.Apply({}, QpState::RTR)); // It has one already.
    }
    QueuePair datagrams = MakeQueuePair(Service::UD);
    EXPECT_TRUE(datagrams.Apply({}, QpState::RTR)); // Each datagram has its own.
}

TEST(QueuePair, ResetForgetsWhatIsUnderWay)
{
    QueuePair queuePair = MakeQueuePair();
    const auto receiveQueue = Create<ReceiveQueue>(4, 1);
    queuePair.ChangeSetup().receiveQueue = receiveQueue;
    receiveQueue->Post({});
    receiveQueue->Post({});
    RequesterConfig config{};
    config.congestionControl = CreateObject<NoCongestionControl>();
    config.lossDetector = CreateObject<GoBackN>();
    config.timeout = CreateObject<FixedTimeout>();
    config.path = {DataRate("100Gbps"), MicroSeconds(8), 1024};
    queuePair.requester = std::make_unique<Requester>(config, 0);
    queuePair.GetRare().readSender = std::make_unique<Requester>(config, 0);
    queuePair.responder.emplace(ResponderConfig{});
    queuePair.hasResponses = true;
    queuePair.isScheduled = true;
    queuePair.timerAt = 5;
    queuePair.Reset();
    EXPECT_FALSE(queuePair.requester || queuePair.responder || queuePair.GetReadSender());
    EXPECT_FALSE(queuePair.hasResponses);
    EXPECT_TRUE(queuePair.isScheduled); // Its place in the scheduler is still there.
    EXPECT_EQ(queuePair.timerAt, TICK_NEVER);
    EXPECT_TRUE(receiveQueue->IsEmpty());
}

TEST(QueuePair, ResetLeavesASharedReceiveQueueAlone)
{
    QueuePair queuePair = MakeQueuePair();
    const auto shared = Create<ReceiveQueue>(4, 1);
    queuePair.ChangeSetup().init.sharedReceiveQueue = shared;
    queuePair.ChangeSetup().receiveQueue = shared;
    shared->Post({});
    queuePair.Reset();
    EXPECT_EQ(shared->GetCount(), 1);
}
