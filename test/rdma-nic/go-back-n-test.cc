// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/go-back-n.h"

#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
struct NackCase
{
    const char* name;
    SendWindow window;
    Psn expected;
    ResendList resend;
};

const SendWindow FIVE_IN_FLIGHT{Psn(10), Psn(15)};
const SendWindow AROUND_ZERO{Psn(0xfffffe), Psn(3)};

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

class GoBackNNack : public testing::TestWithParam<NackCase>
{
};
} // namespace

TEST_P(GoBackNNack, SendsAllFromTheMissingPacketOn)
{
    const NackCase& nack = GetParam();
    auto policy = CreateObject<GoBackN>();
    EXPECT_EQ(policy->OnNack({nack.expected, std::nullopt}, nack.window), nack.resend);
    // A duplicate says the same again: what the first one asked for may be lost too.
    EXPECT_EQ(policy->OnNack({nack.expected, std::nullopt}, nack.window), nack.resend);
}

INSTANTIATE_TEST_SUITE_P(Ladder, GoBackNNack, testing::ValuesIn(NACK_CASES), [](const auto& info) {
    return info.param.name;
});

TEST(GoBackN, AnAcknowledgmentInOrderAsksForNothing)
{
    EXPECT_TRUE(CreateObject<GoBackN>()->OnAck(FIVE_IN_FLIGHT, {}).empty());
}

TEST(GoBackN, ATimeoutSendsTheWholeWindow)
{
    auto policy = CreateObject<GoBackN>();
    EXPECT_EQ(policy->OnTimeout(FIVE_IN_FLIGHT, {}), (ResendList{{Psn(10), Psn(15)}}));
    EXPECT_EQ(policy->OnTimeout(AROUND_ZERO, {}), (ResendList{{Psn(0xfffffe), Psn(3)}}));
}

TEST(GoBackN, TheResponderKeepsNothingOutOfOrder)
{
    EXPECT_EQ(CreateObject<GoBackN>()->GetResponderRules().outOfOrderWindow, 0);
}

TEST(GoBackN, TheDefaultTimeoutIsPerftests)
{
    // 4.096 us x 2^14 = 67.108864 ms, however often it expires.
    auto policy = CreateObject<GoBackN>();
    for (const uint32_t retries : {0, 2, 3, 7})
    {
        EXPECT_EQ(policy->GetTimeout(FIVE_IN_FLIGHT, retries), NanoSeconds(67'108'864));
    }
}

TEST(GoBackN, TheTimeoutHasTwoSteps)
{
    auto prototype = CreateObjectWithAttributes<GoBackN>("Timeout",
                                                         TimeValue(MicroSeconds(625)),
                                                         "LateTimeout",
                                                         TimeValue(MilliSeconds(40)),
                                                         "FirstRetries",
                                                         UintegerValue(3));
    const Ptr<LossRecovery> policy = prototype->Fork();
    EXPECT_EQ(policy->GetTimeout(FIVE_IN_FLIGHT, 0), MicroSeconds(625));
    EXPECT_EQ(policy->GetTimeout(FIVE_IN_FLIGHT, 2), MicroSeconds(625));
    EXPECT_EQ(policy->GetTimeout(FIVE_IN_FLIGHT, 3), MilliSeconds(40));
    EXPECT_EQ(policy->GetTimeout(FIVE_IN_FLIGHT, 12), MilliSeconds(40));
}
