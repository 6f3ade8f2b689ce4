// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rank-group.h"

#include "rank-fakes.h"

#include "ns3/input-error.h"

#include <functional>
#include <gtest/gtest.h>
#include <thread>

using namespace ns3::rdma;

namespace
{

/// Lets three ranks, as threads, do the same.
void
RunThree(const std::function<void(RankGroup&)>& work)
{
    MeetingPlace place(3);
    std::vector<std::thread> threads;
    for (uint32_t rank = 0; rank < 3; ++rank)
    {
        threads.emplace_back([&place, &work, rank] {
            ThreadGroup group(place, rank);
            work(group);
        });
    }
    for (std::thread& thread : threads)
    {
        thread.join();
    }
}

/// What Try() has thrown on each of three ranks.
struct Thrown
{
    std::string texts[3];
    bool isInput[3]{};
};

Thrown
TryOnThree(const std::function<void(uint32_t)>& work)
{
    Thrown thrown;
    RunThree([&](RankGroup& group) {
        try
        {
            group.Try([&] { work(group.GetRank()); });
        }
        catch (const RankError& error)
        {
            thrown.texts[group.GetRank()] = error.what();
            thrown.isInput[group.GetRank()] = error.IsInput();
        }
    });
    return thrown;
}

} // namespace

TEST(RankGroup, ShareGivesEachWhatEachHasSaid)
{
    std::vector<std::string> received[3];
    RunThree([&received](RankGroup& group) {
        received[group.GetRank()] = group.Share(std::string(group.GetRank(), 'x'));
    });
    for (const auto& texts : received)
    {
        EXPECT_EQ(texts, (std::vector<std::string>{"", "x", "xx"}));
    }
}

TEST(RankGroup, TheFirstCollectsFromTheOthersInOrder)
{
    std::vector<uint32_t> collected[3];
    RunThree([&collected](RankGroup& group) {
        group.CollectAtFirst([&](ByteBuffer& buffer) { buffer.Put(10 * group.GetRank()); },
                             [&](ByteReader& reader) {
                                 collected[group.GetRank()].push_back(reader.Get<uint32_t>());
                             });
    });
    EXPECT_EQ(collected[0], (std::vector<uint32_t>{10, 20}));
    EXPECT_TRUE(collected[1].empty());
    EXPECT_TRUE(collected[2].empty());
}

TEST(RankGroup, WhatFailsOnOneRankFailsOnAll)
{
    const Thrown thrown = TryOnThree([](uint32_t rank) {
        if (rank == 1)
        {
            throw std::runtime_error("disk full");
        }
    });
    for (uint32_t rank = 0; rank < 3; ++rank)
    {
        EXPECT_EQ(thrown.texts[rank], "rank 1: disk full");
        EXPECT_FALSE(thrown.isInput[rank]);
    }
}

TEST(RankGroup, AFailureOfAllRanksIsReportedOnce)
{
    const Thrown thrown =
        TryOnThree([](uint32_t) { throw InputError("scenario.json: expected an object"); });
    for (uint32_t rank = 0; rank < 3; ++rank)
    {
        EXPECT_EQ(thrown.texts[rank], "scenario.json: expected an object");
        EXPECT_TRUE(thrown.isInput[rank]);
    }
}

TEST(RankGroup, TryContinuesWithoutFailure)
{
    const Thrown thrown = TryOnThree([](uint32_t) {});
    EXPECT_EQ(thrown.texts[0] + thrown.texts[1] + thrown.texts[2], "");
}

TEST(RankGroup, AloneTryThrowsWhatTheWorkThrows)
{
    EXPECT_THROW(RankGroup::GetSolo().Try([] { throw InputError("bad"); }), InputError);
    EXPECT_EQ(RankGroup::GetSolo().Share("me"), std::vector<std::string>{"me"});
}
