// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/resend-queue.h"

#include "../expect-error.h"

#include "ns3/go-back-n.h"
#include "ns3/policy-error.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr uint32_t MTU{1000};
constexpr uint32_t FIRST{0xfffffe}; ///< Two packets before PSNs begin again.

class ResendQueueTest : public testing::Test
{
  protected:
    ResendQueueTest()
    {
        m_queue.Post(1, 4500); // Packets of 1000, 1000, 1000, 1000, 500 bytes.
    }

    uint64_t Apply(const ResendList& answer)
    {
        return m_resends.Apply(*m_recovery, "OnAck()", answer, {FIRST, FIRST + 5}, m_queue);
    }

    Ptr<LossRecovery> m_recovery = CreateObject<GoBackN>();
    SendQueue m_queue{MTU, FIRST};
    ResendQueue m_resends;
};

} // namespace

TEST_F(ResendQueueTest, TakesWhatLossRecoveryNamesAcrossTheWrapAndCountsItsPayload)
{
    EXPECT_EQ(Apply({{Psn(FIRST + 1), Psn(FIRST + 3)}, {Psn(FIRST + 4), Psn(FIRST + 5)}}), 2500);
    EXPECT_EQ(m_resends.GetCount(), 3);
    EXPECT_EQ(m_resends.TakeFirst(), FIRST + 1);
    EXPECT_EQ(m_resends.TakeFirst(), FIRST + 2);
    EXPECT_EQ(m_resends.TakeFirst(), FIRST + 4);
    EXPECT_TRUE(m_resends.IsEmpty());
}

TEST_F(ResendQueueTest, AnEmptyAnswerAsksForNothing)
{
    EXPECT_EQ(Apply({}), 0);
    EXPECT_TRUE(m_resends.IsEmpty());
}

TEST_F(ResendQueueTest, APacketThatWasNeverSentIsAnErrorOfThePolicy)
{
    const std::string expected = "ns3::rdma::GoBackN: OnAck(): expected packets of the window";
    ExpectError<PolicyError>([&] { Apply({{Psn(FIRST + 4), Psn(FIRST + 6)}}); }, expected);
    ExpectError<PolicyError>([&] { Apply({{Psn(FIRST - 1), Psn(FIRST + 1)}}); }, expected);
    ExpectError<PolicyError>([&] { Apply({{Psn(FIRST + 3), Psn(FIRST + 2)}}); }, expected);
    EXPECT_TRUE(m_resends.IsEmpty());
}
