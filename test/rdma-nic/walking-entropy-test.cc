// SPDX-License-Identifier: GPL-2.0-only
#include "../expect-error.h"
#include "entropy-traces.h"

#include "ns3/fixed-entropy.h"
#include "ns3/object-factory.h"
#include "ns3/uinteger.h"
#include "ns3/walking-entropies.h"

#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Upper bits 0x5a00 with four paths, masks 0 and 1.
template <typename Selector>
Ptr<Scripted<Selector>>
MakeOfFour()
{
    auto selector = CreateObject<Scripted<Selector>>();
    selector->SetAttribute("Paths", UintegerValue(4));
    selector->draws = {0x5a03, 0, 1, 0, 0};
    selector->Start({});
    return selector;
}

/// @return the lower two bits of the next values.
template <typename Selector>
std::vector<uint32_t>
Take(const Ptr<Selector>& selector, int count)
{
    std::vector<uint32_t> taken;
    for (int i = 0; i < count; ++i)
    {
        const uint32_t entropy = selector->GetNext(0, Time(0));
        EXPECT_EQ(entropy & ~3U, 0x5a00U);
        taken.push_back(entropy & 3);
    }
    return taken;
}

/// The masks of a trace are its random numbers; each choice must be equal.
template <typename Selector>
void
ExpectTrace(const std::string& name, std::size_t choices)
{
    const auto trace = ReadUetTrace(name);
    auto selector = CreateObject<Scripted<Selector>>();
    for (const auto& words : trace)
    {
        if (words[0] == "I" || words[0] == "X")
        {
            for (std::size_t i = 1; i < words.size(); ++i)
            {
                selector->draws.push_back(std::stoul(words[i]));
            }
        }
    }
    selector->Start({});
    std::size_t compared = 0;
    for (const auto& words : trace)
    {
        if (words[0] == "F")
        {
            selector->OnFeedback(std::stoul(words[2]),
                                 GetTracedSignal(words[3]),
                                 PicoSeconds(std::stoll(words[1])));
        }
        else if (words[0] == "N")
        {
            const Time now = PicoSeconds(std::stoll(words[1]));
            ASSERT_EQ(selector->GetNext(0, now), std::stoul(words[2])) << "choice " << compared;
            ++compared;
        }
    }
    EXPECT_EQ(compared, choices);
    EXPECT_EQ(selector->draws.size(), 0U); // Each mask was used.
}
} // namespace

TEST(ObliviousEntropy, EachChoiceIsThatOfUetHtsim)
{
    ExpectTrace<ObliviousEntropy>("entropy-eight_oblivious.txt", 1079);
}

TEST(BitmapEntropy, EachChoiceIsThatOfUetHtsim)
{
    ExpectTrace<BitmapEntropy>("entropy-eight_bitmap.txt", 1079);
}

TEST(MixedEntropy, EachChoiceIsThatOfUetHtsim)
{
    ExpectTrace<MixedEntropy>("entropy-eight_mixed.txt", 1077);
    ExpectTrace<MixedEntropy>("entropy-slow4_mixed.txt", 512);
}

TEST(ObliviousEntropy, ARoundHasEachValueOnceInTheOrderOfItsMask)
{
    const auto selector = MakeOfFour<ObliviousEntropy>();
    selector->OnFeedback(0x5a00, RouteSignal::TIMEOUT, Time(0)); // Without effect.
    // Second round: i xor 1.
    EXPECT_EQ(Take(selector, 8), (std::vector<uint32_t>{0, 1, 2, 3, 1, 0, 3, 2}));
}

TEST(ObliviousEntropy, DrawsItsBitsFromTheStreamOfTheQueuePair)
{
    std::set<uint32_t> firsts;
    for (uint64_t stream = 0; stream < 20; ++stream)
    {
        EntropyFacts facts;
        facts.random = RandomStream(1, stream);
        const auto selector = CreateObject<ObliviousEntropy>()->Fork();
        selector->Start(facts);
        const uint32_t first = selector->GetNext(0, Time(0));
        EXPECT_LT(first, 1U << 16);
        firsts.insert(first);
        const auto again = CreateObject<ObliviousEntropy>()->Fork();
        again->Start(facts);
        EXPECT_EQ(again->GetNext(0, Time(0)), first);
    }
    EXPECT_GT(firsts.size(), 15U); // 20 of 65,536 values rarely coincide.
}

TEST(BitmapEntropy, OnlyTheFirstPenaltyOfAChoiceFalls)
{
    const auto selector = MakeOfFour<BitmapEntropy>();
    selector->OnFeedback(0x5a00, RouteSignal::MARKED, Time(0)); // Penalty 1.
    selector->OnFeedback(0x5a01, RouteSignal::MARKED, Time(0)); // Penalty 1.
    // 0 falls to 0, 1 keeps its point: 2. The next round, in the order 1 0 3 2, passes over 1.
    EXPECT_EQ(Take(selector, 2), (std::vector<uint32_t>{2, 3}));
    EXPECT_EQ(Take(selector, 3), (std::vector<uint32_t>{0, 3, 2}));
}

TEST(BitmapEntropy, ATrimmedPacketCostsFourChoicesAndALossFifteen)
{
    for (const auto& [signal, points] : {std::pair{RouteSignal::TRIMMED, 4},
                                         std::pair{RouteSignal::LOST, 15},
                                         std::pair{RouteSignal::TIMEOUT, 15}})
    {
        auto selector = CreateObject<Scripted<BitmapEntropy>>();
        selector->SetAttribute("Paths", UintegerValue(2));
        selector->draws.assign(100, 0);
        selector->Start({});
        selector->OnFeedback(0, signal, Time(0));
        selector->OnFeedback(0, signal, Time(0));
        int passedOver = 0;
        while (selector->GetNext(0, Time(0)) != 0)
        {
            ++passedOver;
        }
        // Each choice starts at value 0, which loses one point; the cap is 15.
        EXPECT_EQ(passedOver, std::min(2 * points, 15));
    }
}

TEST(BitmapEntropy, PassesOverOneRoundAtMost)
{
    const auto selector = MakeOfFour<BitmapEntropy>();
    for (uint32_t entropy = 0x5a00; entropy < 0x5a04; ++entropy)
    {
        selector->OnFeedback(entropy, RouteSignal::TIMEOUT, Time(0));
    }
    // The first round, 0 1 2 3, is passed over; the second one begins with 0 xor 1.
    EXPECT_EQ(Take(selector, 1), std::vector<uint32_t>{1});
}

TEST(MixedEntropy, GoodValuesComeFirstInTheOrderOfTheirReports)
{
    const auto selector = MakeOfFour<MixedEntropy>();
    EXPECT_EQ(Take(selector, 1), std::vector<uint32_t>{0});
    for (const uint32_t entropy : {0x5a03, 0x5a01})
    {
        selector->OnFeedback(entropy, RouteSignal::GOOD, Time(0));
    }
    selector->OnFeedback(0x5a02, RouteSignal::TRIMMED, Time(0));
    EXPECT_EQ(Take(selector, 4), (std::vector<uint32_t>{3, 1, 1, 3}));
}

TEST(MixedEntropy, TheListOfGoodValuesGrows)
{
    const auto selector = MakeOfFour<MixedEntropy>();
    std::vector<uint32_t> expected;
    for (uint32_t i = 0; i < 100; ++i)
    {
        selector->OnFeedback(0x5a00 + i % 4, RouteSignal::GOOD, Time(0));
        expected.push_back(i % 4);
    }
    EXPECT_EQ(Take(selector, 100), expected);
}

TEST(FixedEntropy, AllPacketsOfAQueuePairHaveOneValue)
{
    const auto prototype = CreateObject<FixedEntropy>();
    std::set<uint32_t> values;
    for (uint64_t stream = 0; stream < 20; ++stream)
    {
        const auto selector = prototype->Fork();
        EntropyFacts facts;
        facts.random = RandomStream(1, stream);
        selector->Start(facts);
        const uint32_t value = selector->GetNext(0, Time(0));
        EXPECT_LT(value, 1U << 16);
        selector->OnFeedback(value, RouteSignal::TIMEOUT, Time(0));
        EXPECT_EQ(selector->GetNext(1000, MicroSeconds(1)), value);
        values.insert(value);
    }
    EXPECT_GT(values.size(), 15U);
}

TEST(WalkingEntropy, ANumberOfPathsThatIsNoPowerOfTwoIsRefused)
{
    ExpectError<std::invalid_argument>(
        [] { CreateObjectWithAttributes<ObliviousEntropy>("Paths", UintegerValue(100)); },
        "ns3::rdma::WalkingEntropy::Paths: expected a power of two, got 100");
}
