// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/window-dctcp.h"

#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// 100 Gb/s x 8 us = 100,000 bytes.
const PathInfo PATH{DataRate("100Gbps"), MicroSeconds(8), 1000};

/// A sender that always has a full pipe; acknowledgments come 10,000 bytes at a time.
class WindowDctcpSender : public testing::Test
{
  protected:
    WindowDctcpSender()
    {
        m_dctcp->Start(PATH, Seconds(0));
    }

    void Ack(bool isCeEchoed, uint64_t inFlightBytes = 90'000, uint64_t ackedBytes = 10'000)
    {
        m_dctcp->OnAck({Seconds(0), MicroSeconds(8), ackedBytes, inFlightBytes, isCeEchoed});
    }

    void Ack(int times, bool isCeEchoed)
    {
        for (int i = 0; i < times; ++i)
        {
            Ack(isCeEchoed);
        }
    }

    uint64_t GetWindow() const
    {
        return m_dctcp->GetLimit().windowBytes;
    }

    Ptr<WindowDctcp> m_dctcp = CreateObject<WindowDctcp>();
};
} // namespace

TEST_F(WindowDctcpSender, StartsAtTheBandwidthDelayProduct)
{
    EXPECT_EQ(GetWindow(), 100'000);
    EXPECT_EQ(m_dctcp->GetLimit().rate, DataRate("100Gbps"));
    EXPECT_EQ(m_dctcp->GetLimit().deadline, Time::Max());
    EXPECT_EQ(m_dctcp->GetAlpha(), 1);
    EXPECT_EQ(m_dctcp->GetNeededFeedback(), Feedback::ECN_ECHO);
}

TEST_F(WindowDctcpSender, TheWindowNeverExceedsTheBandwidthDelayProduct)
{
    Ack(100, false);
    EXPECT_EQ(GetWindow(), 100'000);
}

TEST_F(WindowDctcpSender, AlphaIsTheSmoothedShareOfMarkedBytes)
{
    Ack(1, false); // 10,000 acknowledged, 90,000 in flight: the window ends at 100,000.
    Ack(2, true);
    Ack(7, false); // 100,000 acknowledged: not past its end.
    EXPECT_EQ(m_dctcp->GetAlpha(), 1);
    Ack(1, false); // 20,000 of 100,000 bytes were marked: 15/16 + 1/16 x 0.2 = 0.95.
    EXPECT_DOUBLE_EQ(m_dctcp->GetAlpha(), 0.95);
    Ack(9, true);
    EXPECT_DOUBLE_EQ(m_dctcp->GetAlpha(), 0.95); // At 200,000, the end of the second window.
    Ack(1, true);                                // All were marked: 0.95 x 15/16 + 1/16.
    EXPECT_DOUBLE_EQ(m_dctcp->GetAlpha(), 0.953125);
}

TEST_F(WindowDctcpSender, AlphaDecaysWithoutMarks)
{
    Ack(1, false);
    Ack(30, false); // Three windows of data: (15/16)^3.
    EXPECT_DOUBLE_EQ(m_dctcp->GetAlpha(), 3375.0 / 4096);
}

TEST_F(WindowDctcpSender, TheWindowIsCutOncePerWindowOfData)
{
    Ack(1, false);
    Ack(1, true); // At 20,000 with 90,000 in flight: cut by alpha / 2 = 1/2, next after 110,000.
    EXPECT_EQ(GetWindow(), 50'000);
    Ack(9, true); // Up to 110,000.
    EXPECT_EQ(GetWindow(), 50'000);
    // At 110,000 alpha became 15/16 + 1/16 x 1 = 1: all ten were marked.
    Ack(1, true); // At 120,000.
    EXPECT_EQ(GetWindow(), 25'000);
}

TEST_F(WindowDctcpSender, ASmallerAlphaCutsLess)
{
    Ack(1, false);
    Ack(10, false); // Alpha 0.9375.
    Ack(1, true);
    EXPECT_EQ(GetWindow(), 53'125); // 100,000 x (1 - 0.9375 / 2).
}

TEST_F(WindowDctcpSender, AWindowWithoutACutAddsOneStep)
{
    Ack(1, false);
    Ack(1, true);  // 50,000; the cut lasts up to 110,000, alpha's window up to 100,000.
    Ack(9, false); // Alpha's window ended at 110,000, but the cut is not over.
    EXPECT_EQ(GetWindow(), 50'000);
    Ack(9, false); // Up to 200,000: alpha's next window, begun at 110,000.
    EXPECT_EQ(GetWindow(), 50'000);
    Ack(1, false); // 210,000.
    EXPECT_EQ(GetWindow(), 51'000);
    Ack(10, false);
    EXPECT_EQ(GetWindow(), 52'000);
}

TEST_F(WindowDctcpSender, AnEchoOnANakCutsToo)
{
    Ack(1, false);
    Ack(true, 90'000, 0); // It acknowledges nothing new.
    EXPECT_EQ(GetWindow(), 50'000);
    Ack(true, 90'000, 0);
    EXPECT_EQ(GetWindow(), 50'000);
}

TEST_F(WindowDctcpSender, TheFloorIsOnePercentOfTheProduct)
{
    for (int i = 0; i < 20; ++i)
    {
        Ack(true, 0); // Nothing else in flight: each is a window of its own.
    }
    EXPECT_EQ(GetWindow(), 1000); // 100,000 x 0.01.
}

TEST(WindowDctcp, TheFloorIsNeverBelowOnePacket)
{
    auto dctcp = CreateObject<WindowDctcp>();
    dctcp->Start({DataRate("100Gbps"), MicroSeconds(8), 4096}, Seconds(0));
    for (int i = 0; i < 20; ++i)
    {
        dctcp->OnAck({Seconds(0), MicroSeconds(8), 4096, 0, true});
    }
    EXPECT_EQ(dctcp->GetLimit().windowBytes, 4096);
}

TEST(WindowDctcp, ASmallNetworkHasRoomForOnePacket)
{
    auto dctcp = CreateObject<WindowDctcp>();
    dctcp->Start({DataRate("1Gbps"), MicroSeconds(1), 1024}, Seconds(0)); // 125 bytes.
    EXPECT_EQ(dctcp->GetLimit().windowBytes, 1024);
}

TEST(WindowDctcp, ForksCarryTheAttributes)
{
    auto prototype = CreateObjectWithAttributes<WindowDctcp>("Step", UintegerValue(7));
    const Ptr<CongestionControl> fork = prototype->Fork();
    fork->Start(PATH, Seconds(0));
    fork->OnAck({Seconds(0), MicroSeconds(8), 1000, 0, true}); // 50,000.
    fork->OnAck({Seconds(0), MicroSeconds(8), 1000, 0, false});
    EXPECT_EQ(fork->GetLimit().windowBytes, 50'007);
}
