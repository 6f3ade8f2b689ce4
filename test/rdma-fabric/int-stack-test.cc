// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/int-stack.h"

#include "fabric-test-bench.h"

#include "ns3/frame-parcel.h"
#include "ns3/simple-topologies.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
std::vector<IntHop>
GetHops(const IntStack& stack)
{
    return {stack.begin(), stack.end()};
}

const IntHop FIRST{1, 2, 3, 4};
const IntHop SECOND{5, 6, 7, 8};
} // namespace

TEST(IntStack, KeepsAsManyHopsAsItHasRoomFor)
{
    IntStack stack(1);
    EXPECT_EQ(stack.GetCount(), 0);
    stack.Push(FIRST);
    stack.Push(SECOND);
    EXPECT_EQ(GetHops(stack), std::vector{FIRST});
}

TEST(IntStack, ACopyOfAFrameHasAStackOfItsOwn)
{
    FramePool pool;
    const FrameIndex index = pool.Allocate();
    pool[index] = Frame{};
    pool.AddIntStack(index, 5);
    EXPECT_TRUE(pool.FindDetail(pool[index])->isPlain);
    pool.FindDetail(pool[index])->path->Push(FIRST);
    const FrameIndex copy = pool.Copy(index);
    pool.FindDetail(pool[copy])->path->Push(SECOND);
    EXPECT_EQ(GetHops(*pool.FindDetail(pool[index])->path), std::vector{FIRST});
    EXPECT_EQ(GetHops(*pool.FindDetail(pool[copy])->path), (std::vector{FIRST, SECOND}));
    pool.Free(index);
    pool.Free(copy);
}

TEST(IntStack, MovesFromAFrameToItsAnswer)
{
    FramePool pool;
    const FrameIndex data = pool.Allocate();
    const FrameIndex answer = pool.Allocate();
    pool[data] = Frame{};
    pool[answer] = Frame{};
    pool.MoveIntStack(pool[data], answer); // It has none.
    EXPECT_EQ(pool.FindDetail(pool[answer]), nullptr);
    pool.AddIntStack(data, 5);
    pool.FindDetail(pool[data])->path->Push(FIRST);
    pool.MoveIntStack(pool[data], answer);
    EXPECT_EQ(pool.FindDetail(pool[data])->path, nullptr);
    IntStack& echo = *pool.FindDetail(pool[answer])->path;
    echo.Push(SECOND); // On the way back nothing is added.
    EXPECT_EQ(GetHops(echo), std::vector{FIRST});
    pool.Free(data);
    pool.Free(answer);
}

TEST(IntStack, GoesToAnotherProcess)
{
    FramePool pool;
    FramePool other;
    const FrameIndex index = pool.Allocate();
    pool[index] = Frame{};
    pool.AddIntStack(index, 5);
    pool.FindDetail(pool[index])->path->Push(FIRST);
    pool.FindDetail(pool[index])->path->Push(SECOND);
    ByteBuffer buffer;
    PackFrame(pool, {1, 2, index}, buffer);
    ByteReader reader(buffer);
    const FrameArrival arrival = UnpackFrame(reader, other);
    EXPECT_EQ(reader.GetLeft(), 0);
    const IntStack& path = *other.FindDetail(other[arrival.frame])->path;
    EXPECT_EQ(GetHops(path), (std::vector{FIRST, SECOND}));
    EXPECT_EQ(path.GetCapacity(), 5);
    pool.Free(index);
    other.Free(arrival.frame);
}

namespace
{
/// What the stacks of arriving frames say, by server.
class IntRecording : public FabricBench
{
  protected:
    void Start(const TopologyGraph& graph)
    {
        Build(graph);
        for (auto& server : m_servers)
        {
            server->onReceive = [this](const Frame& frame) {
                const FrameDetail* detail = Core().pool.FindDetail(frame);
                m_paths.push_back(detail && detail->path ? GetHops(*detail->path)
                                                         : std::vector<IntHop>());
            };
        }
    }

    void Send(uint32_t src, uint32_t dst)
    {
        const FrameIndex index = Core().pool.Allocate();
        Core().pool[index] = MakeFrame(src, dst);
        Core().pool.AddIntStack(index, 5);
        Server(src).GetPort().Enqueue(index);
    }

    std::vector<std::vector<IntHop>> m_paths;
};

constexpr uint64_t RATE{100'000'000'000};
} // namespace

TEST_F(IntRecording, ASwitchPortSaysWhatLeavesWhatHasLeftAndWhatWaits)
{
    Start(MakeStar(4, DataRate("100Gbps"), MicroSeconds(1)));
    FabricPort::RecordHops(Core());
    for (const uint32_t src : {0, 1, 2})
    {
        Send(src, 3);
    }
    Simulator::Run();
    // 1000 B are 1024 on the wire, 81,920 ps at 100 Gb/s. All three come at once, and the first
    // leaves before the others are known.
    constexpr Tick FRAME{81'920};
    constexpr Tick FIRST_AT{1'000'000 + FRAME};
    EXPECT_EQ(m_paths,
              (std::vector<std::vector<IntHop>>{{{FIRST_AT, 0, RATE, 0}},
                                                {{FIRST_AT + FRAME, 1024, RATE, 1000}},
                                                {{FIRST_AT + 2 * FRAME, 2048, RATE, 0}}}));
}

TEST_F(IntRecording, EachSwitchOfAPathAddsAHopInOrder)
{
    DumbbellParameters parameters;
    parameters.serversPerSide = 1;
    parameters.bottleneckRate = DataRate("50Gbps");
    parameters.linkDelay = MicroSeconds(1);
    Start(MakeDumbbell(parameters));
    FabricPort::RecordHops(Core());
    Send(0, 1);
    Simulator::Run();
    // 81,920 ps and 1 us to the first switch; twice the former and 1 us to the second.
    EXPECT_EQ(
        m_paths,
        (std::vector<std::vector<IntHop>>{{{1'081'920, 0, RATE / 2, 0}, {2'245'760, 0, RATE, 0}}}));
}

TEST_F(IntRecording, NothingIsRecordedWithoutRequest)
{
    Start(MakeStar(2, DataRate("100Gbps"), MicroSeconds(1)));
    Send(0, 1);
    Simulator::Run();
    EXPECT_EQ(m_paths, std::vector<std::vector<IntHop>>{{}});
}
