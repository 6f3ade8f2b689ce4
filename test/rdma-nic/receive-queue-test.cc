// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/receive-queue.h"

#include <functional>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3::rdma;

namespace
{

constexpr uint32_t MAX_SGE{2};

/// Linked requests with wrIds 1, 2, ...
class RequestList
{
  public:
    explicit RequestList(std::size_t count)
        : m_requests(count)
    {
        for (std::size_t i = 0; i < count; ++i)
        {
            m_requests[i].wrId = i + 1;
            m_requests[i].sgList.push_back({0x1000 * i, 64, 5});
            m_requests[i].next = i + 1 < count ? &m_requests[i + 1] : nullptr;
        }
    }

    ReceiveWorkRequest& operator[](std::size_t i)
    {
        return m_requests[i];
    }

  private:
    std::vector<ReceiveWorkRequest> m_requests;
};

/// Takes all requests out. @return their wrIds
std::vector<uint64_t>
Drain(ReceiveQueue& queue)
{
    std::vector<uint64_t> ids;
    while (const auto request = queue.Take())
    {
        EXPECT_EQ(request->next, nullptr);
        ids.push_back(request->wrId);
    }
    return ids;
}

void
PostMany(ReceiveQueue& queue, std::size_t count)
{
    RequestList list(count);
    ASSERT_EQ(queue.Post(list[0]), PostResult::OK);
}

using Ids = std::vector<uint64_t>;

/// As a NIC does: tells when the packet is done with.
std::optional<ReceiveWorkRequest>
TakeAndNotify(ReceiveQueue& queue)
{
    auto taken = queue.Take();
    queue.NotifyIfLow();
    return taken;
}
} // namespace

TEST(ReceiveQueue, GivesTheOldestFirst)
{
    ReceiveQueue queue(4, MAX_SGE);
    EXPECT_TRUE(queue.IsEmpty());
    EXPECT_EQ(queue.GetCapacity(), 4);
    RequestList list(3);
    const ReceiveWorkRequest* bad = &list[2];
    EXPECT_EQ(queue.Post(list[0], &bad), PostResult::OK);
    EXPECT_EQ(bad, &list[2]); // Untouched.
    EXPECT_EQ(queue.GetCount(), 3);
    EXPECT_FALSE(queue.IsEmpty());
    EXPECT_EQ(Drain(queue), (Ids{1, 2, 3}));
    EXPECT_TRUE(queue.IsEmpty());
}

TEST(ReceiveQueue, KeepsThePieces)
{
    ReceiveQueue queue(1, MAX_SGE);
    ReceiveWorkRequest request;
    request.sgList = {{0x1000, 64, 5}, {0x9000, 32, 6}};
    ASSERT_EQ(queue.Post(request), PostResult::OK);
    request.sgList.clear(); // The queue has a copy.
    const auto taken = queue.Take();
    ASSERT_TRUE(taken);
    ASSERT_EQ(taken->sgList.size(), 2);
    EXPECT_EQ(taken->sgList[1].address, 0x9000);
    EXPECT_EQ(taken->sgList[1].length, 32);
    EXPECT_EQ(taken->sgList[1].localKey, 6);
}

TEST(ReceiveQueue, StopsAtTheFirstThatDoesNotFit)
{
    ReceiveQueue queue(3, MAX_SGE);
    RequestList list(5);
    const ReceiveWorkRequest* bad = nullptr;
    EXPECT_EQ(queue.Post(list[0], &bad), PostResult::FULL);
    EXPECT_EQ(bad, &list[3]);
    EXPECT_EQ(queue.GetCount(), 3);
    EXPECT_EQ(queue.Post(list[4]), PostResult::FULL);
    EXPECT_EQ(queue.Take()->wrId, 1);
    EXPECT_EQ(queue.Post(list[4], &bad), PostResult::OK);
    EXPECT_EQ(Drain(queue), (Ids{2, 3, 5}));
}

TEST(ReceiveQueue, StopsAtTheFirstOfTooManyPieces)
{
    ReceiveQueue queue(8, MAX_SGE);
    RequestList list(4);
    list[1].sgList.assign(MAX_SGE, Sge{0, 1, 5});
    list[2].sgList.assign(MAX_SGE + 1, Sge{0, 1, 5});
    const ReceiveWorkRequest* bad = nullptr;
    EXPECT_EQ(queue.Post(list[0], &bad), PostResult::INVALID);
    EXPECT_EQ(bad, &list[2]);
    EXPECT_EQ(Drain(queue), (Ids{1, 2}));
}

TEST(ReceiveQueue, CallsABadRequestInvalidEvenWhenFull)
{
    ReceiveQueue queue(0, MAX_SGE);
    RequestList list(1);
    EXPECT_EQ(queue.Post(list[0]), PostResult::FULL);
    list[0].sgList.assign(MAX_SGE + 1, Sge{0, 1, 5});
    EXPECT_EQ(queue.Post(list[0]), PostResult::INVALID);
}

TEST(ReceiveQueue, TakesRequestsWithoutPieces)
{
    ReceiveQueue queue(1, 0);
    EXPECT_EQ(queue.Post(ReceiveWorkRequest{}), PostResult::OK);
    EXPECT_TRUE(queue.Take()->sgList.empty());
}

TEST(ReceiveQueue, NotifiesOfTheLimitOnce)
{
    ReceiveQueue queue(8, MAX_SGE);
    PostMany(queue, 5);
    int notices = 0;
    queue.SetLimit(4, [&notices] { ++notices; });
    EXPECT_EQ(notices, 0);
    TakeAndNotify(queue);
    EXPECT_EQ(notices, 0); // 4 are left: not fewer than 4.
    TakeAndNotify(queue);
    EXPECT_EQ(notices, 1); // 3.
    TakeAndNotify(queue);
    EXPECT_EQ(notices, 1); // 2; disarmed.
}

TEST(ReceiveQueue, NotifiesAgainOnceArmedAgain)
{
    ReceiveQueue queue(8, MAX_SGE);
    PostMany(queue, 3);
    Ids left; // At each event.
    const auto onLimit = [&queue, &left] { left.push_back(queue.GetCount()); };
    queue.SetLimit(3, onLimit);
    TakeAndNotify(queue);
    PostMany(queue, 3);   // 5 are there.
    TakeAndNotify(queue); // Not armed.
    queue.SetLimit(3, onLimit);
    TakeAndNotify(queue); // 3 are left.
    TakeAndNotify(queue);
    EXPECT_EQ(left, (Ids{2, 2}));
}

TEST(ReceiveQueue, LetsTheHandlerPostAndArmAgain)
{
    ReceiveQueue queue(8, MAX_SGE);
    PostMany(queue, 2);
    int notices = 0;
    std::function<void()> refill = [&] {
        ++notices;
        PostMany(queue, 2);
        queue.SetLimit(2, refill);
    };
    queue.SetLimit(2, refill);
    // 2 -> 1: refilled to 3 -> 2 -> 1: refilled to 3.
    EXPECT_EQ(TakeAndNotify(queue)->wrId, 1);
    EXPECT_EQ(notices, 1);
    EXPECT_EQ(queue.GetCount(), 3);
    EXPECT_EQ(TakeAndNotify(queue)->wrId, 2);
    EXPECT_EQ(notices, 1);
    TakeAndNotify(queue);
    EXPECT_EQ(notices, 2);
    EXPECT_EQ(queue.GetCount(), 3);
}

TEST(ReceiveQueue, NotifiesOfTheLimitWhenAMessageFindsNothing)
{
    ReceiveQueue queue(8, MAX_SGE);
    int notices = 0;
    queue.SetLimit(1, [&notices] { ++notices; });
    EXPECT_FALSE(TakeAndNotify(queue));
    EXPECT_EQ(notices, 1);
}

TEST(ReceiveQueue, ForgetsALimitOfZero)
{
    ReceiveQueue queue(8, MAX_SGE);
    PostMany(queue, 2);
    int notices = 0;
    queue.SetLimit(2, [&notices] { ++notices; });
    queue.SetLimit(0, nullptr);
    EXPECT_EQ(Drain(queue), (Ids{1, 2}));
    EXPECT_EQ(notices, 0);
}
