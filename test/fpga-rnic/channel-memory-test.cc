// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/channel-memory.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// 80 Gb/s per channel, 100 ps per byte.
Ptr<ChannelMemory>
MakeMemory(uint32_t channels)
{
    auto memory = CreateObject<ChannelMemory>();
    memory->SetAttribute("Channels", UintegerValue(channels));
    memory->SetAttribute("ChannelRate", StringValue("80Gbps"));
    return memory;
}
} // namespace

TEST(ChannelMemory, AnAccessTakesItsBytesAndTheLatency)
{
    EXPECT_EQ(MakeMemory(1)->Access(50, 100, 0, 64), 100 + 64 * 100 + 200'000);
}

TEST(ChannelMemory, ChannelsShareALongAccess)
{
    // 4 KiB in pieces of 1 KiB: 4 on one channel, 2 on each of two, one on each of four.
    EXPECT_EQ(MakeMemory(1)->Access(0, 0, 0, 4096), 4096 * 100 + 200'000);
    EXPECT_EQ(MakeMemory(2)->Access(0, 0, 0, 4096), 2048 * 100 + 200'000);
    EXPECT_EQ(MakeMemory(4)->Access(0, 0, 0, 4096), 1024 * 100 + 200'000);
}

TEST(ChannelMemory, AccessesToOneChannelWaitForEachOther)
{
    auto memory = MakeMemory(2);
    EXPECT_EQ(memory->Access(0, 0, 0, 1024), 102'400 + 200'000);
    EXPECT_EQ(memory->Access(0, 0, 1024, 1024), 102'400 + 200'000); // The other channel.
    EXPECT_EQ(memory->Access(0, 0, 2048, 1024), 204'800 + 200'000);
    EXPECT_EQ(memory->GetStats().waits, 1);
    EXPECT_EQ(memory->GetStats().accesses, 3);
    EXPECT_EQ(memory->GetStats().bytes, 3072);
}

TEST(ChannelMemory, KnowsWhatIsOnTheCard)
{
    auto memory = MakeMemory(1);
    memory->SetAttribute("Capacity", UintegerValue(4096));
    EXPECT_TRUE(memory->Contains(0, 4096));
    EXPECT_FALSE(memory->Contains(0, 4097));
    EXPECT_FALSE(memory->Contains(4096, 1));
    EXPECT_FALSE(memory->Contains(UINT64_MAX, 2));
    memory->GetBytes().Write64(8, 5);
    EXPECT_EQ(memory->GetBytes().Read64(8), 5);
}
