// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/departure-record.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
class DepartureRecordTest : public testing::Test
{
  protected:
    void Send(uint64_t number, Tick now, uint64_t unacked = 1000)
    {
        m_record.OnSent(number, unacked, MakeDeparture(7, 4160, false, now));
    }

    DepartureRecord m_record{1000};
};
} // namespace

TEST_F(DepartureRecordTest, CountsWhatLeavesAndSubtractsTheGrowthOfTheCounter)
{
    Send(1000, 10);
    Send(1001, 20);
    EXPECT_EQ(m_record.GetBytes(), 8320U);
    EXPECT_EQ(m_record.OnCounter(4160), 4160U);
    EXPECT_EQ(m_record.GetBytes(), 4160U);
    EXPECT_EQ(m_record.OnCounter(100), 0U); // An older report.
    EXPECT_EQ(m_record.GetBytes(), 4160U);
}

TEST_F(DepartureRecordTest, TheCounterWrapsAt32Bits)
{
    m_record.OnCounter(0x7fffffff);
    m_record.OnCounter(0xfffffff0);
    EXPECT_EQ(m_record.OnCounter(16), 32U);
}

TEST_F(DepartureRecordTest, ALostPacketIsSubtractedOnce)
{
    Send(1000, 10);
    EXPECT_EQ(m_record.OnLost(1000), 4160U);
    EXPECT_EQ(m_record.OnLost(1000), 0U);
    EXPECT_EQ(m_record.GetBytes(), 0U);
    EXPECT_EQ(m_record.OnLost(1001), 0U); // Never sent.
}

TEST_F(DepartureRecordTest, ALossThatWasNoneCancelsOut)
{
    Send(1000, 10);
    m_record.OnLost(1000);
    m_record.OnArrivedAfterAll(1000, true);
    m_record.OnCounter(4160); // The report that shows it.
    EXPECT_EQ(m_record.GetBytes(), 0U);
}

TEST_F(DepartureRecordTest, ArrivalsWithoutACounterAreNotSubtractedAgainByTheNextOne)
{
    Send(1000, 10);
    Send(1001, 20);
    Send(1002, 30);
    m_record.OnLost(1001);
    m_record.OnArrivedBefore(1001, false); // A NAK has no counter.
    m_record.OnArrivedAfterAll(1001, false);
    EXPECT_EQ(m_record.GetBytes(), 4160U);
    EXPECT_EQ(m_record.OnCounter(3 * 4160), 3U * 4160);
    EXPECT_EQ(m_record.GetBytes(), 0U);
}

TEST_F(DepartureRecordTest, TheOldestTransmissionIsThatOfTheLongestWait)
{
    Send(1000, 10);
    Send(1001, 20);
    Send(1002, 30);
    EXPECT_EQ(m_record.FindOldest(), 1000U);
    m_record.OnLost(1000);
    EXPECT_EQ(m_record.FindOldest(), 1001U);
    Send(1000, 40); // Again.
    m_record.OnArrived(1001);
    EXPECT_EQ(m_record.FindOldest(), 1002U);
    m_record.OnArrivedBefore(1003, true);
    EXPECT_EQ(m_record.FindOldest(), std::nullopt);
}

TEST_F(DepartureRecordTest, CountsTheTransmissionsOfAPacket)
{
    Send(1000, 10);
    EXPECT_EQ(m_record.FindOut(1000)->transmissions, 1);
    m_record.OnLost(1000);
    EXPECT_EQ(m_record.FindOut(1000), nullptr);
    Send(1000, 20);
    EXPECT_EQ(m_record.FindOut(1000)->transmissions, 2);
}

TEST_F(DepartureRecordTest, KeepsARecordOfEveryPacketOfALongWindow)
{
    for (uint64_t number = 1000; number < 2000; ++number)
    {
        Send(number, static_cast<Tick>(number));
    }
    for (uint64_t number = 1000; number < 2000; ++number)
    {
        ASSERT_NE(m_record.FindOut(number), nullptr);
        EXPECT_EQ(m_record.FindOut(number)->time, static_cast<Tick>(number));
    }
    EXPECT_EQ(m_record.GetBytes(), 1000U * 4160);
}

TEST_F(DepartureRecordTest, ARequestOfAnAcknowledgedReadIsNotInFlightWhenItIsSentAgain)
{
    Send(1000, 10);
    m_record.OnCounter(4160);
    m_record.OnArrivedBefore(1001, true);
    Send(1000, 20, 1001); // Its response is missing. The receiver does not count it again.
    EXPECT_EQ(m_record.GetBytes(), 0U);
    EXPECT_EQ(m_record.FindOldest(), std::nullopt);
}

TEST_F(DepartureRecordTest, ARequestThatHasArrivedAddsNoBytesWhenItIsSentAgain)
{
    Send(1000, 10);
    Send(1001, 20);
    m_record.OnArrivedUnanswered(1001, false);
    EXPECT_EQ(m_record.GetBytes(), 4160U); // 1001.
    Send(1000, 30);
    EXPECT_EQ(m_record.GetBytes(), 4160U);
    EXPECT_NE(m_record.FindOut(1000), nullptr); // The timer runs for its response.
    m_record.OnCounter(2 * 4160);
    EXPECT_EQ(m_record.GetBytes(), 0U);
}
