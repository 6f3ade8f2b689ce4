// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/adaptive-go-back-n.h"

#include "nic-test-bench.h"

#include "ns3/simple-topologies.h"
#include "ns3/uinteger.h"

#include <map>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
const SendWindow FIVE_IN_FLIGHT{Psn(10), Psn(15)};

/// A policy as a queue pair has it, with exponents as given and everything else by default.
Ptr<LossRecovery>
MakePolicy(uint32_t initialLow, uint32_t low, uint32_t size, uint32_t retriesPerTimeout = 1)
{
    return CreateObjectWithAttributes<AdaptiveGoBackN>("InitialLowBound",
                                                       UintegerValue(initialLow),
                                                       "InitialRangeSize",
                                                       UintegerValue(1),
                                                       "RangeLowBound",
                                                       UintegerValue(low),
                                                       "RangeSize",
                                                       UintegerValue(size),
                                                       "RetriesPerTimeout",
                                                       UintegerValue(retriesPerTimeout))
        ->Fork();
}

/// @return the timeouts of so many expiries in a row, in microseconds, as the requester asks.
std::vector<int64_t>
Expire(const Ptr<LossRecovery>& policy, uint32_t expiries)
{
    std::vector<int64_t> timeouts;
    for (uint32_t retries = 0; retries < expiries; ++retries)
    {
        timeouts.push_back(policy->GetTimeout(FIVE_IN_FLIGHT, retries).GetMicroSeconds());
        policy->OnTimeout(FIVE_IN_FLIGHT, {});
    }
    return timeouts;
}

using Microseconds = std::vector<int64_t>;
} // namespace

TEST(AdaptiveGoBackN, DoublesFromTheInitialTimeoutThroughTheRangeAndStays)
{
    // 4 us x 2^2, ^3, ^4, ^5, and 2^5 again: the range 2 to 5 has no more.
    EXPECT_EQ(Expire(MakePolicy(2, 2, 4), 6), (Microseconds{16, 32, 64, 128, 128, 128}));
}

TEST(AdaptiveGoBackN, AnInitialTimeoutInsideTheRangeGoesOnFromThere)
{
    EXPECT_EQ(Expire(MakePolicy(4, 2, 4), 4), (Microseconds{64, 128, 128, 128}));
    EXPECT_EQ(Expire(MakePolicy(5, 2, 4), 3), (Microseconds{128, 128, 128}));
}

TEST(AdaptiveGoBackN, AnInitialTimeoutOutsideTheRangeIsFollowedByItsLowEnd)
{
    EXPECT_EQ(Expire(MakePolicy(0, 3, 2), 4), (Microseconds{4, 32, 64, 64}));
    EXPECT_EQ(Expire(MakePolicy(6, 3, 2), 4), (Microseconds{256, 32, 64, 64}));
}

TEST(AdaptiveGoBackN, RepeatsEachTimeoutOfTheRangeButNotTheInitialOne)
{
    EXPECT_EQ(Expire(MakePolicy(1, 1, 3, 2), 7), (Microseconds{8, 16, 16, 32, 32, 32, 32}));
}

TEST(AdaptiveGoBackN, ProgressLeadsBackToTheLowEndOfTheRange)
{
    auto policy = MakePolicy(1, 2, 4, 2);
    EXPECT_EQ(Expire(policy, 4), (Microseconds{8, 16, 16, 32}));
    // The second row: its first timeout counts as one of the range's.
    EXPECT_EQ(Expire(policy, 5), (Microseconds{16, 16, 32, 32, 64}));
    EXPECT_EQ(Expire(policy, 1), (Microseconds{16}));
}

TEST(AdaptiveGoBackN, TheQueuePairsTimeoutIsTheCap)
{
    auto policy = MakePolicy(2, 2, 10);
    policy->SetAckTimeout(MicroSeconds(50)); // Below 64 us.
    EXPECT_EQ(Expire(policy, 4), (Microseconds{16, 32, 50, 50}));
    auto slow = MakePolicy(5, 5, 1);
    slow->SetAckTimeout(MicroSeconds(50));
    EXPECT_EQ(Expire(slow, 1), (Microseconds{50}));
}

TEST(AdaptiveGoBackN, TheDefaultCapIsPerftestsTimeout)
{
    // 4 us x 2^15 = 131 ms is above 4.096 us x 2^14 = 67.108864 ms.
    auto policy = MakePolicy(14, 14, 2);
    EXPECT_EQ(policy->GetTimeout(FIVE_IN_FLIGHT, 0), MicroSeconds(65'536));
    policy->OnTimeout(FIVE_IN_FLIGHT, {});
    EXPECT_EQ(policy->GetTimeout(FIVE_IN_FLIGHT, 1), NanoSeconds(67'108'864));
}

TEST(AdaptiveGoBackN, AQueuePairWithoutATimeoutHasNoTimer)
{
    auto policy = MakePolicy(2, 2, 4);
    policy->SetAckTimeout(Time::Max());
    EXPECT_EQ(policy->GetTimeout(FIVE_IN_FLIGHT, 0), Time::Max());
}

TEST(AdaptiveGoBackN, ForksHaveTheirOwnCapAndTheirOwnRow)
{
    auto prototype = MakePolicy(2, 3, 4);
    auto expired = prototype->Fork();
    expired->SetAckTimeout(MicroSeconds(20));
    EXPECT_EQ(Expire(expired, 2), (Microseconds{16, 20}));
    EXPECT_EQ(Expire(prototype->Fork(), 2), (Microseconds{16, 32}));
}

TEST(AdaptiveGoBackN, DrawsTheInitialTimeoutEvenlyAndAlikeForTheSamePacket)
{
    auto policy = CreateObjectWithAttributes<AdaptiveGoBackN>("InitialLowBound",
                                                              UintegerValue(3),
                                                              "InitialRangeSize",
                                                              UintegerValue(4));
    auto other = policy->Fork();
    std::map<int64_t, int> counts;
    constexpr int DRAWS{10'000};
    for (uint32_t psn = 0; psn < DRAWS; ++psn)
    {
        const SendWindow window{Psn(psn), Psn(psn + 1)};
        const Time timeout = policy->GetTimeout(window, 0);
        EXPECT_EQ(timeout, other->GetTimeout(window, 0));
        ++counts[timeout.GetMicroSeconds()];
    }
    // 2500 each of 4 us x 2^3 to 2^6; five standard deviations: 5 x sqrt(10000 x 3/16) = 217.
    ASSERT_EQ(counts.size(), 4);
    for (const int64_t timeout : {32, 64, 128, 256})
    {
        EXPECT_NEAR(counts[timeout], 2500, 217) << timeout;
    }
}

TEST(AdaptiveGoBackN, SendsAgainWhatGoBackNSends)
{
    auto policy = MakePolicy(2, 2, 4);
    EXPECT_EQ(policy->OnNack({Psn(12), std::nullopt}, FIVE_IN_FLIGHT),
              (ResendList{{Psn(12), Psn(15)}}));
    EXPECT_EQ(policy->OnTimeout(FIVE_IN_FLIGHT, {}), (ResendList{{Psn(10), Psn(15)}}));
    EXPECT_EQ(policy->OnRnrNak(FIVE_IN_FLIGHT), (ResendList{{Psn(10), Psn(15)}}));
    EXPECT_EQ(policy->OnMissingResponse(FIVE_IN_FLIGHT), (ResendList{{Psn(10), Psn(15)}}));
    EXPECT_TRUE(policy->OnAck(FIVE_IN_FLIGHT, {}).empty());
    EXPECT_EQ(policy->GetResponderRules().outOfOrderWindow, 0);
    EXPECT_FALSE(policy->GetResponderRules().acknowledgesReads);
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

TEST(AdaptiveGoBackN, RecoversALostTailAfterTheShortTimeout)
{
    NicTestBench bench("connectx6");
    NicTestBench::Set("RdmaNic::LossRecovery", "ns3::rdma::AdaptiveGoBackN");
    NicTestBench::Set("AdaptiveGoBackN::InitialRangeSize", "1");
    // 4 us x 2^5 = 128 us.
    EXPECT_EQ(LoseTheTail(bench), TIMER_START_PS + 128'000'000 + RESENDING_PS);
}

TEST(AdaptiveGoBackN, IsOffUnlessItIsChosen)
{
    NicTestBench bench("connectx6");
    // 4.096 us x 2^14.
    EXPECT_EQ(LoseTheTail(bench), TIMER_START_PS + 67'108'864'000 + RESENDING_PS);
}

TEST(AdaptiveGoBackN, GivesUpAfterRetryCountExpiriesInARow)
{
    NicTestBench bench("connectx6");
    NicTestBench::Set("RdmaNic::LossRecovery", "ns3::rdma::AdaptiveGoBackN");
    NicTestBench::Set("AdaptiveGoBackN::InitialRangeSize", "1");
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

TEST(AdaptiveGoBackN, RetryCountMayExceedThe8BitsOfAQueuePairsAttribute)
{
    NicTestBench bench("connectx6");
    NicTestBench::Set("RdmaNic::LossRecovery", "ns3::rdma::AdaptiveGoBackN");
    NicTestBench::Set("AdaptiveGoBackN::InitialRangeSize", "1");
    NicTestBench::Set("AdaptiveGoBackN::RangeSize", "1");
    NicTestBench::Set("RdmaNic::RetryCount", "256");
    bench.Build(MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1)));
    const auto pair = bench.Connect(0, 1);
    bench.Lose(0, 0, [](const Frame&, uint64_t) { return true; });
    bench.Post(pair, 1, MTU);
    NicTestBench::Run();
    ASSERT_EQ(bench.CountEnded(WcStatus::RETRY_EXC_ERR), 1);
    EXPECT_EQ(bench.GetEnded().front().at, Tick{257} * 128'000'000); // 256 retries of 128 us.
}
