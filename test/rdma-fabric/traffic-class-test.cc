// SPDX-License-Identifier: GPL-2.0-only

// Traffic classes of a switch, and its PFC watchdog.

#include "fabric-test-bench.h"

#include "ns3/pause-storm.h"
#include "ns3/simple-topologies.h"

#include <initializer_list>
#include <map>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr uint64_t RATE{100'000'000'000};
constexpr Tick FRAME{121'920}; ///< (1500 + 24) x 80 ps at 100 Gb/s.
constexpr Tick DELAY{1'000'000};
constexpr Tick CONTROL{6'720}; ///< A PFC frame: (60 + 24) x 80 ps.

/// Four senders 0 .. 3 and a sink, 4, at 100 Gb/s on one switch, node 5.
class TrafficClassTest : public FabricBench
{
  protected:
    static constexpr uint32_t SENDERS{4};
    static constexpr uint32_t SINK{SENDERS};

    void BuildStar()
    {
        Build(MakeStar(SENDERS + 1, DataRate(RATE), MicroSeconds(1)), m_config);
    }

    ClassSettings& Class(uint32_t number)
    {
        if (!m_config.classes)
        {
            m_config.classes.emplace();
        }
        return m_config.classes->at(number);
    }

    /// The switch obeys pauses of these classes: lossy ones are not paused.
    void HoldBack(std::initializer_list<uint32_t> numbers)
    {
        for (const uint32_t number : numbers)
        {
            Class(number).isLossless = true;
        }
    }

    void Weigh(uint32_t number, uint32_t weight)
    {
        if (!m_config.schedule)
        {
            m_config.schedule.emplace();
        }
        m_config.schedule->classes[number].weight = weight;
        m_config.attributes.Set("ns3::rdma::FabricSwitch::EgressScheduler",
                                "ns3::rdma::DwrrScheduler");
    }

    /// The frames are numbered from 0, and have 1500 bytes.
    void Send(uint32_t sender, uint8_t priority, uint32_t count)
    {
        for (uint32_t psn = 0; psn < count; ++psn)
        {
            Frame frame = MakeFrame(sender, SINK, psn, priority, 1500);
            frame.payloadBytes = 1400;
            Server(sender).Send(frame);
        }
    }

    FabricPort& SwitchPort(uint32_t server)
    {
        return *Server(server).GetPort().GetPeer();
    }

    std::size_t CountArrived(uint8_t priority)
    {
        return GetPsns(priority, [](const Frame&) { return true; }).size();
    }

    /// @return the numbers of the marked frames of a class at the sink.
    std::vector<uint32_t> GetMarked(uint8_t priority)
    {
        return GetPsns(priority,
                       [](const Frame& frame) { return (frame.flags & frame_flag::CE) != 0; });
    }

    template <typename Filter>
    std::vector<uint32_t> GetPsns(uint8_t priority, Filter filter)
    {
        std::vector<uint32_t> psns;
        for (const auto& arrival : Server(SINK).arrivals)
        {
            if (arrival.frame.priority == priority && filter(arrival.frame))
            {
                psns.push_back(arrival.frame.psn);
            }
        }
        return psns;
    }

    /// @return the numbers from first to last.
    static std::vector<uint32_t> Range(uint32_t first, uint32_t last)
    {
        std::vector<uint32_t> numbers;
        for (uint32_t number = first; number <= last; ++number)
        {
            numbers.push_back(number);
        }
        return numbers;
    }

    FabricConfig m_config;
};

/// The same with a watchdog of 100 us and 200 us.
class PfcWatchdogTest : public TrafficClassTest
{
  protected:
    static constexpr Tick DETECTION{100'000'000};
    static constexpr Tick RESTORATION{200'000'000};

    void BuildWatched(bool isForwarding)
    {
        m_config.watchdog = PfcWatchdogConfig{DETECTION, RESTORATION, isForwarding};
        BuildStar();
    }

    void TearDown() override
    {
        m_storm = nullptr;
        TrafficClassTest::TearDown();
    }

    /// The sink pauses class 3 from the start.
    void Storm(Tick end)
    {
        m_storm = std::make_unique<PauseStorm>(Core(), Server(SINK).GetPort(), 3, 0, end);
    }

    /// When the first pause has arrived at the switch.
    static constexpr Tick PAUSED{CONTROL + DELAY};

    std::unique_ptr<PauseStorm> m_storm;
};

} // namespace

TEST_F(TrafficClassTest, EachLosslessClassKeepsItsFramesAndALossyOneDoesNot)
{
    SetDefault("PfcEnabled", "true");
    SetDefault("BufferSize", "1048576");
    Class(2).isLossless = true;
    Class(2).headroom[RATE] = 50'000;
    Class(3).headroom[RATE] = 40'000;
    BuildStar();
    for (uint32_t sender = 0; sender < SENDERS; ++sender)
    {
        for (const uint8_t priority : {1, 2, 3})
        {
            Send(sender, priority, 400);
        }
    }
    Simulator::Run();
    EXPECT_EQ(CountArrived(2), SENDERS * 400);
    EXPECT_EQ(CountArrived(3), SENDERS * 400);
    EXPECT_LT(CountArrived(1), SENDERS * 400);
    EXPECT_EQ(CountArrived(1) + CountDrops(DropReason::BUFFER_FULL), SENDERS * 400);
    EXPECT_EQ(Core().losslessDrops, 0);
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}

TEST_F(TrafficClassTest, SetsAsideReserveAndHeadroomOfEachClass)
{
    const TopologyGraph graph = MakeStar(SENDERS + 1, DataRate(RATE), MicroSeconds(1));
    Class(3).headroom[RATE] = 1000;
    Class(4).isLossless = true;
    Class(4).headroom[RATE] = 500;
    Class(4).reserveBytes = 10;
    Class(5).reserveBytes = 20; // Lossy.
    // Five ports, each 4096 (QueueReserve) + 1000 + 10 + 500 + 20 bytes.
    EXPECT_EQ(Fabric::GetSetAside(graph, m_config), 5 * 5626);
    Class(3).isLossless = false;
    EXPECT_EQ(Fabric::GetSetAside(graph, m_config), 5 * 530);
    m_config.pools = {1000, 2000};
    EXPECT_EQ(Fabric::GetSetAside(graph, m_config), 5 * 530 + 3000);
}

TEST_F(TrafficClassTest, MarksByTheThresholdsAndThePointOfEachClass)
{
    // Thresholds of 10,000 bytes. Class 1 does not mark, class 2 marks at dequeue, 4 at enqueue.
    m_config.ecn[RATE] = {UINT64_MAX, UINT64_MAX, 0};
    for (const uint32_t number : {2, 4})
    {
        Class(number).ecn[RATE] = {10'000, 10'000, 1};
    }
    HoldBack({1, 2, 4});
    Class(4).markingPoint = MarkingPoint::ENQUEUE;
    BuildStar();
    for (const uint8_t priority : {1, 2, 4})
    {
        Server(SINK).GetPort().SendPause(priority, 65535);
    }
    At(3'000'000, [this] {
        Send(0, 1, 20);
        Send(1, 2, 20);
        Send(2, 4, 20);
    });
    Simulator::Run();
    EXPECT_EQ(CountArrived(1), 20);
    EXPECT_TRUE(GetMarked(1).empty());
    // Frame i leaves 19 - i frames of 1500 bytes behind: above 10,000 up to i = 12.
    EXPECT_EQ(GetMarked(2), Range(0, 12));
    // Frame i finds i frames: above 10,000 from i = 7 on.
    EXPECT_EQ(GetMarked(4), Range(7, 19));
}

TEST_F(TrafficClassTest, AClassWithoutSettingsMarksAsBefore)
{
    m_config.ecn[RATE] = {10'000, 10'000, 1};
    Class(2).isUnmarked = true;
    HoldBack({2, 3});
    BuildStar();
    for (const uint8_t priority : {2, 3})
    {
        Server(SINK).GetPort().SendPause(priority, 65535);
    }
    At(3'000'000, [this] {
        Send(0, 2, 20);
        Send(1, 3, 20);
    });
    Simulator::Run();
    EXPECT_TRUE(GetMarked(2).empty());
    EXPECT_EQ(GetMarked(3), Range(0, 12));
}

TEST_F(TrafficClassTest, WeightsShareTheBottleneckOfASwitch)
{
    Weigh(1, 1);
    Weigh(2, 3);
    BuildStar();
    Send(0, 1, 400);
    Send(1, 2, 400);
    Simulator::Run();
    // Class 2 has three quarters until its last frame, number 400 of 533 1/3 frames. A round has
    // (1 + 3) x 256 bytes, and each class is within a round and a frame of its share.
    std::size_t others = 0;
    for (const auto& arrival : Server(SINK).arrivals)
    {
        others += arrival.frame.priority == 1;
        if (arrival.frame.priority == 2 && arrival.frame.psn == 399)
        {
            break;
        }
    }
    EXPECT_NEAR(static_cast<double>(others), 400.0 / 3, 2);
    EXPECT_EQ(GetPsns(1, [](const Frame&) { return true; }), Range(0, 399));
    EXPECT_EQ(GetPsns(2, [](const Frame&) { return true; }), Range(0, 399));
}

TEST_F(TrafficClassTest, TheAlphaOfAClassBoundsItsQueue)
{
    // Two ingress queues fill one egress queue. Each holds alpha times what both leave free, so
    // that both hold 2 alpha / (1 + 2 alpha) of the memory: two thirds and a third. A queue is
    // within a frame of its bound.
    SetDefault("BufferSize", "1000000");
    SetDefault("LosslessPriorities", "0");
    Class(1).alpha[RATE] = 1;
    Class(2).alpha[RATE] = 0.25;
    BuildStar();
    for (const auto& [priority, share] : std::map<uint8_t, double>{{1, 2.0 / 3}, {2, 1.0 / 3}})
    {
        // 1200 frames take 146 us at a sender; the queue grows by 12.5 kB per us and is full in 54
        // us.
        Send(0, priority, 1200);
        Send(1, priority, 1200);
        RunUntil(Simulator::Now().GetPicoSeconds() + 100'000'000);
        EXPECT_NEAR(SwitchPort(SINK).GetQueueBytes(priority), share * 1'000'000, 2 * 1500);
        Simulator::Run();
    }
}

TEST_F(TrafficClassTest, ALossyClassCannotTakeThePoolOfALosslessOne)
{
    SetDefault("BufferSize", "1000000");
    m_config.pools = {170'000, 300'000};
    Class(1).pool = 0;
    Class(1).alpha[RATE] = 8;
    HoldBack({3});
    Class(3).pool = 1;
    Class(3).alpha[RATE] = 1;
    Class(3).reserveBytes = 0;
    BuildStar();
    Server(SINK).GetPort().SendPause(3, 65535);
    // The port of the sink carries class 1 of two senders: their queue grows by 12.5 kB per us.
    Send(0, 1, 1200);
    Send(1, 1, 1200);
    At(100'000'000, [this] { Send(2, 3, 300); });
    RunUntil(140'000'000);
    // Two ingress queues hold 2 alpha / (1 + 2 alpha) of their pool, 16 / 17.
    EXPECT_NEAR(SwitchPort(SINK).GetQueueBytes(1), 160'000, 2 * 1500);
    EXPECT_GT(CountDrops(DropReason::BUFFER_FULL), 0);
    // Frame k of class 3 fits while 1500 k <= 300,000 - 1500 (k - 1): up to k = 100.
    EXPECT_EQ(SwitchPort(SINK).GetQueueBytes(3), 100 * 1500);
    Simulator::Run();
    EXPECT_EQ(CountArrived(3), 100);
    EXPECT_EQ(m_fabric->GetSwitch(SENDERS + 1)->GetBuffer().GetTotalUsed(), 0);
}

TEST_F(TrafficClassTest, AStaticEgressLimitBoundsTheQueueOfEachPort)
{
    SetDefault("PfcEnabled", "true");
    HoldBack({2, 3});
    Class(2).egressLimitBytes = 30'000; // 20 frames.
    Class(3).egressLimitBytes = 29'999; // 19 frames.
    BuildStar();
    for (const uint8_t priority : {2, 3})
    {
        Server(SINK).GetPort().SendPause(priority, 65535);
        Server(3).GetPort().SendPause(priority, 65535);
    }
    At(3'000'000, [this] {
        Send(0, 2, 15);
        Send(1, 2, 15);
        Send(2, 3, 30);
        for (uint32_t psn = 0; psn < 20; ++psn)
        {
            Server(0).Send(MakeFrame(0, 3, psn, 2, 1500));
        }
    });
    RunUntil(30'000'000);
    EXPECT_EQ(SwitchPort(SINK).GetQueueBytes(2), 30'000);
    EXPECT_EQ(SwitchPort(SINK).GetQueueBytes(3), 28'500);
    EXPECT_EQ(SwitchPort(3).GetQueueBytes(2), 30'000);
    EXPECT_EQ(CountDrops(DropReason::BUFFER_FULL), 10 + 11);
    EXPECT_EQ(Core().losslessDrops, 10 + 11);
    Simulator::Run();
    EXPECT_EQ(CountArrived(2), 20);
    EXPECT_EQ(CountArrived(3), 19);
}

TEST_F(TrafficClassTest, ADynamicEgressLimitIsAShareOfTheFreePool)
{
    SetDefault("BufferSize", "1000000");
    m_config.pools = {300'000};
    HoldBack({2});
    Class(2).pool = 0;
    Class(2).reserveBytes = 0;
    Class(2).alpha[RATE] = 8;
    Class(2).egressAlpha = 0.5;
    BuildStar();
    Server(SINK).GetPort().SendPause(2, 65535);
    At(3'000'000, [this] { Send(0, 2, 100); });
    RunUntil(30'000'000);
    // Frame k fits while 1500 k <= 0.5 (300,000 - 1500 (k - 1)): up to k = 67.
    EXPECT_EQ(SwitchPort(SINK).GetQueueBytes(2), 67 * 1500);
    EXPECT_EQ(CountDrops(DropReason::BUFFER_FULL), 33);
    Simulator::Run();
    EXPECT_EQ(CountArrived(2), 67);
}

TEST_F(TrafficClassTest, AFrameBeyondTheEgressLimitIsTrimmedIfTheSwitchTrims)
{
    SetDefault("AdmissionPolicy", "ns3::rdma::TrimmingAdmission");
    HoldBack({3});
    Class(3).egressLimitBytes = 6000; // Less than a bandwidth-delay product.
    BuildStar();
    Server(SINK).GetPort().SendPause(3, 65535);
    At(3'000'000, [this] { Send(0, 3, 10); });
    RunUntil(30'000'000);
    EXPECT_EQ(SwitchPort(SINK).GetQueueBytes(3), 6000);
    EXPECT_EQ(Core().trims, 6);
    EXPECT_EQ(CountDrops(DropReason::BUFFER_FULL), 0);
    EXPECT_EQ(Server(SINK).arrivals.size(), 6);
    Simulator::Run();
}

TEST_F(TrafficClassTest, APauseOfALossyClassHasNoEffectOnASwitch)
{
    HoldBack({3});
    Class(1).isLossless = false;
    BuildStar();
    for (const uint8_t priority : {1, 3})
    {
        Server(SINK).GetPort().SendPause(priority, 65535);
    }
    At(3'000'000, [this] {
        Send(0, 1, 20);
        Send(1, 3, 20);
    });
    // 20 frames take 2.4 us at a port, and each link 1 us; the pause lasts 335 us.
    RunUntil(20'000'000);
    EXPECT_EQ(CountArrived(1), 20);
    EXPECT_EQ(CountArrived(3), 0);
    Simulator::Run();
    EXPECT_EQ(CountArrived(3), 20);
}

TEST_F(PfcWatchdogTest, DropsTheQueueOfAStormWhenItsTimeHasPassed)
{
    BuildWatched(false);
    Storm(TICK_NEVER);
    At(2'000'000, [this] {
        Send(0, 3, 10);
        Send(1, 2, 10);
    });
    RunUntil(PAUSED + DETECTION - 1);
    EXPECT_EQ(CountArrived(2), 10); // The other classes are not affected.
    EXPECT_EQ(Core().pauseStorms, 0);
    EXPECT_EQ(SwitchPort(SINK).GetQueueBytes(3), 15'000);
    RunUntil(PAUSED + DETECTION + 1);
    EXPECT_EQ(Core().pauseStorms, 1);
    EXPECT_EQ(CountDrops(DropReason::PAUSE_STORM), 10);
    EXPECT_EQ(SwitchPort(SINK).GetQueueBytes(3), 0);
    EXPECT_EQ(m_fabric->GetSwitch(SENDERS + 1)->GetBuffer().GetTotalUsed(), 0);
    // Frames that arrive in the storm are dropped, too; the other classes pass.
    Send(0, 3, 5);
    Send(1, 2, 5);
    RunUntil(PAUSED + DETECTION + 10'000'000);
    EXPECT_EQ(CountDrops(DropReason::PAUSE_STORM), 15);
    EXPECT_EQ(CountArrived(2), 15);
    EXPECT_EQ(CountArrived(3), 0);
    EXPECT_EQ(Core().losslessDrops, 0);
}

TEST_F(PfcWatchdogTest, SendsAgainWhenNoPauseHasComeForTheRestorationTime)
{
    BuildWatched(false);
    // Pauses every 65535 x 512 bit / 2 = 167.77 us: the last one at 167.77 us.
    Storm(300'000'000);
    At(2'000'000, [this] { Send(0, 3, 10); });
    const Tick ended = 167'769'600 + PAUSED + RESTORATION;
    RunUntil(ended - 10'000'000);
    Send(0, 3, 5); // The port is not paused any more, but the storm has not ended.
    RunUntil(ended - 1'000);
    EXPECT_EQ(CountDrops(DropReason::PAUSE_STORM), 15);
    EXPECT_EQ(Core().pauseStormsEnded, 0);
    RunUntil(ended + 1'000);
    EXPECT_EQ(Core().pauseStormsEnded, 1);
    Send(0, 3, 5);
    Simulator::Run();
    EXPECT_EQ(CountArrived(3), 5);
    EXPECT_EQ(Core().pauseStorms, 1);
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}

TEST_F(PfcWatchdogTest, AStormDoesNotEndWithinAPause)
{
    BuildWatched(false);
    // One pause of 65535 x 512 bit, 335.54 us: longer than the restoration time.
    constexpr Tick PAUSE{335'539'200};
    Server(SINK).GetPort().SendPause(3, 65535);
    At(2'000'000, [this] { Send(0, 3, 10); });
    RunUntil(PAUSED + PAUSE - 1);
    EXPECT_EQ(Core().pauseStorms, 1);
    EXPECT_EQ(Core().pauseStormsEnded, 0);
    RunUntil(PAUSED + PAUSE + 1);
    EXPECT_EQ(Core().pauseStormsEnded, 1);
    Send(0, 3, 5);
    Simulator::Run();
    EXPECT_EQ(Core().pauseStorms, 1);
    EXPECT_EQ(CountArrived(3), 5);
}

TEST_F(PfcWatchdogTest, ForwardsTheFramesOfAStorm)
{
    BuildWatched(true);
    Storm(TICK_NEVER);
    At(2'000'000, [this] { Send(0, 3, 10); });
    RunUntil(PAUSED + DETECTION - 1);
    EXPECT_EQ(CountArrived(3), 0);
    RunUntil(PAUSED + DETECTION + 10 * FRAME + DELAY + 1);
    EXPECT_EQ(CountArrived(3), 10);
    EXPECT_EQ(CountDrops(DropReason::PAUSE_STORM), 0);
    EXPECT_EQ(Core().pauseStorms, 1);
}

TEST_F(PfcWatchdogTest, AStormGoesOnBetweenTwoPauseFrames)
{
    for (const bool isForwarding : {false, true})
    {
        // Pause frames arrive every 167.77 us, three times the restoration time.
        m_config.watchdog = PfcWatchdogConfig{DETECTION, 50'000'000, isForwarding};
        BuildStar();
        Storm(TICK_NEVER);
        At(2'000'000, [this] { Send(0, 3, 10); });
        RunUntil(2'000'000'000);
        EXPECT_EQ(Core().pauseStorms, 1);
        EXPECT_EQ(Core().pauseStormsEnded, 0);
        TearDown();
    }
}

TEST_F(PfcWatchdogTest, AShortPauseIsNoStorm)
{
    BuildWatched(false);
    // 90 us of pause, then a resume, and again 90 us: never 100 us without interruption.
    Storm(90'000'000);
    At(2'000'000, [this] { Send(0, 3, 1000); });
    At(91'500'000, [this] { Server(SINK).GetPort().SendPause(3, 65535); });
    At(181'500'000, [this] { Server(SINK).GetPort().SendPause(3, 0); });
    Simulator::Run();
    EXPECT_EQ(Core().pauseStorms, 0);
    EXPECT_EQ(CountArrived(3), 1000);
}

TEST_F(PfcWatchdogTest, AnEmptyQueueIsExaminedAgain)
{
    BuildWatched(false);
    Storm(TICK_NEVER);
    // The frame arrives after the detection time of the pause: found within a quarter of it.
    At(PAUSED + DETECTION + 5'000'000, [this] { Send(0, 3, 1); });
    RunUntil(PAUSED + DETECTION + DETECTION / 4 + 1);
    EXPECT_EQ(Core().pauseStorms, 1);
    EXPECT_EQ(CountDrops(DropReason::PAUSE_STORM), 1);
}
