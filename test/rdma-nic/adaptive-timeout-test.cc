// SPDX-License-Identifier: GPL-2.0-only
#include "nic-test-bench.h"

#include "ns3/simple-topologies.h"
#include "ns3/timeouts.h"
#include "ns3/uinteger.h"

#include <map>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// A timeout with exponents as given and everything else by default.
Ptr<const RetransmissionTimeout>
MakeTimeout(uint32_t initialLow, uint32_t low, uint32_t size, uint32_t retriesPerTimeout = 1)
{
    return CreateObjectWithAttributes<AdaptiveTimeout>("InitialLowBound",
                                                       UintegerValue(initialLow),
                                                       "InitialRangeSize",
                                                       UintegerValue(1),
                                                       "RangeLowBound",
                                                       UintegerValue(low),
                                                       "RangeSize",
                                                       UintegerValue(size),
                                                       "RetriesPerTimeout",
                                                       UintegerValue(retriesPerTimeout));
}

AwaitedAnswer
MakeAwaited(uint32_t consecutive, uint32_t expiries, Psn oldest = Psn(10))
{
    return {0, oldest, 5, consecutive, expiries, nullptr};
}

/// @param before expiries of earlier rows
/// @return the timeouts of so many expiries in a row, in microseconds.
std::vector<int64_t>
Expire(const Ptr<const RetransmissionTimeout>& timeout, uint32_t expiries, uint32_t before = 0)
{
    std::vector<int64_t> timeouts;
    for (uint32_t i = 0; i < expiries; ++i)
    {
        timeouts.push_back(timeout->Get(MakeAwaited(i, before + i)).GetMicroSeconds());
    }
    return timeouts;
}

using Microseconds = std::vector<int64_t>;
} // namespace

TEST(AdaptiveTimeout, DoublesFromTheInitialTimeoutThroughTheRangeAndStays)
{
    // 4 us x 2^2, ^3, ^4, ^5, and 2^5 again: the range 2 to 5 has no more.
    EXPECT_EQ(Expire(MakeTimeout(2, 2, 4), 6), (Microseconds{16, 32, 64, 128, 128, 128}));
}

TEST(AdaptiveTimeout, AnInitialTimeoutInsideTheRangeGoesOnFromThere)
{
    EXPECT_EQ(Expire(MakeTimeout(4, 2, 4), 4), (Microseconds{64, 128, 128, 128}));
    EXPECT_EQ(Expire(MakeTimeout(5, 2, 4), 3), (Microseconds{128, 128, 128}));
}

TEST(AdaptiveTimeout, AnInitialTimeoutOutsideTheRangeIsFollowedByItsLowEnd)
{
    EXPECT_EQ(Expire(MakeTimeout(0, 3, 2), 4), (Microseconds{4, 32, 64, 64}));
    EXPECT_EQ(Expire(MakeTimeout(6, 3, 2), 4), (Microseconds{256, 32, 64, 64}));
}

TEST(AdaptiveTimeout, RepeatsEachTimeoutOfTheRangeButNotTheInitialOne)
{
    EXPECT_EQ(Expire(MakeTimeout(1, 1, 3, 2), 7), (Microseconds{8, 16, 16, 32, 32, 32, 32}));
}

TEST(AdaptiveTimeout, ProgressLeadsBackToTheLowEndOfTheRange)
{
    const auto timeout = MakeTimeout(1, 2, 4, 2);
    EXPECT_EQ(Expire(timeout, 4), (Microseconds{8, 16, 16, 32}));
    // The second row: its first timeout counts as one of the range's.
    EXPECT_EQ(Expire(timeout, 5, 4), (Microseconds{16, 16, 32, 32, 64}));
    EXPECT_EQ(Expire(timeout, 1, 9), (Microseconds{16}));
}

TEST(AdaptiveTimeout, TheQueuePairsTimeoutIsTheCap)
{
    // Below 64 us.
    EXPECT_EQ(Expire(MakeTimeout(2, 2, 10)->WithAckTimeout(MicroSeconds(50)), 4),
              (Microseconds{16, 32, 50, 50}));
    EXPECT_EQ(Expire(MakeTimeout(5, 5, 1)->WithAckTimeout(MicroSeconds(50)), 1),
              (Microseconds{50}));
}

TEST(AdaptiveTimeout, TheDefaultCapIsPerftestsTimeout)
{
    // 4 us x 2^15 = 131 ms is above 4.096 us x 2^14 = 67.108864 ms.
    const auto timeout = MakeTimeout(14, 14, 2);
    EXPECT_EQ(timeout->Get(MakeAwaited(0, 0)), MicroSeconds(65'536));
    EXPECT_EQ(timeout->Get(MakeAwaited(1, 1)), NanoSeconds(67'108'864));
}

TEST(AdaptiveTimeout, TheFirstTimeoutIsALowerBound)
{
    // 4 us x 2^3 after the first expiry, 2^5 before it; capped; no timer without a cap.
    EXPECT_EQ(MakeTimeout(5, 3, 4)->GetFirst()->few, ToTick(MicroSeconds(32)));
    EXPECT_EQ(MakeTimeout(3, 5, 4)->GetFirst()->many, ToTick(MicroSeconds(32)));
    const auto timeout = MakeTimeout(5, 3, 4);
    EXPECT_EQ(timeout->WithAckTimeout(MicroSeconds(9))->GetFirst()->few, ToTick(MicroSeconds(9)));
    EXPECT_EQ(timeout->WithAckTimeout(Time::Max())->GetFirst()->few, TICK_NEVER);
}

TEST(AdaptiveTimeout, AQueuePairWithoutATimeoutHasNoTimer)
{
    const auto own = MakeTimeout(2, 2, 4)->WithAckTimeout(Time::Max());
    EXPECT_EQ(own->Get(MakeAwaited(0, 0)), Time::Max());
}

TEST(AdaptiveTimeout, AQueuePairsOwnCapLeavesThatOfOthersAlone)
{
    const auto shared = MakeTimeout(2, 3, 4);
    EXPECT_EQ(Expire(shared->WithAckTimeout(MicroSeconds(20)), 2), (Microseconds{16, 20}));
    EXPECT_EQ(Expire(shared, 2), (Microseconds{16, 32}));
}

TEST(AdaptiveTimeout, DrawsTheInitialTimeoutEvenlyAndAlikeForTheSamePacket)
{
    const auto timeout = CreateObjectWithAttributes<AdaptiveTimeout>("InitialLowBound",
                                                                     UintegerValue(3),
                                                                     "InitialRangeSize",
                                                                     UintegerValue(4));
    std::map<int64_t, int> counts;
    constexpr int DRAWS{10'000};
    for (uint32_t psn = 0; psn < DRAWS; ++psn)
    {
        const Time first = timeout->Get(MakeAwaited(0, 0, Psn(psn)));
        EXPECT_EQ(first, timeout->Get(MakeAwaited(0, 0, Psn(psn))));
        ++counts[first.GetMicroSeconds()];
    }
    // 2500 each of 4 us x 2^3 to 2^6; five standard deviations: 5 x sqrt(10000 x 3/16) = 217.
    ASSERT_EQ(counts.size(), 4);
    for (const int64_t expected : {32, 64, 128, 256})
    {
        EXPECT_NEAR(counts[expected], 2500, 217) << expected;
    }
}

namespace
{
constexpr uint32_t MTU{1024};
constexpr uint32_t PACKETS{20};

/// A ConnectX-6 sends 20 packets over 100 Gb/s and 1 us, and the last of them is lost once.
Tick
LoseTheTail(NicTestBench& bench)
{
    bench.Build(MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1)));
    const auto pair = bench.Connect(0, 1);
    bool isLost = false;
    bench.Lose(0, 0, [&](const Frame& frame, uint64_t) {
        const bool isTail = frame.psn == PACKETS - 1 && !isLost;
        isLost |= isTail;
        return isTail;
    });
    bench.Post(pair, 1, PACKETS * MTU);
    NicTestBench::Run();
    EXPECT_EQ(bench.GetSent(pair).timeouts, 1);
    EXPECT_EQ(bench.GetSent(pair).retransmitted, 1);
    EXPECT_EQ(bench.CountEnded(WcStatus::SUCCESS), 1);
    EXPECT_EQ(bench.GetPlacedBytes(pair), PACKETS * MTU);
    return bench.GetEnded().front().at;
}

// At 0.08 ns per byte: the first packet takes 1122 bytes, the others 1106, an acknowledgment 86.
// The newest acknowledgment, of the packet before the lost one, starts the timer:
//   89.76 + 18 x 88.48 + 1000 + 6.88 + 1000 = 3689.28 ns.
// After it the lost packet and its acknowledgment take 88.48 + 1000 + 6.88 + 1000 = 2095.36 ns.
constexpr Tick TIMER_START_PS{3'689'280};
constexpr Tick RESENDING_PS{2'095'360};
} // namespace

TEST(AdaptiveTimeout, RecoversALostTailAfterTheShortTimeout)
{
    NicTestBench bench("connectx6");
    NicTestBench::Set("AdaptiveTimeout::InitialRangeSize", "1");
    // 4 us x 2^7 = 512 us.
    EXPECT_EQ(LoseTheTail(bench), TIMER_START_PS + 512'000'000 + RESENDING_PS);
}

TEST(AdaptiveTimeout, WithoutItALostTailWaitsForInfinibandsTimer)
{
    NicTestBench bench("connectx6");
    NicTestBench::Set("RdmaNic::RetransmissionTimeout", "ns3::rdma::FixedTimeout");
    // 4.096 us x 2^14.
    EXPECT_EQ(LoseTheTail(bench), TIMER_START_PS + 67'108'864'000 + RESENDING_PS);
}

TEST(AdaptiveTimeout, GivesUpAfterRetryCountExpiriesInARow)
{
    NicTestBench bench("connectx6");
    NicTestBench::Set("AdaptiveTimeout::InitialLowBound", "5");
    NicTestBench::Set("AdaptiveTimeout::InitialRangeSize", "1");
    NicTestBench::Set("RdmaNic::RetryCount", "3");
    bench.Build(MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1)));
    const auto pair = bench.Connect(0, 1);
    bench.Lose(0, 0, [](const Frame&, uint64_t) { return true; });
    bench.Post(pair, 1, MTU);
    NicTestBench::Run();
    ASSERT_EQ(bench.CountEnded(WcStatus::RETRY_EXC_ERR), 1);
    // The first packet leaves at 0; 128 + 256 + 512 + 1024 us.
    EXPECT_EQ(bench.GetEnded().front().at, Tick{1'920'000'000});
}

TEST(AdaptiveTimeout, RetryCountMayExceedThe8BitsOfAQueuePairsAttribute)
{
    NicTestBench bench("connectx6");
    NicTestBench::Set("AdaptiveTimeout::InitialLowBound", "5");
    NicTestBench::Set("AdaptiveTimeout::InitialRangeSize", "1");
    NicTestBench::Set("AdaptiveTimeout::RangeSize", "1");
    NicTestBench::Set("RdmaNic::RetryCount", "256");
    bench.Build(MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1)));
    const auto pair = bench.Connect(0, 1);
    bench.Lose(0, 0, [](const Frame&, uint64_t) { return true; });
    bench.Post(pair, 1, MTU);
    NicTestBench::Run();
    ASSERT_EQ(bench.CountEnded(WcStatus::RETRY_EXC_ERR), 1);
    EXPECT_EQ(bench.GetEnded().front().at, Tick{257} * 128'000'000); // 256 retries of 128 us.
}
