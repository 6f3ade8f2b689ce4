// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/dwrr-scheduler.h"

#include "fabric-test-bench.h"

#include "ns3/policy-error.h"
#include "ns3/random-stream.h"
#include "ns3/register-type.h"
#include "ns3/simple-topologies.h"
#include "ns3/uinteger.h"

#include <deque>
#include <map>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// @param weights by class number; absent: strict, on the level of its number
PortSchedule
MakeSchedule(const std::map<uint32_t, uint32_t>& weights)
{
    PortSchedule schedule;
    for (const auto& [number, weight] : weights)
    {
        schedule.classes[number].weight = weight;
    }
    return schedule;
}

Ptr<DwrrScheduler>
MakeDwrr(const std::map<uint32_t, uint32_t>& weights, uint32_t quantum = 256)
{
    auto scheduler = CreateObject<DwrrScheduler>();
    scheduler->SetAttribute("Quantum", UintegerValue(quantum));
    scheduler->Start(MakeSchedule(weights));
    return scheduler;
}

constexpr uint32_t UNKNOWN{0};

/// The queues of a port without the port.
class Queues
{
  public:
    explicit Queues(Ptr<DwrrScheduler> scheduler)
        : m_scheduler(scheduler)
    {
    }

    void Append(uint32_t number, uint32_t bytes)
    {
        m_frames[number].push_back(bytes);
    }

    /// Sends a frame. @return its class
    uint32_t Send()
    {
        EgressQueues queues;
        for (uint32_t number = 0; number < PRIORITIES; ++number)
        {
            if (m_frames[number].empty())
            {
                continue;
            }
            queues.waiting |= 1U << number;
            queues.headBytes[number] = areSizesKnown ? m_frames[number].front() : UNKNOWN;
        }
        queues.eligible = queues.waiting & ~paused;
        const uint32_t chosen = m_scheduler->Choose(queues);
        m_scheduler->OnSend(chosen, m_frames[chosen].front());
        sentBytes[chosen] += m_frames[chosen].front();
        m_frames[chosen].pop_front();
        return chosen;
    }

    std::vector<uint32_t> Send(uint32_t count)
    {
        std::vector<uint32_t> classes;
        for (uint32_t sent = 0; sent < count; ++sent)
        {
            classes.push_back(Send());
        }
        return classes;
    }

    std::size_t GetCount(uint32_t number) const
    {
        return m_frames[number].size();
    }

    uint32_t paused{0};
    bool areSizesKnown{true};
    std::array<uint64_t, PRIORITIES> sentBytes{};

  private:
    Ptr<DwrrScheduler> m_scheduler;
    std::array<std::deque<uint32_t>, PRIORITIES> m_frames;
};

using Classes = std::vector<uint32_t>;

/// Keeps 2 to 8 classes of random weights backlogged with frames of random sizes, and compares the
/// bytes of each class with its exact share after each frame.
void
CheckShares(uint64_t seed, bool areSizesKnown)
{
    constexpr uint32_t LARGEST{9024};
    RandomStream random(seed, 0);
    const uint32_t count = 2 + random.NextBelow(7);
    const uint32_t first = random.NextBelow(PRIORITIES - count + 1);
    std::map<uint32_t, uint32_t> weights;
    uint32_t total = 0;
    for (uint32_t number = first; number < first + count; ++number)
    {
        weights[number] = 1 + random.NextBelow(100);
        total += weights[number];
    }
    const uint32_t unit = 1U << random.NextBelow(13);
    Queues queues(MakeDwrr(weights, unit));
    queues.areSizesKnown = areSizesKnown;
    uint64_t sent = 0;
    for (uint32_t frame = 0; frame < 3000; ++frame)
    {
        for (const auto& [number, weight] : weights)
        {
            if (queues.GetCount(number) < 2)
            {
                // Some classes have small frames only.
                const uint32_t least = 84;
                const uint32_t most = number % 2 == 0 ? LARGEST : 300;
                queues.Append(number, least + random.NextBelow(most - least + 1));
            }
        }
        queues.Send();
        sent = 0;
        for (const uint64_t bytes : queues.sentBytes)
        {
            sent += bytes;
        }
        for (const auto& [number, weight] : weights)
        {
            // After k whole rounds, x = bytes - k * quantum is above -LARGEST, and at most the
            // quantum, for each class. With share s, the error is (1 - s) x - s * (sum of the
            // others' x). For unknown sizes a class may send up to a frame more than its quanta,
            // and less than its quanta by nothing: the bounds of x move up by a frame.
            const double share = static_cast<double>(weight) / total;
            const double quantum = static_cast<double>(weight) * unit;
            const double error =
                static_cast<double>(queues.sentBytes[number]) - share * static_cast<double>(sent);
            const double over = (1 - share) * quantum + share * (count - 1.0) * LARGEST;
            const double under = (1 - share) * (quantum + LARGEST);
            const double excess = (1 - share) * (quantum + LARGEST);
            const double lack = (1 - share) * quantum + share * (count - 1.0) * LARGEST;
            ASSERT_LE(error, areSizesKnown ? over : excess) << "seed " << seed;
            ASSERT_GE(error, areSizesKnown ? -under : -lack) << "seed " << seed;
        }
    }
}

/// Answers every call with one class.
class StubbornScheduler : public EgressScheduler
{
  public:
    static TypeId GetTypeId();

  private:
    uint32_t DoChoose(const EgressQueues&) override
    {
        return 7;
    }
};

RDMA_REGISTER_CLASS(StubbornScheduler, EgressScheduler, "RdmaFabricTest");

constexpr Tick FRAME{81'920}; ///< (1000 + 24) x 80 ps at 100 Gb/s.

/// Two servers on one link of 100 Gb/s; the port of the first has a scheduler.
class ScheduledPortTest : public FabricBench
{
  protected:
    void SetUp() override
    {
        FabricBench::SetUp();
        Build(MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1)));
    }

    /// @return the scheduler of the port, with a quantum of one frame of 1000 bytes per weight.
    Ptr<DwrrScheduler> Schedule(const std::map<uint32_t, uint32_t>& weights)
    {
        auto scheduler = MakeDwrr(weights, 1024);
        Server(0).GetPort().SetScheduler(scheduler);
        return scheduler;
    }

    void Send(uint32_t psn, uint8_t priority, uint32_t bytes = 1000)
    {
        Server(0).Send(MakeFrame(0, 1, psn, priority, bytes));
    }
};

/// An owner of a port that has frames of several classes, made when they are pulled.
class ClassOwner : public TestServer
{
  public:
    using TestServer::TestServer;

    PulledFrame Pull(FabricPort& port, uint32_t classNumber) override
    {
        pulled.push_back(classNumber);
        if (left[classNumber] == 0 || port.IsPaused(static_cast<uint8_t>(classNumber)))
        {
            return {};
        }
        --left[classNumber];
        const FrameIndex index = core->pool.Allocate();
        core->pool[index] = MakeFrame(0, 1, 0, static_cast<uint8_t>(classNumber), 1000);
        return {index, left[classNumber] > 0};
    }

    FabricCore* core{nullptr};
    std::array<uint32_t, PRIORITIES> left{};
    Classes pulled;
};

/// The same with a ClassOwner at the first port.
class ClassOwnerTest : public ScheduledPortTest
{
  protected:
    void SetUp() override
    {
        ScheduledPortTest::SetUp();
        m_owner = std::make_unique<ClassOwner>(Core(), Port());
        m_owner->core = &Core();
        Port().SetOwner(m_owner.get(), 0b1100);
    }

    void TearDown() override
    {
        m_owner = nullptr;
        ScheduledPortTest::TearDown();
    }

    FabricPort& Port()
    {
        return Server(0).GetPort();
    }

    /// @return the classes of the frames that arrived, in order.
    Classes GetArrived()
    {
        Classes classes;
        for (const auto& arrival : Server(1).arrivals)
        {
            classes.push_back(arrival.frame.priority);
        }
        return classes;
    }

    std::unique_ptr<ClassOwner> m_owner;
};

} // namespace

TEST(DwrrScheduler, KeepsEachClassWithinAQuantumAndAFrameOfItsShare)
{
    for (uint64_t seed = 1; seed <= 300; ++seed)
    {
        CheckShares(seed, true);
    }
}

TEST(DwrrScheduler, KeepsTheSharesOfFramesThatTheOwnerHasNotMade)
{
    for (uint64_t seed = 1; seed <= 300; ++seed)
    {
        CheckShares(seed, false);
    }
}

TEST(DwrrScheduler, SendsFramesWhileTheDeficitLasts)
{
    // Quanta of 500 and 1000. Class 1, turn 1: deficit 500, too small for 600. Class 2: 1000, one
    // frame of 600, 400 left. Class 1: 1000, one frame, 400 left. Class 2: 1400, two frames.
    Queues queues(MakeDwrr({{1, 1}, {2, 2}}, 500));
    for (uint32_t frame = 0; frame < 10; ++frame)
    {
        queues.Append(1, 600);
        queues.Append(2, 600);
    }
    EXPECT_EQ(queues.Send(4), (Classes{2, 1, 2, 2}));
}

TEST(DwrrScheduler, ForgetsTheDeficitOfAnEmptyClass)
{
    auto scheduler = MakeDwrr({{1, 1}, {2, 1}}, 1000);
    Queues queues(scheduler);
    queues.Append(1, 100);
    EXPECT_EQ(queues.Send(), 1);
    EXPECT_EQ(scheduler->GetDeficit(1), 900);
    queues.Append(2, 1000);
    EXPECT_EQ(queues.Send(), 2);
    EXPECT_EQ(scheduler->GetDeficit(1), 0);
    EXPECT_EQ(scheduler->GetDeficit(2), 0);
}

TEST(DwrrScheduler, KeepsTheDeficitOfAPausedClassAndAddsNothing)
{
    auto scheduler = MakeDwrr({{1, 1}, {2, 1}}, 1000);
    Queues queues(scheduler);
    for (uint32_t frame = 0; frame < 20; ++frame)
    {
        queues.Append(1, 400);
        queues.Append(2, 1000);
    }
    EXPECT_EQ(queues.Send(2), (Classes{1, 1}));
    EXPECT_EQ(scheduler->GetDeficit(1), 200);
    queues.paused = 1U << 1;
    EXPECT_EQ(queues.Send(5), (Classes{2, 2, 2, 2, 2}));
    EXPECT_EQ(scheduler->GetDeficit(1), 200);
    queues.paused = 0;
    EXPECT_EQ(queues.Send(4), (Classes{1, 1, 1, 2})); // 200 + 1000 bytes.
}

TEST(DwrrScheduler, ServesStrictLevelsAroundTheWeightedOne)
{
    // Classes 2 and 4 share the level of class 4: class 3 is below, class 5 above.
    Queues queues(MakeDwrr({{2, 1}, {4, 1}}, 1000));
    for (const uint32_t number : {2, 3, 4, 5, 2, 3, 4, 5})
    {
        queues.Append(number, 1000);
    }
    EXPECT_EQ(queues.Send(8), (Classes{5, 5, 2, 4, 2, 4, 3, 3}));
}

TEST(DwrrScheduler, ServesTheLevelsOfTheConfiguration)
{
    PortSchedule schedule = MakeSchedule({{3, 1}});
    schedule.classes[0].level = 7;
    schedule.classes[7].level = 1;
    auto scheduler = CreateObject<DwrrScheduler>();
    scheduler->Start(schedule);
    Queues queues(scheduler);
    for (const uint32_t number : {7, 3, 0})
    {
        queues.Append(number, 1000);
    }
    EXPECT_EQ(queues.Send(3), (Classes{0, 3, 7}));
}

TEST(EgressScheduler, NamesTheSchedulerThatChoosesAClassWithoutFrames)
{
    auto scheduler = CreateObject<StubbornScheduler>();
    scheduler->Start({});
    EgressQueues queues;
    queues.waiting = queues.eligible = 0b1000;
    try
    {
        scheduler->Choose(queues);
        FAIL() << "an answer outside the eligible bits was accepted";
    }
    catch (const PolicyError& error)
    {
        EXPECT_EQ(
            std::string(error.what()),
            "ns3::rdma::StubbornScheduler: Choose(): expected a class of the eligible bits 8, "
            "got 7");
    }
}

TEST_F(ScheduledPortTest, SharesThePortByWeightAndKeepsTheOrderOfEachClass)
{
    Schedule({{1, 1}, {2, 3}});
    for (uint32_t psn = 0; psn < 40; ++psn)
    {
        Send(psn, 1);
        Send(100 + psn, 2);
    }
    Simulator::Run();
    // The first frame finds the port idle and takes the first turn of class 1.
    std::vector<uint32_t> expected;
    for (uint32_t round = 0; round < 4; ++round)
    {
        expected.insert(expected.end(), {round, 100 + 3 * round, 101 + 3 * round, 102 + 3 * round});
    }
    auto psns = Server(1).GetPsns();
    ASSERT_EQ(psns.size(), 80);
    psns.resize(expected.size());
    EXPECT_EQ(psns, expected);
    EXPECT_EQ(Server(1).arrivals.back().time, 80 * FRAME + 1'000'000);
}

TEST_F(ScheduledPortTest, CountsAFrameThatFindsThePortIdle)
{
    auto scheduler = Schedule({{1, 3}, {2, 1}});
    Send(0, 1);
    EXPECT_EQ(scheduler->GetDeficit(1), 2 * 1024); // Quantum 3072 less 1024 bytes on the wire.
    Send(1, 2);
    for (uint32_t psn = 2; psn < 6; ++psn)
    {
        Send(psn, 1);
    }
    Simulator::Run();
    EXPECT_EQ(Server(1).GetPsns(), (std::vector<uint32_t>{0, 2, 3, 1, 4, 5}));
}

TEST_F(ScheduledPortTest, SendsMacControlBeforeAllClasses)
{
    Schedule({{1, 1}, {2, 1}});
    std::vector<bool> isControl;
    Server(0).GetPort().GetTraces().transmit.ConnectWithoutContext(
        Callback<void, const Frame&>([&isControl](const Frame& frame) {
            isControl.push_back((frame.flags & frame_flag::MAC_CONTROL) != 0);
        }));
    Send(0, 1);
    Send(1, 1);
    Send(2, 2);
    Server(0).GetPort().SendPause(4, 1);
    Simulator::Run();
    EXPECT_EQ(isControl, (std::vector<bool>{false, true, false, false}));
}

TEST_F(ScheduledPortTest, APauseStopsItsClassOnly)
{
    Schedule({{1, 1}, {2, 1}});
    Server(1).GetPort().SendPause(1, 65535); // 335.5 us.
    At(2'000'000, [this] {
        for (uint32_t psn = 0; psn < 3; ++psn)
        {
            Send(psn, 1);
            Send(10 + psn, 2);
        }
    });
    RunUntil(100'000'000);
    EXPECT_EQ(Server(1).GetPsns(), (std::vector<uint32_t>{10, 11, 12}));
    Simulator::Run();
    EXPECT_EQ(Server(1).GetPsns(), (std::vector<uint32_t>{10, 11, 12, 0, 1, 2}));
}

TEST_F(ClassOwnerTest, PullsTheHighestReadyClassFirst)
{
    m_owner->left = {0, 0, 2, 2};
    Port().Kick();
    Simulator::Run();
    EXPECT_EQ(GetArrived(), (Classes{3, 3, 2, 2}));
    EXPECT_EQ(m_owner->pulled, (Classes{3, 3, 2, 2}));
}

TEST_F(ClassOwnerTest, PullsOnlyTheClassesThatWereKicked)
{
    m_owner->left = {0, 0, 1, 1};
    Port().Kick(1U << 2);
    Simulator::Run();
    EXPECT_EQ(m_owner->pulled, (Classes{2}));
}

TEST_F(ClassOwnerTest, PullsTheNextClassIfOneIsEmptyOrPaused)
{
    Server(1).GetPort().SendPause(3, 65535);
    m_owner->left = {0, 0, 2, 1};
    At(2'000'000, [this] { Port().Kick(); });
    RunUntil(100'000'000);
    EXPECT_EQ(GetArrived(), (Classes{2, 2}));
    Simulator::Run();
    EXPECT_EQ(GetArrived(), (Classes{2, 2, 3}));
}

TEST_F(ClassOwnerTest, SharesThePortAmongClassesOfTheOwnerAndQueuedFrames)
{
    Schedule({{1, 1}, {2, 1}, {3, 2}});
    m_owner->left = {0, 0, 10, 10};
    Port().Kick();
    for (uint32_t psn = 0; psn < 10; ++psn)
    {
        Server(0).Send(MakeFrame(0, 1, psn, 1, 1000));
    }
    Simulator::Run();
    auto arrived = GetArrived();
    ASSERT_EQ(arrived.size(), 30);
    arrived.resize(16);
    // All frames have 1024 bytes on the wire, the quantum of weight 1.
    EXPECT_EQ(arrived, (Classes{2, 3, 3, 1, 2, 3, 3, 1, 2, 3, 3, 1, 2, 3, 3, 1}));
}

TEST_F(ClassOwnerTest, AnEmptyOwnerDoesNotHoldUpAScheduledPort)
{
    Schedule({{1, 1}, {2, 1}, {3, 2}});
    m_owner->left = {0, 0, 0, 1};
    Port().Kick();
    Simulator::Run();
    EXPECT_EQ(GetArrived(), (Classes{3}));
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}
