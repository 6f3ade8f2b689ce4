// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/queue-pair.h"

#include "nic-core-fixture.h"

#include "ns3/go-back-n.h"
#include "ns3/no-congestion-control.h"
#include "ns3/timeouts.h"

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

class QueuePairReset : public NicCoreTest
{
};

QueuePair
MakeQueuePair(Service service = Service::RC)
{
    QueuePair queuePair{2};
    QueuePairInit init;
    init.service = service;
    queuePair.Open(init);
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
        EXPECT_EQ(queuePair.GetConnection().remoteEndpoint, 3);
        EXPECT_EQ(queuePair.GetConnection().remoteQp, 4);
        EXPECT_EQ(queuePair.GetConnection().entropy, 5);
        EXPECT_EQ(queuePair.GetConnection().initialPsn, 6);
        EXPECT_TRUE(queuePair.Apply({}, QpState::RTR)); // It has one already.
    }
    QueuePair datagrams = MakeQueuePair(Service::UD);
    EXPECT_TRUE(datagrams.Apply({}, QpState::RTR)); // Each datagram has its own.
}

TEST_F(QueuePairReset, ForgetsWhatIsUnderWay)
{
    Start();
    QueuePair& queuePair = MakeQueuePair();
    QueuePairInit init;
    init.receiveCompletions = Create<CompletionQueue>(4);
    queuePair.Open(init);
    const Ptr<ReceiveQueue> receiveQueue = queuePair.GetSetup().receiveQueue;
    receiveQueue->Post({});
    receiveQueue->Post({});
    m_factory->GetRequester(queuePair);
    m_factory->GetResponder(queuePair);
    m_factory->GetReadSender(queuePair);
    queuePair.SetScheduled(true);
    queuePair.SetTimer(5);
    queuePair.Reset();
    EXPECT_FALSE(queuePair.GetRequester() || queuePair.GetResponder() || queuePair.GetReadSender());
    EXPECT_FALSE(queuePair.HasResponses());
    EXPECT_TRUE(queuePair.IsScheduled()); // Its place in the scheduler is still there.
    EXPECT_FALSE(queuePair.TakeTimer(5));
    EXPECT_TRUE(receiveQueue->IsEmpty());
}

TEST(QueuePair, OnlyAnEarlierDeadlineChangesItsTimer)
{
    QueuePair queuePair = MakeQueuePair();
    EXPECT_TRUE(queuePair.ExpiresAfter(50));
    queuePair.SetTimer(50);
    EXPECT_FALSE(queuePair.ExpiresAfter(60));
    EXPECT_TRUE(queuePair.ExpiresAfter(10));
    queuePair.SetTimer(10);
    EXPECT_FALSE(queuePair.TakeTimer(50)); // An earlier event has replaced it.
    EXPECT_TRUE(queuePair.TakeTimer(10));
    EXPECT_FALSE(queuePair.TakeTimer(10)); // It is stopped.
}

TEST(QueuePair, CnpsHaveAnInterval)
{
    QueuePair queuePair = MakeQueuePair();
    EXPECT_TRUE(queuePair.TakeCnpTurn(10, 4));
    EXPECT_FALSE(queuePair.TakeCnpTurn(13, 4));
    EXPECT_TRUE(queuePair.TakeCnpTurn(14, 4));
}

TEST(QueuePair, AnotherPortStopsItsTimerAndItsTurn)
{
    QueuePair queuePair = MakeQueuePair();
    queuePair.SetScheduled(true);
    queuePair.SetTimer(50);
    queuePair.MoveToPort(1, 7);
    EXPECT_EQ(queuePair.GetPort(), 1);
    EXPECT_EQ(queuePair.GetConnection().remoteEndpoint, 7);
    EXPECT_FALSE(queuePair.IsScheduled());
    EXPECT_FALSE(queuePair.TakeTimer(50));
}

TEST(QueuePair, ResetLeavesASharedReceiveQueueAlone)
{
    QueuePair queuePair = MakeQueuePair();
    const auto shared = Create<ReceiveQueue>(4, 1);
    QueuePairInit init;
    init.sharedReceiveQueue = shared;
    queuePair.Open(init);
    shared->Post({});
    queuePair.Reset();
    EXPECT_EQ(shared->GetCount(), 1);
}
