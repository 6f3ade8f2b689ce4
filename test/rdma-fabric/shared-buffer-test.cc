// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/shared-buffer.h"

#include "ns3/random-stream.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{

constexpr uint32_t FRAME{100};

/// Adds frames to a queue until the buffer refuses one. @return how many it took.
uint32_t
Fill(SharedBuffer& buffer, uint32_t queue, uint32_t frameBytes = FRAME)
{
    uint32_t frames = 0;
    for (; buffer.HasRoom(queue, frameBytes); ++frames)
    {
        buffer.Add(queue, frameBytes);
    }
    return frames;
}

/// The same rules with every byte kept in one of three counters, as a reference.
class SlowBuffer
{
  public:
    SlowBuffer(uint64_t totalBytes,
               std::vector<BufferQuota> quotas,
               const std::vector<uint64_t>& pools)
        : m_quotas(std::move(quotas)),
          m_parts(m_quotas.size()),
          m_free{totalBytes}
    {
        for (const BufferQuota& quota : m_quotas)
        {
            m_free[0] -= quota.reserveBytes + quota.headroomBytes;
        }
        for (const uint64_t bytes : pools)
        {
            m_free[0] -= bytes;
            m_free.push_back(bytes);
        }
    }

    /// @return whether it took the frame.
    bool Add(uint32_t queue, uint64_t bytes)
    {
        Parts& parts = m_parts[queue];
        const BufferQuota& quota = m_quotas[queue];
        const uint64_t own = std::min(bytes, quota.reserveBytes - parts.reserve);
        const uint64_t rest = bytes - own;
        const bool isWithinShare =
            parts.shared + rest <= GetThreshold(queue) && rest <= GetFree(queue);
        if (rest == 0 || isWithinShare)
        {
            parts.reserve += own;
            parts.shared += rest;
            m_free[quota.pool] -= rest;
            return true;
        }
        if (parts.headroom + bytes > quota.headroomBytes)
        {
            return false;
        }
        parts.headroom += bytes;
        return true;
    }

    void Remove(uint32_t queue, uint64_t bytes)
    {
        Parts& parts = m_parts[queue];
        for (uint64_t* part : {&parts.headroom, &parts.shared, &parts.reserve})
        {
            const uint64_t taken = std::min(bytes, *part);
            *part -= taken;
            bytes -= taken;
            m_free[m_quotas[queue].pool] += part == &parts.shared ? taken : 0;
        }
    }

    uint64_t GetUsed(uint32_t queue) const
    {
        return m_parts[queue].reserve + m_parts[queue].shared + m_parts[queue].headroom;
    }

    uint64_t GetFree(uint32_t queue) const
    {
        return m_free[m_quotas[queue].pool];
    }

    bool IsOverThreshold(uint32_t queue) const
    {
        return m_parts[queue].headroom > 0 || m_parts[queue].shared > GetThreshold(queue);
    }

    bool IsBelowThreshold(uint32_t queue, uint64_t margin) const
    {
        const Parts& parts = m_parts[queue];
        return parts.headroom == 0 &&
               (parts.shared == 0 || parts.shared + margin <= GetThreshold(queue));
    }

  private:
    struct Parts
    {
        uint64_t reserve{0};
        uint64_t shared{0};
        uint64_t headroom{0};
    };

    uint64_t GetThreshold(uint32_t queue) const
    {
        return static_cast<uint64_t>(static_cast<double>(GetFree(queue)) * m_quotas[queue].alpha);
    }

    std::vector<BufferQuota> m_quotas;
    std::vector<Parts> m_parts;
    std::vector<uint64_t> m_free; ///< Shared memory that is free, by pool.
};

/// A frame that a buffer holds.
struct Held
{
    uint32_t queue;
    uint32_t bytes;
};

/// Fills and empties five queues at random, and compares each answer. @return the empty buffer
SharedBuffer
WalkWithReference(const std::vector<BufferQuota>& quotas, const std::vector<uint64_t>& pools)
{
    RandomStream random(6, 1);
    SharedBuffer buffer(120'000, quotas, pools);
    SlowBuffer reference(120'000, quotas, pools);
    std::vector<Held> held;
    uint64_t total = 0;
    uint32_t refused = 0;
    for (int step = 0; step < 100'000; ++step)
    {
        const bool isFilling = (step / 300) % 2 == 0;
        if (held.empty() || random.Next32() % 10 < (isFilling ? 8 : 2))
        {
            const Held frame{random.Next32() % 5, 1 + random.Next32() % 2000};
            const bool hasRoom = reference.Add(frame.queue, frame.bytes);
            EXPECT_EQ(buffer.HasRoom(frame.queue, frame.bytes), hasRoom) << step;
            if (hasRoom)
            {
                buffer.Add(frame.queue, frame.bytes);
                held.push_back(frame);
                total += frame.bytes;
            }
            refused += !hasRoom;
        }
        else
        {
            std::swap(held[random.Next32() % held.size()], held.back());
            buffer.Remove(held.back().queue, held.back().bytes);
            reference.Remove(held.back().queue, held.back().bytes);
            total -= held.back().bytes;
            held.pop_back();
        }
        const uint32_t queue = random.Next32() % 5;
        const uint32_t margin = random.Next32() % 3000;
        EXPECT_EQ(buffer.GetUsed(queue), reference.GetUsed(queue)) << step;
        EXPECT_EQ(buffer.IsOverThreshold(queue), reference.IsOverThreshold(queue)) << step;
        EXPECT_EQ(buffer.IsBelowThreshold(queue, margin), reference.IsBelowThreshold(queue, margin))
            << step;
        EXPECT_EQ(buffer.GetTotalUsed(), total) << step;
        EXPECT_EQ(buffer.GetFree(queue), reference.GetFree(queue)) << step;
        if (testing::Test::HasFailure())
        {
            break;
        }
    }
    EXPECT_GT(refused, 1000); // The walk did reach the limits.
    for (const Held& frame : held)
    {
        buffer.Remove(frame.queue, frame.bytes);
    }
    EXPECT_EQ(buffer.GetTotalUsed(), 0);
    for (uint32_t queue = 0; queue < 5; ++queue)
    {
        EXPECT_EQ(buffer.GetUsed(queue), 0);
    }
    return buffer;
}

} // namespace

TEST(SharedBuffer, UsesTheReserveBeforeSharedMemory)
{
    // Alpha is too small for a single frame of shared memory: the reserve is all there is.
    SharedBuffer buffer(10'000, {{1000, 0, 1e-6}, {0, 0, 1}});
    EXPECT_EQ(Fill(buffer, 0), 10);
    EXPECT_FALSE(buffer.IsOverThreshold(0));
    // The other queue still sees all 9000 shared bytes: alpha 1 settles at half of them.
    EXPECT_EQ(Fill(buffer, 1), 45);
}

TEST(SharedBuffer, LetsOneQueueHoldAlphaOverOnePlusAlpha)
{
    // A queue q grows while q <= alpha x (S - q), so up to S x alpha / (1 + alpha).
    struct Case
    {
        double alpha;
        uint32_t frames;
    };

    for (const Case& c : {Case{1.0 / 8, 100}, Case{1.0 / 2, 300}, Case{1, 450}, Case{8, 800}})
    {
        SharedBuffer buffer(90'000, {{0, 0, c.alpha}});
        EXPECT_EQ(Fill(buffer, 0), c.frames) << c.alpha; // 90,000 / 9, x 1/3, x 1/2, x 8/9.
        EXPECT_EQ(buffer.GetTotalUsed(), c.frames * FRAME);
    }
}

TEST(SharedBuffer, SharesEquallyAmongQueuesOfTheSameAlpha)
{
    // n queues settle at S x alpha / (1 + n x alpha) each: with alpha 1 and n = 8, a ninth.
    SharedBuffer buffer(90'000, std::vector<BufferQuota>(8, {0, 0, 1}));
    for (int round = 0; round < 200; ++round)
    {
        for (uint32_t queue = 0; queue < 8; ++queue)
        {
            if (buffer.HasRoom(queue, FRAME))
            {
                buffer.Add(queue, FRAME);
            }
        }
    }
    for (uint32_t queue = 0; queue < 8; ++queue)
    {
        EXPECT_NEAR(buffer.GetUsed(queue), 10'000, FRAME);
    }
}

TEST(SharedBuffer, TakesHeadroomOnlyAboveTheThreshold)
{
    // Shared memory: 10,500 - 500 - 1000 = 9000; alpha 1/8 lets the queue hold 1000 of it.
    SharedBuffer buffer(10'500, {{500, 1000, 1.0 / 8}});
    for (int frame = 0; frame < 15; ++frame)
    {
        EXPECT_FALSE(buffer.IsOverThreshold(0)) << frame;
        buffer.Add(0, FRAME);
    }
    EXPECT_FALSE(buffer.IsOverThreshold(0));
    buffer.Add(0, FRAME); // 1000 shared bytes are its share; this one is the first above.
    EXPECT_TRUE(buffer.IsOverThreshold(0));
    EXPECT_EQ(Fill(buffer, 0), 9);
    EXPECT_EQ(buffer.GetUsed(0), 2500); // Reserve, share and headroom, and not a frame more.
    EXPECT_FALSE(buffer.HasRoom(0, 1));
}

TEST(SharedBuffer, EmptiesHeadroomFirst)
{
    SharedBuffer buffer(10'500, {{500, 1000, 1.0 / 8}, {0, 0, 1e-6}});
    Fill(buffer, 0); // 500 reserve, 1000 shared, 1000 headroom.
    for (int frame = 0; frame < 10; ++frame)
    {
        EXPECT_TRUE(buffer.IsOverThreshold(0)) << frame;
        EXPECT_FALSE(buffer.IsBelowThreshold(0, 0)) << frame;
        buffer.Remove(0, FRAME);
    }
    // Headroom is free again; 1000 shared bytes are exactly its share of the free 8000.
    EXPECT_FALSE(buffer.IsOverThreshold(0));
    EXPECT_TRUE(buffer.IsBelowThreshold(0, 0));
    EXPECT_FALSE(buffer.IsBelowThreshold(0, 1));
    // 900 of 1012 (8100 / 8): 112 below.
    buffer.Remove(0, FRAME);
    EXPECT_TRUE(buffer.IsBelowThreshold(0, 112));
    EXPECT_FALSE(buffer.IsBelowThreshold(0, 113));
}

TEST(SharedBuffer, GoesOnWithoutSharedBytesWhateverTheMargin)
{
    // Else a margin above the threshold would keep a sender paused for ever.
    SharedBuffer buffer(10'500, {{500, 1000, 1.0 / 8}});
    buffer.Add(0, 500);
    EXPECT_TRUE(buffer.IsBelowThreshold(0, 1'000'000));
    buffer.Add(0, 1);
    EXPECT_FALSE(buffer.IsBelowThreshold(0, 1'000'000));
}

TEST(SharedBuffer, NeverHoldsMoreThanItsMemory)
{
    SharedBuffer buffer(10'000, {{0, 0, 64}, {0, 0, 64}});
    EXPECT_EQ(Fill(buffer, 0, 3000) + Fill(buffer, 1, 3000), 3);
    EXPECT_FALSE(buffer.HasRoom(0, 1001));
    EXPECT_TRUE(buffer.HasRoom(0, 1000));
}

TEST(SharedBufferDeathTest, RefusesQuotasThatDoNotFit)
{
    EXPECT_DEATH(SharedBuffer(1000, {{600, 0, 1}}, {400}), "cannot set aside 1000 bytes");
    EXPECT_DEATH(SharedBuffer(1000, {{600, 400, 1}}), "cannot set aside 1000 bytes");
}

TEST(SharedBuffer, AgreesWithASlowReference)
{
    SharedBuffer buffer = WalkWithReference(
        {{0, 0, 0.5}, {1000, 0, 0.125}, {4096, 9000, 0.25}, {100, 20'000, 2}, {0, 5000, 1}},
        {});
    // All shared memory is back: 120,000 - 5196 - 34,000 = 80,804, a third of it for alpha 0.5.
    EXPECT_NEAR(Fill(buffer, 0) * FRAME, 80'804 / 3, FRAME);
}

TEST(SharedBuffer, PoolsAgreeWithASlowReference)
{
    SharedBuffer buffer = WalkWithReference({{0, 0, 0.5, 1},
                                             {1000, 0, 0.125, 2},
                                             {4096, 9000, 0.25, 1},
                                             {100, 20'000, 2, 0},
                                             {0, 5000, 1, 2}},
                                            {30'000, 20'000});
    EXPECT_NEAR(Fill(buffer, 0) * FRAME, 30'000 / 3, FRAME); // Alpha 0.5.
}

TEST(SharedBuffer, AQueueTakesTheMemoryOfItsPoolOnly)
{
    // Pool 0 has 70,000 bytes, pool 1 30,000. Alpha 1 settles at a half of a pool, in any order.
    const std::vector<BufferQuota> quotas{{0, 0, 1, 0}, {0, 0, 1, 1}};
    for (const uint32_t first : {0U, 1U})
    {
        SharedBuffer buffer(100'000, quotas, {30'000});
        for (const uint32_t queue : {first, 1 - first})
        {
            EXPECT_EQ(Fill(buffer, queue), queue == 0 ? 350 : 150);
            EXPECT_FALSE(buffer.IsOverThreshold(queue));
        }
        EXPECT_EQ(buffer.GetFree(0), 35'000);
        EXPECT_EQ(buffer.GetFree(1), 15'000);
    }
}

TEST(SharedBuffer, APoolNeverHoldsMoreThanItsMemory)
{
    SharedBuffer buffer(100'000, {{0, 0, 64, 1}, {0, 0, 64, 1}, {0, 0, 1, 0}}, {10'000});
    EXPECT_EQ(Fill(buffer, 0, 3000) + Fill(buffer, 1, 3000), 3);
    EXPECT_FALSE(buffer.HasRoom(0, 1001));
    EXPECT_TRUE(buffer.HasRoom(0, 1000));
    EXPECT_EQ(Fill(buffer, 2), 450);
}
