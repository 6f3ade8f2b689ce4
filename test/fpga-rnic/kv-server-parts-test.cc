// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-server-parts.h"

#include "ns3/kv-direct-kernel.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

TEST(KvServerParts, TheThroughputRatioFollowsFromLinksLanesAndChannels)
{
    KvBoard board;
    EXPECT_DOUBLE_EQ(board.GetThroughputRatio(), 12.8 / (2 * 6.6));
    board.links = 1;
    board.lanes = 16;
    EXPECT_DOUBLE_EQ(board.GetThroughputRatio(), 12.8 / (2 * 6.6)); // As many lanes in all.
    board.channels = 2;
    EXPECT_DOUBLE_EQ(board.GetThroughputRatio(), 2 * 12.8 / (2 * 6.6));
    board.channelRate = DataRate("51.2Gbps");
    EXPECT_DOUBLE_EQ(board.GetThroughputRatio(), 12.8 / (2 * 6.6)); // 2 x 6.4 GB/s.
}

TEST(KvServerParts, ALinkTakesTheLatencyOfTheBoard)
{
    const auto read = [](const KvBoard& board) {
        return MakeKvPcieLink(RandomStream(1, 1), board)->Read(0, 0, DmaKind::KERNEL, 0, 64);
    };
    KvBoard board;
    board.readJitter = Time(0);
    const Tick usual = read(board);
    board.readLatency = NanoSeconds(1000);
    EXPECT_EQ(read(board) - usual, 200'000); // 1000 - 800 ns.
}

TEST(KvServerParts, LinksAndDramAreAttributesOfTheKernel)
{
    const auto kernel = CreateObject<KvDirectKernel>();
    for (const char* name : {"Links",
                             "RequestRate",
                             "LinkLanes",
                             "LinkReadLatency",
                             "LinkReadJitter",
                             "CardChannels",
                             "CardChannelRate",
                             "CardBytes"})
    {
        TypeId::AttributeInformation info;
        EXPECT_TRUE(kernel->GetInstanceTypeId().LookupAttributeByName(name, &info)) << name;
    }
}
