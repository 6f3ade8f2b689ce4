// SPDX-License-Identifier: GPL-2.0-only

// What a requester says of packets that wait for a doorbell or for their turn.

#include "requester-fakes.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
using Psns = std::vector<uint32_t>;
} // namespace

namespace
{
/// A requester whose NIC needs a doorbell for what is posted.
class RequesterWithDoorbell : public RequesterWithFakes
{
  protected:
    RequesterWithDoorbell()
    {
        RequesterConfig config = MakeConfig(0, 2, UINT64_MAX);
        config.hasDoorbell = true;
        m_requester = std::make_unique<Requester>(config, 0);
    }
};
} // namespace

TEST_F(RequesterWithDoorbell, SendsOnlyWhatItsDoorbellHasRungFor)
{
    m_requester->Post(1, 2 * MTU);
    EXPECT_FALSE(CanSend());
    const uint64_t first = m_requester->GetWindow().GetQueue().GetEnd();
    m_requester->Post(2, MTU);
    EXPECT_EQ(first, 2);
    m_requester->Ring(first);
    EXPECT_EQ(m_requester->GetWindow().GetKnownEnd(), 2);
    EXPECT_EQ(SendAll(), (Psns{0, 1}));
    m_requester->Ring(m_requester->GetWindow().GetQueue().GetEnd());
    EXPECT_EQ(SendAll(), (Psns{2}));
}

TEST_F(RequesterWithDoorbell, ALateDoorbellTakesNothingBackAndOneOfAnEarlierLifeNothingOn)
{
    m_requester->Post(1, 3 * MTU);
    m_requester->Ring(3);
    m_requester->Ring(1);
    EXPECT_EQ(m_requester->GetWindow().GetKnownEnd(), 3);
    m_requester->Ring(1000); // More than was posted.
    EXPECT_EQ(m_requester->GetWindow().GetKnownEnd(), 3);
    EXPECT_EQ(SendAll(), (Psns{0, 1, 2}));
}

TEST_F(RequesterWithDoorbell, CountsAndMeasuresWhatTheNicHasAccepted)
{
    EXPECT_FALSE(m_requester->GetWindow().IsAtMessageStart()); // There is no next packet.
    m_requester->Post(1, 2 * MTU);                             // Packets 0 and 1.
    m_requester->Post(2, 500);                                 // Packet 2.
    m_requester->Ring(3);
    m_requester->Post(3, MTU); // Not rung for.
    EXPECT_EQ(m_requester->GetWindow().CountMessages(0, UINT64_MAX, 100), 2);
    EXPECT_EQ(m_requester->GetWindow().GetEndOfMessages(0, 1), 2);
    EXPECT_EQ(m_requester->GetWindow().GetEndOfMessages(0, 100), 3);
    EXPECT_EQ(m_requester->GetWindow().GetEndOfMessages(0, 0), 0);
    EXPECT_EQ(m_requester->GetWindow().GetEndOfMessages(3, 100), 3);
    EXPECT_EQ(m_requester->GetSendableBytes(1), 2000);
    EXPECT_EQ(m_requester->GetSendableBytes(100), 2500);
    EXPECT_TRUE(m_requester->GetWindow().IsAtMessageStart());
    Send();
    EXPECT_FALSE(m_requester->GetWindow().IsAtMessageStart());
    EXPECT_EQ(m_requester->GetSendableBytes(1), 1000);
    Send();
    EXPECT_TRUE(m_requester->GetWindow().IsAtMessageStart());
    EXPECT_EQ(m_requester->GetWindow().GetNext(), 2);
}

TEST_F(RequesterWithDoorbell, TheWindowLimitsWhatIsSendable)
{
    m_control->limit.windowBytes = 2500;
    m_requester->OnCnp(0); // Makes it look at the limit.
    m_requester->Post(1, 10 * MTU);
    m_requester->Ring(10);
    EXPECT_EQ(m_requester->GetSendableBytes(8), 2500);
    Send();
    EXPECT_EQ(m_requester->GetSendableBytes(8), 1500);
    Send();
    EXPECT_EQ(m_requester->GetSendableBytes(8), 500);
}

TEST_F(RequesterWithDoorbell, CountsWhatIsToBeSentAgain)
{
    m_requester->Post(1, 5 * MTU);
    m_requester->Ring(5);
    SendAll();
    EXPECT_FALSE(m_requester->GetWindow().HasLost());
    Nak(2); // Go-back-N: 2, 3 and 4 again.
    EXPECT_TRUE(m_requester->GetWindow().HasLost());
    EXPECT_EQ(m_requester->GetWindow().CountLost(), 3);
    Send();
    EXPECT_EQ(m_requester->GetWindow().CountLost(), 2);
}
