// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/wqe-fetcher.h"

#include "nic-test-bench.h"

#include "ns3/uinteger.h"

#include <map>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// A fetcher behind a PCIe link of 125 ps per byte (generation 2, 16 lanes) without TLP overhead,
/// whose reads take 1 us.
class WqeFetcherOnPcie : public testing::Test
{
  protected:
    ~WqeFetcherOnPcie() override
    {
        Config::Reset();
    }

    Ptr<WqeFetcher> Make(const std::map<std::string, std::string>& settings = {})
    {
        NicTestBench::UseSimpleHardware();
        m_pcie = CreateObject<PcieLink>();
        m_pcie->Start(RandomStream(1, 1));
        auto fetcher = CreateObject<WqeFetcher>();
        for (const auto& [name, value] : settings)
        {
            fetcher->SetAttribute(name, StringValue(value));
        }
        fetcher->Start(*m_pcie);
        return fetcher;
    }

    Ptr<PcieLink> m_pcie;
};
} // namespace

TEST_F(WqeFetcherOnPcie, FetchesSeveralByOneRead)
{
    auto fetcher = Make();
    // 3 x 64 B at 125 ps per byte are 24 ns; the read begins 500 ns from now.
    EXPECT_EQ(fetcher->Fetch(0, 500'000, 3), 500'000 + 1'000'000 + 24'000);
    EXPECT_EQ(m_pcie->GetStats().reads, 1);
    EXPECT_EQ(fetcher->GetStats().fetches, 1);
    EXPECT_EQ(fetcher->GetStats().fetched, 3);
}

TEST_F(WqeFetcherOnPcie, FetchesNoMoreThanItsLimit)
{
    auto fetcher = Make({{"WqesPerFetch", "4"}});
    EXPECT_EQ(fetcher->Fetch(0, 0, 100), 1'000'000 + 4 * 8'000);
    EXPECT_EQ(fetcher->GetStats().fetched, 4);
}

TEST_F(WqeFetcherOnPcie, DecidesAfterAFetchAndBeforeAMessage)
{
    auto fetcher = Make({{"Decision", "50ns"}});
    EXPECT_EQ(fetcher->Fetch(0, 0, 1), 1'008'000 + 50'000);
    EXPECT_EQ(fetcher->Decide(7, true), 50'007);
    EXPECT_EQ(fetcher->Decide(7, false), 7);
    // What is fetched ahead is decided about when its turn comes.
    EXPECT_EQ(fetcher->Prefetch(2'000'000, 1), 2'000'000 + 1'008'000);
}

TEST_F(WqeFetcherOnPcie, AnIdleTurnCostsAFetchUnlessWorkRequestsAreKept)
{
    // 8 x 64 B: 64 ns.
    EXPECT_EQ(Make({{"Decision", "50ns"}})->GetIdleTurn(), 1'064'000 + 50'000);
    EXPECT_EQ(Make({{"Decision", "50ns"}, {"KeepsWqes", "true"}})->GetIdleTurn(), 50'000);
    EXPECT_EQ(m_pcie->GetStats().reads, 0); // To ask is free.
}

TEST_F(WqeFetcherOnPcie, PushesWhatFitsTheDoorbell)
{
    auto never = Make();
    EXPECT_EQ(never->Push(false, 0), 0);
    auto fetcher = Make({{"PushedBytes", "256"}});
    EXPECT_EQ(fetcher->Push(false, 0), 64);   // One work request.
    EXPECT_EQ(fetcher->Push(true, 36), 64);   // 28 + 36: still in its 64 bytes.
    EXPECT_EQ(fetcher->Push(true, 37), 65);   // Not any more.
    EXPECT_EQ(fetcher->Push(true, 228), 256); // 28 + 228: as long as it may be.
    EXPECT_EQ(fetcher->Push(true, 229), 0);
    EXPECT_EQ(fetcher->GetStats().pushed, 4);
    EXPECT_EQ(never->GetStats().pushed, 0);
}

TEST_F(WqeFetcherOnPcie, MayPushInlineWorkRequestsOnly)
{
    auto fetcher = Make({{"PushedBytes", "256"}, {"PushesOnlyInline", "true"}});
    EXPECT_EQ(fetcher->Push(false, 0), 0);
    EXPECT_EQ(fetcher->Push(true, 8), 64);
}

TEST_F(WqeFetcherOnPcie, InlineDataDoNotCountWhereTheyAreReadLater)
{
    auto fetcher = Make({{"PushedBytes", "64"}, {"TakesInline", "false"}});
    EXPECT_EQ(fetcher->Push(true, 200), 64); // The address alone.
}

TEST_F(WqeFetcherOnPcie, CountsWhatIsDropped)
{
    auto fetcher = Make();
    fetcher->Drop(0);
    fetcher->Drop(7);
    EXPECT_EQ(fetcher->GetStats().dropped, 7);
}

TEST_F(WqeFetcherOnPcie, AttributesHaveBounds)
{
    auto fetcher = CreateObject<WqeFetcher>();
    EXPECT_FALSE(fetcher->SetAttributeFailSafe("WqesPerFetch", UintegerValue(0)));
    EXPECT_FALSE(fetcher->SetAttributeFailSafe("BurstBytes", UintegerValue(0)));
    EXPECT_FALSE(fetcher->SetAttributeFailSafe("MaxFetches", UintegerValue(0)));
}
