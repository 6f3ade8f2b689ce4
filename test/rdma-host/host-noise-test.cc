// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/host-noise.h"

#include "ns3/fabric-simulator-impl.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <functional>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick US{1'000'000};
constexpr Tick MS{1000 * US};

/// One step of a given time, then the end; or sleep for ever.
class OneStep : public HostProgram
{
  public:
    explicit OneStep(Tick time)
        : m_time(time)
    {
    }

    void Continue(HostThread& thread) override
    {
        if (m_hasWorked)
        {
            endedAt = FabricEngine::Get()->Now();
            thread.Sleep();
            return;
        }
        m_hasWorked = true;
        thread.Spend(HostTask::CHECK, m_time);
    }

    Tick endedAt{0};

  private:
    Tick m_time;
    bool m_hasWorked{false};
};

/// A core whose interrupts and wake-ups take no time, and a thread that works from 0 on.
class HostNoiseTest : public testing::Test
{
  protected:
    HostNoiseTest()
    {
        UseFabricSimulator();
        const auto costs = CreateObjectWithAttributes<HostCosts>("Interrupt",
                                                                 TimeValue(Time(0)),
                                                                 "IdleExit",
                                                                 TimeValue(Time(0)));
        m_cores = CreateObjectWithAttributes<HostCores>("Cores",
                                                        UintegerValue(1),
                                                        "TimeSlice",
                                                        TimeValue(MilliSeconds(3)));
        m_cores->Start(FabricEngine::Get(), costs, CreateObject<CacheHierarchy>());
    }

    ~HostNoiseTest() override
    {
        m_noise->Dispose();
        m_cores->Dispose();
        Simulator::Destroy();
    }

    /// @return when a step of so much work ends with noise until the given time.
    Tick Run(Tick work, Tick until, uint64_t seed = 1)
    {
        OneStep program(work);
        m_thread = &m_cores->AddThread(program, {});
        Simulator::Schedule(Time(0), [this, seed] {
            m_noise->Start(FabricEngine::Get(), *m_cores, seed, 0);
            m_cores->Notify(*m_thread);
        });
        Simulator::Schedule(ToTime(until), [this] { m_noise->Stop(); });
        Simulator::Run();
        return program.endedAt;
    }

    Ptr<HostCores> m_cores;
    Ptr<HostNoise> m_noise = CreateObject<HostNoise>();
    HostThread* m_thread{nullptr};
};
} // namespace

TEST_F(HostNoiseTest, IsOffByDefault)
{
    EXPECT_EQ(Run(10 * MS, 20 * MS), 10 * MS);
}

TEST_F(HostNoiseTest, AnIntervalThatLeavesNoTimeForThreadsIsAFault)
{
    EXPECT_EQ(m_noise->FindFault(), "");
    m_noise->SetAttribute("ProgramPeriod", TimeValue(MicroSeconds(99)));
    EXPECT_EQ(
        m_noise->FindFault(),
        "ns3::rdma::HostNoise::ProgramPeriod: expected 0 or at least 100 us, got 99000000 ps");
}

TEST_F(HostNoiseTest, TheTimerInterruptHasTheMeasuredMean)
{
    // 580,463 samples of 5 us in the mean, 77,830 of 15, 285 of 25, 154 of 35, 37 of 45 and 4 of
    // 55: 4,084,165 us over 658,773.
    RandomStream random(1, 1);
    constexpr int DRAWS{200'000};
    double sum = 0;
    Tick longest = 0;
    for (int i = 0; i < DRAWS; ++i)
    {
        const Tick time = HostNoise::DrawTimer(random);
        sum += static_cast<double>(time);
        longest = std::max(longest, time);
    }
    EXPECT_NEAR(sum / DRAWS / US, 6.1997, 0.05);
    EXPECT_LT(longest, 60 * US);
}

TEST_F(HostNoiseTest, EachTimerInterruptMakesTheStepLongerByItsDuration)
{
    m_noise->SetAttribute("TimerPeriod", TimeValue(MilliSeconds(1)));
    const Tick delay = Run(100 * MS, 200 * MS) - 100 * MS;
    // 100 interrupts of 6.2 us, and perhaps one more; the standard deviation of the sum is below
    // 50 us (each one's is below 5 us).
    EXPECT_NEAR(static_cast<double>(delay), 100 * 6.2 * US, 150.0 * US);
    EXPECT_EQ(m_cores->GetInterruptTime(0), delay);
    EXPECT_EQ(m_cores->GetUse(*m_thread), 100 * MS); // It is no thread's time.
}

TEST_F(HostNoiseTest, AThreadOfAnotherProgramTakesATimeSlice)
{
    m_noise->SetAttribute("ProgramPeriod", TimeValue(MilliSeconds(40)));
    // In 100 ms of work three phases of 40 ms begin at most: two or three slices of 3 ms.
    const Tick delay = Run(100 * MS, 200 * MS) - 100 * MS;
    EXPECT_TRUE(delay == 6 * MS || delay == 9 * MS) << delay;
    EXPECT_EQ(m_cores->GetInterruptTime(0), 0);
    EXPECT_EQ(m_cores->GetUse(*m_thread), 100 * MS);
}

TEST_F(HostNoiseTest, ShortThreadsComeAtRandomTimesWithTheirMeans)
{
    m_noise->SetAttribute("ServiceInterval", TimeValue(MilliSeconds(1)));
    m_noise->SetAttribute("ServiceTime", TimeValue(MicroSeconds(33)));
    const Tick delay = Run(1000 * MS, 2000 * MS) - 1000 * MS;
    // 1,033 of 33 us; the standard deviation is sqrt(2 x 1,033) x 33 us, 1.5 ms.
    EXPECT_NEAR(static_cast<double>(delay), 34.1 * MS, 4.5 * MS);
}

TEST_F(HostNoiseTest, AnIdleCoreIsNotTaken)
{
    m_noise->SetAttribute("TimerPeriod", TimeValue(MicroSeconds(100)));
    Run(1, 10 * MS); // The thread sleeps after a picosecond.
    EXPECT_EQ(m_cores->GetInterruptTime(0), 0);
}

TEST_F(HostNoiseTest, ARunOfTheSameSeedHasTheSameNoise)
{
    m_noise->SetAttribute("TimerPeriod", TimeValue(MilliSeconds(1)));
    const Tick first = Run(10 * MS, 20 * MS, 1);
    const Tick again = [] {
        // The same draws by hand: the phase, then a duration each millisecond.
        RandomStream random(1, 0x6e6f697300000000ULL);
        Tick at = static_cast<Tick>(random.NextDouble() * MS);
        Tick end = 10 * MS;
        for (; at < end; at += MS)
        {
            end += HostNoise::DrawTimer(random);
        }
        return end;
    }();
    EXPECT_EQ(first, again);
    RandomStream one(1, 0x6e6f697300000000ULL);
    RandomStream two(2, 0x6e6f697300000000ULL);
    EXPECT_NE(one.NextDouble(), two.NextDouble());
}

TEST_F(HostNoiseTest, AnInterruptIsHandledWhileAnotherProgramHasTheCore)
{
    OneStep program(100 * US);
    HostThread& thread = m_cores->AddThread(program, {});
    std::vector<Tick> use;
    Simulator::Schedule(Time(0), [&] { m_cores->Notify(thread); });
    Simulator::Schedule(MicroSeconds(40), [&] { m_cores->Preempt(0, 3 * MS); });
    Simulator::Schedule(MicroSeconds(50), [&] { m_cores->Interrupt(0, 10 * US); });
    for (const int64_t when : {30, 45, 55, 1000, 3060, 3200})
    {
        Simulator::Schedule(MicroSeconds(when), [&] { use.push_back(m_cores->GetUse(thread)); });
    }
    Simulator::Run();
    // 40 us of work, 3 ms and 10 us taken, 60 us of work.
    EXPECT_EQ(program.endedAt, 3110 * US);
    EXPECT_EQ(use, (std::vector<Tick>{30 * US, 40 * US, 40 * US, 40 * US, 50 * US, 100 * US}));
}
