// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/reps-entropy.h"

#include "entropy-traces.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Random values are 1000, 1001 and so on.
class RepsTest : public testing::Test
{
  protected:
    RepsTest()
    {
        m_reps->SetAttribute("Paths", UintegerValue(65'536));
        for (uint32_t i = 0; i < 100; ++i)
        {
            m_reps->draws.push_back(1000 + i);
        }
    }

    void Start(uint32_t bdpPackets = 1)
    {
        EntropyFacts facts;
        facts.bdpPackets = bdpPackets;
        m_reps->Start(facts);
    }

    void Report(uint32_t entropy, RouteSignal signal = RouteSignal::GOOD, Time now = Time(0))
    {
        m_reps->OnFeedback(entropy, signal, now);
    }

    std::vector<uint32_t> Take(int count)
    {
        std::vector<uint32_t> taken;
        for (int i = 0; i < count; ++i)
        {
            taken.push_back(m_reps->GetNext(0, Time(0)));
        }
        return taken;
    }

    Ptr<Scripted<RepsEntropy>> m_reps = CreateObject<Scripted<RepsEntropy>>();
};

using Values = std::vector<uint32_t>;

/// A trace of REPS; where the model draws, the draw gives the traced value.
struct RepsTrace
{
    const char* name;
    std::size_t choices;
    std::size_t random; ///< Choices at which no good value is left, counted in the trace.
};

class RepsTraceTest : public testing::TestWithParam<RepsTrace>
{
};
} // namespace

/**
 * Random values have no second record.  A choice that draws would thus be equal in any case, and
 * the number of draws is compared, too.
 */
TEST_P(RepsTraceTest, EachChoiceIsThatOfUetHtsim)
{
    auto reps = CreateObject<Scripted<RepsEntropy>>();
    reps->Start({});
    std::size_t compared = 0;
    for (const auto& words : ReadUetTrace(GetParam().name))
    {
        if (words[0] == "L")
        {
            continue;
        }
        const Time now = PicoSeconds(std::stoll(words[1]));
        const auto value = static_cast<uint32_t>(std::stoul(words[2]));
        if (words[0] == "F")
        {
            reps->OnFeedback(value, GetTracedSignal(words[3]), now);
            continue;
        }
        reps->draws = {value};
        ASSERT_EQ(reps->GetNext(0, now), value) << "choice " << compared;
        ++compared;
    }
    EXPECT_EQ(compared, GetParam().choices);
    EXPECT_EQ(reps->drawn, GetParam().random);
}

INSTANTIATE_TEST_SUITE_P(UetTraces,
                         RepsTraceTest,
                         testing::Values(RepsTrace{"entropy-eight_reps.txt", 1072, 959},
                                         RepsTrace{"entropy-slow4_reps.txt", 512, 429}),
                         [](const auto& one) { return GetUetTraceName(one.param.name); });

TEST_F(RepsTest, AGoodValueIsUsedOnceAndTheOldestFirst)
{
    Start();
    Report(1);
    Report(2);
    Report(9, RouteSignal::MARKED);
    EXPECT_EQ(Take(4), (Values{1, 2, 1000, 1001}));
}

TEST_F(RepsTest, TheRingHoldsTheLastEightGoodValues)
{
    Start();
    for (uint32_t value = 1; value <= 10; ++value)
    {
        Report(value);
    }
    EXPECT_EQ(Take(9), (Values{3, 4, 5, 6, 7, 8, 9, 10, 1000}));
}

TEST_F(RepsTest, ATimeoutFreezesTheRingForTenMilliseconds)
{
    Start();
    for (const uint32_t value : {1, 2, 3})
    {
        Report(value);
    }
    EXPECT_EQ(Take(1), Values{1});
    Report(0, RouteSignal::LOST);
    EXPECT_FALSE(m_reps->IsFrozen());
    Report(0, RouteSignal::TIMEOUT, MicroSeconds(1));
    EXPECT_TRUE(m_reps->IsFrozen());
    EXPECT_EQ(Take(5), (Values{1, 2, 3, 1, 2})); // Used or not.
    Report(7, RouteSignal::MARKED, MicroSeconds(10'000));
    EXPECT_TRUE(m_reps->IsFrozen());
    // The ring is cleared; 16 packets explore while the value of this feedback waits.
    Report(8, RouteSignal::GOOD, MicroSeconds(10'001));
    EXPECT_FALSE(m_reps->IsFrozen());
    Values expected;
    for (uint32_t i = 0; i < 16; ++i)
    {
        expected.push_back(1000 + i);
    }
    EXPECT_EQ(Take(16), expected);
    EXPECT_EQ(Take(2), (Values{8, 1016}));
}

/// Values 1, 2 and 3 are at places 0, 1 and 2.  The first packet of the freeze reads place 0.
TEST_F(RepsTest, AGoodValueOfAFreezeFollowsTheOthersIfPacketsHaveAPointerOfTheirOwn)
{
    Start();
    for (const uint32_t value : {1, 2, 3})
    {
        Report(value);
    }
    Report(0, RouteSignal::TIMEOUT);
    EXPECT_EQ(Take(1), Values{1});
    Report(9);                                      // At place 3, the writer's.
    EXPECT_EQ(Take(5), (Values{2, 3, 9, 1, 2}));    // Places 1, 2, 3, 0, 1.
    Report(8, RouteSignal::GOOD, MilliSeconds(11)); // Ends the freeze: both pointers are at 0.
    Take(16);                                       // They explore.
    Report(0, RouteSignal::TIMEOUT, MilliSeconds(12));
    EXPECT_EQ(Take(2), (Values{8, 8}));
}

TEST_F(RepsTest, AGoodValueOfAFreezeReplacesTheNextOneIfThereIsOnePointer)
{
    m_reps->SetAttribute("OwnFrozenPointer", BooleanValue(false));
    Start();
    for (const uint32_t value : {1, 2, 3})
    {
        Report(value);
    }
    Report(0, RouteSignal::TIMEOUT);
    m_reps->GetNext(0, Time(0)); // From place 3, which is empty, to place 0.
    Report(9);                   // At place 1, instead of 2.
    EXPECT_EQ(Take(4), (Values{3, 1, 9, 3}));
}

TEST_F(RepsTest, AFrozenRingWithoutValuesGivesRandomOnes)
{
    Start();
    Report(0, RouteSignal::TIMEOUT);
    EXPECT_TRUE(m_reps->IsFrozen());
    EXPECT_EQ(Take(2), (Values{1000, 1001}));
}

TEST_F(RepsTest, AsPublishedABandwidthDelayProductExploresAndALossFreezes)
{
    m_reps->SetAttribute("ExploresBdp", BooleanValue(true));
    m_reps->SetAttribute("FreezesOnLoss", BooleanValue(true));
    m_reps->SetAttribute("OwnFrozenPointer", BooleanValue(false));
    Start(3);
    Report(5);
    EXPECT_EQ(Take(2), (Values{1000, 1001}));
    Report(0, RouteSignal::LOST); // One packet still explores: no freeze.
    EXPECT_FALSE(m_reps->IsFrozen());
    EXPECT_EQ(Take(1), Values{1002});
    Report(0, RouteSignal::LOST);
    EXPECT_TRUE(m_reps->IsFrozen());
    EXPECT_EQ(Take(2), (Values{5, 5}));
    Report(0, RouteSignal::MARKED, MilliSeconds(10));
    EXPECT_FALSE(m_reps->IsFrozen());
    EXPECT_EQ(Take(3), (Values{1003, 1004, 1005}));
    Report(6, RouteSignal::GOOD, MilliSeconds(11));
    EXPECT_EQ(Take(2), (Values{6, 1006})); // 5 was used.
}
