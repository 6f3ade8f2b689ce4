// SPDX-License-Identifier: GPL-2.0-only
#include "nic-test-bench.h"

#include "ns3/simple-topologies.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t BYTES{3000};

/// Two servers on one cable whose NICs have a limit of READs; queue pairs of the first one.
class ReadPoolRun
{
  public:
    /// @param requestBytes RdmaNic::ReadRequestBytes
    explicit ReadPoolRun(uint32_t limit, uint32_t queuePairs, uint32_t requestBytes = 0)
        : m_bench("connectx6", true)
    {
        NicTestBench::SetPfc(false);
        NicTestBench::Set("RdmaNic::ReadRequestBytes", std::to_string(requestBytes));
        NicTestBench::Set("NicHardware::MaxReads", std::to_string(limit));
        m_bench.Build(MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1)));
        for (uint32_t i = 0; i < queuePairs; ++i)
        {
            m_pairs.push_back(m_bench.Connect(0, 1));
        }
        m_bench.OnEnd(
            [this](const NicTestBench::Ended& ended) { m_order.push_back(ended.completion.wrId); });
        m_bench.Lose(0, 0, [this](const Frame& frame, uint64_t) {
            m_inFlight += frame.opcode == opcode::READ_REQUEST;
            m_requests += frame.opcode == opcode::READ_REQUEST;
            m_most = std::max(m_most, m_inFlight);
            return frame.dstQp == m_lost;
        });
        m_bench.Lose(0, 1, [this](const Frame& frame, uint64_t) {
            m_inFlight -= frame.opcode == opcode::READ_RESPONSE_LAST ||
                          frame.opcode == opcode::READ_RESPONSE_ONLY;
            return ++m_responses == m_lostResponse;
        });
    }

    void Read(uint32_t pair, uint64_t wrId)
    {
        SendWorkRequest request;
        request.wrId = wrId;
        request.opcode = WrOpcode::RDMA_READ;
        request.sgList = {{0x10000, BYTES, 0}};
        request.remoteAddress = 0x10000;
        EXPECT_EQ(m_bench.GetNic(0).PostSend(m_pairs[pair].srcQp, request), PostResult::OK);
    }

    /// Loses one response packet. @param number counted from 1
    void LoseResponse(uint64_t number)
    {
        m_lostResponse = number;
    }

    uint64_t CountRequests() const
    {
        return m_requests;
    }

    /// Loses every request of a queue pair.
    void LoseRequests(uint32_t pair)
    {
        m_lost = m_pairs[pair].dstQp;
    }

    void SetState(uint32_t pair, QpState state)
    {
        EXPECT_TRUE(m_bench.GetNic(0).ModifyQueuePair(m_pairs[pair].srcQp, state));
    }

    void Destroy(uint32_t pair)
    {
        m_bench.GetNic(0).DestroyQueuePair(m_pairs[pair].srcQp);
    }

    NicTestBench& GetBench()
    {
        return m_bench;
    }

    /// @return the most READs whose request had left and whose response had not.
    int64_t GetMost() const
    {
        return m_most;
    }

    const std::vector<uint64_t>& GetOrder() const
    {
        return m_order;
    }

  private:
    NicTestBench m_bench;
    std::vector<NicTestBench::Pair> m_pairs;
    std::vector<uint64_t> m_order;
    int64_t m_inFlight{0};
    int64_t m_most{0};
    uint32_t m_lost{0};
    uint64_t m_requests{0};
    uint64_t m_responses{0};
    uint64_t m_lostResponse{0};
};
} // namespace

TEST(ReadPool, LimitsTheReadsOfAllQueuePairsTogether)
{
    for (const uint32_t limit : {1, 2, 5})
    {
        ReadPoolRun run(limit, 3);
        for (uint64_t i = 0; i < 12; ++i)
        {
            run.Read(i % 3, i);
        }
        NicTestBench::Run();
        EXPECT_EQ(run.GetBench().CountEnded(WcStatus::SUCCESS), 12);
        EXPECT_EQ(run.GetMost(), limit);
    }
}

TEST(ReadPool, HasNoLimitByDefault)
{
    ReadPoolRun run(0, 3);
    for (uint64_t i = 0; i < 12; ++i)
    {
        run.Read(i % 3, i);
    }
    NicTestBench::Run();
    EXPECT_EQ(run.GetMost(), 12);
}

TEST(ReadPool, ServesQueuePairsInTheOrderInWhichTheyWait)
{
    ReadPoolRun run(1, 4);
    for (uint32_t i = 0; i < 4; ++i)
    {
        run.Read(i, i);
    }
    // Before the first READ ends, which takes two links of 1 us: three wait, the first one joins.
    Simulator::Schedule(NanoSeconds(1900), [&run] {
        for (uint32_t i = 0; i < 4; ++i)
        {
            run.Read(i, 4 + i);
        }
    });
    NicTestBench::Run();
    EXPECT_EQ(run.GetOrder(), (std::vector<uint64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(ReadPool, GetsBackWhatAQueuePairInErrorHeld)
{
    ReadPoolRun run(1, 2);
    run.LoseRequests(0);
    run.Read(0, 1);
    run.Read(1, 2);
    NicTestBench::Run();
    EXPECT_EQ(run.GetBench().CountEnded(WcStatus::RETRY_EXC_ERR), 1);
    EXPECT_EQ(run.GetBench().CountEnded(WcStatus::SUCCESS), 1);
    EXPECT_EQ(run.GetOrder(), (std::vector<uint64_t>{1, 2}));
}

TEST(ReadPool, GetsBackWhatADestroyedQueuePairHeld)
{
    ReadPoolRun run(1, 2);
    run.LoseRequests(0);
    run.Read(0, 1);
    run.Read(1, 2);
    // By then the first READ is lost, and the second waits; no timer has expired yet.
    Simulator::Schedule(MicroSeconds(20), [&run] { run.Destroy(0); });
    NicTestBench::Run();
    EXPECT_EQ(run.GetOrder(), (std::vector<uint64_t>{2}));
    EXPECT_EQ(run.GetBench().CountEnded(WcStatus::SUCCESS), 1);
}

TEST(ReadPool, LetsOthersPassAQueuePairThatDrains)
{
    ReadPoolRun run(1, 3);
    for (uint32_t i = 0; i < 3; ++i)
    {
        run.Read(i, i);
    }
    // The second one stands in line when it is to begin nothing.
    Simulator::Schedule(NanoSeconds(1900), [&run] { run.SetState(1, QpState::SQD); });
    Simulator::Schedule(MicroSeconds(500), [&run] { run.SetState(1, QpState::RTS); });
    NicTestBench::Run();
    EXPECT_EQ(run.GetOrder(), (std::vector<uint64_t>{0, 2, 1}));
    EXPECT_LT(run.GetBench().GetEnded()[1].at, ToTick(MicroSeconds(20)));
}

TEST(ReadPool, CountsTheRequestsOfALongRead)
{
    // 3000 B in requests of 1024: three per READ, of which two are in flight at a time.
    ReadPoolRun run(2, 2, 1024);
    for (uint64_t i = 0; i < 6; ++i)
    {
        run.Read(i % 2, i);
    }
    NicTestBench::Run();
    EXPECT_EQ(run.GetBench().CountEnded(WcStatus::SUCCESS), 6);
    EXPECT_EQ(run.GetBench().GetEnded()[0].completion.byteLength, BYTES);
    EXPECT_EQ(run.CountRequests(), 18);
    EXPECT_EQ(run.GetMost(), 2);
}

TEST(ReadPool, ALostResponseOfALongReadIsRequestedAgain)
{
    // The second response of the first READ is lost. Its request and the later one are repeated.
    ReadPoolRun run(2, 1, 1024);
    run.LoseResponse(2);
    run.Read(0, 1);
    run.Read(0, 2);
    NicTestBench::Run();
    EXPECT_EQ(run.GetBench().CountEnded(WcStatus::SUCCESS), 2);
    EXPECT_GT(run.CountRequests(), 6);
    // The pool has all entries again: two more READs end.
    run.Read(0, 3);
    run.Read(0, 4);
    NicTestBench::Run();
    EXPECT_EQ(run.GetOrder(), (std::vector<uint64_t>{1, 2, 3, 4}));
}

TEST(PlacedReadPool, HoldsAnEntryUntilTheResponseHasLeftTheChip)
{
    NicTestBench bench("balboa");
    bench.Build(MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1)));
    const auto pool = Create<PlacedReadPool>(bench.GetCore().engine, 1);
    const int holder = 0;
    EXPECT_TRUE(pool->NeedsOnPlaced());
    pool->Take(&holder);
    // The response has arrived at 1 us; its last payload leaves at 3 us.
    Simulator::Schedule(MicroSeconds(1), [&] {
        pool->End(1);
        pool->OnPlaced(ToTick(MicroSeconds(3)));
    });
    Simulator::Schedule(NanoSeconds(2999), [&] { EXPECT_FALSE(pool->HasRoom(&holder)); });
    Simulator::Schedule(NanoSeconds(3001), [&] { EXPECT_TRUE(pool->HasRoom(&holder)); });
    NicTestBench::Run();
    EXPECT_EQ(pool->GetUsed(), 0);
}

TEST(PlacedReadPool, FreesAtOnceTheEntryOfARequestWithoutResponse)
{
    NicTestBench bench("balboa");
    bench.Build(MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1)));
    const auto pool = Create<PlacedReadPool>(bench.GetCore().engine, 1);
    const int holder = 0;
    pool->Take(&holder);
    pool->Release(1);
    EXPECT_TRUE(pool->HasRoom(&holder));
}
