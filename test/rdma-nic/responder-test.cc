// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/responder.h"

#include "ns3/opcode.h"
#include "ns3/out-of-order-admission.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <optional>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t PAYLOAD{100};

/// A responder that packets of PAYLOAD bytes are shown to.
class Receiver
{
  public:
    explicit Receiver(const ResponderConfig& config)
        : m_responder(config)
    {
    }

    Answer Take(uint32_t psn, uint8_t code = opcode::WRITE_MIDDLE, bool isCe = false)
    {
        Frame frame{};
        frame.psn = psn;
        frame.opcode = code;
        frame.payloadBytes = PAYLOAD;
        frame.flags = isCe ? frame_flag::CE : 0;
        return m_responder.OnData(frame, nullptr);
    }

    const Responder& Get() const
    {
        return m_responder;
    }

  private:
    Responder m_responder;
};

/// @param window of the rules: 0 is go-back-N
ResponderConfig
MakeConfig(uint32_t window, uint32_t initialPsn = 0)
{
    ResponderConfig config;
    config.rules.outOfOrderWindow = window;
    config.initialPsn = initialPsn;
    return config;
}

/// What a responder says to one packet, in short.
struct Expected
{
    enum
    {
        NOTHING,
        ACK,
        NAK
    } kind;

    uint32_t psn{0};
    std::optional<uint32_t> selective{};
    bool isDropped{false};
};

void
ExpectAnswer(const Answer& answer, const Expected& expected)
{
    EXPECT_EQ(answer.hasAck, expected.kind != Expected::NOTHING);
    EXPECT_EQ(answer.isDropped, expected.isDropped);
    EXPECT_EQ(answer.acknowledgment.isSelective, expected.selective.has_value());
    if (answer.hasAck)
    {
        EXPECT_EQ(answer.acknowledgment.syndrome, expected.kind == Expected::ACK ? 0x1f : 0x60);
        EXPECT_EQ(answer.acknowledgment.psn.Get(), expected.psn);
    }
    if (answer.acknowledgment.isSelective && expected.selective)
    {
        EXPECT_EQ(answer.acknowledgment.selective.Get(), *expected.selective);
    }
}

struct LadderCase
{
    const char* name;
    uint32_t initialPsn;
    uint32_t inOrder; ///< Packets taken before.
    uint32_t psn;
    Expected goBackN;
    Expected selective; ///< With a bitmap of 8 packets.
};

const LadderCase LADDER[] = {
    {"InOrder", 0, 5, 5, {Expected::ACK, 5}, {Expected::ACK, 5}},
    {"First", 0, 0, 0, {Expected::ACK, 0}, {Expected::ACK, 0}},
    {"Duplicate", 0, 5, 4, {Expected::ACK, 4}, {Expected::ACK, 4}},
    {"Past", 0, 5, 0, {Expected::ACK, 4}, {Expected::ACK, 4}},
    // Nothing has arrived yet: the last in order is the one before the first.
    {"BeforeTheFirst", 0, 0, 0xffffff, {Expected::ACK, 0xffffff}, {Expected::ACK, 0xffffff}},
    {"Next", 0, 5, 6, {Expected::NAK, 5, {}, true}, {Expected::NAK, 5, 6}},
    {"EndOfTheBitmap", 0, 5, 12, {Expected::NAK, 5, {}, true}, {Expected::NAK, 5, 12}},
    {"BeyondTheBitmap", 0, 5, 13, {Expected::NAK, 5, {}, true}, {Expected::NAK, 5, {}, true}},
    {"FarFuture", 0, 5, 5000, {Expected::NAK, 5, {}, true}, {Expected::NAK, 5, {}, true}},
    {"InOrderAtTheWrap", 0xfffffe, 2, 0, {Expected::ACK, 0}, {Expected::ACK, 0}},
    {"LastBeforeTheWrap",
     0xfffffe,
     1,
     0xffffff,
     {Expected::ACK, 0xffffff},
     {Expected::ACK, 0xffffff}},
    {"PastOfTheWrap", 0xfffffe, 3, 0xffffff, {Expected::ACK, 0}, {Expected::ACK, 0}},
    {"FutureOverTheWrap",
     0xfffffe,
     1,
     2,
     {Expected::NAK, 0xffffff, {}, true},
     {Expected::NAK, 0xffffff, 2}},
};

class ResponderLadder : public testing::TestWithParam<LadderCase>
{
  protected:
    void Walk(uint32_t window, const Expected& expected)
    {
        const LadderCase& item = GetParam();
        Receiver receiver(MakeConfig(window, item.initialPsn));
        for (uint32_t i = 0; i < item.inOrder; ++i)
        {
            receiver.Take((item.initialPsn + i) & Psn::MASK);
        }
        ExpectAnswer(receiver.Take(item.psn), expected);
    }
};
} // namespace

TEST_P(ResponderLadder, GoBackN)
{
    Walk(0, GetParam().goBackN);
}

TEST_P(ResponderLadder, WithABitmap)
{
    Walk(8, GetParam().selective);
}

INSTANTIATE_TEST_SUITE_P(Ladder, ResponderLadder, testing::ValuesIn(LADDER), [](const auto& info) {
    return info.param.name;
});

TEST(Responder, GoBackNSendsOneNakPerGap)
{
    Receiver receiver(MakeConfig(0));
    receiver.Take(0);
    ExpectAnswer(receiver.Take(2), {Expected::NAK, 1, {}, true});
    ExpectAnswer(receiver.Take(3), {Expected::NOTHING, 0, {}, true});
    ExpectAnswer(receiver.Take(4), {Expected::NOTHING, 0, {}, true});
    ExpectAnswer(receiver.Take(1), {Expected::ACK, 1}); // The gap is closed.
    ExpectAnswer(receiver.Take(2), {Expected::ACK, 2});
    ExpectAnswer(receiver.Take(4), {Expected::NAK, 3, {}, true}); // Another gap, another NAK.
    EXPECT_EQ(receiver.Get().GetPlacedBytes(), 3 * PAYLOAD);
}

TEST(Responder, ADuplicateDoesNotCloseTheGap)
{
    Receiver receiver(MakeConfig(0));
    receiver.Take(0);
    receiver.Take(2);
    ExpectAnswer(receiver.Take(0), {Expected::ACK, 0});
    ExpectAnswer(receiver.Take(3), {Expected::NOTHING, 0, {}, true});
}

TEST(Responder, ABitmapAnswersEachPacketOutOfOrder)
{
    Receiver receiver(MakeConfig(8));
    ExpectAnswer(receiver.Take(1), {Expected::NAK, 0, 1});
    ExpectAnswer(receiver.Take(2), {Expected::NAK, 0, 2});
    ExpectAnswer(receiver.Take(2), {Expected::NAK, 0, 2}); // Again: its NAK may have been lost.
    ExpectAnswer(receiver.Take(4), {Expected::NAK, 0, 4});
    EXPECT_EQ(receiver.Get().GetPlacedBytes(), 3 * PAYLOAD);
    ExpectAnswer(receiver.Take(0), {Expected::ACK, 2}); // Closes the gap up to 2.
    ExpectAnswer(receiver.Take(3), {Expected::ACK, 4});
    ExpectAnswer(receiver.Take(4), {Expected::ACK, 4}); // Now a duplicate.
    EXPECT_EQ(receiver.Get().GetPlacedBytes(), 5 * PAYLOAD);
}

TEST(Responder, ABitmapThatIsTooShortSendsOneNakPerGap)
{
    Receiver receiver(MakeConfig(2));
    ExpectAnswer(receiver.Take(1), {Expected::NAK, 0, 1});
    ExpectAnswer(receiver.Take(2), {Expected::NOTHING, 0, {}, true}); // This gap has had its NAK.
    ExpectAnswer(receiver.Take(0), {Expected::ACK, 1});
    ExpectAnswer(receiver.Take(2), {Expected::ACK, 2});
    EXPECT_EQ(receiver.Get().GetPlacedBytes(), 3 * PAYLOAD);
}

TEST(Responder, ABitmapCarriesOnAcrossTheWrap)
{
    Receiver receiver(MakeConfig(8, 0xfffffe));
    for (const uint32_t psn : {0xffffffU, 0U, 2U})
    {
        ExpectAnswer(receiver.Take(psn), {Expected::NAK, 0xfffffe, psn});
    }
    ExpectAnswer(receiver.Take(0xfffffe), {Expected::ACK, 0});
    ExpectAnswer(receiver.Take(1), {Expected::ACK, 2});
    EXPECT_EQ(receiver.Get().GetPlacedBytes(), 5 * PAYLOAD);
}

TEST(Responder, TheMsnCountsMessagesThatAreComplete)
{
    Receiver receiver(MakeConfig(8));
    receiver.Take(0, opcode::WRITE_FIRST);
    EXPECT_EQ(receiver.Get().GetMsn(), 0);
    receiver.Take(1, opcode::WRITE_LAST);
    EXPECT_EQ(receiver.Get().GetMsn(), 1);
    receiver.Take(1, opcode::WRITE_LAST); // A duplicate ends nothing.
    EXPECT_EQ(receiver.Get().GetMsn(), 1);
    receiver.Take(3, opcode::WRITE_ONLY);
    receiver.Take(4, opcode::WRITE_ONLY);
    EXPECT_EQ(receiver.Get().GetMsn(), 1); // Complete, but not in order.
    receiver.Take(2, opcode::WRITE_ONLY);
    EXPECT_EQ(receiver.Get().GetMsn(), 4);
}

TEST(Responder, ADroppedPacketEndsNoMessage)
{
    Receiver receiver(MakeConfig(0));
    receiver.Take(1, opcode::WRITE_ONLY);
    EXPECT_EQ(receiver.Get().GetMsn(), 0);
    EXPECT_EQ(receiver.Get().GetPlacedBytes(), 0);
}

TEST(Responder, CoalescesAcknowledgments)
{
    ResponderConfig config = MakeConfig(8);
    config.ackInterval = 3;
    Receiver receiver(config);
    ExpectAnswer(receiver.Take(0), {Expected::NOTHING});
    ExpectAnswer(receiver.Take(1), {Expected::NOTHING});
    ExpectAnswer(receiver.Take(2), {Expected::ACK, 2});
    ExpectAnswer(receiver.Take(3), {Expected::NOTHING});
    ExpectAnswer(receiver.Take(4, opcode::WRITE_LAST), {Expected::ACK, 4}); // The end of a message.
    ExpectAnswer(receiver.Take(5), {Expected::NOTHING});                    // The count began anew.
    ExpectAnswer(receiver.Take(7), {Expected::NAK, 6, 7});
    ExpectAnswer(receiver.Take(6), {Expected::ACK, 7}); // A closed gap is acknowledged at once.
    ExpectAnswer(receiver.Take(8), {Expected::NOTHING});
    ExpectAnswer(receiver.Take(3), {Expected::ACK, 8}); // So is what a duplicate asks for.
}

TEST(Responder, EchoesCeInTheNextAcknowledgment)
{
    ResponderConfig config = MakeConfig(8);
    config.echoesCe = true;
    config.ackInterval = 2;
    Receiver receiver(config);
    const auto take = [&receiver](uint32_t psn, bool isCe) {
        return receiver.Take(psn, opcode::WRITE_MIDDLE, isCe);
    };
    EXPECT_FALSE(take(0, true).hasAck);
    EXPECT_TRUE(take(1, false).acknowledgment.isCeEchoed); // Packet 0 carried CE.
    EXPECT_FALSE(take(2, false).hasAck);
    EXPECT_FALSE(take(3, false).acknowledgment.isCeEchoed); // Told once.
    EXPECT_TRUE(take(5, true).acknowledgment.isCeEchoed);   // A NAK echoes too.
    EXPECT_FALSE(take(6, false).acknowledgment.isCeEchoed);
}

TEST(Responder, HoldsWhatTheAdmissionOfItsNicAdmits)
{
    const auto pool = CreateObject<OutOfOrderPool>();
    pool->SetAttribute("Packets", UintegerValue(2));
    ResponderConfig config = MakeConfig(8);
    config.admission = pool;
    Receiver one(config);
    {
        Receiver other(config);
        ExpectAnswer(one.Take(1), {Expected::NAK, 0, 1});
        ExpectAnswer(other.Take(1), {Expected::NAK, 0, 1});
        EXPECT_EQ(pool->GetHeld(), 2);
        // The pool is full. As packets beyond the bitmap, these cause no further NAK of the gap.
        ExpectAnswer(one.Take(2), {Expected::NOTHING, 0, {}, true});
        ExpectAnswer(other.Take(3), {Expected::NOTHING, 0, {}, true});
        EXPECT_EQ(pool->GetHeld(), 2);
        ExpectAnswer(one.Take(0), {Expected::ACK, 1}); // Packets 0 and 1 are in order.
        EXPECT_EQ(pool->GetHeld(), 1);
        ExpectAnswer(one.Take(3), {Expected::NAK, 2, 3});
        EXPECT_EQ(pool->GetHeld(), 2);
    }
    EXPECT_EQ(pool->GetHeld(), 1); // A queue pair that ends gives its packets back.
    ExpectAnswer(one.Take(2), {Expected::ACK, 3});
    EXPECT_EQ(pool->GetHeld(), 0);
}

TEST(Responder, DoesNotEchoCeUnlessAsked)
{
    Receiver receiver(MakeConfig(0));
    EXPECT_FALSE(receiver.Take(0, opcode::WRITE_MIDDLE, true).acknowledgment.isCeEchoed);
}
