// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/sack-receiver.h"

#include "uet-traces.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
using Kind = ReceiverAnswer::Kind;
using Arrival = ArrivedPacket::Kind;

/// A receiver whose responder holds the PSNs that arrived out of order.
class Responder
{
  public:
    explicit Responder(Ptr<ReceiverControl> control)
        : m_control(control)
    {
    }

    /// Completes a packet by the state after it.
    ReceiverAnswer Receive(ArrivedPacket packet)
    {
        const uint32_t psn = packet.psn.Get();
        if (packet.kind != Arrival::PROBE && (psn < m_expected || m_held.count(psn) != 0))
        {
            packet.kind = Arrival::DUPLICATE;
        }
        if (packet.kind == Arrival::ORDERED)
        {
            packet.kind = psn == m_expected ? Arrival::ORDERED : Arrival::HELD;
            m_held.insert(psn);
            while (m_held.erase(m_expected) != 0)
            {
                ++m_expected;
            }
        }
        packet.expected = Psn(m_expected);
        packet.held = static_cast<uint32_t>(m_held.size());
        return m_control->OnPacket(packet);
    }

    uint64_t GetBitmap(Psn base) const
    {
        uint64_t bits = 0;
        for (const uint32_t psn : m_held)
        {
            const int32_t place = Psn(psn) - base;
            bits |= place >= 0 && place < 64 ? uint64_t{1} << place : 0;
        }
        return bits;
    }

    uint32_t GetExpected() const
    {
        return m_expected;
    }

    std::size_t CountHeld() const
    {
        return m_held.size();
    }

  private:
    Ptr<ReceiverControl> m_control;
    uint32_t m_expected{0};
    std::set<uint32_t> m_held;
};

/// @return a full packet of data.
ArrivedPacket
Data(uint32_t psn, uint32_t wireBytes = 4160)
{
    ArrivedPacket packet;
    packet.psn = Psn(psn);
    packet.wireBytes = wireBytes;
    return packet;
}

class SackReceiverTest : public testing::Test
{
  protected:
    /// @return whether the packet is reported.
    bool IsReported(const ArrivedPacket& packet)
    {
        m_answer = m_responder.Receive(packet);
        return m_answer.kind == Kind::REPORT;
    }

    Ptr<SackReceiver> m_receiver = CreateObject<SackReceiver>();
    Responder m_responder{m_receiver};
    ReceiverAnswer m_answer;
};

class SackReceiverTrace : public testing::TestWithParam<UetTrace>
{
};
} // namespace

/// The README of test/data/uet-traces has the columns. A reply follows the arrival that caused it.
TEST_P(SackReceiverTrace, EachReplyIsThatOfUetHtsim)
{
    Responder responder(CreateObject<SackReceiver>());
    std::string made;
    std::size_t replies = 0;
    std::size_t line = 0;
    for (const auto& words : ReadUetTrace(GetParam().name))
    {
        ++line;
        std::string text;
        for (const auto& word : words)
        {
            text += word + " ";
        }
        if (words[0] == "A" || words[0] == "N")
        {
            ASSERT_EQ(made, text) << "line " << line;
            made.clear();
            ++replies;
            continue;
        }
        ASSERT_EQ(made, "") << "line " << line;
        ArrivedPacket packet = Data(std::stoul(words[2]), std::stoul(words[3]));
        packet.kind = words[0] == "T" ? Arrival::TRIMMED : Arrival::ORDERED;
        packet.isMarked = words[4] == "1";
        packet.asksForAck = words[5] == "1";
        packet.isRetransmission = words[6] == "1";
        const ReceiverAnswer answer = responder.Receive(packet);
        if (answer.kind == Kind::REPORT)
        {
            char fields[200];
            std::snprintf(fields,
                          sizeof fields,
                          "A %u %s %u %016lx %s %s %u %zu %s ",
                          responder.GetExpected(),
                          words[2].c_str(),
                          answer.report.bitmap.base.Get(),
                          responder.GetBitmap(answer.report.bitmap.base),
                          words[7].c_str(),
                          words[4].c_str(),
                          answer.report.receivedBytes,
                          responder.CountHeld(),
                          words[6].c_str());
            made = fields;
        }
        else if (answer.kind == Kind::TRIM_NOTICE)
        {
            made = "N " + words[2] + " " + words[7] + " " + words[4] + " " + words[8] + " ";
        }
    }
    EXPECT_EQ(made, "");
    EXPECT_EQ(replies, GetParam().compared);
}

INSTANTIATE_TEST_SUITE_P(UetTraces,
                         SackReceiverTrace,
                         testing::Values(UetTrace{"receiver-eight.txt", 961},
                                         UetTrace{"receiver-notrim_incast32.txt", 256},
                                         UetTrace{"receiver-perm_mixed.txt", 143},
                                         UetTrace{"receiver-slow4_obl.txt", 166}),
                         [](const auto& one) { return GetUetTraceName(one.param.name); });

TEST_F(SackReceiverTest, ReportsTheFirstPacketAndThenEachAckBytes)
{
    std::vector<uint32_t> reported;
    for (uint32_t psn = 0; psn < 9; ++psn)
    {
        if (IsReported(Data(psn)))
        {
            reported.push_back(psn);
        }
    }
    // 4 x 4160 = 16,640 is the first multiple above 16,384.
    EXPECT_EQ(reported, (std::vector<uint32_t>{0, 4, 8}));
    EXPECT_EQ(m_answer.report.receivedBytes, 9 * 4160U);
}

TEST_F(SackReceiverTest, SmallPacketsCountAtLeastLeastBytes)
{
    m_receiver->SetAttribute("AckBytes", UintegerValue(4096));
    m_receiver->SetAttribute("LeastBytes", UintegerValue(1024));
    EXPECT_TRUE(IsReported(Data(0, 100)));
    EXPECT_FALSE(IsReported(Data(1, 100)));
    EXPECT_FALSE(IsReported(Data(2, 100)));
    EXPECT_FALSE(IsReported(Data(3, 100)));
    EXPECT_TRUE(IsReported(Data(4, 100))); // 4 x 1024 = 4096.
    EXPECT_EQ(m_answer.report.receivedBytes, 500U);
}

TEST_F(SackReceiverTest, MarksAreReportedAtOnceUnlessSwitchedOff)
{
    EXPECT_TRUE(IsReported(Data(0)));
    ArrivedPacket marked = Data(1);
    marked.isMarked = true;
    EXPECT_TRUE(IsReported(marked));
    m_receiver->SetAttribute("AcksMarks", BooleanValue(false));
    marked.psn = Psn(2);
    EXPECT_FALSE(IsReported(marked));
}

TEST_F(SackReceiverTest, ARequestIsAnsweredAtOnceAndAgainWhenNothingIsOutOfOrder)
{
    EXPECT_TRUE(IsReported(Data(0)));
    ArrivedPacket last = Data(3);
    last.asksForAck = true;
    EXPECT_TRUE(IsReported(last));
    EXPECT_EQ(m_answer.report.bitmap.base, Psn(3)); // The packet itself.
    EXPECT_FALSE(IsReported(Data(1)));
    EXPECT_TRUE(IsReported(Data(2)));
    EXPECT_FALSE(IsReported(Data(4))); // The request is closed.
}

TEST_F(SackReceiverTest, ADuplicateIsReportedAndNotCounted)
{
    EXPECT_TRUE(IsReported(Data(0)));
    EXPECT_FALSE(IsReported(Data(2)));
    ArrivedPacket again = Data(2);
    again.asksForAck = true;
    EXPECT_TRUE(IsReported(again));
    EXPECT_EQ(m_answer.report.receivedBytes, 2 * 4160U);
    EXPECT_EQ(m_answer.report.bitmap.base,
              Psn(2)); // Expected + 1; the request does not move the base.
}

TEST_F(SackReceiverTest, ATrimmedPacketGetsATrimNoticeIfItIsMissing)
{
    EXPECT_TRUE(IsReported(Data(0)));
    ArrivedPacket trimmed = Data(1, 64);
    trimmed.kind = Arrival::TRIMMED;
    EXPECT_EQ(m_responder.Receive(trimmed).kind, Kind::TRIM_NOTICE);
    trimmed.psn = Psn(0);
    EXPECT_TRUE(IsReported(trimmed));
    EXPECT_EQ(m_answer.report.receivedBytes, 4160U);
}

TEST_F(SackReceiverTest, AProbeIsReportedAndChangesNothing)
{
    ArrivedPacket probe = Data(0, 64);
    probe.kind = Arrival::PROBE;
    EXPECT_TRUE(IsReported(probe));
    EXPECT_EQ(m_answer.report.receivedBytes, 0U);
    EXPECT_TRUE(IsReported(Data(0))); // Still the first packet of data.
}

/// The bitmap has 64 bits and ends at the packet: 100 - 63 = 37; with the next missing PSN 50, it
/// begins at 51.
TEST_F(SackReceiverTest, TheBitmapEndsAtThePacketButBeginsAfterTheMissingOne)
{
    m_receiver->SetAttribute("AckBytes", UintegerValue(1));
    EXPECT_TRUE(IsReported(Data(100)));
    EXPECT_EQ(m_answer.report.bitmap.base, Psn(37));
    for (uint32_t psn = 0; psn < 50; ++psn)
    {
        m_responder.Receive(Data(psn));
    }
    EXPECT_TRUE(IsReported(Data(101)));
    EXPECT_EQ(m_answer.report.bitmap.base, Psn(51));
}

TEST_F(SackReceiverTest, TheBaseIsRightAcrossTheWrapOfPsns)
{
    ArrivedPacket packet = Data(3);
    packet.expected = Psn(0xfffffe);
    packet.held = 1;
    EXPECT_EQ(m_receiver->OnPacket(packet).report.bitmap.base, Psn(0xffffff));
}
