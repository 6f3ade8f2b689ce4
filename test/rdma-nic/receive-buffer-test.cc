// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/receive-buffer.h"

#include "ns3/uinteger.h"

#include <array>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
Ptr<ReceiveBuffer>
Make(uint64_t capacity, uint64_t credits)
{
    auto buffer = CreateObject<ReceiveBuffer>();
    buffer->SetAttribute("Capacity", UintegerValue(capacity));
    buffer->SetAttribute("Credits", UintegerValue(credits));
    return buffer;
}
} // namespace

TEST(ReceiveBuffer, TakesPacketsUpToItsCapacity)
{
    auto buffer = Make(2000, 0);
    EXPECT_EQ(buffer->Admit(1000, 900, 0), std::nullopt);
    EXPECT_EQ(buffer->Admit(1000, 900, 0), std::nullopt); // 2000 of 2000.
    EXPECT_EQ(buffer->Admit(1, 0, 0), DropReason::RECEIVE_BUFFER_FULL);
    buffer->Release(1000);
    EXPECT_EQ(buffer->Admit(1000, 900, 0), std::nullopt); // A dropped packet takes nothing.
}

TEST(ReceiveBuffer, WhatWaitsForPcieTakesRoomToo)
{
    auto buffer = Make(2000, 0);
    EXPECT_EQ(buffer->Admit(500, 400, 1501), DropReason::RECEIVE_BUFFER_FULL);
    EXPECT_EQ(buffer->Admit(500, 400, 1500), std::nullopt);
}

TEST(ReceiveBuffer, CreditsCountPayloadAndSpareAcknowledgments)
{
    auto buffer = Make(0, 1000);
    EXPECT_EQ(buffer->Admit(600, 500, 501), DropReason::NO_RECEIVE_CREDITS); // 1001 of 1000.
    EXPECT_EQ(buffer->Admit(600, 500, 500), std::nullopt);
    // 600 bytes of a frame are held: a payload of 400 is the most.
    EXPECT_EQ(buffer->Admit(500, 401, 0), DropReason::NO_RECEIVE_CREDITS);
    EXPECT_EQ(buffer->Admit(62, 0, 5000), std::nullopt);
}

TEST(ReceiveBuffer, ZeroIsNoLimit)
{
    auto buffer = Make(0, 0);
    EXPECT_EQ(buffer->Admit(4'000'000'000, 4'000'000'000, uint64_t{1} << 60), std::nullopt);
}

TEST(ReceiveBuffer, AmpleRoomIsFarFromEachLimit)
{
    // The least of 3000, 2000 and PauseAt 1000 counts: frames of 600 bytes and a backlog of 400.
    for (const auto& [capacity, credits, pauseAt] :
         std::vector<std::array<uint64_t, 3>>{{1000, 2000, 0}, {3000, 1000, 0}, {3000, 2000, 1000}})
    {
        auto buffer = Make(capacity, credits);
        buffer->SetAttribute("PauseAt", UintegerValue(pauseAt));
        EXPECT_FALSE(buffer->AdmitIfAmple(1, 0)); // Not started.
        buffer->Start();
        EXPECT_FALSE(buffer->AdmitIfAmple(600, 401));
        EXPECT_EQ(buffer->GetHeld(), 0);
        EXPECT_TRUE(buffer->AdmitIfAmple(600, 400));
        EXPECT_EQ(buffer->GetHeld(), 600);
        EXPECT_FALSE(buffer->AdmitIfAmple(401, 0));
        EXPECT_TRUE(buffer->AdmitIfAmple(400, 0));
    }
}

TEST(ReceiveBuffer, RoomIsAlwaysAmpleWithoutLimits)
{
    auto buffer = Make(0, 0);
    buffer->Start();
    EXPECT_TRUE(buffer->AdmitIfAmple(4'000'000'000, uint64_t{1} << 60));
}
