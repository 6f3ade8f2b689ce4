// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/frame-pool.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(FramePool, HandsOutTheFrameThatWasFreedLast)
{
    FramePool pool;
    const FrameIndex a = pool.Allocate();
    const FrameIndex b = pool.Allocate();
    const FrameIndex c = pool.Allocate();
    pool.Free(a);
    pool.Free(c);
    EXPECT_EQ(pool.Allocate(), c);
    EXPECT_EQ(pool.Allocate(), a);
    const FrameIndex d = pool.Allocate();
    EXPECT_NE(d, a);
    EXPECT_NE(d, b);
    EXPECT_NE(d, c);
}

TEST(FramePool, CountsFramesInUseAndReusesThem)
{
    FramePool pool;
    EXPECT_EQ(pool.GetInUse(), 0);
    const FrameIndex a = pool.Allocate();
    const FrameIndex b = pool.Allocate();
    EXPECT_EQ(pool.GetInUse(), 2);
    pool.Free(a);
    EXPECT_EQ(pool.GetInUse(), 1);
    EXPECT_EQ(pool.Allocate(), a);
    pool.Free(b);
    EXPECT_EQ(pool.Allocate(), b);
    const FrameIndex c = pool.Allocate();
    EXPECT_NE(c, a);
    EXPECT_NE(c, b);
    EXPECT_EQ(pool.GetInUse(), 3);
}

TEST(FramePool, NeverMovesAFrame)
{
    FramePool pool;
    const FrameIndex first = pool.Allocate();
    Frame* const place = &pool[first];
    place->psn = 77;
    for (int i = 0; i < 100'000; ++i)
    {
        pool[pool.Allocate()].psn = i;
    }
    EXPECT_EQ(&pool[first], place);
    EXPECT_EQ(place->psn, 77);
}

namespace
{

/// A cargo that counts how many of it there are.
class CountedCargo : public FrameCargo
{
  public:
    CountedCargo(int& living, int value)
        : value(value),
          m_living(living)
    {
        ++m_living;
    }

    ~CountedCargo() override
    {
        --m_living;
    }

    std::unique_ptr<FrameCargo> Clone() const override
    {
        return std::make_unique<CountedCargo>(m_living, value);
    }

    int value;

  private:
    int& m_living;
};

FrameIndex
AllocateEmpty(FramePool& pool)
{
    const FrameIndex index = pool.Allocate();
    pool[index] = Frame{};
    return index;
}

int
GetCargoValue(const FramePool& pool, FrameIndex index)
{
    return dynamic_cast<const CountedCargo&>(*pool.FindDetail(pool[index])->cargo).value;
}

} // namespace

TEST(FramePool, GivesADetailToNoFrameThatDoesNotAskForOne)
{
    FramePool pool;
    const FrameIndex plain = AllocateEmpty(pool);
    const FrameIndex detailed = AllocateEmpty(pool);
    pool.AddDetail(detailed).immediate = 7;
    EXPECT_EQ(pool.FindDetail(pool[plain]), nullptr);
    ASSERT_NE(pool.FindDetail(pool[detailed]), nullptr);
    EXPECT_EQ(pool.FindDetail(pool[detailed])->immediate, 7);
    EXPECT_EQ(pool.FindDetail(pool[detailed])->cargo, nullptr);
}

TEST(FramePool, GivesAFrameWhosePlaceWasDetailedBeforeAnEmptyDetail)
{
    FramePool pool;
    const FrameIndex first = AllocateEmpty(pool);
    pool.AddDetail(first).remoteKey = 5;
    pool.Free(first);
    const FrameIndex second = AllocateEmpty(pool);
    ASSERT_EQ(second, first);
    EXPECT_EQ(pool.FindDetail(pool[second]), nullptr);
    EXPECT_EQ(pool.AddDetail(second).remoteKey, 0);
}

TEST(FramePool, DestroysACargoWithItsFrame)
{
    int living = 0;
    FramePool pool;
    const FrameIndex index = AllocateEmpty(pool);
    pool.SetCargo(index, std::make_unique<CountedCargo>(living, 1));
    EXPECT_EQ(living, 1);
    pool.Free(index);
    EXPECT_EQ(living, 0);
    // The frame that takes the place owns nothing: freeing it destroys nothing a second time.
    pool.Free(AllocateEmpty(pool));
    EXPECT_EQ(living, 0);
}

TEST(FramePool, DestroysACargoThatIsReplaced)
{
    int living = 0;
    FramePool pool;
    const FrameIndex index = AllocateEmpty(pool);
    pool.AddDetail(index).queueKey = 9;
    pool.SetCargo(index, std::make_unique<CountedCargo>(living, 1));
    CountedCargo& kept = pool.SetCargo(index, std::make_unique<CountedCargo>(living, 2));
    EXPECT_EQ(living, 1);
    EXPECT_EQ(kept.value, 2);
    EXPECT_EQ(GetCargoValue(pool, index), 2);
    EXPECT_EQ(pool.FindDetail(pool[index])->queueKey, 9); // The rest of the detail stays.
}

TEST(FramePool, CopiesAFrameWithDetailAndCargo)
{
    int living = 0;
    FramePool pool;
    const FrameIndex original = AllocateEmpty(pool);
    pool[original].psn = 42;
    pool.AddDetail(original).swapAdd = 11;
    pool.SetCargo(original, std::make_unique<CountedCargo>(living, 3));
    const FrameIndex copy = pool.Copy(original);
    EXPECT_NE(copy, original);
    EXPECT_EQ(living, 2);
    pool.Free(original);
    EXPECT_EQ(living, 1);
    EXPECT_EQ(pool[copy].psn, 42);
    EXPECT_EQ(pool.FindDetail(pool[copy])->swapAdd, 11);
    EXPECT_EQ(GetCargoValue(pool, copy), 3);
    pool.Free(copy);
    EXPECT_EQ(living, 0);
    EXPECT_EQ(pool.GetInUse(), 0);
}

TEST(FramePool, CopiesAPlainFrameWithoutADetail)
{
    FramePool pool;
    const FrameIndex original = AllocateEmpty(pool);
    pool[original].psn = 4;
    const FrameIndex copy = pool.Copy(original);
    EXPECT_EQ(pool[copy].psn, 4);
    EXPECT_EQ(pool.FindDetail(pool[copy]), nullptr);
}

TEST(FramePool, DestroysTheCargoesOfFramesStillInUseAtItsEnd)
{
    int living = 0;
    {
        FramePool pool;
        for (int i = 0; i < 3; ++i)
        {
            pool.SetCargo(AllocateEmpty(pool), std::make_unique<CountedCargo>(living, i));
        }
        pool.Free(1);
        EXPECT_EQ(living, 2);
    }
    EXPECT_EQ(living, 0);
}
