// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/card-memory.h"

#include "ns3/boolean.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

TEST(CardMemory, IsNotUsedUnlessAsked)
{
    auto memory = CreateObject<CardMemory>();
    EXPECT_FALSE(memory->IsUsed());
    memory->SetAttribute("KeepsPayload", BooleanValue(true));
    EXPECT_TRUE(memory->IsUsed());
}

TEST(CardMemory, ReadsTakeItsLatencyAndNeverWaitForEachOther)
{
    auto memory = CreateObject<CardMemory>();
    EXPECT_EQ(memory->Read(5), 300'005);
    EXPECT_EQ(memory->Read(5), 300'005);
    memory->SetAttribute("Latency", StringValue("1us"));
    EXPECT_EQ(memory->Read(0), 1'000'000);
}
