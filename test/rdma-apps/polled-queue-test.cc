// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/polled-queue.h"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace ns3::rdma;

namespace
{
WorkCompletion
MakeCompletion(uint64_t wrId)
{
    WorkCompletion completion;
    completion.wrId = wrId;
    return completion;
}
} // namespace

TEST(PolledQueue, EachCompletionIsHandledWhenItIsPushed)
{
    std::vector<uint64_t> handled;
    PolledQueue queue(
        [&handled](const WorkCompletion& completion) { handled.push_back(completion.wrId); });
    queue.Get()->Push(MakeCompletion(3), false);
    EXPECT_EQ(handled, (std::vector<uint64_t>{3}));
    queue.Get()->Push(MakeCompletion(4), false);
    EXPECT_EQ(handled, (std::vector<uint64_t>{3, 4}));
    EXPECT_EQ(queue.Get()->GetCount(), 0U);
}

TEST(PolledQueue, AHandlerMayCauseTheNextCompletion)
{
    std::vector<uint64_t> handled;
    std::unique_ptr<PolledQueue> queue;
    queue = std::make_unique<PolledQueue>([&](const WorkCompletion& completion) {
        handled.push_back(completion.wrId);
        if (completion.wrId < 3)
        {
            queue->Get()->Push(MakeCompletion(completion.wrId + 1), false);
        }
    });
    queue->Get()->Push(MakeCompletion(1), false);
    EXPECT_EQ(handled, (std::vector<uint64_t>{1, 2, 3}));
}

TEST(PolledQueue, CompletionsAfterItsEndStayInTheQueue)
{
    ns3::Ptr<CompletionQueue> queue;
    {
        const PolledQueue polled([](const WorkCompletion&) { FAIL(); });
        queue = polled.Get();
    }
    queue->Push(MakeCompletion(1), false);
    EXPECT_EQ(queue->GetCount(), 1U);
}
