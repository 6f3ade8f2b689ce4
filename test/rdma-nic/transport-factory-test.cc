// SPDX-License-Identifier: GPL-2.0-only
#include "nic-core-fixture.h"

#include "ns3/swift.h"
#include "ns3/window-dctcp.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
class TransportFactoryTest : public NicCoreTest
{
  protected:
    /// Ends a queue pair as its NIC does.
    void End(QueuePair& queuePair)
    {
        RequesterPolicies policies = queuePair.GetRequester()->HoldPolicies();
        m_nic->table.Destroy(queuePair.GetNumber());
        m_factory->Keep(std::move(policies));
    }

    /// @return congestion control of a new queue pair.
    const CongestionControl& MakeControl()
    {
        return m_factory->GetRequester(MakeQueuePair()).GetCongestionControl();
    }
};
} // namespace

TEST_F(TransportFactoryTest, EachHalfIsMadeOnce)
{
    Start();
    QueuePair& queuePair = MakeQueuePair();
    EXPECT_EQ(queuePair.GetRequester(), nullptr);
    EXPECT_FALSE(queuePair.GetResponder());
    EXPECT_EQ(&m_factory->GetRequester(queuePair), &m_factory->GetRequester(queuePair));
    EXPECT_EQ(&m_factory->GetResponder(queuePair), &m_factory->GetResponder(queuePair));
    EXPECT_EQ(queuePair.GetReadSender(), nullptr);
    EXPECT_EQ(queuePair.GetReadReceiver(), nullptr);
    EXPECT_EQ(queuePair.GetUnreliable(), nullptr);
    const Requester* readSender = &m_factory->GetReadSender(queuePair);
    const Responder* readReceiver = &m_factory->GetReadReceiver(queuePair);
    const UnreliableResponder* unreliable = &m_factory->GetUnreliable(queuePair);
    EXPECT_EQ(readSender, queuePair.GetReadSender());
    EXPECT_EQ(readReceiver, queuePair.GetReadReceiver());
    EXPECT_EQ(unreliable, queuePair.GetUnreliable());
}

TEST_F(TransportFactoryTest, EachQueuePairHasPoliciesOfItsOwn)
{
    Start();
    const Requester& one = m_factory->GetRequester(MakeQueuePair());
    const Requester& other = m_factory->GetRequester(MakeQueuePair());
    EXPECT_NE(&one.GetCongestionControl(), &other.GetCongestionControl());
}

TEST_F(TransportFactoryTest, PoliciesOfAnEndedQueuePairServeTheNextOneInTheirFirstState)
{
    m_defaults.congestionControl = CreateObject<WindowDctcp>();
    Start();
    QueuePair& queuePair = MakeQueuePair();
    RequesterPolicies first = m_factory->GetRequester(queuePair).HoldPolicies();
    const CongestionControl* const control = PeekPointer(first.congestionControl);
    const LossDetector* const detector = PeekPointer(first.lossDetector);
    const uint64_t whole = control->GetLimit().windowBytes;
    AckEvent marked{};
    marked.ackedBytes = MTU;
    marked.isCeEchoed = true;
    marked.markedBytes = MTU;
    first.congestionControl->OnAck(marked);
    EXPECT_LT(control->GetLimit().windowBytes, whole);
    first = {}; // Otherwise it is held, and not used again.
    End(queuePair);
    const Requester& next = m_factory->GetRequester(MakeQueuePair());
    EXPECT_EQ(&next.GetCongestionControl(), control);
    EXPECT_EQ(PeekPointer(next.HoldPolicies().lossDetector), detector);
    EXPECT_EQ(control->GetLimit().windowBytes, whole);
    EXPECT_NE(&MakeControl(), control); // It is in use again.
}

TEST_F(TransportFactoryTest, PoliciesThatAreHeldElsewhereAreNotUsedAgain)
{
    m_defaults.congestionControl = CreateObject<WindowDctcp>();
    Start();
    QueuePair& queuePair = MakeQueuePair();
    const RequesterPolicies held = m_factory->GetRequester(queuePair).HoldPolicies();
    End(queuePair);
    EXPECT_NE(&MakeControl(), PeekPointer(held.congestionControl));
}

TEST_F(TransportFactoryTest, PoliciesThatCannotRestartAreMadeAgain)
{
    m_defaults.congestionControl = CreateObject<Swift>();
    Start();
    QueuePair& queuePair = MakeQueuePair();
    m_factory->GetRequester(queuePair);
    End(queuePair);
    EXPECT_FALSE(CreateObject<Swift>()->Restart(*m_defaults.congestionControl));
    EXPECT_EQ(MakeControl().GetInstanceTypeId(), Swift::GetTypeId());
}

TEST_F(TransportFactoryTest, APolicyDoesNotRestartAsOneOfAnotherClass)
{
    /// Its state is more than that of its base class.
    class Derived : public WindowDctcp
    {
    };

    EXPECT_TRUE(WindowDctcp().Restart(WindowDctcp()));
    EXPECT_FALSE(Derived().Restart(Derived()));
    EXPECT_FALSE(WindowDctcp().Restart(Derived()));
    EXPECT_FALSE(WindowDctcp().Restart(NoCongestionControl()));
}

TEST_F(TransportFactoryTest, AttributesOfAQueuePairReplaceTheNics)
{
    Start();
    QueuePair& queuePair = MakeQueuePair();
    EXPECT_EQ(m_factory->GetMtu(queuePair), MTU);
    EXPECT_EQ(m_factory->GetMaxReads(queuePair), 16);
    QueuePairAttributes attributes;
    attributes.pathMtu = 256;
    attributes.maxReadsAndAtomics = 2;
    queuePair.EnterState(QpState::INIT); // At RTS the MTU is fixed.
    ASSERT_TRUE(queuePair.Apply(attributes, QpState::RTR));
    EXPECT_EQ(m_factory->GetMtu(queuePair), 256);
    EXPECT_EQ(m_factory->GetMaxReads(queuePair), 2);
    Requester& requester = m_factory->GetRequester(queuePair);
    requester.Post(1, 1000);
    EXPECT_EQ(requester.GetWindow().GetQueue().GetEnd(), 4); // 3 x 256 + 232 bytes.
}

TEST_F(TransportFactoryTest, AnUpdateReachesHalvesThatAreThere)
{
    Start();
    QueuePair& queuePair = MakeQueuePair();
    Requester& requester = m_factory->GetRequester(queuePair);
    EXPECT_EQ(requester.GetRate(), DataRate("100Gbps"));
    QueuePairAttributes attributes;
    attributes.rateLimit = DataRate("10Gbps");
    ASSERT_TRUE(queuePair.Apply(attributes, QpState::RTS));
    m_factory->Update(queuePair);
    EXPECT_EQ(requester.GetRate(), DataRate("10Gbps"));
}

TEST_F(TransportFactoryTest, ResponderRulesAreThoseOfTheNic)
{
    m_defaults.ackInterval = 3;
    Start();
    QueuePair& queuePair = MakeQueuePair();
    std::vector<bool> isAnswered;
    for (const uint32_t psn : {0, 1, 2, 3})
    {
        const PacketOutcome outcome = Receive(
            queuePair,
            MakeWrite(queuePair, psn, psn == 0 ? opcode::WRITE_FIRST : opcode::WRITE_MIDDLE));
        isAnswered.push_back(outcome.answer != NO_FRAME);
        if (isAnswered.back())
        {
            Take(outcome.answer);
        }
    }
    EXPECT_EQ(isAnswered, (std::vector<bool>{false, false, true, false}));
}
