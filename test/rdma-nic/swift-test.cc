// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/swift.h"

#include "../expect-error.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t MTU{1000};

/// Swift with a window that the test chooses, and a fixed target of 29 us unless it says otherwise.
class SwiftTest : public testing::Test
{
  protected:
    SwiftTest()
    {
        Set("ScalingRange", TimeValue(Time(0)));
    }

    void Set(const std::string& attribute, const AttributeValue& value)
    {
        m_swift->SetAttribute(attribute, value);
    }

    void Start(double window, uint32_t hops = 4)
    {
        Set("InitialWindow", DoubleValue(window));
        PathInfo path{DataRate("100Gbps"), MicroSeconds(8), MTU};
        path.hops = hops;
        m_swift->Start(path, Time(0));
    }

    void Answer(Time now, Time rtt, uint64_t ackedBytes, Time hostTime = Time(0))
    {
        AckEvent ack{now, rtt, ackedBytes, 0, false};
        ack.hostTime = hostTime;
        m_swift->OnAck(ack);
    }

    double GetWindow() const
    {
        return m_swift->GetFabricWindow();
    }

    Ptr<Swift> m_swift = CreateObject<Swift>();
};

/// Times of isekai's tests are in units of 131.072 ns.
Time
GetUnits(int64_t units)
{
    return PicoSeconds(131'072) * units;
}
} // namespace

TEST_F(SwiftTest, NeedsNoFeedbackButItsPath)
{
    EXPECT_EQ(m_swift->GetNeededFeedback(), Feedback::NONE);
    EXPECT_TRUE(m_swift->UsesOwnPath());
}

/**
 * isekai's swift_test.cc: base 100, 5 hops of 8, window 4, delay 440: flow scaling between 0.1 and
 * 256 packets over 763 units (alpha 246.147, beta -15.384) adds 107, the target is 247, and the
 * window becomes 4 (1 - 0.8 x 193 / 440) = 2.596.  There units are whole; here 107.69 is added.
 */
TEST_F(SwiftTest, RepeatsThePublishedDecrease)
{
    Set("BaseTarget", TimeValue(GetUnits(100)));
    Set("PerHop", TimeValue(GetUnits(8)));
    Set("ScalingRange", TimeValue(GetUnits(763)));
    Start(4, 5);
    EXPECT_NEAR(static_cast<double>(m_swift->GetFabricTarget().GetPicoSeconds()) / 131'072, 247, 1);
    Answer(MilliSeconds(1), GetUnits(440), MTU);
    EXPECT_NEAR(GetWindow(), 2.596, 0.01);
}

TEST_F(SwiftTest, FlowScalingIsZeroAtItsMaximumAndAllAtItsMinimum)
{
    Set("ScalingRange", TimeValue(MicroSeconds(100)));
    for (const auto& [window, addedUs] :
         {std::pair{256.0, 0.0}, std::pair{0.1, 100.0}, std::pair{0.01, 100.0}})
    {
        Start(window);
        EXPECT_NEAR(m_swift->GetFabricTarget().ToDouble(Time::US), 29 + addedUs, 1e-5) << window;
    }
    Start(1); // alpha = 100 us / (1 / sqrt(0.1) - 1 / 16) = 32.261; 15/16 of it.
    EXPECT_NEAR(m_swift->GetFabricTarget().ToDouble(Time::US), 29 + 30.244, 1e-3);
}

TEST_F(SwiftTest, GrowsByOnePacketPerRtt)
{
    Start(10);
    for (int i = 0; i < 10; ++i)
    {
        Answer(MicroSeconds(i), MicroSeconds(20), MTU);
    }
    // Ten times 1 / w, from 10 on: a bit less than 1, since w rises meanwhile.
    EXPECT_NEAR(GetWindow(), 10.96, 0.01);
    Start(0.5);
    Answer(MicroSeconds(1), MicroSeconds(20), MTU);
    EXPECT_DOUBLE_EQ(GetWindow(), 1.5); // Below one packet: by what is acknowledged.
}

TEST_F(SwiftTest, FallsOncePerRttInProportionToTheExcess)
{
    Start(10);
    Answer(MicroSeconds(100), MicroSeconds(58), MTU);
    EXPECT_DOUBLE_EQ(GetWindow(), 6); // 1 - 0.8 x 29 / 58.
    Answer(MicroSeconds(157), MicroSeconds(58), MTU);
    EXPECT_DOUBLE_EQ(GetWindow(), 6);
    Answer(MicroSeconds(158), MicroSeconds(58), MTU);
    EXPECT_DOUBLE_EQ(GetWindow(), 3.6);
}

TEST_F(SwiftTest, NeverFallsByMoreThanHalfAtATime)
{
    Start(10);
    Answer(MicroSeconds(100), MicroSeconds(2900), MTU); // 1 - 0.8 x 0.99 would be 0.208.
    EXPECT_DOUBLE_EQ(GetWindow(), 5);
}

TEST_F(SwiftTest, ALossHalvesOncePerRtt)
{
    Start(10);
    Answer(MicroSeconds(10), MicroSeconds(20), 0);
    m_swift->OnLoss({MicroSeconds(10), 1000, 10'000});
    m_swift->OnLoss({MicroSeconds(20), 1000, 10'000});
    EXPECT_DOUBLE_EQ(GetWindow(), 5);
    m_swift->OnLoss({MicroSeconds(30), 1000, 10'000});
    EXPECT_DOUBLE_EQ(GetWindow(), 2.5);
}

TEST_F(SwiftTest, ExpiriesHalveAndTheThirdInARowResets)
{
    Start(10);
    m_swift->OnTimeout({MilliSeconds(1), 1000, 10'000, 1});
    EXPECT_DOUBLE_EQ(GetWindow(), 5);
    m_swift->OnTimeout({MilliSeconds(2), 1000, 10'000, 2});
    EXPECT_DOUBLE_EQ(GetWindow(), 2.5);
    m_swift->OnTimeout({MilliSeconds(3), 1000, 10'000, 3});
    EXPECT_DOUBLE_EQ(GetWindow(), 0.01);
}

TEST_F(SwiftTest, AWindowBelowOnePacketIsAPacketPerRttOverTheWindow)
{
    Start(0.25);
    Answer(MicroSeconds(1), MicroSeconds(20), 0);
    const SendLimit limit = m_swift->GetLimit();
    EXPECT_EQ(limit.windowBytes, MTU);
    EXPECT_EQ(limit.rate, DataRate("100Mbps")); // 1000 B in 20 us / 0.25.
    Start(8.5);
    EXPECT_EQ(m_swift->GetLimit().windowBytes, 8500);
    EXPECT_EQ(m_swift->GetLimit().rate, DataRate("100Gbps"));
}

TEST_F(SwiftTest, TheHostsHaveAWindowOfTheirOwnAndTheSmallerHolds)
{
    Start(10);
    // 250 us in the hosts, 8 us in the fabric: 1 - 0.8 x 150 / 250 for the hosts.
    Answer(MilliSeconds(1), MicroSeconds(258), MTU, MicroSeconds(250));
    EXPECT_DOUBLE_EQ(GetWindow(), 10.1);
    EXPECT_DOUBLE_EQ(m_swift->GetHostWindow(), 5.2);
    EXPECT_EQ(m_swift->GetLimit().windowBytes, 5200);
}

TEST_F(SwiftTest, WindowsKeepTheirBounds)
{
    Start(255.9);
    Answer(MicroSeconds(1), MicroSeconds(20), 1'000'000);
    EXPECT_DOUBLE_EQ(GetWindow(), 256);
    Start(0.011);
    m_swift->OnLoss({MilliSeconds(1), 1000, 1000});
    EXPECT_DOUBLE_EQ(GetWindow(), 0.01);
}

TEST_F(SwiftTest, AMinimumWindowAboveTheMaximumIsRefused)
{
    ExpectError<std::invalid_argument>(
        [] { CreateObjectWithAttributes<Swift>("MinimumWindow", DoubleValue(300)); },
        "ns3::rdma::Swift::MaximumWindow: expected at least MinimumWindow, 300, got 256");
}

TEST_F(SwiftTest, AnEmptyScalingRangeOfWindowsIsRefused)
{
    ExpectError<std::invalid_argument>(
        [] { CreateObjectWithAttributes<Swift>("ScalingMaximum", DoubleValue(0.05)); },
        "ns3::rdma::Swift::ScalingMaximum: expected more than ScalingMinimum, 0.1, got 0.05");
}
