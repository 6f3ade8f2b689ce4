// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/reported-flight.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
class ReportedFlightTest : public testing::Test
{
  protected:
    void Send(uint64_t number, Tick now, uint64_t unacked = 1000)
    {
        m_flight.OnSent(number, unacked, MakeDeparture(7, 4160, false, now), 0);
    }

    ReportedFlight m_flight{nullptr, 7, 1, 1000};
};

/// Names 0, 1, 2, ...
class CountingEntropy : public EntropySelector
{
  public:
    Ptr<EntropySelector> Fork() const override
    {
        return CreateObject<CountingEntropy>();
    }

    void Start(const EntropyFacts&) override
    {
    }

    uint32_t GetNext(uint64_t, Time) override
    {
        return m_next++;
    }

  private:
    uint32_t m_next{0};
};
} // namespace

TEST_F(ReportedFlightTest, CountsWhatLeavesAndSubtractsTheGrowthOfTheCounter)
{
    Send(1000, 10);
    Send(1001, 20);
    EXPECT_EQ(m_flight.GetBytes(), 8320U);
    EXPECT_EQ(m_flight.OnCounter(4160), 4160U);
    EXPECT_EQ(m_flight.GetBytes(), 4160U);
    EXPECT_EQ(m_flight.OnCounter(100), 0U); // An older report.
    EXPECT_EQ(m_flight.GetBytes(), 4160U);
}

TEST_F(ReportedFlightTest, TheCounterWrapsAt32Bits)
{
    m_flight.OnCounter(0x7fffffff);
    m_flight.OnCounter(0xfffffff0);
    EXPECT_EQ(m_flight.OnCounter(16), 32U);
}

TEST_F(ReportedFlightTest, ALostPacketIsSubtractedOnce)
{
    Send(1000, 10);
    EXPECT_EQ(m_flight.OnLost(1000), 4160U);
    EXPECT_EQ(m_flight.OnLost(1000), 0U);
    EXPECT_EQ(m_flight.GetBytes(), 0U);
    EXPECT_EQ(m_flight.OnLost(1001), 0U); // Never sent.
}

TEST_F(ReportedFlightTest, ALossThatWasNoneCancelsOut)
{
    Send(1000, 10);
    m_flight.OnLost(1000);
    m_flight.OnArrivedAfterAll(1000, true);
    m_flight.OnCounter(4160); // The report that shows it.
    EXPECT_EQ(m_flight.GetBytes(), 0U);
}

TEST_F(ReportedFlightTest, ArrivalsWithoutACounterAreNotSubtractedAgainByTheNextOne)
{
    Send(1000, 10);
    Send(1001, 20);
    Send(1002, 30);
    m_flight.OnLost(1001);
    m_flight.OnArrivedBefore(1001, false); // A NAK has no counter.
    m_flight.OnArrivedAfterAll(1001, false);
    EXPECT_EQ(m_flight.GetBytes(), 4160U);
    EXPECT_EQ(m_flight.OnCounter(3 * 4160), 3U * 4160);
    EXPECT_EQ(m_flight.GetBytes(), 0U);
}

TEST_F(ReportedFlightTest, TheOldestTransmissionIsThatOfTheLongestWait)
{
    Send(1000, 10);
    Send(1001, 20);
    Send(1002, 30);
    EXPECT_EQ(m_flight.FindOldest(), 1000U);
    m_flight.OnLost(1000);
    EXPECT_EQ(m_flight.FindOldest(), 1001U);
    Send(1000, 40); // Again.
    m_flight.OnArrived(1001);
    EXPECT_EQ(m_flight.FindOldest(), 1002U);
    m_flight.OnArrivedBefore(1003, true);
    EXPECT_EQ(m_flight.FindOldest(), std::nullopt);
}

TEST_F(ReportedFlightTest, CountsTheTransmissionsOfAPacket)
{
    Send(1000, 10);
    EXPECT_EQ(m_flight.FindOut(1000)->transmissions, 1);
    m_flight.OnLost(1000);
    EXPECT_EQ(m_flight.FindOut(1000), nullptr);
    Send(1000, 20);
    EXPECT_EQ(m_flight.FindOut(1000)->transmissions, 2);
}

TEST_F(ReportedFlightTest, KeepsARecordOfEveryPacketOfALongWindow)
{
    for (uint64_t number = 1000; number < 2000; ++number)
    {
        Send(number, static_cast<Tick>(number));
    }
    for (uint64_t number = 1000; number < 2000; ++number)
    {
        ASSERT_NE(m_flight.FindOut(number), nullptr);
        EXPECT_EQ(m_flight.FindOut(number)->time, static_cast<Tick>(number));
    }
    EXPECT_EQ(m_flight.GetBytes(), 1000U * 4160);
}

TEST_F(ReportedFlightTest, ARequestOfAnAcknowledgedReadIsNotInFlightWhenItIsSentAgain)
{
    Send(1000, 10);
    m_flight.OnCounter(4160);
    m_flight.OnArrivedBefore(1001, true);
    Send(1000, 20, 1001); // Its response is missing. The receiver does not count it again.
    EXPECT_EQ(m_flight.GetBytes(), 0U);
    EXPECT_EQ(m_flight.FindOldest(), std::nullopt);
}

TEST_F(ReportedFlightTest, ARequestThatHasArrivedAddsNoBytesWhenItIsSentAgain)
{
    Send(1000, 10);
    Send(1001, 20);
    m_flight.OnArrivedUnanswered(1001, false);
    EXPECT_EQ(m_flight.GetBytes(), 4160U); // 1001.
    Send(1000, 30);
    EXPECT_EQ(m_flight.GetBytes(), 4160U);
    EXPECT_NE(m_flight.FindOut(1000), nullptr); // The timer runs for its response.
    m_flight.OnCounter(2 * 4160);
    EXPECT_EQ(m_flight.GetBytes(), 0U);
}

TEST(ReportedFlightOfPlanes, APacketLeavesByAPortWithAValueOfItsPlane)
{
    ReportedFlight flight(CreateObject<CountingEntropy>(), 7, 4, 1000);
    const auto take = [&](uint32_t plane) { return flight.ChooseEntropy(plane, 0, 0) ^ 7; };
    ASSERT_TRUE(flight.HasRoute(2, 0b1111, 0, 0));
    EXPECT_EQ(take(2), 2U);
    // 0 and 1 have been set aside for their own planes.
    ASSERT_TRUE(flight.HasRoute(1, 0b1111, 0, 0));
    EXPECT_EQ(take(1), 1U);
    ASSERT_TRUE(flight.HasRoute(1, 0b1111, 0, 0));
    EXPECT_EQ(take(1), 5U);
}

TEST(ReportedFlightOfPlanes, APortIsUsableIfBothEndsSaySo)
{
    ReportedFlight flight(CreateObject<CountingEntropy>(), 7, 4, 1000);
    flight.OnPeerPorts(0b1101);
    for (uint32_t plane = 0; plane < 4; ++plane)
    {
        EXPECT_EQ(flight.HasRoute(plane, 0b0111, 0, 0), plane == 0 || plane == 2);
    }
    // Another plane's values leave by the next usable one.
    EXPECT_EQ(flight.FindPlane(3 ^ 7), 0U);
    EXPECT_EQ(flight.FindPlane(1 ^ 7), 2U);
}
