// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/go-back-n.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
struct NackCase
{
    const char* name;
    Scoreboard window;
    Psn expected;
    LostPackets lost;
};

const Scoreboard FIVE_IN_FLIGHT{10, 15};
const Scoreboard AROUND_ZERO{0xfffffe, 0x1000003};

const NackCase NACK_CASES[] = {
    {"Past", FIVE_IN_FLIGHT, Psn(9), {}},
    {"LongPast", FIVE_IN_FLIGHT, Psn(0xf00000), {}},
    {"Oldest", FIVE_IN_FLIGHT, Psn(10), {{Psn(10), Psn(15)}}},
    {"Middle", FIVE_IN_FLIGHT, Psn(12), {{Psn(12), Psn(15)}}},
    {"Newest", FIVE_IN_FLIGHT, Psn(14), {{Psn(14), Psn(15)}}},
    {"NeverSent", FIVE_IN_FLIGHT, Psn(15), {}},
    {"FarFuture", FIVE_IN_FLIGHT, Psn(5000), {}},
    {"PastOfTheWrap", AROUND_ZERO, Psn(0xfffffd), {}},
    {"BeforeTheWrap", AROUND_ZERO, Psn(0xffffff), {{Psn(0xffffff), Psn(3)}}},
    {"AfterTheWrap", AROUND_ZERO, Psn(1), {{Psn(1), Psn(3)}}},
    {"NeverSentAfterTheWrap", AROUND_ZERO, Psn(3), {}},
};

AckReport
MakeNak(Psn expected)
{
    return {expected, {}, expected, Time(), true};
}

class GoBackNNack : public testing::TestWithParam<NackCase>
{
};
} // namespace

TEST_P(GoBackNNack, SendsAllFromTheMissingPacketOn)
{
    const NackCase& nack = GetParam();
    auto policy = CreateObject<GoBackN>();
    EXPECT_EQ(policy->OnReport(MakeNak(nack.expected), nack.window, Time()), nack.lost);
    // A duplicate says the same again: what the first one asked for may be lost too.
    EXPECT_EQ(policy->OnReport(MakeNak(nack.expected), nack.window, Time()), nack.lost);
}

INSTANTIATE_TEST_SUITE_P(Ladder, GoBackNNack, testing::ValuesIn(NACK_CASES), [](const auto& info) {
    return info.param.name;
});

TEST(GoBackN, AnAcknowledgmentInOrderAsksForNothing)
{
    const AckReport ack{Psn(10), {}, Psn(9), Time(), false};
    EXPECT_TRUE(CreateObject<GoBackN>()->OnReport(ack, FIVE_IN_FLIGHT, Time()).empty());
}

TEST(GoBackN, ATimeoutSendsTheWholeWindow)
{
    auto policy = CreateObject<GoBackN>();
    EXPECT_EQ(policy->OnTrigger(LossTrigger::TIMEOUT, FIVE_IN_FLIGHT, Time()),
              (LostPackets{{Psn(10), Psn(15)}}));
    EXPECT_EQ(policy->OnTrigger(LossTrigger::TIMEOUT, AROUND_ZERO, Time()),
              (LostPackets{{Psn(0xfffffe), Psn(3)}}));
}

TEST(GoBackN, TheResponderKeepsNothingOutOfOrder)
{
    EXPECT_EQ(CreateObject<GoBackN>()->GetTraits().responder.outOfOrderWindow, 0);
}

TEST(GoBackN, ARefusedPacketAndAMissingResponseSendTheWholeWindow)
{
    auto policy = CreateObject<GoBackN>();
    EXPECT_EQ(policy->OnTrigger(LossTrigger::RNR_NAK, FIVE_IN_FLIGHT, Time()),
              (LostPackets{{Psn(10), Psn(15)}}));
    EXPECT_EQ(policy->OnTrigger(LossTrigger::MISSING_RESPONSE, FIVE_IN_FLIGHT, Time()),
              (LostPackets{{Psn(10), Psn(15)}}));
}

TEST(GoBackN, HasNoDeadline)
{
    EXPECT_EQ(CreateObject<GoBackN>()->GetNextLook().deadline, Time::Max());
}
