// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/reply-watch.h"

#include "../rdma-nic/verbs-test-bench.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Node 0 writes, node 1 watches its memory.
class ReplyWatchTest : public testing::Test
{
  protected:
    struct Told
    {
        uint64_t address;
        Tick at;
    };

    ~ReplyWatchTest() override
    {
        m_watch->Stop();
    }

    void Start()
    {
        // The watch needs a NIC that is started, and its queue pairs the watch: they are made anew.
        m_bench.Start();
        m_watch = Create<ReplyWatch>(&m_bench.GetNic(1), [this](uint32_t qp, uint64_t address) {
            EXPECT_EQ(qp, m_watched);
            m_told.push_back({address, m_bench.GetBench().Now()});
        });
        QueuePairInit init;
        init.domain = m_bench.ends[1].domain;
        init.handlers = m_watch->GetHandlers();
        m_watched = m_bench.GetNic(1).CreateQueuePair(init);
        QueuePairInit sender;
        sender.domain = m_bench.ends[0].domain;
        sender.isEverythingSignaled = true;
        m_sender = m_bench.GetNic(0).CreateQueuePair(sender);
        m_bench.GetNic(0).Connect(m_sender, {1, m_watched, 2});
        m_bench.GetNic(1).Connect(m_watched, {0, m_sender, 2});
    }

    void Write(uint32_t bytes, uint64_t offset)
    {
        const SendWorkRequest request =
            m_bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, bytes, offset);
        ASSERT_EQ(m_bench.GetNic(0).PostSend(m_sender, request), PostResult::OK);
    }

    VerbsTestBench m_bench{"connectx6"};
    Ptr<ReplyWatch> m_watch;
    uint32_t m_watched{0};
    uint32_t m_sender{0};
    std::vector<Told> m_told;
};
} // namespace

TEST_F(ReplyWatchTest, AWriteIsToldOnceWithItsFirstAddress)
{
    Start();
    Write(3000, 512); // Three packets.
    Write(100, 8192);
    VerbsTestBench::Run();
    ASSERT_EQ(m_told.size(), 2);
    EXPECT_EQ(m_told[0].address, VerbsEnd::BASE + 512);
    EXPECT_EQ(m_told[1].address, VerbsEnd::BASE + 8192);
}

TEST_F(ReplyWatchTest, WithHardwareItIsToldWhenTheBytesAreInMemoryAndPolled)
{
    NicTestBench::UseSimpleHardware();
    Start();
    Tick placedAt = 0;
    m_bench.GetNic(1).GetPlacedTrace().ConnectWithoutContext(Callback<void, const Frame&, Time>(
        [&placedAt](const Frame&, Time at) { placedAt = ToTick(at); }));
    Write(1000, 0);
    VerbsTestBench::Run();
    ASSERT_EQ(m_told.size(), 1);
    EXPECT_EQ(m_told[0].at, placedAt + 40'000); // A poll takes 40 ns.
}

TEST_F(ReplyWatchTest, NothingIsToldAfterItHasStopped)
{
    Start();
    m_watch->Stop();
    Write(1000, 0);
    VerbsTestBench::Run();
    EXPECT_TRUE(m_told.empty());
}
