// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/event-calendar.h"

#include "ns3/random-stream.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <tuple>

using namespace ns3::rdma;

namespace
{

/// A calendar of 64 slots of 1024 ps: the ring spans 65,536 ps.
class EventCalendarTest : public testing::Test
{
  protected:
    void Push(Tick time, uint32_t owner, uint32_t argument)
    {
        m_calendar.Push({time, owner, argument});
    }

    /// @return the argument of the earliest event; 9999 if there is none.
    uint32_t Pop()
    {
        EventRecord event{0, 0, 9999};
        m_calendar.Pop(event);
        return event.argument;
    }

    std::vector<uint32_t> PopAll()
    {
        std::vector<uint32_t> arguments;
        EventRecord event{};
        while (m_calendar.Pop(event))
        {
            arguments.push_back(event.argument);
        }
        return arguments;
    }

    EventCalendar m_calendar{10, 64};
};

using EventCalendarDeathTest = EventCalendarTest;

/// @return a delay of nothing, within a slot, within the ring, or up to 16 rings away.
Tick
DrawSpan(RandomStream& random)
{
    constexpr uint32_t SPANS[] = {1, 1 << 8, 1 << 10, 1 << 16, 1 << 20};
    return random.Next32() % SPANS[random.Next32() % 5];
}

} // namespace

TEST_F(EventCalendarTest, PopsByTimeThenOwnerThenOrderOfPushing)
{
    Push(20, 1, 0);
    Push(10, 2, 1);
    Push(10, 1, 2);
    Push(10, 2, 3);
    Push(10, 1, 4);
    EXPECT_EQ(PopAll(), (std::vector<uint32_t>{2, 4, 1, 3, 0}));
}

TEST_F(EventCalendarTest, KeepsTheOrderOfPushingBetweenFarAndNearEvents)
{
    constexpr Tick FAR{100 * 1024};
    Push(FAR, 1, 0); // Slot 100: beyond the ring, which ends with slot 63.
    Push(FAR, 1, 1);
    Push(37 * 1024, 1, 2);
    EXPECT_EQ(Pop(), 2); // Slot 37 is current: now the ring ends with slot 100.
    Push(FAR, 1, 3);
    Push(FAR, 0, 4);
    EXPECT_EQ(PopAll(), (std::vector<uint32_t>{4, 0, 1, 3}));
}

TEST_F(EventCalendarTest, HoldsAnEventAtEitherSideOfTheEndOfTheRing)
{
    // Slot 63 is the last of the ring; slot 64 shares the place of slot 0 and must wait.
    Push(64 * 1024, 0, 2);
    Push(64 * 1024 - 1, 0, 1);
    Push(0, 0, 0);
    EXPECT_EQ(PopAll(), (std::vector<uint32_t>{0, 1, 2}));
}

TEST_F(EventCalendarTest, WrapsAroundItsRing)
{
    // Each event pushes the next one 60 slots ahead, so that 100 of them go round 93 times.
    Tick time = 0;
    Push(time, 0, 0);
    for (uint32_t step = 0; step < 100; ++step)
    {
        ASSERT_EQ(Pop(), step);
        EXPECT_TRUE(m_calendar.IsEmpty());
        time += 60 * 1024;
        Push(time, 0, step + 1);
        EXPECT_FALSE(m_calendar.IsEmpty());
    }
}

TEST_F(EventCalendarTest, JumpsOverAnEmptyStretchOfASecond)
{
    constexpr Tick SECOND{1'000'000'000'000};
    Push(5, 0, 0);
    Push(3600 * SECOND, 1, 1);
    Push(3600 * SECOND, 0, 2);
    EXPECT_EQ(Pop(), 0);
    EXPECT_EQ(Pop(), 2);
    Push(3600 * SECOND + 1, 0, 3); // Near again.
    EXPECT_EQ(PopAll(), (std::vector<uint32_t>{1, 3}));
}

TEST_F(EventCalendarTest, TakesEventsForTheSlotThatIsBeingEmptied)
{
    Push(10, 5, 0);
    Push(30, 5, 1);
    EXPECT_EQ(Pop(), 0);
    Push(30, 5, 2); // After its equal.
    Push(30, 4, 3); // Before it: a lower owner.
    Push(20, 9, 4);
    Push(10, 5, 5); // At the time of the event that is being handled.
    EXPECT_EQ(PopAll(), (std::vector<uint32_t>{5, 4, 3, 1, 2}));
}

TEST_F(EventCalendarTest, IsUsableAfterItRanDry)
{
    Push(70'000, 0, 0);
    EXPECT_EQ(PopAll(), (std::vector<uint32_t>{0}));
    EXPECT_TRUE(m_calendar.IsEmpty());
    EXPECT_EQ(Pop(), 9999);
    Push(70'000, 0, 1);
    Push(70'000'000, 0, 2);
    EXPECT_EQ(PopAll(), (std::vector<uint32_t>{1, 2}));
}

TEST_F(EventCalendarTest, ShowsTheEventsToComeAcrossTheBorderOfASlot)
{
    // A slot is 1024 ps: ten events in the first one, ten in the next.
    for (uint32_t event = 0; event < 20; ++event)
    {
        Push((event < 10 ? 0 : 1024) + event, 1, event);
    }
    EXPECT_EQ(Pop(), 0);
    EXPECT_EQ(m_calendar.Peek(0).argument, 1);
    EXPECT_EQ(m_calendar.Peek(EventCalendar::LOOKAHEAD - 1).argument, EventCalendar::LOOKAHEAD);
    // What comes earlier than what is in order already takes its place there.
    Push(1024, 1, 99);
    EXPECT_EQ(m_calendar.Peek(9).argument, 99);
}

TEST_F(EventCalendarTest, AgreesWithAStableSort)
{
    RandomStream random(1, 1);
    std::vector<EventRecord> events;
    for (uint32_t i = 0; i < 100'000; ++i)
    {
        events.push_back({DrawSpan(random), random.Next32() % 4, i});
        m_calendar.Push(events.back());
    }
    std::stable_sort(events.begin(), events.end());
    const std::vector<uint32_t> popped = PopAll();
    ASSERT_EQ(popped.size(), events.size());
    for (std::size_t i = 0; i < popped.size(); ++i)
    {
        ASSERT_EQ(popped[i], events[i].argument) << i;
    }
}

TEST_F(EventCalendarTest, AgreesWithAnOrderedSetWhileItIsFilledAndEmptied)
{
    RandomStream random(2, 2);
    std::set<std::tuple<Tick, uint32_t, uint32_t>> reference; // Time, owner, order of pushing.
    Tick now = 0;
    for (uint32_t pushed = 0; pushed < 100'000 || !reference.empty();)
    {
        // Bursts of pushes and pops of all lengths, and in the end pops only.
        for (uint32_t n = random.Next32() % 200; n > 0 && pushed < 100'000; --n, ++pushed)
        {
            const EventRecord event{now + DrawSpan(random), random.Next32() % 4, pushed};
            m_calendar.Push(event);
            reference.emplace(event.time, event.owner, pushed);
        }
        for (uint32_t n = random.Next32() % 200; n > 0 && !reference.empty(); --n)
        {
            ASSERT_FALSE(m_calendar.IsEmpty());
            EventRecord event{};
            ASSERT_TRUE(m_calendar.Pop(event));
            const auto expected = *reference.begin();
            ASSERT_EQ(std::tuple(event.time, event.owner, event.argument), expected);
            reference.erase(reference.begin());
            now = event.time;
        }
    }
    EXPECT_TRUE(m_calendar.IsEmpty());
}

TEST_F(EventCalendarDeathTest, RefusesASlotCountThatIsNoPowerOfTwo)
{
    EXPECT_DEATH(EventCalendar(10, 100), "slot count 100 is not a power of two");
}

TEST_F(EventCalendarTest, SearchesEventsInOrderInSlotsAndBeyondTheRing)
{
    const auto has = [this](uint32_t wanted) {
        return m_calendar.HasAny(
            [wanted](uint32_t owner, uint32_t argument) { return owner + argument == wanted; });
    };
    EXPECT_FALSE(has(11));
    Push(100, 1, 10);
    Push(200, 2, 20);
    Push(5000, 3, 30);       // Another slot.
    Push(10'000'000, 4, 40); // Beyond the ring.
    EXPECT_EQ(Pop(), 10U);   // The slot's other event is in order now.
    EXPECT_FALSE(has(11));
    EXPECT_TRUE(has(22));
    EXPECT_TRUE(has(33));
    EXPECT_TRUE(has(44));
    EXPECT_FALSE(has(55));
    EXPECT_EQ(PopAll().size(), 3U);
    EXPECT_FALSE(has(44));
}

TEST_F(EventCalendarTest, PopsOnlyWhatIsBeforeTheLimit)
{
    Push(100, 8, 1);
    Push(200, 8, 2);
    EventRecord event{};
    EXPECT_TRUE(m_calendar.PopBefore(200, event));
    EXPECT_EQ(event.argument, 1);
    EXPECT_FALSE(m_calendar.PopBefore(200, event));
    EXPECT_EQ(event.argument, 1); // Left alone.
    EXPECT_TRUE(m_calendar.PopBefore(201, event));
    EXPECT_EQ(event.argument, 2);
}

TEST_F(EventCalendarTest, TakesEventsOfTheLimitAndLaterAfterItHasStoppedThere)
{
    // The next event is ten slots on, the limit five: what comes in between is not in the past.
    Push(10 * 1024, 8, 9);
    EventRecord event{};
    EXPECT_FALSE(m_calendar.PopBefore(5 * 1024 + 7, event));
    Push(5 * 1024 + 7, 8, 1);
    Push(6 * 1024, 8, 2);
    EXPECT_EQ(PopAll(), (std::vector<uint32_t>{1, 2, 9}));
}

TEST_F(EventCalendarTest, TakesEventsOfTheLimitsOwnSlot)
{
    Push(5 * 1024 + 1, 8, 1);
    Push(5 * 1024 + 500, 8, 3);
    EventRecord event{};
    EXPECT_TRUE(m_calendar.PopBefore(5 * 1024 + 100, event));
    EXPECT_FALSE(m_calendar.PopBefore(5 * 1024 + 100, event));
    Push(5 * 1024 + 100, 8, 2);
    EXPECT_EQ(PopAll(), (std::vector<uint32_t>{2, 3}));
}

TEST_F(EventCalendarTest, ReturnsTheNextTimeWithoutMovingOn)
{
    EXPECT_EQ(m_calendar.GetNextTime(), TICK_NEVER);
    Push(1 << 20, 8, 4); // Beyond the ring.
    EXPECT_EQ(m_calendar.GetNextTime(), 1 << 20);
    Push(3 * 1024 + 9, 8, 3); // In one slot, the later one first.
    Push(3 * 1024 + 5, 8, 2);
    EXPECT_EQ(m_calendar.GetNextTime(), 3 * 1024 + 5);
    Push(1, 8, 1); // Asking has not closed earlier slots.
    EXPECT_EQ(m_calendar.GetNextTime(), 1);
    EXPECT_EQ(Pop(), 1);
    EXPECT_EQ(Pop(), 2);
    EXPECT_EQ(m_calendar.GetNextTime(), 3 * 1024 + 9); // Of the slot that is being read.
    EXPECT_EQ(PopAll(), (std::vector<uint32_t>{3, 4}));
    EXPECT_EQ(m_calendar.GetNextTime(), TICK_NEVER);
}

TEST_F(EventCalendarTest, WindowsGiveTheSameOrderAsOneRun)
{
    // The same events, in windows of random length into which some are pushed only when they begin.
    RandomStream random(1, 7);
    Tick begin = 0;
    uint32_t number = 0;
    std::vector<uint32_t> inWindows;
    std::vector<EventRecord> all;
    while (begin < 2'000'000)
    {
        const Tick end = begin + 1 + DrawSpan(random);
        for (int i = 0; i < 20; ++i)
        {
            const EventRecord event{begin + DrawSpan(random), random.Next32() % 4, number++};
            all.push_back(event);
            m_calendar.Push(event);
        }
        EventRecord event{};
        while (m_calendar.PopBefore(end, event))
        {
            EXPECT_LT(event.time, end);
            inWindows.push_back(event.argument);
        }
        EXPECT_GE(m_calendar.GetNextTime(), end);
        begin = end;
    }
    for (const uint32_t argument : PopAll())
    {
        inWindows.push_back(argument);
    }
    std::stable_sort(all.begin(), all.end());
    std::vector<uint32_t> sorted;
    for (const EventRecord& event : all)
    {
        sorted.push_back(event.argument);
    }
    EXPECT_EQ(inWindows, sorted);
}
