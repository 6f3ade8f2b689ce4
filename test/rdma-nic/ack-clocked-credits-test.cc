// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ack-clocked-credits.h"

#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
const PathInfo PATH{DataRate("100Gbps"), MicroSeconds(8), 1024};
} // namespace

TEST(AckClockedCredits, TheBudgetIsCoyotesAndNeverChanges)
{
    const Ptr<CongestionControl> credits = CreateObject<AckClockedCredits>()->Fork();
    credits->Start(PATH, Seconds(0));
    EXPECT_EQ(credits->GetLimit().windowBytes, 65'536); // 16 x 4096 B, at any path MTU.
    credits->OnAck({Seconds(1), MicroSeconds(8), 1024, 0, true});
    credits->OnCnp(Seconds(1));
    EXPECT_EQ(credits->GetLimit().windowBytes, 65'536);
    EXPECT_EQ(credits->GetLimit().rate, DataRate("100Gbps"));
    EXPECT_EQ(credits->GetLimit().deadline, Time::Max());
    EXPECT_EQ(credits->GetNeededFeedback(), Feedback::NONE);
}

TEST(AckClockedCredits, TheBudgetIsAnAttribute)
{
    auto credits = CreateObjectWithAttributes<AckClockedCredits>("Budget", UintegerValue(5000));
    const Ptr<CongestionControl> fork = credits->Fork();
    fork->Start(PATH, Seconds(0));
    EXPECT_EQ(fork->GetLimit().windowBytes, 5000);
}
