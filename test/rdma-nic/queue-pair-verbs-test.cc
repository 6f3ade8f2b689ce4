// SPDX-License-Identifier: GPL-2.0-only
#include "verbs-test-bench.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
class PostOnChip : public testing::TestWithParam<bool>
{
  protected:
    /// Writes 3000 bytes that are in the NIC. @return completions at the sender
    std::vector<WorkCompletion> Write(std::vector<uint8_t> bytes)
    {
        m_bench.Start();
        SendWorkRequest request = m_bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 3000, 64);
        request.sgList[0].localKey = 0; // Means nothing.
        request.origin = PayloadOrigin::CHIP;
        request.bytes = std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
        m_result = m_bench.GetNic(0).PostOnChip(m_bench.ends[0].qp, request);
        m_bench.Run();
        return m_bench.ends[0].PollSends();
    }

    VerbsTestBench m_bench{"srnic", GetParam()};
    PostResult m_result{};
};
} // namespace

TEST_P(PostOnChip, SendsBytesThatTheHostDoesNotHave)
{
    std::vector<uint8_t> bytes(3000);
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        bytes[i] = static_cast<uint8_t>(i * 11);
    }
    const auto ended = Write(bytes);
    ASSERT_EQ(ended.size(), 1);
    EXPECT_EQ(ended[0].status, WcStatus::SUCCESS);
    EXPECT_EQ(m_bench.ends[1].Read(64, 3000), bytes);
    if (GetParam())
    {
        // Neither doorbell nor fetch: all that crosses the sender's link is its completion.
        const PcieStats& pcie = m_bench.GetNic(0).GetHardware()->GetPcie().GetStats();
        EXPECT_EQ(pcie.doorbells, 0);
        EXPECT_EQ(pcie.downBytes[static_cast<std::size_t>(DmaKind::WQE)], 0);
        EXPECT_EQ(pcie.downBytes[static_cast<std::size_t>(DmaKind::PAYLOAD)], 0);
    }
}

TEST_P(PostOnChip, ItsLengthIsThatOfItsBytes)
{
    EXPECT_TRUE(Write(std::vector<uint8_t>(2999)).empty());
    EXPECT_EQ(m_result, PostResult::INVALID);
}

INSTANTIATE_TEST_SUITE_P(Hardware, PostOnChip, testing::Bool());
