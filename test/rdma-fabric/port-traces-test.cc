// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/port-traces.h"

#include "fabric-test-bench.h"

#include "ns3/loss-models.h"
#include "ns3/simple-topologies.h"

#include <map>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// A frame of 1000 bytes: (1000 + 24) x 80 ps at 100 Gb/s.
constexpr Tick FRAME{81'920};
/// A PFC frame: (60 + 24) x 80 ps.
constexpr Tick CONTROL{6'720};
constexpr Tick DELAY{1'000'000};
constexpr uint32_t SINK{2};

/// What a trace has said.
struct Line
{
    std::string path;
    Tick at;
    uint64_t value;

    bool operator==(const Line& other) const
    {
        return path == other.path && at == other.at && value == other.value;
    }
};

std::ostream&
operator<<(std::ostream& out, const Line& line)
{
    return out << line.path << " at " << line.at << ": " << line.value;
}

/// Two servers send to the third through a switch; links of 100 Gb/s and 1 us.
class PortTracesTest : public FabricBench
{
  public:
    using Lines = std::vector<Line>;

    void BuildStar(const FabricConfig& config = {})
    {
        Build(MakeStar(3, DataRate("100Gbps"), MicroSeconds(1)), config);
    }

    FabricPort& SinkPort()
    {
        return *Server(SINK).GetPort().GetPeer();
    }

    Tick Now()
    {
        return Core().engine->Now();
    }

    void OnQueue(std::string path, const Frame&, uint32_t bytes)
    {
        m_lines.push_back({path.substr(path.rfind('/') + 1), Now(), bytes});
    }

    void OnPriority(std::string path, uint8_t priority)
    {
        m_lines.push_back({path, Now(), priority});
    }

    void OnFrame(std::string path, const Frame&)
    {
        ++m_frames[path];
    }

    void OnBuffer(std::string path, uint64_t bytes)
    {
        m_lines.push_back({path.substr(path.rfind('/') + 1), Now(), bytes});
    }

    Lines m_lines;
    std::map<std::string, uint64_t> m_frames;
};

} // namespace

TEST_F(PortTracesTest, TellOfFramesThatWaitAndLeaveByNs3Paths)
{
    BuildStar();
    // Node 3 is the switch, its device 2 leads to the sink.
    const std::string device = "/NodeList/3/DeviceList/2/$ns3::rdma::FabricDevice/";
    Config::Connect(device + "Enqueue", MakeCallback(&PortTracesTest::OnQueue, this));
    Config::Connect(device + "Dequeue", MakeCallback(&PortTracesTest::OnQueue, this));
    Server(0).Send(MakeFrame(0, SINK));
    Server(1).Send(MakeFrame(1, SINK));
    At(FRAME + 1000, [this] { Server(0).Send(MakeFrame(0, SINK)); });
    Simulator::Run();
    // The first two arrive at the same time: one waits for the other. The third comes when the
    // second has been leaving for 1000 ps.
    const Tick arrival = FRAME + DELAY;
    EXPECT_EQ(m_lines,
              (Lines{{"Enqueue", arrival, 1000},
                     {"Dequeue", arrival + FRAME, 0},
                     {"Enqueue", arrival + FRAME + 1000, 1000},
                     {"Dequeue", arrival + 2 * FRAME, 0}}));
}

TEST_F(PortTracesTest, CountWhatLeavesAtTheWire)
{
    BuildStar();
    SinkPort().StartCounters();
    for (uint32_t i = 0; i < 5; ++i)
    {
        Server(0).Send(MakeFrame(0, SINK, i));
        Server(1).Send(MakeFrame(1, SINK, i, 3, 40)); // Padded to 60 bytes.
    }
    Simulator::Run();
    const PortCounters& counters = *SinkPort().GetCounters();
    EXPECT_EQ(counters.sentFrames, 10);
    EXPECT_EQ(counters.sentBytes, 5 * (1000 + 24) + 5 * (60 + 24));
    EXPECT_EQ(counters.drops, 0);
    EXPECT_EQ(SinkPort().GetTotalQueueBytes(), 0);
    // The short frames leave as they come, 6,720 ps each, and are gone when the first long one
    // arrives; long frames follow each other as fast as they leave.
    EXPECT_EQ(counters.maxQueueBytes, 0);
    Server(0).Send(MakeFrame(0, SINK));
    Server(1).Send(MakeFrame(1, SINK));
    Simulator::Run();
    EXPECT_EQ(SinkPort().TakeMaxQueueBytes(), 1000);
    EXPECT_EQ(SinkPort().TakeMaxQueueBytes(), 0); // It begins anew.
}

TEST_F(PortTracesTest, DoNotExistUntilConnected)
{
    BuildStar();
    Server(0).Send(MakeFrame(0, SINK));
    Simulator::Run();
    EXPECT_EQ(SinkPort().GetCounters(), nullptr);
    SinkPort().StartCounters();
    EXPECT_EQ(SinkPort().GetCounters()->sentFrames, 0); // Counted from here on.
    Server(0).Send(MakeFrame(0, SINK));
    Simulator::Run();
    EXPECT_EQ(SinkPort().GetCounters()->sentFrames, 1);
}

TEST_F(PortTracesTest, TellOfMarksAtThePortThatTheFrameLeavesBy)
{
    FabricConfig config;
    config.ecn[100'000'000'000] = {0, 0, 1}; // Whatever leaves a frame behind is marked.
    BuildStar(config);
    Config::Connect("/NodeList/*/DeviceList/*/$ns3::rdma::FabricDevice/Mark",
                    MakeCallback(&PortTracesTest::OnFrame, this));
    for (uint32_t i = 0; i < 4; ++i)
    {
        Server(0).Send(MakeFrame(0, SINK, i));
        Server(1).Send(MakeFrame(1, SINK, i));
    }
    Simulator::Run();
    const std::string path = "/NodeList/3/DeviceList/2/$ns3::rdma::FabricDevice/Mark";
    ASSERT_EQ(m_frames.size(), 1);
    EXPECT_EQ(m_frames[path], Core().ecnMarks);
    EXPECT_EQ(SinkPort().GetCounters()->marks, Core().ecnMarks);
    EXPECT_GT(Core().ecnMarks, 0);
}

TEST_F(PortTracesTest, TellOfPausesAndHowLongTheyLast)
{
    Build(MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1)));
    FabricPort& port = Server(0).GetPort();
    const std::string device = "/NodeList/0/DeviceList/0/$ns3::rdma::FabricDevice/";
    Config::Connect(device + "Pause", MakeCallback(&PortTracesTest::OnPriority, this));
    Config::Connect(device + "Resume", MakeCallback(&PortTracesTest::OnPriority, this));
    Server(1).GetPort().GetTraces();
    At(0, [this] { Server(1).GetPort().SendPause(3, 65535); });
    At(1'000'000, [this] { Server(1).GetPort().SendPause(3, 65535); }); // A refresh.
    At(5'000'000, [this] { Server(1).GetPort().SendPause(3, 0); });
    At(6'000'000, [this] { Server(1).GetPort().SendPause(3, 0); });    // Nothing is paused.
    At(9'000'000, [this] { Server(1).GetPort().SendPause(5, 1000); }); // Runs out by itself.
    RunUntil(3'000'000);
    EXPECT_EQ(port.GetPausedTime(3'000'000),
              3'000'000 - CONTROL - DELAY); // Of one that is under way.
    Simulator::Run();
    const Tick way = CONTROL + DELAY;
    const Tick thousandQuanta = 1000 * 512 * 10; // 10 ps per bit.
    const std::vector<std::string> paths{device + "Pause", device + "Resume"};
    EXPECT_EQ(m_lines,
              (Lines{{paths[0], way, 3},
                     {paths[1], 5'000'000 + way, 3},
                     {paths[0], 9'000'000 + way, 5},
                     {paths[1], 9'000'000 + way + thousandQuanta, 5}}));
    EXPECT_EQ(port.GetCounters()->pauses, 2);
    EXPECT_EQ(port.GetPausedTime(Now()), 5'000'000 + thousandQuanta);
    EXPECT_EQ(Server(1).GetPort().GetCounters()->pausesSent, 3); // Resumes are none.
}

TEST_F(PortTracesTest, TellOfTheSharedBufferOfASwitch)
{
    BuildStar();
    Config::Connect("/NodeList/3/$ns3::rdma::FabricSwitch/BufferUse",
                    MakeCallback(&PortTracesTest::OnBuffer, this));
    Server(0).Send(MakeFrame(0, SINK));
    Server(1).Send(MakeFrame(1, SINK));
    Simulator::Run();
    // One of the two waits for the other, which never counts.
    EXPECT_EQ(m_lines,
              (Lines{{"BufferUse", FRAME + DELAY, 1000}, {"BufferUse", 2 * FRAME + DELAY, 0}}));
}

TEST_F(PortTracesTest, ChangeNothing)
{
    // The same frames at the same times with and without all traces.
    const auto run = [this](bool isObserved) {
        Clear();
        FabricConfig config;
        config.ecn[100'000'000'000] = {2000, 8000, 0.5};
        BuildStar(config);
        if (isObserved)
        {
            for (const auto* name : {"Transmit", "Receive", "Mark"})
            {
                Config::Connect(std::string("/NodeList/*/DeviceList/*/$ns3::rdma::FabricDevice/") +
                                    name,
                                MakeCallback(&PortTracesTest::OnFrame, this));
            }
            Config::Connect("/NodeList/*/$ns3::rdma::FabricSwitch/BufferUse",
                            MakeCallback(&PortTracesTest::OnBuffer, this));
        }
        Server(0).Blast(MakeFrame(0, SINK), 50);
        Server(1).Blast(MakeFrame(1, SINK), 50);
        Simulator::Run();
        return std::pair(Server(SINK).GetTimes(), Core().ecnMarks);
    };
    const auto plain = run(false);
    EXPECT_EQ(run(true), plain);
    EXPECT_GT(plain.second, 0);
    EXPECT_FALSE(m_frames.empty());
}
