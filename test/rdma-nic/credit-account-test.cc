// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/credit-account.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{
constexpr uint32_t PACKET{4160};
constexpr uint64_t WINDOW{256 * 1000}; // 1000 units of credit.
} // namespace

TEST(CreditAccount, StartsWithAWindowOfSpeculativeCreditThatTheFirstAnswerEnds)
{
    CreditAccount account(WINDOW);
    EXPECT_EQ(account.GetBytes(), 256'000);
    account.OnSent(PACKET, 17);
    account.EndSpeculation();
    EXPECT_EQ(account.GetBytes(), 0);
    EXPECT_FALSE(account.CanSend());
    account.EndSpeculation(); // Later answers change nothing.
    EXPECT_EQ(account.GetBytes(), 0);
}

TEST(CreditAccount, AsksForWhatWaitsLessTheCreditLeft)
{
    CreditAccount account(WINDOW);
    account.OnSent(PACKET, 100);
    account.EndSpeculation();
    // Nothing is left; the packet itself overdraws by 4160: (41,600 + 4160) / 256 = 178.75.
    EXPECT_EQ(account.GetTarget(PACKET, 10 * PACKET, PACKET), 179U);
    // At most a window waits: (256,000 + 4160) / 256 = 1016.25.
    EXPECT_EQ(account.GetTarget(PACKET, 1'000'000, PACKET), 1017U);
}

TEST(CreditAccount, AsksForAPacketWhileSpeculativeCreditSuffices)
{
    CreditAccount account(WINDOW);
    EXPECT_EQ(account.GetTarget(PACKET, PACKET, PACKET), 17U); // 4160 / 256 = 16.25.
    EXPECT_EQ(account.GetTarget(PACKET, 0, PACKET), 0U);       // Nothing waits.
}

TEST(CreditAccount, CountsGrantsInAllAndKeepsAtMostAWindow)
{
    CreditAccount account(WINDOW);
    account.OnSent(PACKET, 5000);
    account.EndSpeculation();
    account.OnGrant(64);
    EXPECT_EQ(account.GetBytes(), 64 * 256);
    account.OnGrant(32); // An older grant, overtaken.
    EXPECT_EQ(account.GetBytes(), 64 * 256);
    account.OnGrant(4000);
    EXPECT_EQ(account.GetBytes(), 256'000);
}

TEST(CreditAccount, GrantsWrapAt32Bits)
{
    CreditAccount account(WINDOW);
    account.OnSent(PACKET, 0);
    account.EndSpeculation();
    account.OnGrant(0x7fffffff);
    account.OnGrant(0xfffffff0);
    account.OnSent(255'000, 0x10);
    EXPECT_EQ(account.GetBytes(), 1000);
    account.OnGrant(0x10); // 32 units more.
    EXPECT_EQ(account.GetBytes(), 1000 + 32 * 256);
}

TEST(CreditAccount, AllowsOnePacketWithoutCreditIfTheReceiverOwesNothing)
{
    CreditAccount account(WINDOW);
    account.OnSent(PACKET, 10);
    account.EndSpeculation();
    EXPECT_FALSE(account.CanSend()); // 10 units are owed.
    account.OnGrant(10);             // 2560 bytes.
    account.OnSent(PACKET, 10);
    EXPECT_EQ(account.GetBytes(), 2560 - 4160);
    EXPECT_TRUE(account.CanSend()); // It asked for 10 and has them.
    account.OnSent(PACKET, 40);
    EXPECT_FALSE(account.CanSend());
    account.OnTimeout();
    EXPECT_TRUE(account.CanSend());
    account.OnSent(PACKET, 40);
    EXPECT_FALSE(account.CanSend());
}
