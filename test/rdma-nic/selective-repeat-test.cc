// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/selective-repeat.h"

#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
struct NackCase
{
    const char* name;
    SendWindow window;
    NackEvent nack;
    ResendList resend;
};

const SendWindow FIVE_IN_FLIGHT{Psn(10), Psn(15)};
const SendWindow AROUND_ZERO{Psn(0xfffffe), Psn(3)};

const NackCase NACK_CASES[] = {
    {"Past", FIVE_IN_FLIGHT, {Psn(10), Psn(9)}, {}},
    {"LongPast", FIVE_IN_FLIGHT, {Psn(10), Psn(0xf00000)}, {}},
    {"Next", FIVE_IN_FLIGHT, {Psn(10), Psn(11)}, {{Psn(10), Psn(11)}}},
    {"Middle", FIVE_IN_FLIGHT, {Psn(10), Psn(12)}, {{Psn(10), Psn(12)}}},
    {"Newest", FIVE_IN_FLIGHT, {Psn(10), Psn(14)}, {{Psn(10), Psn(14)}}},
    {"NeverSent", FIVE_IN_FLIGHT, {Psn(10), Psn(15)}, {}},
    {"FarFuture", FIVE_IN_FLIGHT, {Psn(10), Psn(5000)}, {}},
    {"NothingKept", FIVE_IN_FLIGHT, {Psn(10), std::nullopt}, {}},
    {"BeforeTheWrap",
     AROUND_ZERO,
     {Psn(0xfffffe), Psn(0xffffff)},
     {{Psn(0xfffffe), Psn(0xffffff)}}},
    {"AfterTheWrap", AROUND_ZERO, {Psn(0xfffffe), Psn(1)}, {{Psn(0xfffffe), Psn(1)}}},
    {"NeverSentAfterTheWrap", AROUND_ZERO, {Psn(0xfffffe), Psn(3)}, {}},
};

class SelectiveRepeatNack : public testing::TestWithParam<NackCase>
{
};

ResendList
Nack(SelectiveRepeat& policy, uint32_t selective, const SendWindow& window)
{
    return policy.OnNack({window.unacked, Psn(selective)}, window);
}
} // namespace

TEST_P(SelectiveRepeatNack, SendsTheHolesBeforeTheSelectivePacketOnce)
{
    const NackCase& item = GetParam();
    auto policy = CreateObject<SelectiveRepeat>();
    EXPECT_EQ(policy->OnNack(item.nack, item.window), item.resend);
    EXPECT_TRUE(policy->OnNack(item.nack, item.window).empty()); // A duplicate says nothing new.
}

INSTANTIATE_TEST_SUITE_P(Ladder,
                         SelectiveRepeatNack,
                         testing::ValuesIn(NACK_CASES),
                         [](const auto& info) { return info.param.name; });

TEST(SelectiveRepeat, ALaterNackOnlyAddsNewHoles)
{
    auto policy = CreateObject<SelectiveRepeat>();
    const SendWindow window{Psn(10), Psn(20)};
    EXPECT_EQ(Nack(*policy, 11, window), (ResendList{{Psn(10), Psn(11)}}));
    EXPECT_TRUE(Nack(*policy, 12, window).empty()); // 10 is under way again, 11 has arrived.
    EXPECT_EQ(Nack(*policy, 15, window), (ResendList{{Psn(13), Psn(15)}}));
    EXPECT_TRUE(Nack(*policy, 14, window).empty()); // Late, but it is marked as arrived.
    EXPECT_EQ(Nack(*policy, 17, window), (ResendList{{Psn(16), Psn(17)}}));
}

TEST(SelectiveRepeat, ATimeoutSendsTheHolesBeforeTheNewestSelectiveAcknowledgment)
{
    auto policy = CreateObject<SelectiveRepeat>();
    const SendWindow window{Psn(0xfffffc), Psn(6)}; // 0xfffffc .. 5.
    Nack(*policy, 0xfffffd, window);
    Nack(*policy, 1, window);
    Nack(*policy, 2, window);
    // No later packet has overtaken 3, 4 and 5: they may still be under way.
    const ResendList holes{{Psn(0xfffffc), Psn(0xfffffd)}, {Psn(0xfffffe), Psn(1)}};
    EXPECT_EQ(policy->OnTimeout(window, {}), holes);
}

TEST(SelectiveRepeat, ATimeoutWithoutAnySelectiveAcknowledgmentSendsTheOldestPacket)
{
    auto policy = CreateObject<SelectiveRepeat>();
    const ResendList oldest{{Psn(10), Psn(11)}};
    EXPECT_EQ(policy->OnTimeout(FIVE_IN_FLIGHT, {}), oldest);
}

TEST(SelectiveRepeat, ASecondTimeoutInTheSameRecoverySendsAllThatWasInFlight)
{
    auto policy = CreateObject<SelectiveRepeat>();
    policy->OnTimeout(FIVE_IN_FLIGHT, {}); // 10 .. 14 in flight: recovery lasts until 15.
    policy->OnAck({Psn(11), Psn(17)}, {}); // 10 arrived, and 15 and 16 were sent.
    Nack(*policy, 13, {Psn(11), Psn(17)});
    const ResendList unseen{{Psn(11), Psn(13)}, {Psn(14), Psn(15)}};
    EXPECT_EQ(policy->OnTimeout({Psn(11), Psn(17)}, {}), unseen);
}

TEST(SelectiveRepeat, ATimeoutAfterTheRecoveryIsAFirstOneAgain)
{
    auto policy = CreateObject<SelectiveRepeat>();
    policy->OnTimeout(FIVE_IN_FLIGHT, {});
    policy->OnAck({Psn(15), Psn(20)}, {});
    EXPECT_EQ(policy->OnTimeout({Psn(15), Psn(20)}, {}), (ResendList{{Psn(15), Psn(16)}}));
}

TEST(SelectiveRepeat, WhatATimeoutSentIsNotSentAgainForALateNack)
{
    auto policy = CreateObject<SelectiveRepeat>();
    policy->OnTimeout(FIVE_IN_FLIGHT, {}); // 10 goes again.
    EXPECT_TRUE(Nack(*policy, 11, FIVE_IN_FLIGHT).empty());
    EXPECT_EQ(Nack(*policy, 14, FIVE_IN_FLIGHT), (ResendList{{Psn(12), Psn(14)}}));
}

TEST(SelectiveRepeat, AnAcknowledgmentInOrderMovesTheWindow)
{
    auto policy = CreateObject<SelectiveRepeat>();
    Nack(*policy, 12, FIVE_IN_FLIGHT); // 10 and 11 go again, 12 has arrived.
    const SendWindow moved{Psn(13), Psn(18)};
    EXPECT_TRUE(policy->OnAck(moved, {}).empty());
    const ResendList holes{{Psn(13), Psn(16)}};
    EXPECT_EQ(Nack(*policy, 16, moved), holes);
    EXPECT_EQ(policy->OnTimeout(moved, {}), holes);
}

TEST(SelectiveRepeat, ANackMovesTheWindowToo)
{
    auto policy = CreateObject<SelectiveRepeat>();
    Nack(*policy, 12, FIVE_IN_FLIGHT);
    // 10 has arrived after all, 11 has not: it is under way again already.
    EXPECT_TRUE(policy->OnNack({Psn(11), Psn(12)}, {Psn(11), Psn(15)}).empty());
}

TEST(SelectiveRepeat, FewPacketsInFlightWaitTheShortTime)
{
    // IRN section 4.1: 100 us up to 3 packets, else 320 us.
    auto policy = CreateObject<SelectiveRepeat>();
    EXPECT_EQ(policy->GetTimeout({Psn(0), Psn(1)}, 0), MicroSeconds(100));
    EXPECT_EQ(policy->GetTimeout({Psn(0xffffff), Psn(2)}, 0), MicroSeconds(100));
    EXPECT_EQ(policy->GetTimeout({Psn(0), Psn(4)}, 0), MicroSeconds(320));
}

TEST(SelectiveRepeat, TheTimeoutDoublesUpToItsBackoff)
{
    auto prototype = CreateObjectWithAttributes<SelectiveRepeat>("MaxBackoff", UintegerValue(4));
    const Ptr<LossRecovery> policy = prototype->Fork();
    EXPECT_EQ(policy->GetTimeout(FIVE_IN_FLIGHT, 1), MicroSeconds(640));
    EXPECT_EQ(policy->GetTimeout(FIVE_IN_FLIGHT, 4), MicroSeconds(5120)); // 320 x 16.
    EXPECT_EQ(policy->GetTimeout(FIVE_IN_FLIGHT, 5), MicroSeconds(5120));
}

TEST(SelectiveRepeat, TheResponderKeepsABitmap)
{
    auto policy = CreateObjectWithAttributes<SelectiveRepeat>("BitmapPackets", UintegerValue(77));
    EXPECT_EQ(policy->GetResponderRules().outOfOrderWindow, 77);
}

TEST(SelectiveRepeat, ForksKeepTheirOwnState)
{
    auto prototype = CreateObject<SelectiveRepeat>();
    const Ptr<LossRecovery> one = prototype->Fork();
    const Ptr<LossRecovery> other = prototype->Fork();
    const ResendList holes{{Psn(10), Psn(12)}};
    EXPECT_EQ(one->OnNack({Psn(10), Psn(12)}, FIVE_IN_FLIGHT), holes);
    EXPECT_EQ(other->OnNack({Psn(10), Psn(12)}, FIVE_IN_FLIGHT), holes);
}

TEST(SelectiveRepeat, NeedsAcknowledgmentsOnlyWhileItRecovers)
{
    auto policy = CreateObject<SelectiveRepeat>();
    EXPECT_FALSE(policy->NeedsOnAck());
    Nack(*policy, 12, FIVE_IN_FLIGHT); // 10 and 11 are sent again.
    EXPECT_TRUE(policy->NeedsOnAck());
    policy->OnAck({Psn(11), Psn(15)}, {}); // 11 is missing still.
    EXPECT_TRUE(policy->NeedsOnAck());
    policy->OnAck({Psn(13), Psn(15)}, {});
    EXPECT_FALSE(policy->NeedsOnAck());
    policy->OnTimeout({Psn(13), Psn(15)}, {});
    EXPECT_TRUE(policy->NeedsOnAck());
    policy->OnAck({Psn(15), Psn(15)}, {});
    EXPECT_FALSE(policy->NeedsOnAck());
}

/// Two policies with one window: one is given every acknowledgment, the other only those that it
/// needs.
class TwoListeners
{
  public:
    void Send(uint64_t packets)
    {
        m_next += packets;
    }

    void Ack(uint64_t packets)
    {
        m_unacked += packets;
        const ResendList resend = m_always->OnAck(GetWindow(), {});
        ASSERT_EQ(resend,
                  m_wanting->NeedsOnAck() ? m_wanting->OnAck(GetWindow(), {}) : ResendList{});
    }

    void Nack(uint64_t ahead)
    {
        const NackEvent nack{Psn(m_unacked), Psn(m_unacked + ahead)};
        ASSERT_EQ(m_always->OnNack(nack, GetWindow()), m_wanting->OnNack(nack, GetWindow()));
    }

    void Expire()
    {
        ASSERT_EQ(m_always->OnTimeout(GetWindow(), {}), m_wanting->OnTimeout(GetWindow(), {}));
    }

    uint64_t GetInFlight() const
    {
        return m_next - m_unacked;
    }

    uint64_t GetNext() const
    {
        return m_next;
    }

  private:
    SendWindow GetWindow() const
    {
        return {Psn(m_unacked), Psn(m_next)};
    }

    Ptr<SelectiveRepeat> m_always = CreateObject<SelectiveRepeat>();
    Ptr<SelectiveRepeat> m_wanting = CreateObject<SelectiveRepeat>();
    uint64_t m_unacked{0xffff00};
    uint64_t m_next{0xffff00};
};

TEST(SelectiveRepeat, ReturnsTheSameWhenCalledOnlyAsNeeded)
{
    std::mt19937 random(7);
    TwoListeners listeners;
    for (int step = 0; step < 100'000; ++step)
    {
        listeners.Send(random() % 20);
        const uint64_t inFlight = listeners.GetInFlight();
        const bool isLossy = step / 500 % 3 == 0;
        const uint32_t draw = random() % 100;
        if (isLossy && draw < 20 && inFlight > 1)
        {
            listeners.Nack(1 + random() % (inFlight - 1));
        }
        else if (isLossy && draw < 22 && inFlight > 0)
        {
            listeners.Expire();
        }
        else if (inFlight > 0)
        {
            listeners.Ack(1 + random() % inFlight);
        }
        if (step % 1000 == 999) // Half a turn of the PSNs without a loss.
        {
            listeners.Ack(listeners.GetInFlight());
            for (int i = 0; i < 0x900; ++i)
            {
                listeners.Send(0x1000);
                listeners.Ack(0x1000);
            }
        }
        ASSERT_FALSE(HasFatalFailure()) << step;
    }
    EXPECT_GT(listeners.GetNext(), 0x30000000U); // Over the wrap many times.
}
