// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/receive-buffer.h"

#include "ns3/uinteger.h"

#include <gtest/gtest.h>

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
