// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-port.h"

#include "fabric-test-bench.h"

#include "ns3/loss-models.h"
#include "ns3/simple-topologies.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// A frame of 1000 bytes: (1000 + 24) x 80 ps at 100 Gb/s.
constexpr Tick FRAME{81'920};
/// A PFC frame: (60 + 24) x 80 ps.
constexpr Tick CONTROL{6'720};
constexpr Tick DELAY{1'000'000};

/// Two servers on one link of 100 Gb/s and 1 us.
class FabricPortTest : public FabricBench
{
  protected:
    void SetUp() override
    {
        FabricBench::SetUp();
        Connect({});
    }

    void Connect(const FabricConfig& config)
    {
        Clear();
        Build(MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1)), config);
    }

    /// Server 0 sends server 1 a frame of that number, priority and size.
    void Send(uint32_t psn, uint8_t priority = 3, uint32_t bytes = 1000)
    {
        Server(0).Send(MakeFrame(0, 1, psn, priority, bytes));
    }

    /// @return when a frame of that size arrives that is sent now.
    Tick Measure(uint32_t bytes)
    {
        const Tick start = Core().engine->Now();
        Send(0, 3, bytes);
        Simulator::Run();
        return Server(1).arrivals.back().time - start;
    }

    /// Loses the frames of these numbers, counted from 0, that leave by the server's port.
    void Lose(uint32_t server, std::vector<uint64_t> numbers)
    {
        auto loss = CreateObject<ScriptedLoss>();
        loss->SetScript([numbers](const Frame&, uint64_t number) {
            return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
        });
        Server(server).GetPort().SetLossModel(loss);
    }

    FabricPort& Port(uint32_t server)
    {
        return Server(server).GetPort();
    }
};

using Psns = std::vector<uint32_t>;
using Times = std::vector<Tick>;

} // namespace

TEST_F(FabricPortTest, DeliversAfterSerializationAndDelay)
{
    EXPECT_EQ(Measure(1000), FRAME + DELAY);
    // 9000 + 24 bytes at 80 ps.
    EXPECT_EQ(Measure(9000), 721'920 + DELAY);
    // The shortest frames are padded: 60 + 24 bytes.
    EXPECT_EQ(Measure(60), 6'720 + DELAY);
    EXPECT_EQ(Measure(59), 6'720 + DELAY);
    EXPECT_EQ(Measure(1), 6'720 + DELAY);
    EXPECT_EQ(Measure(61), 6'800 + DELAY);
}

TEST_F(FabricPortTest, CountsBareBytesWithoutEthernetOverhead)
{
    FabricConfig config;
    config.hasEthernetOverhead = false;
    Connect(config);
    EXPECT_EQ(Measure(1000), 80'000 + DELAY);
    EXPECT_EQ(Measure(40), 3'200 + DELAY); // Not padded.
}

TEST_F(FabricPortTest, SendsWaitingFramesBackToBack)
{
    for (uint32_t psn = 0; psn < 4; ++psn)
    {
        Send(psn);
    }
    EXPECT_EQ(Port(0).GetQueueBytes(3), 3000); // The first one is already on the wire.
    EXPECT_EQ(Port(0).GetQueueBytes(2), 0);
    EXPECT_FALSE(Port(0).IsFree(3));
    RunUntil(FRAME + 1);
    EXPECT_EQ(Port(0).GetQueueBytes(3), 2000);
    Simulator::Run();
    EXPECT_EQ(Server(1).GetTimes(),
              (Times{FRAME + DELAY, 2 * FRAME + DELAY, 3 * FRAME + DELAY, 4 * FRAME + DELAY}));
    EXPECT_EQ(Server(1).GetPsns(), (Psns{0, 1, 2, 3}));
    EXPECT_EQ(Port(0).GetQueueBytes(3), 0);
    EXPECT_TRUE(Port(0).IsFree(3));
    EXPECT_EQ(Core().packetHops, 4);
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}

TEST_F(FabricPortTest, CostsOneEventWhenIdleAndTwoWhenQueued)
{
    const uint64_t before = Simulator::GetEventCount();
    Send(0);
    Simulator::Run();
    EXPECT_EQ(Simulator::GetEventCount() - before, 1);
    // One that finds the port idle, three that wait: 1 + 3 x 2.
    for (uint32_t psn = 0; psn < 4; ++psn)
    {
        Send(psn);
    }
    Simulator::Run();
    EXPECT_EQ(Simulator::GetEventCount() - before, 1 + 7);
}

TEST_F(FabricPortTest, ServesTheHighestPriorityFirst)
{
    Send(0, 0); // Leaves at once: transmission is never interrupted.
    Send(1, 1);
    Send(2, 7);
    Send(3, 5);
    Send(4, 7);
    Send(5, 0);
    Simulator::Run();
    EXPECT_EQ(Server(1).GetPsns(), (Psns{0, 2, 4, 3, 1, 5}));
}

TEST_F(FabricPortTest, SendsMacControlBeforeEverything)
{
    Send(0, 7);
    Send(1, 7);
    Port(0).SendPause(2, 100);
    // The pause leaves after frame 0, and frame 1 after the pause.
    RunUntil(FRAME + CONTROL + DELAY); // The stop comes first at equal time.
    EXPECT_FALSE(Port(1).IsPaused(2));
    RunUntil(FRAME + CONTROL + DELAY + 1);
    EXPECT_TRUE(Port(1).IsPaused(2));
    EXPECT_TRUE(Port(1).IsAnyPaused());
    EXPECT_FALSE(Port(1).IsPaused(3));
    Simulator::Run();
    EXPECT_EQ(Server(1).GetTimes(), (Times{FRAME + DELAY, 2 * FRAME + CONTROL + DELAY}));
    EXPECT_EQ(Core().packetHops, 2); // MAC control is none.
}

TEST_F(FabricPortTest, HoldsAPausedPriorityAndLetsOthersPass)
{
    Port(1).SendPause(3, 65535);
    constexpr Tick SENT{2'000'000};
    constexpr Tick RESUMED{5'000'000};
    At(SENT, [this] {
        EXPECT_FALSE(Port(0).IsFree(3));
        EXPECT_TRUE(Port(0).IsFree(2));
        Send(0, 3);
        Send(1, 2);
        Send(2, 3);
    });
    At(RESUMED, [this] {
        EXPECT_EQ(Port(0).GetQueueBytes(3), 2000);
        Port(1).SendPause(3, 0);
    });
    Simulator::Run();
    // Frame 1 passes at once; the others leave when the resume has crossed the link.
    const Tick release = RESUMED + CONTROL + DELAY;
    EXPECT_EQ(Server(1).GetPsns(), (Psns{1, 0, 2}));
    EXPECT_EQ(Server(1).GetTimes(),
              (Times{SENT + FRAME + DELAY, release + FRAME + DELAY, release + 2 * FRAME + DELAY}));
}

TEST_F(FabricPortTest, EndsAPauseByItsQuantaWhenTheResumeIsLost)
{
    Lose(1, {1}); // The first frame is the pause, the second the resume.
    Port(1).SendPause(3, 100);
    At(500'000, [this] { Port(1).SendPause(3, 0); });
    At(1'100'000, [this] { Send(0); });
    Simulator::Run();
    // 100 x 512 bits at 100 Gb/s are 512,000 ps, counted from the arrival of the pause.
    const Tick end = CONTROL + DELAY + 512'000;
    EXPECT_EQ(Server(1).GetTimes(), (Times{end + FRAME + DELAY}));
    EXPECT_EQ(CountDrops(DropReason::LINK_LOSS), 1);
    EXPECT_FALSE(Port(0).IsAnyPaused());
}

TEST_F(FabricPortTest, CountsALaterPauseFromItsOwnArrival)
{
    Port(1).SendPause(3, 100);
    At(300'000, [this] { Port(1).SendPause(3, 100); });
    At(1'100'000, [this] { Send(0); });
    Simulator::Run();
    const Tick end = 300'000 + CONTROL + DELAY + 512'000;
    EXPECT_EQ(Server(1).GetTimes(), (Times{end + FRAME + DELAY}));
}

TEST_F(FabricPortTest, DropsWhatIsSentOrArrivesWhileTheLinkIsDown)
{
    Send(0); // Arrives at 1,081,920, before the link goes down.
    At(1'000'000, [this] { Send(1); });
    At(1'500'000, [this] { Port(1).SetLinkUp(false); });
    At(1'600'000, [this] {
        EXPECT_FALSE(Port(0).IsLinkUp());
        Send(2);
        Send(3);
    });
    At(4'000'000, [this] { Port(0).SetLinkUp(true); });
    At(4'100'000, [this] { Send(4); });
    Simulator::Run();
    EXPECT_EQ(Server(1).GetPsns(), (Psns{0, 4}));
    EXPECT_EQ(CountDrops(DropReason::LINK_DOWN), 3);
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}

TEST_F(FabricPortTest, DropsWhatWasUnderWayDuringAShortInterruption)
{
    Send(0);
    At(500'000, [this] { Port(0).SetLinkUp(false); });
    At(500'001, [this] { Port(0).SetLinkUp(true); });
    At(500'002, [this] { Send(1); });
    Simulator::Run();
    EXPECT_EQ(Server(1).GetPsns(), (Psns{1}));
    EXPECT_EQ(CountDrops(DropReason::LINK_DOWN), 1);
    // Once the interruption has passed, the link is as it was.
    Send(2);
    Simulator::Run();
    EXPECT_EQ(Server(1).GetPsns(), (Psns{1, 2}));
}

TEST_F(FabricPortTest, TracesFramesThatLeaveAndThatAreLost)
{
    std::vector<std::pair<Tick, uint32_t>> sent;
    std::vector<DropReason> dropped;
    Port(0).GetTraces().transmit.ConnectWithoutContext(Callback<void, const Frame&>(
        [this, &sent](const Frame& frame) { sent.emplace_back(Core().engine->Now(), frame.psn); }));
    Port(0).GetTraces().drop.ConnectWithoutContext(Callback<void, const Frame&, DropReason>(
        [&dropped](const Frame&, DropReason reason) { dropped.push_back(reason); }));
    Lose(0, {1});
    Send(5);
    Send(6);
    Send(7);
    Simulator::Run();
    EXPECT_EQ(sent, (std::vector<std::pair<Tick, uint32_t>>{{0, 5}, {FRAME, 6}, {2 * FRAME, 7}}));
    EXPECT_EQ(dropped, (std::vector<DropReason>{DropReason::LINK_LOSS}));
    EXPECT_EQ(Server(1).GetPsns(), (Psns{5, 7}));
}

TEST_F(FabricPortTest, PullsFromAReadyOwnerExactlyWhenItIsIdle)
{
    Server(0).Blast(MakeFrame(0, 1), 3);
    EXPECT_EQ(Server(0).pulls, (Times{0})); // At once.
    Simulator::Run();
    // The third frame came without more to follow: there is no further pull.
    EXPECT_EQ(Server(0).pulls, (Times{0, FRAME, 2 * FRAME}));
    EXPECT_EQ(Server(1).GetPsns(), (Psns{0, 1, 2}));
    EXPECT_EQ(Server(1).arrivals.back().time, 3 * FRAME + DELAY);
}

TEST_F(FabricPortTest, DoesNotPullAgainAfterAnEmptyAnswer)
{
    Port(0).Kick();
    Simulator::Run();
    EXPECT_EQ(Server(0).pulls.size(), 1);
    EXPECT_TRUE(Server(1).arrivals.empty());
}

TEST_F(FabricPortTest, KeepsAKickUntilItIsIdle)
{
    Send(9);
    At(1'000, [this] { Server(0).Blast(MakeFrame(0, 1), 1); });
    Simulator::Run();
    EXPECT_EQ(Server(0).pulls, (Times{FRAME}));
    EXPECT_EQ(Server(1).GetTimes(), (Times{FRAME + DELAY, 2 * FRAME + DELAY}));
}

TEST_F(FabricPortTest, SendsItsQueuesBeforeItPulls)
{
    Server(0).Blast(MakeFrame(0, 1), 2);
    Send(100, 0); // Even of a lower priority: it waits already.
    Simulator::Run();
    EXPECT_EQ(Server(1).GetPsns(), (Psns{0, 100, 1}));
    EXPECT_EQ(Server(0).pulls, (Times{0, 2 * FRAME}));
}

TEST_F(FabricPortTest, PullsFromAPausedOwnerAgainWhenThePauseEnds)
{
    Port(1).SendPause(3, 65535);
    At(2'000'000, [this] { Server(0).Blast(MakeFrame(0, 1), 1); });
    At(3'000'000, [this] { Port(1).SendPause(3, 0); });
    Simulator::Run();
    const Tick release = 3'000'000 + CONTROL + DELAY;
    EXPECT_EQ(Server(0).pulls, (Times{2'000'000, release}));
    EXPECT_EQ(Server(1).GetTimes(), (Times{release + FRAME + DELAY}));
}

TEST_F(FabricPortTest, NeverSendsTwoFramesAtOnce)
{
    // An owner that pauses the other end when a frame is dequeued: a switch does, to resume the
    // sender of a frame that goes back by the port it came from.
    std::vector<Tick> starts;
    Port(0).GetTraces().transmit.ConnectWithoutContext(Callback<void, const Frame&>(
        [this, &starts](const Frame&) { starts.push_back(Core().engine->Now()); }));
    Server(0).onDequeue = [](FabricPort& port, Frame&) { port.SendPause(1, 100); };
    Send(0);
    Send(1);
    Simulator::Run();
    EXPECT_EQ(starts, (Times{0, FRAME, 2 * FRAME}));
    EXPECT_EQ(Server(1).GetTimes(), (Times{FRAME + DELAY, 2 * FRAME + DELAY}));
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}
