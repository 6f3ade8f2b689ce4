// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-teardown.h"

#include "../rdma-nic/nic-test-bench.h"

#include "ns3/simple-topologies.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Two NICs and a connection whose receiver has placed 5000 bytes.
class FlowTeardownTest : public testing::Test
{
  protected:
    FlowTeardownTest()
    {
        m_bench.Build(MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1)));
        m_pair = m_bench.Connect(0, 1);
        m_bench.Post(m_pair, 1, 5000);
        m_bench.Run();
        m_nics = {&m_bench.GetNic(0), &m_bench.GetNic(1)};
        m_teardown.emplace(*m_bench.GetCore().engine, m_nics);
    }

    /// A notice about the connection that arrives in a microsecond.
    TeardownNotice MakeNotice(uint64_t bytes, bool isCompleted = true)
    {
        return {m_bench.Now() + 1'000'000, 7, bytes, 1, m_pair.dstQp, isCompleted};
    }

    bool HasReceiver()
    {
        return m_bench.GetNic(1).FindQueuePair(m_pair.dstQp).has_value();
    }

    NicTestBench m_bench{"srnic"};
    NicTestBench::Pair m_pair{};
    std::vector<Ptr<RdmaNic>> m_nics;
    std::optional<FlowTeardown> m_teardown;
};

TEST_F(FlowTeardownTest, TheReceiverLivesUntilTheNoticeArrives)
{
    const TeardownNotice notice = MakeNotice(5000);
    m_teardown->Expect(notice);
    bool before = false;
    Simulator::Schedule(PicoSeconds(999'999), [&] { before = HasReceiver(); });
    m_bench.Run();
    EXPECT_TRUE(before);
    EXPECT_FALSE(HasReceiver());
    EXPECT_EQ(m_bench.Now(), notice.at);
    EXPECT_TRUE(m_teardown->GetViolations().empty());
}

TEST_F(FlowTeardownTest, BytesThatAreNotPlacedAreAViolation)
{
    m_teardown->Expect(MakeNotice(6000));
    m_bench.Run();
    ASSERT_EQ(m_teardown->GetViolations().size(), 1);
    EXPECT_EQ(m_teardown->GetViolations()[0].flow, 7);
    EXPECT_EQ(m_teardown->GetViolations()[0].text, "completed with 5000 of 6000 bytes placed");
}

TEST_F(FlowTeardownTest, OfAFailedFlowNothingIsExpected)
{
    m_teardown->Expect(MakeNotice(6000, false));
    m_bench.Run();
    EXPECT_TRUE(m_teardown->GetViolations().empty());
    EXPECT_FALSE(HasReceiver());
}

TEST_F(FlowTeardownTest, NoticesOfTheSameTimeAreHandledByFlow)
{
    RdmaNic& receiver = m_bench.GetNic(1);
    const uint32_t high = receiver.CreateQueuePair();
    const uint32_t low = receiver.CreateQueuePair();
    const Tick at = m_bench.Now() + 1000;
    m_teardown->Expect({at, 9, 100, 1, high, true});
    m_teardown->Expect({at, 8, 200, 1, low, true});
    m_bench.Run();
    const auto& violations = m_teardown->GetViolations(); // None has placed anything.
    ASSERT_EQ(violations.size(), 2);
    EXPECT_EQ(violations[0].flow, 8);
    EXPECT_EQ(violations[1].flow, 9);
}

} // namespace
