// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/host-cores.h"

#include "ns3/fabric-simulator-impl.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick NS{1000};
constexpr Tick US{1000 * NS};

/// Runs its steps one after the other; the last one again and again.
class ScriptedProgram : public HostProgram
{
  public:
    using Step = std::function<void(HostThread&)>;

    explicit ScriptedProgram(std::vector<Step> steps)
        : m_steps(std::move(steps))
    {
    }

    void Continue(HostThread& thread) override
    {
        times.push_back(FabricEngine::Get()->Now());
        slept.push_back(thread.HasSlept());
        m_steps[std::min(times.size(), m_steps.size()) - 1](thread);
    }

    std::vector<Tick> times; ///< Of the calls.
    std::vector<bool> slept;

  private:
    std::vector<Step> m_steps;
};

ScriptedProgram::Step
Work(Tick time)
{
    return [time](HostThread& thread) { thread.Spend(HostTask::CHECK, time); };
}

ScriptedProgram::Step
WorkAndEnd(Tick time)
{
    return [time](HostThread& thread) {
        thread.Spend(HostTask::CHECK, time);
        thread.End();
    };
}

ScriptedProgram::Step
WorkAndSleep(Tick time)
{
    return [time](HostThread& thread) {
        thread.Spend(HostTask::CHECK, time);
        thread.Sleep();
    };
}

/// Interrupts take 100 ns, an idle core 1 us more, a switch 2 us and a line of each of 10 that
/// others displaced.
class HostCoresTest : public testing::Test
{
  protected:
    explicit HostCoresTest(uint32_t coreCount = 1)
    {
        Make(coreCount);
    }

    ~HostCoresTest() override
    {
        cores->Dispose();
        Simulator::Destroy();
    }

    void Make(uint32_t coreCount)
    {
        if (cores)
        {
            cores->Dispose();
        }
        const auto costs = CreateObjectWithAttributes<HostCosts>("Interrupt",
                                                                 TimeValue(NanoSeconds(100)),
                                                                 "IdleExit",
                                                                 TimeValue(MicroSeconds(1)),
                                                                 "ContextSwitch",
                                                                 TimeValue(MicroSeconds(2)),
                                                                 "SwitchLines",
                                                                 UintegerValue(10));
        cores = CreateObjectWithAttributes<HostCores>("Cores",
                                                      UintegerValue(coreCount),
                                                      "TimeSlice",
                                                      TimeValue(MicroSeconds(50)));
        cores->Start(FabricEngine::Get(), costs, CreateObject<CacheHierarchy>());
    }

    static void At(Tick when, std::function<void()> what)
    {
        Simulator::Schedule(ToTime(when), std::move(what));
    }

    Ptr<HostCores> cores;
};
} // namespace

TEST_F(HostCoresTest, AnIdleCoreLeavesItsIdleStateAndHandlesTheInterruptFirst)
{
    ScriptedProgram program({Work(5 * US), WorkAndEnd(7 * US)});
    HostThread& thread = cores->AddThread(program, {});
    At(10 * US, [&] { cores->Notify(thread); });
    Simulator::Run();
    // 10 us + 1 us + 100 ns; 5 us later.
    EXPECT_EQ(program.times, (std::vector<Tick>{11'100 * NS, 16'100 * NS}));
    EXPECT_TRUE(thread.HasEnded());
    EXPECT_EQ(thread.GetAccount()[HostTask::CHECK], 12 * US);
    EXPECT_EQ(cores->GetUse(thread), 12 * US);
    EXPECT_EQ(cores->GetInterruptTime(0), 100 * NS);
    EXPECT_EQ(thread.GetInterrupts(), 1U);
    EXPECT_EQ(thread.GetSwitches(), 0U); // No other thread has used the core.
}

TEST_F(HostCoresTest, ANotificationBeforeTheThreadSleepsIsNotLost)
{
    ScriptedProgram program({WorkAndSleep(5 * US), WorkAndEnd(1 * US)});
    HostThread& thread = cores->AddThread(program, {});
    At(0, [&] { cores->Notify(thread); });
    At(3 * US, [&] { cores->Notify(thread); });
    Simulator::Run();
    // Begins at 1.1 us; the second handler holds it up for 100 ns: 1.1 + 5 + 0.1.
    EXPECT_EQ(program.times, (std::vector<Tick>{1100 * NS, 6200 * NS}));
    EXPECT_EQ(program.slept, (std::vector<bool>{true, false}));
    EXPECT_EQ(cores->GetUse(thread), 6 * US);
    EXPECT_EQ(thread.GetSleeps(), 0U);
}

TEST_F(HostCoresTest, UseIsTheTimeOnTheCoreWithoutInterruptsAsTheThreadsClockHasIt)
{
    ScriptedProgram program({WorkAndSleep(10 * US)});
    HostThread& thread = cores->AddThread(program, {});
    At(0, [&] { cores->Notify(thread); });      // Runs from 1.1 us on.
    At(4 * US, [&] { cores->Notify(thread); }); // Handler from 4 to 4.1 us.
    std::vector<Tick> use;
    for (const Tick when : {500 * NS, 2100 * NS, 4050 * NS, 5100 * NS, 40 * US})
    {
        At(when, [&] { use.push_back(cores->GetUse(thread)); });
    }
    Simulator::Run();
    // Notified while it worked, it does not sleep but works for 10 us once more.
    EXPECT_EQ(use, (std::vector<Tick>{0, 1 * US, 2900 * NS, 3900 * NS, 20 * US}));
}

TEST_F(HostCoresTest, ThreadsOfACoreRunOneAfterTheOtherAndGetTheirLinesBack)
{
    ScriptedProgram first({WorkAndSleep(5 * US), WorkAndEnd(1 * US)});
    ScriptedProgram second({WorkAndEnd(3 * US)});
    // 20 KiB each, 40 KiB together: beyond the first level, so lines take 4.643 ns.
    HostThread& one = cores->AddThread(first, {20 << 10, 20 << 10});
    HostThread& two = cores->AddThread(second, {20 << 10, 20 << 10});
    At(0, [&] { cores->Notify(one); });
    At(2 * US, [&] { cores->Notify(two); });
    At(20 * US, [&] { cores->Notify(one); });
    Simulator::Run();
    // Begins at 1.1 us, held up by 0.1 us, ends at 6.2; 10 lines. Both have slept, so that the
    // switches themselves are a part of what they pay for sleeping.
    const Tick switching = 10 * 4643;
    EXPECT_EQ(second.times, (std::vector<Tick>{6200 * NS + switching}));
    EXPECT_EQ(first.times, (std::vector<Tick>{1100 * NS, 21'100 * NS + switching}));
    EXPECT_EQ(two.GetAccount()[HostTask::SWITCH], switching);
    EXPECT_EQ(one.GetAccount()[HostTask::SWITCH], switching);
    EXPECT_EQ(one.GetLineTime(), 4643);
}

TEST_F(HostCoresTest, CoresRunAtTheSameTime)
{
    Make(2);
    ScriptedProgram first({WorkAndEnd(5 * US)});
    ScriptedProgram second({WorkAndEnd(5 * US)});
    HostThread& one = cores->AddThread(first, {});
    HostThread& two = cores->AddThread(second, {});
    EXPECT_NE(one.GetCore(), two.GetCore());
    At(0, [&] {
        cores->Notify(one);
        cores->Notify(two);
    });
    Simulator::Run();
    EXPECT_EQ(first.times, second.times);
}

TEST_F(HostCoresTest, AThreadGivesWayWhenItsTimeSliceIsOver)
{
    ScriptedProgram first({Work(20 * US), Work(20 * US), Work(20 * US), WorkAndEnd(20 * US)});
    ScriptedProgram second({WorkAndEnd(1 * US)});
    HostThread& one = cores->AddThread(first, {});
    HostThread& two = cores->AddThread(second, {});
    At(0, [&] {
        cores->Notify(one); // Runs from 1.1 us on: the core handles the other interrupt first.
        cores->Notify(two);
    });
    Simulator::Run();
    // Both handlers end at 1.2 us; steps of 20 us end at 21.2, 41.2 and 61.2 us, the third beyond
    // the slice of 50 us.  Then 10 lines of the first level, 1.429 ns each; back to the thread that
    // did not sleep, a switch of 2 us, too.
    const Tick lines = 10 * 1429;
    EXPECT_EQ(second.times, (std::vector<Tick>{61'200 * NS + lines}));
    EXPECT_EQ(first.times.back(), 62'200 * NS + 2 * lines + 2 * US);
}

TEST_F(HostCoresTest, ASpinningThreadUsesItsCoreAndFindsWhatComesAtTheEndOfARound)
{
    ScriptedProgram program(
        {[](HostThread& thread) { thread.Spin(HostTask::POLL, 40 * NS); }, WorkAndEnd(1 * US)});
    HostThread& thread = cores->AddThread(program, {});
    At(0, [&] { cores->Notify(thread); }); // Spins from 1.1 us on.
    std::vector<Tick> use;
    At(2100 * NS, [&] { use.push_back(cores->GetUse(thread)); });
    At(3110 * NS, [&] { cores->Unspin(thread); }); // 2.01 us: 50.25 rounds.
    Simulator::Run();
    EXPECT_EQ(use.front(), 1 * US);
    EXPECT_EQ(program.times.back(), 1100 * NS + 51 * 40 * NS);
    EXPECT_EQ(thread.GetAccount()[HostTask::POLL], 51 * 40 * NS);
    EXPECT_EQ(cores->GetUse(thread), 51 * 40 * NS + 1 * US);
}

TEST_F(HostCoresTest, ASpinningThreadWhosePollsCostNothingFindsWhatComesAtOnce)
{
    ScriptedProgram program(
        {[](HostThread& thread) { thread.Spin(HostTask::POLL, 0); }, WorkAndEnd(1 * US)});
    HostThread& thread = cores->AddThread(program, {});
    At(0, [&] { cores->Notify(thread); });
    At(3110 * NS, [&] { cores->Unspin(thread); });
    Simulator::Run();
    EXPECT_EQ(program.times.back(), 3110 * NS);
}

TEST_F(HostCoresTest, WhatComesBeforeAThreadSpinsKeepsItFromSpinning)
{
    ScriptedProgram program({[](HostThread& thread) {
                                 thread.Spend(HostTask::CHECK, 5 * US);
                                 thread.Spin(HostTask::POLL, 40 * NS);
                             },
                             WorkAndEnd(1 * US)});
    HostThread& thread = cores->AddThread(program, {});
    At(0, [&] { cores->Notify(thread); });
    At(3 * US, [&] { cores->Unspin(thread); });
    Simulator::Run();
    EXPECT_EQ(program.times.back(), 6100 * NS);
    EXPECT_EQ(thread.GetAccount()[HostTask::POLL], 0);
}

TEST_F(HostCoresTest, ASpinningThreadGivesWayToAnotherAtTheEndOfItsSlice)
{
    ScriptedProgram first(
        {[](HostThread& thread) { thread.Spin(HostTask::POLL, 40 * NS); }, WorkAndEnd(1 * US)});
    ScriptedProgram second({WorkAndEnd(1 * US)});
    HostThread& one = cores->AddThread(first, {});
    HostThread& two = cores->AddThread(second, {});
    At(0, [&] { cores->Notify(one); });
    At(10 * US, [&] { cores->Notify(two); });
    Simulator::Run();
    const Tick lines = 10 * 1429; // The other one has slept; this one pays for its switch.
    EXPECT_EQ(second.times, (std::vector<Tick>{51'100 * NS + lines})); // 1.1 + 50 us.
    EXPECT_EQ(one.GetAccount()[HostTask::POLL], 50 * US);
    EXPECT_EQ(first.times.back(), 52'100 * NS + 2 * lines + 2 * US);
}

TEST_F(HostCoresTest, ThreadsThatFindNothingEndTheirSlicesWithTheLoad)
{
    const auto spin = [](HostThread& thread) { thread.Spin(HostTask::POLL, 40 * NS); };
    ScriptedProgram first({spin});
    ScriptedProgram second({spin});
    HostThread& one = cores->AddThread(first, {});
    HostThread& two = cores->AddThread(second, {});
    At(0, [&] {
        cores->Notify(one); // Runs from 1.1 us on: the core handles the other interrupt first.
        cores->Notify(two);
    });
    At(120 * US, [&] { cores->StopIdleSlices(); });
    Simulator::Run();
    // The first call of each thread, and one for each slice of 50 us that begins within 120 us:
    // from 1.1, 51.1 and 101.1 us on.
    EXPECT_EQ(first.times.size() + second.times.size(), 3U);
    EXPECT_EQ(first.times.size(), 2U);
    EXPECT_EQ(cores->GetNow(), 151'100 * NS); // The end of the slice that had begun.
}

TEST_F(HostCoresTest, AThreadFindsWhatComesAfterTheLoadAtTheEndOfTheOthersSlice)
{
    const auto spin = [](HostThread& thread) { thread.Spin(HostTask::POLL, 40 * NS); };
    ScriptedProgram first({spin});
    ScriptedProgram second({spin, WorkAndEnd(1 * US)});
    HostThread& one = cores->AddThread(first, {});
    HostThread& two = cores->AddThread(second, {});
    At(0, [&] {
        cores->Notify(one);
        cores->Notify(two);
    });
    At(120 * US, [&] { cores->StopIdleSlices(); });
    At(130 * US, [&] { cores->Unspin(two); });
    Simulator::Run();
    const Tick lines = 10 * 1429;
    // The first thread's second slice begins when the second one's ends, and lasts 50 us.
    const Tick switching = 2 * US + lines;
    EXPECT_EQ(second.times.back(), 151'100 * NS + switching);
    EXPECT_TRUE(two.HasEnded());
    // The first one has its core back, finds nothing, and keeps it.
    EXPECT_EQ(first.times.size(), 3U);
}

TEST_F(HostCoresTest, ATimerNotifiesAtItsTime)
{
    ScriptedProgram program({WorkAndEnd(1 * US)});
    HostThread& thread = cores->AddThread(program, {});
    At(1 * US, [&] { cores->NotifyAt(thread, 9 * US); });
    Simulator::Run();
    EXPECT_EQ(program.times, (std::vector<Tick>{10'100 * NS}));
}

TEST_F(HostCoresTest, LinesAreFurtherAwayTheMoreThreadsGoRoundTheirData)
{
    Make(4); // One third level.
    std::deque<ScriptedProgram> programs;
    std::vector<Tick> lineTimes;
    // Threads with 300 KiB each; the last one runs.
    const auto addThreads = [&](int count) {
        for (int i = 0; i < count; ++i)
        {
            programs.emplace_back(std::vector<ScriptedProgram::Step>{[&](HostThread& thread) {
                lineTimes.push_back(thread.GetLineTime());
                thread.End();
            }});
            HostThread& thread = cores->AddThread(programs.back(), {300 << 10, 0});
            if (i + 1 == count)
            {
                cores->Notify(thread);
            }
        }
        Simulator::Run();
    };
    addThreads(1);  // They fit into the second level.
    addThreads(7);  // 600 KiB on each core.
    addThreads(56); // 64 x 300 KiB are 18.75 MiB.
    EXPECT_EQ(lineTimes, (std::vector<Tick>{4643, 12'143, 122'000}));
}

TEST_F(HostCoresTest, ASwitchGetsBackWhatOthersTouchedSinceNotTheirWholeRings)
{
    // 40 threads of 1 MiB of rings each, of which a turn touches one message of 256 B: with 10
    // lines of the switch 896 B, 35 KiB in all.  The rings come from memory, the lines from the
    // second level.
    std::deque<ScriptedProgram> programs;
    for (int i = 0; i < 40; ++i)
    {
        programs.emplace_back(std::vector<ScriptedProgram::Step>{WorkAndEnd(1 * US)});
        cores->Notify(cores->AddThread(programs.back(), {1 << 20, 256}));
    }
    Simulator::Run();
    const HostThread& last = *cores->GetThreads().back();
    EXPECT_EQ(last.GetLineTime(), 122'000);
    EXPECT_EQ(last.GetSwitchLineTime(), 4643);
    EXPECT_EQ(last.GetAccount()[HostTask::SWITCH], 10 * 4643);
}

TEST(HostAccount, EveryTaskHasAName)
{
    HostAccount account;
    for (std::size_t i = 0; i < HOST_TASKS; ++i)
    {
        account.busy[i] = static_cast<Tick>(i + 1);
        EXPECT_FALSE(std::string(GetHostTaskName(static_cast<HostTask>(i))).empty());
    }
    EXPECT_EQ(account.GetTotal(), 78); // 12 * 13 / 2.
    EXPECT_STREQ(GetHostTaskName(HostTask::SWITCH), "switch");
}
