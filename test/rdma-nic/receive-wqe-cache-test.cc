// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/receive-wqe-cache.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <map>
#include <string>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// A cache behind a PCIe link of 125 ps per byte (generation 2, 16 lanes).
class ReceiveWqeCacheOnPcie : public testing::Test
{
  protected:
    Ptr<ReceiveWqeCache> Make(std::map<std::string, std::string> settings)
    {
        m_pcie->SetAttribute("Generation", UintegerValue(2));
        m_pcie->Start(RandomStream(1, 1));
        auto cache = CreateObject<ReceiveWqeCache>();
        for (const auto& [name, value] : settings)
        {
            cache->SetAttribute(name, StringValue(value));
        }
        cache->Start(*m_pcie);
        return cache;
    }

    uint64_t GetDownBytes() const
    {
        return m_pcie->GetStats().downBytes[static_cast<std::size_t>(DmaKind::WQE)];
    }

    Ptr<PcieLink> m_pcie = CreateObject<PcieLink>();
};

/// A read of some work requests alone: a request of 26 bytes, 500 ns, completions of 256.
constexpr Tick
Fetch(Tick requests)
{
    const Tick bytes = requests * 64;
    return 26 * 125 + 500'000 + (bytes + (bytes + 255) / 256 * 26) * 125;
}

constexpr Tick LATER{10'000'000}; ///< Between messages: each fetch has long ended.
} // namespace

TEST_F(ReceiveWqeCacheOnPcie, FetchesWhenAMessageArrivesByDefault)
{
    auto cache = Make({});
    for (Tick now = 0; now < 5 * LATER; now += LATER)
    {
        EXPECT_EQ(cache->Take(now, 9), now + Fetch(1));
    }
    EXPECT_EQ(cache->GetStats().misses, 5);
    EXPECT_EQ(cache->GetStats().hits, 0);
    EXPECT_EQ(GetDownBytes(), 5 * 90);
}

TEST_F(ReceiveWqeCacheOnPcie, ABatchServesManyMessages)
{
    auto cache = Make({{"Entries", "1"}, {"Prefetch", "false"}});
    for (int batch = 0; batch < 3; ++batch)
    {
        const Tick begin = batch * 8 * LATER;
        EXPECT_EQ(cache->Take(begin, 9), begin + Fetch(8));
        for (int message = 1; message < 8; ++message)
        {
            const Tick now = begin + message * LATER;
            EXPECT_EQ(cache->Take(now, 9), now);
        }
    }
    EXPECT_EQ(cache->GetStats().misses, 3);
    EXPECT_EQ(cache->GetStats().hits, 21);
    EXPECT_EQ(GetDownBytes(), 3 * (512 + 2 * 26));
}

TEST_F(ReceiveWqeCacheOnPcie, MessagesOfABatchWaitForIt)
{
    auto cache = Make({{"Entries", "1"}, {"Prefetch", "false"}});
    EXPECT_EQ(cache->Take(0, 9), Fetch(8));
    EXPECT_EQ(cache->Take(100, 9), Fetch(8));
    EXPECT_EQ(m_pcie->GetStats().reads, 1);
}

TEST_F(ReceiveWqeCacheOnPcie, PrefetchingCostsBytesButNoTime)
{
    auto cache = Make({{"Entries", "1"}});
    EXPECT_EQ(cache->Take(0, 9), Fetch(8));
    for (int message = 1; message < 100; ++message)
    {
        const Tick now = message * LATER;
        EXPECT_EQ(cache->Take(now, 9), now);
    }
    EXPECT_EQ(cache->GetStats().misses, 1);
    // A batch of 8, and 4 more when 4 were used, when 8 were, ...: 25 times in 100 messages.
    EXPECT_EQ(m_pcie->GetStats().reads, 1 + 25);
    EXPECT_EQ(GetDownBytes(), 512 + 2 * 26 + 25 * (256 + 26));
}

TEST_F(ReceiveWqeCacheOnPcie, PrefetchingLagsBehindABurst)
{
    auto cache = Make({{"Entries", "1"}});
    cache->Take(0, 9);
    // 11 messages at once: 7 find the rest of the batch; the third of them has 4 more fetched, for
    // which the next 4 wait.
    for (int message = 1; message < 8; ++message)
    {
        EXPECT_EQ(cache->Take(LATER, 9), LATER);
    }
    for (int message = 8; message < 12; ++message)
    {
        EXPECT_EQ(cache->Take(LATER, 9), LATER + Fetch(4));
    }
    EXPECT_EQ(cache->GetStats().misses, 1);
}

TEST_F(ReceiveWqeCacheOnPcie, TheQueueUsedLongestAgoMakesRoom)
{
    auto cache = Make({{"Entries", "2"}});
    cache->Take(0, 5);
    cache->Take(LATER, 6);
    cache->Take(2 * LATER, 5);
    cache->Take(3 * LATER, 7); // In the place of 6, whose 7 work requests are dropped.
    EXPECT_EQ(cache->Take(4 * LATER, 5), 4 * LATER);
    EXPECT_EQ(cache->Take(5 * LATER, 7), 5 * LATER);
    EXPECT_EQ(cache->Take(6 * LATER, 6), 6 * LATER + Fetch(8));
    EXPECT_EQ(cache->GetStats().misses, 4);
    EXPECT_EQ(cache->GetStats().hits, 3);
}

TEST_F(ReceiveWqeCacheOnPcie, QueuesThatTakeTurnsForOneEntryMissAllTheTime)
{
    auto cache = Make({{"Entries", "1"}});
    for (int message = 0; message < 50; ++message)
    {
        cache->Take(message * LATER, 3 + message % 2);
    }
    EXPECT_EQ(cache->GetStats().hits, 0);
}

TEST_F(ReceiveWqeCacheOnPcie, SharedQueuesKeepTheirRequestsOnTheChip)
{
    auto cache = Make({{"Entries", "1"}});
    const auto one = Create<ReceiveQueue>(100, 1);
    const auto other = Create<ReceiveQueue>(100, 1);
    EXPECT_EQ(cache->TakeShared(0, *one), Fetch(8));
    EXPECT_EQ(cache->TakeShared(LATER, *other), LATER + Fetch(8));
    for (int message = 2; message < 50; ++message)
    {
        const Tick now = message * LATER;
        EXPECT_EQ(cache->TakeShared(now, message % 2 == 0 ? *one : *other), now);
        cache->Take(now, 3 + message % 3); // Makes room among the queue pairs' own.
    }
}

TEST_F(ReceiveWqeCacheOnPcie, WithoutEntriesASharedQueueIsFetchedFromToo)
{
    auto cache = Make({});
    const auto queue = Create<ReceiveQueue>(100, 1);
    EXPECT_EQ(cache->TakeShared(0, *queue), Fetch(1));
    EXPECT_EQ(cache->TakeShared(LATER, *queue), LATER + Fetch(1));
    EXPECT_EQ(cache->GetStats().misses, 2);
}

TEST_F(ReceiveWqeCacheOnPcie, AListHasARequestPerRoundTrip)
{
    auto cache = Make({{"Entries", "1"}, {"SharedIsList", "true"}});
    const auto queue = Create<ReceiveQueue>(100, 1);
    // 100 messages at once: eight requests were not read ahead before the first message.
    for (int message = 1; message <= 100; ++message)
    {
        EXPECT_EQ(cache->TakeShared(0, *queue), message * Fetch(1));
    }
    EXPECT_EQ(cache->GetStats().misses, 100);
    // A ring's requests come eight, then four at a time, each while the others are used.
    auto ring = Make({{"Entries", "1"}});
    Tick last = 0;
    for (int message = 1; message <= 100; ++message)
    {
        last = ring->TakeShared(last, *queue);
    }
    EXPECT_LT(last, 30 * Fetch(4));
}

TEST_F(ReceiveWqeCacheOnPcie, AListIsReadAheadOfMessages)
{
    auto cache = Make({{"Entries", "1"}, {"SharedIsList", "true"}, {"Batch", "4"}});
    const auto queue = Create<ReceiveQueue>(100, 1);
    EXPECT_EQ(cache->TakeShared(0, *queue), Fetch(1));
    // Four of a burst are there, the others come one by one since the first of them has left room.
    for (int message = 0; message < 4; ++message)
    {
        EXPECT_EQ(cache->TakeShared(LATER, *queue), LATER);
    }
    EXPECT_EQ(cache->TakeShared(LATER, *queue), LATER + Fetch(1));
    EXPECT_EQ(cache->TakeShared(LATER, *queue), LATER + 2 * Fetch(1));
    EXPECT_EQ(cache->GetStats().hits, 4);
    EXPECT_EQ(cache->GetStats().misses, 3);
}

TEST_F(ReceiveWqeCacheOnPcie, ListsOfTwoSharedQueuesAreReadSideBySide)
{
    auto cache = Make({{"SharedIsList", "true"}}); // Each request when its message comes.
    const auto one = Create<ReceiveQueue>(100, 1);
    const auto other = Create<ReceiveQueue>(100, 1);
    EXPECT_EQ(cache->TakeShared(0, *one), Fetch(1));
    EXPECT_EQ(cache->TakeShared(0, *one), 2 * Fetch(1));
    EXPECT_EQ(cache->TakeShared(0, *other), Fetch(1));
}

TEST_F(ReceiveWqeCacheOnPcie, WorksWithBatchesOfOne)
{
    auto cache = Make({{"Entries", "1"}, {"Batch", "1"}, {"Prefetch", "false"}});
    auto prefetching = Make({{"Entries", "1"}, {"Batch", "1"}});
    cache->Take(0, 9);
    prefetching->Take(0, 9);
    for (int message = 1; message < 10; ++message)
    {
        const Tick now = message * LATER;
        EXPECT_EQ(cache->Take(now, 9), now + Fetch(1));
        EXPECT_EQ(prefetching->Take(now, 9), now);
    }
}

TEST_F(ReceiveWqeCacheOnPcie, AttributesHaveBounds)
{
    auto cache = CreateObject<ReceiveWqeCache>();
    EXPECT_FALSE(cache->SetAttributeFailSafe("Batch", UintegerValue(0)));
    EXPECT_FALSE(cache->SetAttributeFailSafe("WqeBytes", UintegerValue(8)));
    EXPECT_TRUE(cache->SetAttributeFailSafe("Entries", UintegerValue(1)));
}
