// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/queue-pair-traces.h"

#include "nic-test-bench.h"

#include "ns3/simple-topologies.h"

#include <map>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr uint64_t BYTES{100 * 1024};

/// Node 0 writes to node 1 over 100 Gb/s; what the traces of both NICs say is kept by name.
class QueuePairTracesTest : public testing::Test
{
  public:
    void Build(const std::string& preset)
    {
        Build(preset, MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1)), {});
    }

    void Build(const std::string& preset, const TopologyGraph& graph, const FabricConfig& config)
    {
        m_bench = std::make_unique<NicTestBench>(preset);
        m_bench->Build(graph, config);
        for (const uint32_t node : graph.GetServers())
        {
            m_bench->GetFabric().GetNodes().Get(node)->AggregateObject(&m_bench->GetNic(node));
        }
        const auto connect = [](const std::string& name, const CallbackBase& callback) {
            EXPECT_TRUE(
                Config::ConnectFailSafe("/NodeList/*/$ns3::rdma::RdmaNic/" + name, callback));
        };
        connect("Rate", MakeCallback(&QueuePairTracesTest::OnRate, this));
        connect("Window", MakeCallback(&QueuePairTracesTest::OnBytes, this));
        connect("Acknowledge", MakeCallback(&QueuePairTracesTest::OnAcknowledge, this));
        connect("Retransmit", MakeCallback(&QueuePairTracesTest::OnFrame, this));
        connect("Nak", MakeCallback(&QueuePairTracesTest::OnFrame, this));
        connect("Timeout", MakeCallback(&QueuePairTracesTest::OnEvent, this));
        connect("Cnp", MakeCallback(&QueuePairTracesTest::OnEvent, this));
        connect("State", MakeCallback(&QueuePairTracesTest::OnState, this));
        connect("Completion", MakeCallback(&QueuePairTracesTest::OnCompletion, this));
        connect("Progress", MakeCallback(&QueuePairTracesTest::OnProgress, this));
        m_pair = m_bench->Connect(0, 1);
    }

    void Write()
    {
        m_bench->Post(m_pair, 7, BYTES);
        NicTestBench::Run();
    }

    static std::string GetName(const std::string& path)
    {
        return path.substr(path.rfind('/') + 1);
    }

    void OnRate(std::string, uint32_t queuePair, DataRate before, DataRate now)
    {
        EXPECT_EQ(queuePair, m_pair.srcQp);
        EXPECT_EQ(before, m_rates.empty() ? DataRate("100Gbps") : m_rates.back());
        EXPECT_NE(before, now);
        m_rates.push_back(now);
    }

    void OnBytes(std::string, uint32_t, uint64_t before, uint64_t now)
    {
        EXPECT_NE(before, now);
        m_windows.emplace_back(before, now);
    }

    void OnAcknowledge(std::string path, uint32_t, uint64_t bytes)
    {
        EXPECT_GT(bytes, m_acknowledged[path]);
        m_acknowledged[path] = bytes;
    }

    void OnFrame(std::string path, uint32_t queuePair, const Frame& frame)
    {
        EXPECT_EQ(queuePair, m_pair.srcQp);
        m_psns[GetName(path)].push_back(frame.psn);
    }

    void OnEvent(std::string path, uint32_t)
    {
        ++m_events[GetName(path)];
    }

    void OnState(std::string, uint32_t, QpState before, QpState now)
    {
        m_states.push_back(std::string(GetQpStateName(before)) + "-" + GetQpStateName(now));
    }

    void OnCompletion(std::string, uint32_t queuePair, const WorkCompletion& completion)
    {
        EXPECT_EQ(queuePair, m_pair.srcQp);
        m_completed.push_back(completion.wrId);
    }

    void OnProgress(std::string,
                    uint32_t queuePair,
                    const Requester& requester,
                    const Frame* answer)
    {
        EXPECT_EQ(queuePair, m_pair.srcQp);
        m_progress.push_back({requester.GetWindow().GetNext(),
                              requester.GetWindow().GetUnacked(),
                              answer != nullptr});
    }

    /// What the requester says after something has happened.
    struct Progress
    {
        uint64_t next;
        uint64_t unacked;
        bool isOfAnswer;
    };

    std::vector<Progress> m_progress;
    std::unique_ptr<NicTestBench> m_bench;
    NicTestBench::Pair m_pair{};
    std::vector<DataRate> m_rates;
    std::vector<std::pair<uint64_t, uint64_t>> m_windows; ///< Before and after each change.
    std::map<std::string, uint64_t> m_acknowledged;       ///< By path.
    std::map<std::string, std::vector<uint32_t>> m_psns;
    std::map<std::string, uint64_t> m_events;
    std::vector<std::string> m_states;
    std::vector<uint64_t> m_completed;
};

} // namespace

TEST_F(QueuePairTracesTest, TellOfStatesAcknowledgmentsAndCompletions)
{
    Build("connectx6");
    Write();
    const std::vector<std::string> toRts{"RESET-INIT", "INIT-RTR", "RTR-RTS"};
    std::vector<std::string> both = toRts; // One queue pair after the other.
    both.insert(both.end(), toRts.begin(), toRts.end());
    EXPECT_EQ(m_states, both);
    EXPECT_EQ(m_acknowledged.begin()->second, BYTES);
    EXPECT_EQ(m_completed, std::vector<uint64_t>{7});
    EXPECT_TRUE(m_psns.empty());
    EXPECT_TRUE(m_events.empty());
    EXPECT_TRUE(m_rates.empty());
}

TEST_F(QueuePairTracesTest, TellOfProgressAfterPostingEachPacketAndEachAnswer)
{
    Build("connectx6");
    Write();
    constexpr uint64_t PACKETS{100};
    ASSERT_EQ(m_progress.size(), 1 + 2 * PACKETS);
    EXPECT_EQ(m_progress.front().next, 0); // Posted, nothing sent.
    EXPECT_EQ(m_progress.back().unacked, PACKETS);
    uint64_t sent = 0;
    uint64_t answers = 0;
    for (std::size_t i = 1; i < m_progress.size(); ++i)
    {
        ++(m_progress[i].isOfAnswer ? answers : sent);
        EXPECT_EQ(m_progress[i].next, sent);
        EXPECT_EQ(m_progress[i].unacked, answers);
    }
    EXPECT_EQ(answers, PACKETS);
}

TEST_F(QueuePairTracesTest, TellOfNaksAndOfWhatIsSentAgain)
{
    Build("connectx6");
    // Go-back-N sends again from the NAK's PSN on; what exactly has left by then is counted.
    m_bench->Lose(0, 0, [](const Frame&, uint64_t number) { return number == 10; });
    Write();
    const RequesterStats stats = m_bench->GetSent(m_pair);
    EXPECT_EQ(m_psns["Nak"], std::vector<uint32_t>{10});
    EXPECT_EQ(stats.naks, 1);
    ASSERT_EQ(m_psns["Retransmit"].size(), stats.retransmitted);
    EXPECT_EQ(m_psns["Retransmit"].front(), 10);
    EXPECT_EQ(m_psns["Retransmit"].back(), 9 + stats.retransmitted); // Each once.
    EXPECT_EQ(m_acknowledged.begin()->second, BYTES);
    EXPECT_EQ(stats.sentBytes, BYTES);
    EXPECT_EQ(stats.ackedBytes, BYTES);
}

TEST_F(QueuePairTracesTest, TellOfTimeouts)
{
    Build("connectx6");
    m_bench->Lose(0, 0, [](const Frame&, uint64_t number) { return number == 99; }); // The last.
    Write();
    EXPECT_EQ(m_events["Timeout"], 1);
    EXPECT_EQ(m_psns["Retransmit"], std::vector<uint32_t>{99});
}

TEST_F(QueuePairTracesTest, TellOfTheEndOfAQueuePair)
{
    Build("connectx6");
    m_bench->Lose(0, 0, [](const Frame&, uint64_t) { return true; });
    Write();
    EXPECT_EQ(m_states.back(), "RTS-ERR");
    EXPECT_EQ(m_events["Timeout"], m_bench->GetSent(m_pair).timeouts);
    EXPECT_EQ(m_completed, std::vector<uint64_t>{7}); // In error.
}

TEST_F(QueuePairTracesTest, TellOfCnpsAndOfEachRate)
{
    Build("connectx6");
    m_bench->Post(m_pair, 7, 10 * BYTES);
    // As if a switch had marked a frame: the receiver answers by a CNP.
    Frame cnp{};
    cnp.src = 1;
    cnp.dst = 0;
    cnp.dstQp = m_pair.srcQp;
    cnp.opcode = opcode::CNP;
    cnp.wireBytes = 64;
    FramePool& pool = m_bench->GetCore().pool;
    const FrameIndex index = pool.Allocate();
    pool[index] = cnp;
    m_bench->GetFabric().GetServerDevice(1).GetPort().Enqueue(index);
    NicTestBench::Run();
    EXPECT_EQ(m_events["Cnp"], 1);
    ASSERT_FALSE(m_rates.empty());
    // Alpha starts at 1 and falls while no CNP comes: the cut, some microseconds later, is by a
    // little less than 1/2.
    EXPECT_GE(m_rates.front(), DataRate("50Gbps"));
    EXPECT_LE(m_rates.front(), DataRate("51Gbps"));
    EXPECT_EQ(m_rates.back(), m_bench->GetNic(0).FindQueuePair(m_pair.srcQp)->requester->GetRate());
    EXPECT_GT(m_rates.size(), 1); // It rises again.
}

TEST_F(QueuePairTracesTest, TellOfWindows)
{
    FabricConfig config;
    config.ecn[100'000'000'000] = {0, 0, 1}; // Whatever leaves a frame behind is marked.
    Build("srnic", MakeStar(3, DataRate("100Gbps"), MicroSeconds(1)), config);
    const auto other = m_bench->Connect(2, 1);
    m_bench->Post(other, 8, BYTES);
    m_bench->Post(m_pair, 7, BYTES);
    NicTestBench::Run();
    // DCTCP's alpha starts at 1: the first cut is by 1/2.
    ASSERT_FALSE(m_windows.empty());
    EXPECT_EQ(m_windows.front().second, m_windows.front().first / 2);
}
