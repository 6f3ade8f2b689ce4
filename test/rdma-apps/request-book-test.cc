// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/request-book.h"

#include "ns3/poisson-arrivals.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(OpenRequests, TheOldestIsTheFirstThatHasNotEnded)
{
    OpenRequests open;
    EXPECT_EQ(open.GetOldestStart(7), 7);
    for (const Tick start : {10, 20, 20, 30})
    {
        open.Begin(start);
    }
    EXPECT_EQ(open.GetOldestStart(7), 10);
    open.End(1);
    EXPECT_EQ(open.GetOldestStart(7), 10);
    open.End(0);
    EXPECT_EQ(open.GetOldestStart(7), 20);
    open.End(0); // A second time.
    open.End(2);
    EXPECT_EQ(open.GetOldestStart(7), 30);
    open.End(3);
    EXPECT_EQ(open.GetOldestStart(40), 40);
    open.Begin(50);
    EXPECT_EQ(open.GetOldestStart(60), 50);
}

TEST(RequestBook, ARequestHasItsNumberStartAndLatency)
{
    RequestBook book;
    RpcRecord first;
    first.client = 5;
    RpcRecord second;
    book.Begin(first, 100);
    book.Begin(second, 200);
    EXPECT_EQ(second.sequence, 1U);
    EXPECT_EQ(book.GetOldestStart(900), 100);
    book.End(first, RpcStatus::OK, 350);
    EXPECT_EQ(book.GetOldestStart(900), 200);
    const std::vector<RpcRecord> records = book.TakeRecords();
    ASSERT_EQ(records.size(), 1U);
    EXPECT_EQ(records[0].client, 5U);
    EXPECT_EQ(records[0].startPs, 100);
    EXPECT_EQ(records[0].latencyPs, 250); // 350 - 100
    EXPECT_TRUE(book.TakeRecords().empty());
    EXPECT_EQ(book.GetStarted(), 2U);
    EXPECT_EQ(book.GetEnded(), 1U);
    EXPECT_EQ(book.GetLastEnd(), 350);
}

TEST(RequestBook, AnAbandonedRequestHasNoLatencyAndNoEnd)
{
    RequestBook book;
    RpcRecord record;
    book.Begin(record, 100);
    book.Abandon(record, RpcStatus::STALLED);
    EXPECT_EQ(book.GetEnded(), 1U);
    EXPECT_EQ(book.GetLastEnd(), 0);
    const auto records = book.TakeRecords();
    EXPECT_EQ(records.at(0).status, RpcStatus::STALLED);
    EXPECT_EQ(records.at(0).latencyPs, 0);
}

TEST(PoissonArrivals, AreExponentialAndRoundedToTheNearestPicosecond)
{
    constexpr uint64_t SEED{7};
    constexpr Tick END{1'000'000'000};
    PoissonArrivals arrivals(1e6, END, RandomStream(SEED, 3)); // 1 us on average.
    ASSERT_TRUE(arrivals.IsOpenLoop());
    EXPECT_TRUE(arrivals.HasAny(0));
    RandomStream same(SEED, 3);
    Tick now = 0;
    uint32_t count = 0;
    while (const auto at = arrivals.Next(now))
    {
        const double interval = -1e6 * std::log1p(-same.NextDouble());
        EXPECT_NEAR(static_cast<double>(*at - now), interval, 0.5);
        now = *at;
        ++count;
    }
    EXPECT_LT(now, END);
    EXPECT_NEAR(count, 1000, 4 * std::sqrt(1000)); // 1 ms at 1 per us.
}

TEST(PoissonArrivals, AnIntervalBeyondTheEndIsNoArrival)
{
    PoissonArrivals rare(1e-9, 1000, RandomStream(1, 1)); // Once in 30 years.
    EXPECT_FALSE(rare.HasAny(0));
    EXPECT_FALSE(rare.Next(0));
    EXPECT_FALSE(PoissonArrivals(0, 1000, RandomStream(1, 1)).IsOpenLoop());
}
