// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/bitmap-onloading.h"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

using namespace ns3::rdma;

namespace
{
/// A BitmapOnloading beside the bitmap of its responder.
class Receiver
{
  public:
    explicit Receiver(Psn expected)
        : m_reached(expected),
          m_onloading(expected)
    {
    }

    bool OnPacket(Psn psn)
    {
        if (!psn.IsBefore(m_reached))
        {
            m_arrived.insert(psn.Get());
        }
        while (m_arrived.erase(m_reached.Get()) != 0)
        {
            m_reached = m_reached + 1;
        }
        return m_onloading.OnPacket(psn, m_reached);
    }

    std::optional<Psn> OnMetadata()
    {
        return m_onloading.OnMetadata();
    }

    bool OnUpdate(Psn expected)
    {
        return m_onloading.OnUpdate(expected);
    }

    bool IsRecovering() const
    {
        return m_onloading.IsRecovering();
    }

    Psn GetExpected() const
    {
        return m_onloading.GetExpected();
    }

  private:
    Psn m_reached;                ///< The first missing one.
    std::set<uint32_t> m_arrived; ///< Beyond it.
    BitmapOnloading m_onloading;
};

/// A packet that goes to software, whose update goes back at once. @return whether the queue pair
/// has left the state
bool
Handle(Receiver& onloading, uint32_t psn)
{
    EXPECT_TRUE(onloading.OnPacket(Psn(psn))) << psn;
    const auto update = onloading.OnMetadata();
    return update && onloading.OnUpdate(*update);
}

/// A sender that loses packets and repeats them, software that is late, and a plain set of what has
/// come as the reference.
class LossyWorld
{
  public:
    static constexpr uint32_t PACKETS{1000};

    explicit LossyWorld(uint32_t seed)
        : m_random(seed),
          m_first((uint64_t{1} << 24) - Draw(PACKETS)), // Across the wrap.
          m_lossPercent(1 + Draw(8)),
          m_turns(2 + 2 * (1 + Draw(6))),
          m_hasCome(PACKETS, false),
          onloading(Psn(m_first))
    {
    }

    bool IsDone() const
    {
        return m_missing == PACKETS && m_metadata == 0 && m_updates.empty();
    }

    /// One of: software gets metadata, the NIC gets an update, a packet is sent.
    void Step()
    {
        const uint32_t turn = Draw(m_turns);
        if (turn == 0 && m_metadata > 0)
        {
            const auto update = onloading.OnMetadata();
            --m_metadata;
            if (update)
            {
                m_updates.push_back(*update);
            }
        }
        else if (turn == 1 && !m_updates.empty())
        {
            const bool isExit = onloading.OnUpdate(m_updates.front());
            m_updates.pop_front();
            exits += isExit;
            races += isExit && m_metadata > 0;
        }
        else
        {
            Send();
        }
        hasGoneBack = hasGoneBack || onloading.GetExpected().IsBefore(m_expected);
        m_expected = onloading.GetExpected();
    }

    /// @return packets up to the first missing one that the NIC does not count as come; negative:
    /// it expects a packet behind a missing one.
    int64_t GetLag() const
    {
        return Psn(m_first + m_missing) - onloading.GetExpected();
    }

  private:
    uint32_t Draw(uint32_t below)
    {
        return m_random() % below;
    }

    void Send()
    {
        // New ones in order; now and then the first missing one again, or any.
        const bool isNew = m_next < PACKETS && Draw(2) != 0;
        const uint32_t repeated = m_missing < m_next && Draw(4) != 0 ? m_missing : Draw(m_next + 1);
        const uint32_t number = std::min(isNew ? m_next : repeated, PACKETS - 1);
        m_next += number == m_next;
        if (Draw(100) < m_lossPercent)
        {
            return;
        }
        m_hasCome[number] = true;
        while (m_missing < PACKETS && m_hasCome[m_missing])
        {
            ++m_missing;
        }
        m_metadata += onloading.OnPacket(Psn(m_first + number), Psn(m_first + m_missing));
    }

    std::mt19937 m_random;
    uint64_t m_first; ///< Number of the first packet; the rest are counted from it.
    uint32_t m_lossPercent;
    uint32_t m_turns; ///< The more, the later software is.
    std::vector<bool> m_hasCome;
    uint32_t m_missing{0};
    uint32_t m_next{0};     ///< To be sent for the first time.
    uint32_t m_metadata{0}; ///< In flight to software.
    std::deque<Psn> m_updates;
    Psn m_expected{m_first}; ///< By the NIC, after the step before.

  public:
    BitmapOnloading onloading;
    bool hasGoneBack{false}; ///< The NIC has expected an earlier PSN than before.
    uint64_t exits{0};
    uint64_t races{0}; ///< Exits while metadata are on their way.
};
} // namespace

TEST(BitmapOnloading, NeverBothersSoftwareInOrder)
{
    Receiver onloading{Psn(7)};
    for (uint32_t psn = 7; psn < 1007; ++psn)
    {
        EXPECT_FALSE(onloading.OnPacket(Psn(psn)));
    }
    EXPECT_EQ(onloading.GetExpected(), Psn(1007));
    EXPECT_FALSE(onloading.IsRecovering());
}

TEST(BitmapOnloading, DuplicatesStayInTheNic)
{
    Receiver onloading{Psn(7)};
    onloading.OnPacket(Psn(7));
    EXPECT_FALSE(onloading.OnPacket(Psn(7)));
    EXPECT_FALSE(onloading.OnPacket(Psn(0)));
    EXPECT_FALSE(onloading.IsRecovering());
    EXPECT_TRUE(onloading.OnPacket(Psn(9)));
    EXPECT_FALSE(onloading.OnPacket(Psn(7))); // Also in the state.
    EXPECT_EQ(onloading.GetExpected(), Psn(8));
}

TEST(BitmapOnloading, APacketBeyondAHoleStartsTheRecoveryState)
{
    Receiver onloading{Psn(0)};
    onloading.OnPacket(Psn(0));
    EXPECT_TRUE(onloading.OnPacket(Psn(2)));
    EXPECT_TRUE(onloading.IsRecovering());
    EXPECT_EQ(onloading.GetExpected(), Psn(1));
    EXPECT_EQ(onloading.OnMetadata(), std::nullopt); // Nothing new: 1 is still missing.
}

TEST(BitmapOnloading, ThePacketThatFillsTheHoleGoesToSoftware)
{
    Receiver onloading{Psn(0)};
    EXPECT_FALSE(Handle(onloading, 1));
    EXPECT_FALSE(Handle(onloading, 2));
    EXPECT_TRUE(onloading.OnPacket(Psn(0))); // In order for the NIC, but it is in the state.
    EXPECT_EQ(onloading.GetExpected(), Psn(0));
    EXPECT_EQ(onloading.OnMetadata(), Psn(3));
    EXPECT_TRUE(onloading.OnUpdate(Psn(3)));
    EXPECT_FALSE(onloading.IsRecovering());
    EXPECT_FALSE(onloading.OnPacket(Psn(3)));
    EXPECT_EQ(onloading.GetExpected(), Psn(4));
}

TEST(BitmapOnloading, LeavesTheStateThoughMetadataAreOnTheirWay)
{
    // The race of Figure 8: 2 is missing, 3 and 4 have come, then 2 again; when software tells 5,
    // the metadata of 5 and 6 are on their way.
    Receiver onloading{Psn(2)};
    Handle(onloading, 3); // Range [3, 3].
    Handle(onloading, 4); // Range [3, 4].
    EXPECT_TRUE(onloading.OnPacket(Psn(2)));
    EXPECT_TRUE(onloading.OnPacket(Psn(5))); // Range [3, 5].
    EXPECT_EQ(onloading.OnMetadata(), Psn(5));
    EXPECT_TRUE(onloading.OnPacket(Psn(6))); // Range [3, 6].
    // 5 is not what the NIC must expect: that is 7, and 5 is in [3, 7].
    EXPECT_TRUE(onloading.OnUpdate(Psn(5)));
    EXPECT_EQ(onloading.GetExpected(), Psn(7));
    EXPECT_FALSE(onloading.OnPacket(Psn(7))); // The fast path again.
    // Software is notified of 5 and 6 later; what it writes is old.
    const auto late = onloading.OnMetadata();
    ASSERT_EQ(late, Psn(6));
    EXPECT_FALSE(onloading.OnUpdate(*late));
    EXPECT_EQ(onloading.OnMetadata(), Psn(7));
    EXPECT_FALSE(onloading.OnUpdate(Psn(7)));
    EXPECT_EQ(onloading.GetExpected(), Psn(8));
    EXPECT_FALSE(onloading.IsRecovering());
}

TEST(BitmapOnloading, TheExitFailsWhileTheNewestRangeIsElsewhere)
{
    // 2 and 5 are missing: when 2 has come, software tells 5, but the newest range is [6, 7].
    Receiver onloading{Psn(2)};
    for (const uint32_t psn : {3, 4, 6, 7})
    {
        EXPECT_FALSE(Handle(onloading, psn));
    }
    EXPECT_FALSE(Handle(onloading, 2));
    EXPECT_TRUE(onloading.IsRecovering());
    EXPECT_EQ(onloading.GetExpected(), Psn(5)); // All the same: it may acknowledge up to 4.
    EXPECT_TRUE(Handle(onloading, 5));
    EXPECT_EQ(onloading.GetExpected(), Psn(8));
}

TEST(BitmapOnloading, ExitsAtBothEndsOfTheRangeOnly)
{
    // The newest range is [10, 12]; the PSN written is 9, 10, 13.
    for (const uint32_t written : {9, 10, 13})
    {
        Receiver onloading{Psn(5)};
        onloading.OnPacket(Psn(8));
        for (const uint32_t psn : {10, 11, 12})
        {
            onloading.OnPacket(Psn(psn));
        }
        EXPECT_EQ(onloading.OnUpdate(Psn(written)), written != 9) << written;
        EXPECT_EQ(onloading.GetExpected(), Psn(written == 9 ? 9 : 13)) << written;
    }
}

TEST(BitmapOnloading, FillsSeveralHolesInAnyOrder)
{
    Receiver onloading{Psn(0)};
    for (const uint32_t psn : {1, 3, 5, 7})
    {
        Handle(onloading, psn);
    }
    EXPECT_FALSE(Handle(onloading, 4));
    EXPECT_EQ(onloading.GetExpected(), Psn(0));
    EXPECT_FALSE(Handle(onloading, 0));
    EXPECT_EQ(onloading.GetExpected(), Psn(2));
    EXPECT_FALSE(Handle(onloading, 6));
    EXPECT_EQ(onloading.GetExpected(), Psn(2));
    EXPECT_TRUE(Handle(onloading, 2));
    EXPECT_EQ(onloading.GetExpected(), Psn(8));
}

TEST(BitmapOnloading, SoftwareIsNotifiedOfWhatTheNicDidAlone)
{
    Receiver onloading{Psn(0)};
    Handle(onloading, 1);
    Handle(onloading, 0);
    for (uint32_t psn = 2; psn < 500; ++psn)
    {
        EXPECT_FALSE(onloading.OnPacket(Psn(psn))); // Software knows up to 1.
    }
    EXPECT_TRUE(onloading.OnPacket(Psn(501)));
    // That it now knows up to 499 is nothing new for the NIC.
    EXPECT_EQ(onloading.OnMetadata(), std::nullopt);
    EXPECT_TRUE(Handle(onloading, 500));
    EXPECT_EQ(onloading.GetExpected(), Psn(502));
}

TEST(BitmapOnloading, AnUpdateFromBeforeAnExitDoesNotEndTheNextRecovery)
{
    Receiver onloading{Psn(0)};
    Handle(onloading, 1);
    onloading.OnPacket(Psn(0));
    onloading.OnPacket(Psn(2));
    EXPECT_EQ(onloading.OnMetadata(), Psn(2));
    EXPECT_EQ(onloading.OnMetadata(), Psn(3));
    EXPECT_TRUE(onloading.OnUpdate(Psn(2)));
    EXPECT_EQ(onloading.GetExpected(), Psn(3));
    EXPECT_TRUE(onloading.OnPacket(Psn(4))); // 3 is missing: the next recovery.
    EXPECT_FALSE(onloading.OnUpdate(Psn(3)));
    EXPECT_FALSE(onloading.OnUpdate(Psn(2)));
    EXPECT_TRUE(onloading.IsRecovering());
    EXPECT_EQ(onloading.GetExpected(), Psn(3)); // Never back.
}

TEST(BitmapOnloading, CountsAcrossTheWrap)
{
    Receiver onloading{Psn(0xfffffd)};
    EXPECT_FALSE(onloading.OnPacket(Psn(0xfffffd)));
    EXPECT_FALSE(Handle(onloading, 0xffffff));
    EXPECT_FALSE(Handle(onloading, 0));
    EXPECT_FALSE(Handle(onloading, 1));
    EXPECT_TRUE(Handle(onloading, 0xfffffe));
    EXPECT_EQ(onloading.GetExpected(), Psn(2));
    EXPECT_FALSE(onloading.OnPacket(Psn(0xfffffe))); // A duplicate from before the wrap.
    EXPECT_FALSE(onloading.IsRecovering());
}

namespace
{
/// How often recovery ended, and how often while packets came.
struct RecoveryExits
{
    uint64_t all{0};
    uint64_t races{0};
};

RecoveryExits
CompareWithAReference(uint32_t firstSeed, uint32_t endSeed)
{
    RecoveryExits exits;
    for (uint32_t seed = firstSeed; seed < endSeed; ++seed)
    {
        LossyWorld world(seed);
        for (uint32_t step = 0; !world.IsDone() && !::testing::Test::HasFailure(); ++step)
        {
            EXPECT_LT(step, 200'000) << seed; // It never ends: something is never written.
            world.Step();
            EXPECT_GE(world.GetLag(), 0) << seed; // Each exit is sound.
        }
        EXPECT_EQ(world.GetLag(), 0) << seed; // All is written: NIC and reference agree.
        EXPECT_FALSE(world.onloading.IsRecovering()) << seed;
        EXPECT_FALSE(world.hasGoneBack) << seed;
        exits.all += world.exits;
        exits.races += world.races;
    }
    return exits;
}
} // namespace

TEST(BitmapOnloading, ExpectsTheFirstMissingPacketWhateverIsLostAndLate)
{
    const RecoveryExits exits = CompareWithAReference(0, 60);
    EXPECT_GT(exits.all, 200); // The test sees both.
    EXPECT_GT(exits.races, 60);
}

TEST(SlowBitmapOnloading, ExpectsTheFirstMissingPacketOfMoreSeeds)
{
    const RecoveryExits exits = CompareWithAReference(60, 300);
    EXPECT_GT(exits.all, 800);
    EXPECT_GT(exits.races, 240);
}
