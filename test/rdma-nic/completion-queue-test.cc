// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/completion-queue.h"

#include "../expect-error.h"

#include "ns3/verbs-error.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3::rdma;

namespace
{

WorkCompletion
MakeCompletion(uint64_t wrId, WcStatus status = WcStatus::SUCCESS)
{
    WorkCompletion completion{};
    completion.wrId = wrId;
    completion.status = status;
    return completion;
}

/// Takes completions. @return their wrIds
std::vector<uint64_t>
Poll(CompletionQueue& queue, uint32_t count)
{
    std::vector<WorkCompletion> results;
    const uint32_t taken = queue.Poll(count, results);
    EXPECT_EQ(taken, results.size());
    std::vector<uint64_t> ids;
    for (const WorkCompletion& completion : results)
    {
        ids.push_back(completion.wrId);
    }
    return ids;
}

/// A queue that counts its notifications.
struct NotifiedQueue
{
    NotifiedQueue()
    {
        queue.SetNotifier([this] { ++notified; });
    }

    CompletionQueue queue{16};
    int notified{0};
};

using Ids = std::vector<uint64_t>;

} // namespace

TEST(CompletionQueue, GivesTheOldestFirst)
{
    CompletionQueue queue(8);
    EXPECT_EQ(Poll(queue, 4), Ids{});
    for (uint64_t id = 1; id <= 5; ++id)
    {
        queue.Push(MakeCompletion(id), false);
    }
    EXPECT_EQ(Poll(queue, 0), Ids{});
    EXPECT_EQ(Poll(queue, 2), (Ids{1, 2}));
    EXPECT_EQ(queue.GetCount(), 3);
    EXPECT_EQ(Poll(queue, 8), (Ids{3, 4, 5})); // Fewer than asked for.
    EXPECT_EQ(queue.GetCount(), 0);
}

TEST(CompletionQueue, AppendsToWhatTheConsumerHas)
{
    CompletionQueue queue(2);
    queue.Push(MakeCompletion(2, WcStatus::REM_OP_ERR), false);
    std::vector<WorkCompletion> results{MakeCompletion(1)};
    EXPECT_EQ(queue.Poll(1, results), 1);
    ASSERT_EQ(results.size(), 2);
    EXPECT_EQ(results[0].wrId, 1);
    EXPECT_EQ(results[1].wrId, 2);
    EXPECT_EQ(results[1].status, WcStatus::REM_OP_ERR);
}

TEST(CompletionQueue, KeepsQuietUnlessArmed)
{
    NotifiedQueue test;
    test.queue.Push(MakeCompletion(1), true);
    EXPECT_EQ(test.notified, 0);
}

TEST(CompletionQueue, NotifiesOncePerArming)
{
    NotifiedQueue test;
    test.queue.RequestNotify(false);
    test.queue.Push(MakeCompletion(1), false);
    test.queue.Push(MakeCompletion(2), false);
    EXPECT_EQ(test.notified, 1);
    test.queue.RequestNotify(false);
    test.queue.Push(MakeCompletion(3), false);
    EXPECT_EQ(test.notified, 2);
}

TEST(CompletionQueue, IsArmedOnlyForWhatComesLater)
{
    NotifiedQueue test;
    test.queue.Push(MakeCompletion(1), true);
    test.queue.RequestNotify(false);
    EXPECT_EQ(test.notified, 0);
    test.queue.Push(MakeCompletion(2), false);
    EXPECT_EQ(test.notified, 1);
}

TEST(CompletionQueue, WaitsForTheSolicitedOne)
{
    NotifiedQueue test;
    test.queue.RequestNotify(true);
    test.queue.Push(MakeCompletion(1), false);
    EXPECT_EQ(test.notified, 0);
    test.queue.Push(MakeCompletion(2), true);
    EXPECT_EQ(test.notified, 1);
    test.queue.Push(MakeCompletion(3), true); // Disarmed.
    EXPECT_EQ(test.notified, 1);
}

TEST(CompletionQueue, TakesAnErrorForSolicited)
{
    NotifiedQueue test;
    test.queue.RequestNotify(true);
    test.queue.Push(MakeCompletion(1, WcStatus::WR_FLUSH_ERR), false);
    EXPECT_EQ(test.notified, 1);
}

TEST(CompletionQueue, PrefersArmingForAll)
{
    // In either order: asking for solicited ones does not narrow what was asked for before.
    for (const bool isSolicitedFirst : {true, false})
    {
        NotifiedQueue test;
        test.queue.RequestNotify(isSolicitedFirst);
        test.queue.RequestNotify(!isSolicitedFirst);
        test.queue.Push(MakeCompletion(1), false);
        EXPECT_EQ(test.notified, 1) << isSolicitedFirst;
    }
}

TEST(CompletionQueue, LetsTheNotifierPollAndArmAgain)
{
    CompletionQueue queue(1); // Overflows unless the notifier empties it.
    Ids seen;
    queue.SetNotifier([&queue, &seen] {
        queue.RequestNotify(false);
        for (const uint64_t id : Poll(queue, 16))
        {
            seen.push_back(id);
        }
    });
    queue.RequestNotify(false);
    for (uint64_t id = 1; id <= 3; ++id)
    {
        queue.Push(MakeCompletion(id), false);
    }
    EXPECT_EQ(seen, (Ids{1, 2, 3}));
    EXPECT_FALSE(queue.HasOverflowed());
}

TEST(CompletionQueue, LetsTheNotifierReplaceItself)
{
    CompletionQueue queue(4);
    int late = 0;
    std::vector<int> ballast(1000, 7);
    queue.SetNotifier([&queue, &late, ballast] {
        queue.SetNotifier([&late] { late += 100; });
        late += ballast.back(); // Still there.
    });
    for (uint64_t id = 1; id <= 2; ++id)
    {
        queue.RequestNotify(false);
        queue.Push(MakeCompletion(id), false);
    }
    EXPECT_EQ(late, 107);
}

TEST(CompletionQueue, IsInErrorForGoodOnceItOverflows)
{
    CompletionQueue queue(2);
    int errors = 0;
    int notified = 0;
    queue.SetErrorHandler([&errors] { ++errors; });
    queue.SetNotifier([&notified] { ++notified; });
    queue.Push(MakeCompletion(1), false);
    queue.Push(MakeCompletion(2), false);
    EXPECT_FALSE(queue.HasOverflowed()); // Full, but nothing is lost yet.
    queue.RequestNotify(false);
    queue.Push(MakeCompletion(3), false);
    EXPECT_TRUE(queue.HasOverflowed());
    EXPECT_EQ(errors, 1);
    EXPECT_EQ(Poll(queue, 16), (Ids{1, 2})); // What was there before can still be read.
    queue.Push(MakeCompletion(4), false);    // There is room, but the queue is broken.
    EXPECT_EQ(queue.GetCount(), 0);
    EXPECT_EQ(errors, 1);
    EXPECT_EQ(notified, 0);
}

TEST(CompletionQueue, OverflowsWithoutHandlers)
{
    CompletionQueue queue(1);
    queue.RequestNotify(false);
    queue.Push(MakeCompletion(1), false);
    queue.Push(MakeCompletion(2), false);
    EXPECT_TRUE(queue.HasOverflowed());
    EXPECT_EQ(queue.GetCount(), 1);
}

TEST(CompletionQueue, NeedsRoom)
{
    ExpectError<VerbsError>([&] { CompletionQueue(0); }, "room for at least one");
}

TEST(CompletionQueue, ShowsWhatWaitsWithoutTakingIt)
{
    CompletionQueue queue(8);
    queue.Push(MakeCompletion(1), false);
    queue.Push(MakeCompletion(2), false);
    ASSERT_EQ(queue.GetEntries().size(), 2U);
    EXPECT_EQ(queue.GetEntries().front().wrId, 1U);
    EXPECT_EQ(Poll(queue, 4), (Ids{1, 2}));
    EXPECT_TRUE(queue.GetEntries().empty());
}
