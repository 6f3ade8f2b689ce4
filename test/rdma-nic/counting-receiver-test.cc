// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/counting-receiver.h"

#include "ns3/returned-headers.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
using Kind = ReceiverAnswer::Kind;
using Arrival = ArrivedPacket::Kind;

class CountingReceiverTest : public testing::Test
{
  protected:
    /// @return the answer to a packet of a kind.
    ReceiverAnswer Receive(Arrival kind, bool hasRefusal = false)
    {
        ArrivedPacket packet;
        packet.kind = kind;
        packet.psn = Psn(7);
        packet.hasRefusal = hasRefusal;
        return m_receiver->OnPacket(packet);
    }

    Ptr<CountingReceiver> m_receiver = CreateObject<CountingReceiver>();
};
} // namespace

TEST_F(CountingReceiverTest, AcknowledgesEachPacketInAnyOrder)
{
    EXPECT_EQ(Receive(Arrival::HELD).kind, Kind::REPORT);
    EXPECT_EQ(Receive(Arrival::ORDERED).kind, Kind::REPORT);
    EXPECT_EQ(Receive(Arrival::DUPLICATE).kind, Kind::REPORT);
    EXPECT_EQ(Receive(Arrival::PROBE).kind, Kind::REPORT);
}

TEST_F(CountingReceiverTest, ReturnsTheHeaderOfEachPacketThatItDoesNotHave)
{
    EXPECT_EQ(Receive(Arrival::TRIMMED).kind, Kind::TRIM_NOTICE);
    EXPECT_EQ(Receive(Arrival::BEYOND).kind, Kind::TRIM_NOTICE);
    EXPECT_EQ(Receive(Arrival::REFUSED).kind, Kind::TRIM_NOTICE); // A busy kernel.
    EXPECT_EQ(Receive(Arrival::REFUSED, true).kind, Kind::NONE);  // A NAK has refused it.
}

TEST_F(CountingReceiverTest, CountsEachPacketThatHasLeftTheFabric)
{
    EXPECT_EQ(Receive(Arrival::HELD).report.receivedBytes, 1);
    EXPECT_EQ(Receive(Arrival::TRIMMED).report.receivedBytes, 2);
    EXPECT_EQ(Receive(Arrival::PROBE).report.receivedBytes, 2);
    Receive(Arrival::REFUSED, true);
    EXPECT_EQ(Receive(Arrival::DUPLICATE).report.receivedBytes, 4);
    EXPECT_EQ(m_receiver->Fork()->OnPacket({}).report.receivedBytes, 5);
}

TEST(ReturnedHeadersTest, APacketOutOfOrderIsNotLostAndATrimmedOneIs)
{
    const auto detector = CreateObject<ReturnedHeaders>();
    const Scoreboard board(0, 1000);
    AckReport report{};
    report.cause = Psn(999);
    report.received.held = 999;
    EXPECT_TRUE(detector->OnReport(report, board, Time()).empty());
    report.isTrimmed = true;
    const LostPackets lost = detector->OnReport(report, board, Time());
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_EQ(lost[0].first, Psn(999));
    EXPECT_EQ(lost[0].end, Psn(1000));
}

TEST(ReturnedHeadersTest, ATimeoutLosesAllThatTheFlightNamesAndAMissingResponseOne)
{
    const auto detector = CreateObject<ReturnedHeaders>();
    const Scoreboard board(10, 14);
    const auto count = [&](LossTrigger trigger) {
        uint32_t packets = 0;
        for (const PsnRange& range : detector->OnTrigger(trigger, board, Time()))
        {
            packets += static_cast<uint32_t>(range.end - range.first);
        }
        return packets;
    };
    EXPECT_EQ(count(LossTrigger::TIMEOUT), 4);
    EXPECT_EQ(count(LossTrigger::RNR_NAK), 4);
    EXPECT_EQ(count(LossTrigger::MISSING_RESPONSE), 1);
    EXPECT_EQ(count(LossTrigger::DEADLINE), 0);
}
