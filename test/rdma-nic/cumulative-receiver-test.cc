// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/cumulative-receiver.h"

#include "ns3/responder.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
using Kind = ReceiverAnswer::Kind;
using Arrival = ArrivedPacket::Kind;

/// @param expected PSN after the packet
ArrivedPacket
Arrive(Arrival kind, uint32_t psn, uint32_t expected, uint32_t held = 0)
{
    ArrivedPacket packet;
    packet.kind = kind;
    packet.psn = Psn(psn);
    packet.expected = Psn(expected);
    packet.held = held;
    return packet;
}

/// A CumulativeReceiver behind the interface.
class WrappedReceiver : public ReceiverControl
{
  public:
    explicit WrappedReceiver(uint32_t ackInterval)
        : m_ackInterval(ackInterval),
          m_receiver(ackInterval)
    {
    }

    Ptr<ReceiverControl> Fork() const override
    {
        return CreateObject<WrappedReceiver>(m_ackInterval);
    }

    bool SendsReports() const override
    {
        return false;
    }

    ReceiverAnswer OnPacket(const ArrivedPacket& packet) override
    {
        const ReceiverAnswer answer = m_receiver.OnPacket(packet);
        if (answer.kind != Kind::NONE)
        {
            m_receiver.OnAnswered();
        }
        return answer;
    }

  private:
    uint32_t m_ackInterval;
    CumulativeReceiver m_receiver;
};
} // namespace

TEST(CumulativeReceiver, AcknowledgesEachIntervalAndTheEndOfAMessage)
{
    CumulativeReceiver receiver(3);
    std::vector<uint32_t> acknowledged;
    for (uint32_t psn = 0; psn < 9; ++psn)
    {
        ArrivedPacket packet = Arrive(Arrival::ORDERED, psn, psn + 1);
        packet.endsMessage = psn == 4;
        if (receiver.OnPacket(packet).kind == Kind::ACK)
        {
            acknowledged.push_back(psn);
            receiver.OnAnswered();
        }
    }
    EXPECT_EQ(acknowledged, (std::vector<uint32_t>{2, 4, 7})); // The interval begins again at 5.
}

TEST(CumulativeReceiver, OneNakPerGapIfPacketsAreDropped)
{
    CumulativeReceiver receiver(1);
    EXPECT_EQ(receiver.OnPacket(Arrive(Arrival::BEYOND, 3, 2)).kind, Kind::NAK);
    EXPECT_EQ(receiver.OnPacket(Arrive(Arrival::BEYOND, 4, 2)).kind, Kind::NONE);
    EXPECT_EQ(receiver.OnPacket(Arrive(Arrival::ORDERED, 2, 3)).kind, Kind::ACK);
    EXPECT_EQ(receiver.OnPacket(Arrive(Arrival::BEYOND, 4, 3)).kind, Kind::NAK); // The next gap.
}

TEST(CumulativeReceiver, EachHeldPacketGetsASelectiveNak)
{
    CumulativeReceiver receiver(8);
    EXPECT_EQ(receiver.OnPacket(Arrive(Arrival::HELD, 3, 2, 1)).kind, Kind::SELECTIVE_NAK);
    EXPECT_EQ(receiver.OnPacket(Arrive(Arrival::HELD, 5, 2, 2)).kind, Kind::SELECTIVE_NAK);
    EXPECT_EQ(receiver.OnPacket(Arrive(Arrival::DUPLICATE, 5, 2, 2)).kind, Kind::SELECTIVE_NAK);
    EXPECT_EQ(receiver.OnPacket(Arrive(Arrival::BEYOND, 99, 2, 2)).kind, Kind::NONE);
    // 2 fills the first gap, 4 the second one: both are acknowledged at once.
    EXPECT_EQ(receiver.OnPacket(Arrive(Arrival::ORDERED, 2, 4, 1)).kind, Kind::ACK);
    EXPECT_EQ(receiver.OnPacket(Arrive(Arrival::ORDERED, 4, 6, 0)).kind, Kind::ACK);
    receiver.OnAnswered();
    EXPECT_EQ(receiver.OnPacket(Arrive(Arrival::ORDERED, 6, 7, 0)).kind, Kind::NONE);
}

TEST(CumulativeReceiver, AResponseIsTheAnswerUnlessAGapEnds)
{
    CumulativeReceiver receiver(1);
    ArrivedPacket request = Arrive(Arrival::ORDERED, 0, 1);
    request.hasResponse = true;
    EXPECT_EQ(receiver.OnPacket(request).kind, Kind::NONE);
    request.kind = Arrival::DUPLICATE;
    EXPECT_EQ(receiver.OnPacket(request).kind, Kind::NONE);
    EXPECT_EQ(receiver.OnPacket(Arrive(Arrival::DUPLICATE, 0, 1)).kind, Kind::ACK);
    EXPECT_EQ(receiver.OnPacket(Arrive(Arrival::BEYOND, 2, 1)).kind, Kind::NAK);
    request.kind = Arrival::ORDERED;
    EXPECT_EQ(receiver.OnPacket(request).kind, Kind::ACK);
}

TEST(CumulativeReceiver, AfterARefusalNoLaterPacketGetsANak)
{
    CumulativeReceiver receiver(1);
    ArrivedPacket refused = Arrive(Arrival::REFUSED, 1, 1);
    refused.hasRefusal = true;
    EXPECT_EQ(receiver.OnPacket(refused).kind, Kind::NONE); // The refusal is itself a NAK.
    EXPECT_EQ(receiver.OnPacket(Arrive(Arrival::BEYOND, 2, 1)).kind, Kind::NONE);
    // Without a NAK, the next packet requests it: there was no room for it.
    EXPECT_EQ(receiver.OnPacket(Arrive(Arrival::REFUSED, 1, 1)).kind, Kind::NONE);
    EXPECT_EQ(receiver.OnPacket(Arrive(Arrival::BEYOND, 2, 1)).kind, Kind::NAK);
}

/// Packets arrive out of order, twice, or beyond the bitmap, with and without CE.
TEST(CumulativeReceiver, BehindTheInterfaceItGivesTheSameAnswers)
{
    for (const uint32_t window : {0U, 8U})
    {
        ResponderConfig config;
        config.rules.outOfOrderWindow = window;
        config.echoesCe = true;
        config.ackInterval = 3;
        config.initialPsn = 0xfffff0; // Across the wrap.
        Responder builtIn(config);
        config.receiverControl = CreateObject<WrappedReceiver>(config.ackInterval);
        Responder wrapped(config);
        std::mt19937 random(window);
        uint32_t answers = 0;
        for (uint32_t step = 0; step < 20'000; ++step)
        {
            Frame frame{};
            frame.psn = (builtIn.GetExpected() + (random() % 4 != 0 ? 0 : random() % 12) +
                         (random() % 8 != 0 ? 0 : Psn::MASK - 3))
                            .Get();
            frame.opcode = random() % 5 == 0 ? opcode::WRITE_LAST : opcode::WRITE_MIDDLE;
            frame.flags = random() % 3 == 0 ? frame_flag::CE : 0;
            const Answer one = builtIn.OnData(frame, nullptr);
            const Answer other = wrapped.OnData(frame, nullptr);
            ASSERT_EQ(one.hasAck, other.hasAck) << step;
            ASSERT_EQ(one.isNew, other.isNew) << step;
            ASSERT_EQ(one.isDropped, other.isDropped) << step;
            if (one.hasAck)
            {
                ++answers;
                ASSERT_EQ(one.acknowledgment.syndrome, other.acknowledgment.syndrome) << step;
                ASSERT_EQ(one.acknowledgment.psn, other.acknowledgment.psn) << step;
                ASSERT_EQ(one.acknowledgment.isSelective, other.acknowledgment.isSelective) << step;
                ASSERT_EQ(one.acknowledgment.isCeEchoed, other.acknowledgment.isCeEchoed) << step;
            }
        }
        EXPECT_GT(answers, 5'000U); // Every third packet in order, and more.
        EXPECT_EQ(builtIn.GetPlacedBytes(), wrapped.GetPlacedBytes());
    }
}
