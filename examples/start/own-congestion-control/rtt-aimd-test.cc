// SPDX-License-Identifier: GPL-2.0-only

// A plug-in is tested without a simulator: include it, tell it events, compare its answers.

#include "rtt-aimd.cc"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// RttAimd on a path of 100 Gb/s and 8 us: 100,000 bytes in flight fill it.
class RttAimdTest : public testing::Test
{
  protected:
    RttAimdTest()
    {
        m_control->Start({DataRate("100Gbps"), MicroSeconds(8), 1000}, Seconds(0));
    }

    /// An acknowledgment comes. @return the window behind it.
    uint64_t Answer(Time now, Time rtt, uint64_t ackedBytes)
    {
        m_control->OnAck({now, rtt, ackedBytes, 0, false});
        return m_control->GetLimit().windowBytes;
    }

    Ptr<RttAimd> m_control = CreateObject<RttAimd>();
};
} // namespace

TEST_F(RttAimdTest, StartsWithABandwidthDelayProduct)
{
    EXPECT_EQ(m_control->GetLimit().windowBytes, 100'000);
    EXPECT_EQ(m_control->GetLimit().rate, DataRate("100Gbps"));
}

TEST_F(RttAimdTest, GrowsByOneStepPerWindowWhileTheRoundTripIsShort)
{
    EXPECT_EQ(Answer(MicroSeconds(28), MicroSeconds(28), 100'000),
              101'024); // 8 us and 20 of queue.
}

TEST_F(RttAimdTest, ShrinksByTheExcessOncePerRoundTrip)
{
    // Half of 56 us is too much: 1 - 0.8 x 28 / 56.
    EXPECT_EQ(Answer(MicroSeconds(56), MicroSeconds(56), 1000), 60'000);
    EXPECT_EQ(Answer(MicroSeconds(111), MicroSeconds(56), 1000), 60'000);
    EXPECT_EQ(Answer(MicroSeconds(112), MicroSeconds(56), 1000), 36'000);
}

TEST_F(RttAimdTest, NeverTakesMoreThanHalfAtOnceNorTheLastPacket)
{
    EXPECT_EQ(Answer(MilliSeconds(10), MilliSeconds(10), 0), 50'000);
    for (int i = 2; i < 20; ++i)
    {
        Answer(MilliSeconds(10) * i, MilliSeconds(10), 0);
    }
    EXPECT_EQ(m_control->GetLimit().windowBytes, 1000);
}

TEST_F(RttAimdTest, AForkHasAStateOfItsOwn)
{
    const auto fork = m_control->Fork();
    Answer(MicroSeconds(56), MicroSeconds(56), 1000);
    EXPECT_EQ(fork->GetLimit().windowBytes, 100'000);
}
