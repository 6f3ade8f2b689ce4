// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/token-exchange.h"

#include "../test-files.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// @return by expert.
std::map<uint32_t, uint64_t>
CountExperts(const ExpertRouting::Choices& choices)
{
    std::map<uint32_t, uint64_t> counts;
    for (const auto& ofRank : choices)
    {
        for (const ExpertChoice& choice : ofRank)
        {
            ++counts[choice.expert];
        }
    }
    return counts;
}

/// Each token has topK different experts.
void
ExpectWhole(const ExpertLayer& layer, const ExpertRouting::Choices& choices)
{
    ASSERT_EQ(choices.size(), layer.ranks);
    for (const auto& ofRank : choices)
    {
        std::map<uint32_t, std::set<uint32_t>> experts;
        for (const ExpertChoice& choice : ofRank)
        {
            EXPECT_LT(choice.expert, layer.GetExperts());
            EXPECT_TRUE(experts[choice.token].insert(choice.expert).second);
        }
        ASSERT_EQ(experts.size(), layer.tokens);
        for (const auto& [token, ofToken] : experts)
        {
            EXPECT_EQ(ofToken.size(), layer.topK) << token;
        }
    }
}

uint64_t
SumBytes(const TokenGraph& graph, uint32_t src, uint32_t dst)
{
    uint64_t sum = 0;
    for (uint64_t id = 0; id < graph.GetCount(); ++id)
    {
        const RankMessage one = graph.Get(id);
        sum += one.src == src && one.dst == dst ? one.bytes : 0;
    }
    return sum;
}

/// @return messages that wait for the first one of a pair of ranks.
uint32_t
CountDependents(const TokenGraph& graph, uint32_t src, uint32_t dst)
{
    uint64_t id = 0;
    while (graph.Get(id).src != src || graph.Get(id).dst != dst)
    {
        ++id;
    }
    uint32_t count = 0;
    graph.ForEachDependent(id, [&](uint64_t dependent) {
        EXPECT_GT(graph.Get(dependent).predecessors, 0U);
        EXPECT_EQ(graph.Get(dependent).src, dst);
        ++count;
    });
    return count;
}

/// @return receivers of a rank's messages that wait for none.
std::vector<uint32_t>
FindFirst(const TokenGraph& graph, uint32_t rank)
{
    std::vector<uint32_t> receivers;
    graph.ForEachFirst(rank, [&](uint64_t id) { receivers.push_back(graph.Get(id).dst); });
    return receivers;
}

} // namespace

TEST(ExpertRouting, EqualRoutingGivesEachExpertTheSameNumberOfTokens)
{
    for (const ExpertLayer& layer : {ExpertLayer{8, 16, 4, 1},
                                     ExpertLayer{8, 16, 4, 2},
                                     ExpertLayer{4, 12, 8, 2},
                                     ExpertLayer{3, 6, 2, 1}})
    {
        const auto choices = ExpertRouting::MakeEqual(layer);
        ExpectWhole(layer, choices);
        const uint64_t each =
            uint64_t{layer.ranks} * layer.tokens * layer.topK / layer.GetExperts();
        for (const auto& [expert, count] : CountExperts(choices))
        {
            EXPECT_EQ(count, each) << expert;
        }
    }
}

TEST(ExpertRouting, ZipfDrawsExpertsByTheirPopularityWithoutRepetition)
{
    // One expert per token of weights 1, 1/2, 1/3, 1/4: 12, 6, 4 and 3 of 25. With 40,000 tokens
    // the standard deviation of a count is at most sqrt(40,000 / 4) = 100.
    const ExpertLayer one{4, 10'000, 1, 1};
    const auto counts = CountExperts(ExpertRouting::MakeZipf(one, 1, 7));
    EXPECT_NEAR(counts.at(0), 40'000 * 12 / 25, 400);
    EXPECT_NEAR(counts.at(1), 40'000 * 6 / 25, 400);
    EXPECT_NEAR(counts.at(2), 40'000 * 4 / 25, 400);
    EXPECT_NEAR(counts.at(3), 40'000 * 3 / 25, 400);
    // Of two experts without the first: P(first in a pair) = 12/25 + 13/25 - P(not at all), where
    // P(not at all) = sum over i > 0 of p_i (1 - p_i - p_0) / (1 - p_i).
    double none = 0;
    for (const double weight : {6.0, 4.0, 3.0})
    {
        const double p = weight / 25;
        none += p * (1 - p - 12.0 / 25) / (1 - p);
    }
    const ExpertLayer two{4, 10'000, 2, 1};
    const auto pairs = ExpertRouting::MakeZipf(two, 1, 7);
    ExpectWhole(two, pairs);
    EXPECT_NEAR(CountExperts(pairs).at(0), 40'000 * (1 - none), 400);
    // As many experts as there are: each has all tokens, at any exponent.
    const ExpertLayer all{2, 50, 4, 2};
    ExpectWhole(all, ExpertRouting::MakeZipf(all, 10, 7));
}

TEST(ExpertRouting, ASeedSelectsTheDraws)
{
    const ExpertLayer layer{4, 64, 2, 2};
    const auto get = [&layer](uint64_t seed) {
        std::vector<uint32_t> experts;
        for (const auto& ofRank : ExpertRouting::MakeZipf(layer, 0.5, seed))
        {
            for (const ExpertChoice& choice : ofRank)
            {
                experts.push_back(choice.expert);
            }
        }
        return experts;
    };
    EXPECT_EQ(get(1), get(1));
    EXPECT_NE(get(1), get(2));
}

TEST(ExpertRouting, RecordedRoutingHasOneTokenPerLine)
{
    const ExpertLayer layer{2, 2, 2, 2};
    const TemporaryFile file("# rank experts\n1 0 3\n0 2 1\n1 1 2\n0 3 0\n");
    const auto choices = ExpertRouting::Read(layer, file.GetPath());
    ExpectWhole(layer, choices);
    EXPECT_EQ(choices[0][0].expert, 2U);
    EXPECT_EQ(choices[0][3].expert, 0U);
    EXPECT_EQ(choices[1][1].expert, 3U);
    EXPECT_EQ(choices[1][2].token, 1U);
}

TEST(TokenExchange, CombineReturnsTwiceTheBytesOfDispatchInTheOtherDirection)
{
    const ExpertLayer layer{5, 24, 3, 2};
    const auto choices = ExpertRouting::MakeZipf(layer, 0.8, 3);
    for (const auto& make : {TokenExchange::MakePerToken, TokenExchange::MakePerPair})
    {
        const TokenExchange exchange = make(layer, choices, {7168, 14336, 2});
        ASSERT_EQ(exchange.GetCombine()->GetCount(), exchange.GetDispatch()->GetCount());
        for (uint32_t src = 0; src < 5; ++src)
        {
            EXPECT_EQ(SumBytes(*exchange.GetDispatch(), src, src), 0U);
            for (uint32_t dst = 0; dst < 5; ++dst)
            {
                EXPECT_EQ(SumBytes(*exchange.GetCombine(), dst, src),
                          2 * SumBytes(*exchange.GetDispatch(), src, dst));
            }
        }
    }
}

TEST(TokenExchange, AMessagePerPairHasATokenOnceForAllItsExpertsOnARank)
{
    // Rank 0 has two tokens: experts 2 and 3 of rank 1; experts 0 (its own rank) and 3.
    const ExpertLayer layer{2, 2, 2, 2};
    const ExpertRouting::Choices choices{{{0, 2}, {0, 3}, {1, 0}, {1, 3}}, {}};
    const auto perToken = TokenExchange::MakePerToken(layer, choices, {100, 200, 2});
    EXPECT_EQ(perToken.GetDispatch()->GetCount(), 3U);
    EXPECT_EQ(SumBytes(*perToken.GetDispatch(), 0, 1), 300U);
    const auto perPair = TokenExchange::MakePerPair(layer, choices, {100, 200, 1});
    EXPECT_EQ(perPair.GetDispatch()->GetCount(), 1U);
    EXPECT_EQ(SumBytes(*perPair.GetDispatch(), 0, 1), 200U);
    EXPECT_EQ(perPair.GetWork(), (std::vector<uint64_t>{1, 3}));
}

TEST(TokenExchange, ATokenForThreeExpertsOnOneServerPassesTheRailOnce)
{
    // Rank 1 is (0, 1), that is rank 1 of server 0. Its token is for experts 4, 6 and 7, which are
    // ranks (1, 0), (1, 2) and (1, 3): once to (1, 1), which is rank 5, and from there to the
    // three.
    const ExpertLayer layer{8, 1, 3, 1, 4};
    const ExpertRouting::Choices choices{{}, {{0, 4}, {0, 6}, {0, 7}}, {}, {}, {}, {}, {}, {}};
    for (const auto& make : {TokenExchange::MakeRailPerToken, TokenExchange::MakeRailPerPair})
    {
        const TokenExchange exchange = make(layer, choices, {100, 200, 1});
        const TokenGraph& dispatch = *exchange.GetDispatch();
        const TokenGraph& combine = *exchange.GetCombine();
        ASSERT_EQ(dispatch.GetCount(), 4U);
        ASSERT_EQ(combine.GetCount(), 4U);
        EXPECT_EQ(SumBytes(dispatch, 1, 5), 100U);
        EXPECT_EQ(SumBytes(combine, 5, 1), 200U);
        for (const uint32_t expert : {4, 6, 7})
        {
            EXPECT_EQ(SumBytes(dispatch, 5, expert), 100U);
            EXPECT_EQ(SumBytes(combine, expert, 5), 200U);
        }
        // In dispatch three messages wait for one, in combine one waits for three.
        EXPECT_EQ(CountDependents(dispatch, 1, 5), 3U);
        EXPECT_EQ(CountDependents(dispatch, 5, 4), 0U);
        EXPECT_EQ(CountDependents(combine, 4, 5), 1U);
        EXPECT_EQ(CountDependents(combine, 5, 1), 0U);
        EXPECT_EQ(FindFirst(dispatch, 1), (std::vector<uint32_t>{5}));
        EXPECT_TRUE(FindFirst(dispatch, 5).empty());
        EXPECT_TRUE(FindFirst(combine, 5).empty());
        EXPECT_EQ(FindFirst(combine, 6), (std::vector<uint32_t>{5}));
    }
    EXPECT_EQ(TokenExchange::MakePerPair(layer, choices, {100, 200, 1}).GetDispatch()->GetCount(),
              3U);
}

TEST(TokenExchange, ARankForwardsTheTokensThatItsRailHasForAnotherRankOfItsServer)
{
    // Whatever the routing: rank (t, g) sends to rank d of its server what all ranks (s, g) send to
    // d in one stage, and receives from (s, g) each token once that has an expert on server t.
    const ExpertLayer layer{9, 24, 4, 2, 3};
    const auto choices = ExpertRouting::MakeZipf(layer, 0.8, 3);
    const TokenSizes sizes{100, 200, 2};
    const auto direct = TokenExchange::MakePerPair(layer, choices, sizes);
    for (const auto& make : {TokenExchange::MakeRailPerToken, TokenExchange::MakeRailPerPair})
    {
        const TokenExchange rail = make(layer, choices, sizes);
        EXPECT_EQ(rail.GetWork(), direct.GetWork());
        for (uint32_t src = 0; src < 9; ++src)
        {
            for (uint32_t dst = 0; dst < 9; ++dst)
            {
                uint64_t bytes = 0;
                if (src != dst && src / 3 == dst / 3)
                {
                    for (uint32_t server = 0; server < 3; ++server)
                    {
                        bytes += SumBytes(*direct.GetDispatch(), server * 3 + src % 3, dst);
                    }
                }
                else if (src != dst && src % 3 == dst % 3)
                {
                    std::set<uint32_t> tokens;
                    for (const ExpertChoice& choice : choices[src])
                    {
                        if (choice.expert / (2 * 3) == dst / 3)
                        {
                            tokens.insert(choice.token);
                        }
                    }
                    bytes = 100 * tokens.size();
                }
                EXPECT_EQ(SumBytes(*rail.GetDispatch(), src, dst), bytes) << src << " " << dst;
                EXPECT_EQ(SumBytes(*rail.GetCombine(), dst, src), 2 * bytes);
            }
        }
    }
}

TEST(TokenExchange, MatrixGivesTheTokensOfEachPairOfRanks)
{
    const std::vector<uint64_t> matrix{1, 2, 3, 0, 4, 1, 5, 0, 0};
    const ExpertLayer layer{3, 8, 1, 2};
    const auto choices = ExpertRouting::MakeFromMatrix(layer, matrix);
    const auto exchange = TokenExchange::MakePerToken(layer, choices, {10, 20, 1});
    for (uint32_t src = 0; src < 3; ++src)
    {
        for (uint32_t dst = 0; dst < 3; ++dst)
        {
            EXPECT_EQ(SumBytes(*exchange.GetDispatch(), src, dst),
                      src == dst ? 0 : 10 * matrix[src * 3 + dst]);
        }
    }
    EXPECT_EQ(exchange.GetWork(), (std::vector<uint64_t>{6, 6, 4})); // Sums of the columns.
}

TEST(TokenGraph, BothDirectionsAndBothStagesHaveTheSameConnections)
{
    const ExpertLayer layer{6, 5, 2, 3};
    const auto choices = ExpertRouting::MakeZipf(layer, 1.5, 5);
    const auto exchange = TokenExchange::MakePerToken(layer, choices, {10, 20, 3});
    const auto dispatch = exchange.GetDispatch()->MakeConnections();
    const auto combine = exchange.GetCombine()->MakeConnections();
    ASSERT_EQ(dispatch.size(), combine.size());
    uint64_t messages = 0;
    for (uint32_t number = 0; number < dispatch.size(); ++number)
    {
        EXPECT_EQ(dispatch[number].src, combine[number].src);
        EXPECT_EQ(dispatch[number].dst, combine[number].dst);
        // Odd ones are the other direction of the one before.
        EXPECT_EQ(dispatch[number].reverseOf, number % 2 == 1 ? number - 1 : UINT32_MAX);
        messages += dispatch[number].messages;
        for (uint64_t place = 0; place < dispatch[number].messages; ++place)
        {
            const uint64_t id = exchange.GetDispatch()->Find(number, place);
            EXPECT_EQ(exchange.GetDispatch()->GetPlace(id), place);
            EXPECT_EQ(exchange.GetDispatch()->Get(id).connection, number);
        }
    }
    EXPECT_EQ(messages, exchange.GetDispatch()->GetCount());
}
