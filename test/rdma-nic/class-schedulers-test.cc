// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/class-schedulers.h"

#include "nic-test-bench.h"

#include "ns3/simple-topologies.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// @return the numbers of the next picks, each of which is added again.
std::vector<uint32_t>
PickAndReturn(SendScheduler& scheduler, uint32_t picks)
{
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < picks; ++i)
    {
        order.push_back(scheduler.Pick(0).value());
        scheduler.Add(order.back(), 0, 0);
    }
    return order;
}

/// @return when the WRITEs of two queue pairs, 1 MB each, end. The first is of class 0.
std::pair<Tick, Tick>
RunTwo(const std::string& scheduler)
{
    NicTestBench bench("srnic");
    NicTestBench::Set("RdmaNic::SendScheduler", "ns3::rdma::" + scheduler);
    NicTestBench::Set("RdmaNic::CongestionControl", "ns3::rdma::NoCongestionControl");
    bench.Build(MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1)));
    NicTestBench::Pair pairs[2]{bench.Connect(0, 1), bench.Connect(0, 1)};
    if (pairs[0].srcQp % 2 != 0)
    {
        std::swap(pairs[0], pairs[1]);
    }
    bench.Post(pairs[1], 1, 1'000'000);
    bench.Post(pairs[0], 0, 1'000'000);
    NicTestBench::Run();
    Tick ends[2]{};
    for (const NicTestBench::Ended& ended : bench.GetEnded())
    {
        ends[ended.completion.wrId] = ended.at;
    }
    return {ends[0], ends[1]};
}
} // namespace

TEST(ClassSchedulers, AnEmptyOneHasNothingEver)
{
    for (const Ptr<SendScheduler>& scheduler :
         {Ptr<SendScheduler>(CreateObject<StrictScheduler>()),
          Ptr<SendScheduler>(CreateObject<WeightedScheduler>())})
    {
        EXPECT_FALSE(scheduler->Pick(0));
        EXPECT_EQ(scheduler->GetNextReady(0), TICK_NEVER);
    }
}

TEST(ClassSchedulers, AStrictClassSendsBeforeAllLaterOnes)
{
    auto scheduler = CreateObject<StrictScheduler>();
    for (const uint32_t number : {1, 3, 4, 2}) // Classes 1, 1, 0, 0.
    {
        scheduler->Add(number, 0, 0);
    }
    EXPECT_EQ(PickAndReturn(*scheduler, 4), (std::vector<uint32_t>{4, 2, 4, 2}));
}

TEST(ClassSchedulers, ALaterClassSendsWhileNoEarlierOneIsReady)
{
    auto scheduler = CreateObject<StrictScheduler>();
    scheduler->Add(2, 100, 0); // Class 0, paced.
    scheduler->Add(1, 0, 0);
    scheduler->Add(3, 50, 0);
    EXPECT_EQ(scheduler->Pick(0), 1U);
    EXPECT_FALSE(scheduler->Pick(49));
    EXPECT_EQ(scheduler->GetNextReady(49), 50);
    EXPECT_EQ(scheduler->Pick(100), 2U);
    EXPECT_EQ(scheduler->Pick(100), 3U);
    EXPECT_EQ(scheduler->GetNextReady(100), TICK_NEVER);
}

TEST(ClassSchedulers, AdvanceMakesAPacedQueuePairReady)
{
    auto scheduler = CreateObject<StrictScheduler>();
    scheduler->Add(2, 100, 0);
    scheduler->Add(1, 0, 0);
    scheduler->Advance(2, 0);
    EXPECT_EQ(scheduler->Pick(0), 2U);
}

TEST(ClassSchedulers, WeightedClassesShareTurnsByTheirWeights)
{
    auto scheduler = CreateObject<WeightedScheduler>();
    scheduler->SetAttribute("Classes", UintegerValue(3));
    scheduler->SetAttribute("Ratio", UintegerValue(2));
    for (const uint32_t number : {2, 4, 3, 6}) // Classes 2, 1, 0, 0.
    {
        scheduler->Add(number, 0, 0);
    }
    // 4, 2 and 1 turns; the two of class 0 take turns.
    EXPECT_EQ(PickAndReturn(*scheduler, 14),
              (std::vector<uint32_t>{3, 6, 3, 6, 4, 4, 2, 3, 6, 3, 6, 4, 4, 2}));
}

TEST(ClassSchedulers, TurnsThatAClassDoesNotUseGoToTheOthers)
{
    auto scheduler = CreateObject<WeightedScheduler>();
    scheduler->SetAttribute("Ratio", UintegerValue(10));
    scheduler->Add(1, 0, 0); // Class 1 alone.
    EXPECT_EQ(PickAndReturn(*scheduler, 3), (std::vector<uint32_t>{1, 1, 1}));
    scheduler->Add(2, 0, 0);
    std::vector<uint32_t> expected(10, 2);
    expected.push_back(1);
    EXPECT_EQ(PickAndReturn(*scheduler, 11), expected);
}

TEST(ClassSchedulers, AStrictQueuePairHasTheWholeLink)
{
    const auto fair = RunTwo("RoundRobinScheduler");
    const auto strict = RunTwo("StrictScheduler");
    const auto weighted = RunTwo("WeightedScheduler");
    const auto both = static_cast<double>(fair.second);
    // 1 MB alone takes half of the time of both; with twice the turns 3/4.
    EXPECT_NEAR(static_cast<double>(strict.first), both / 2, 0.05 * both);
    EXPECT_NEAR(static_cast<double>(weighted.first), 0.75 * both, 0.05 * both);
    EXPECT_NEAR(static_cast<double>(strict.second), both, 0.02 * both);
}
