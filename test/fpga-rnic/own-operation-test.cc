// SPDX-License-Identifier: GPL-2.0-only
#include "../plugins/own-operation.cc"

#include "two-kernel-hosts.h"

namespace ns3::rdma
{

/// Two NICs whose second one has the plug-in's kernel.
class OwnOperation : public testing::TestWithParam<bool>
{
  protected:
    OwnOperation()
    {
        m_hosts.hosts[1]->Deploy("ns3::rdma::TallyKernel");
    }

    PostResult Tally(uint64_t wrId, uint32_t bytes, uint8_t operation = TALLY_OPERATION)
    {
        SendWorkRequest request =
            TallyKernel::MakeRequest(wrId, m_hosts.bench.ends[0].At(0, bytes));
        request.kernelOperation = operation;
        return m_hosts.bench.GetNic(0).PostSend(m_hosts.bench.ends[0].qp, request);
    }

    TwoKernelHosts m_hosts{GetParam()};
};

TEST_P(OwnOperation, OfAPluginIsSentAndExecutedOnceAlsoIfItsPacketIsLost)
{
    m_hosts.Start();
    m_hosts.Put(0, 0, {5, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}); // 5 and 256.
    uint64_t frames = 0;
    m_hosts.bench.GetBench().Lose(0, 0, [&frames](const Frame&, uint64_t) {
        return ++frames == 1;
    });
    ASSERT_EQ(Tally(1, 8), PostResult::OK);
    ASSERT_EQ(Tally(2, 16), PostResult::OK);
    m_hosts.bench.Run();
    const auto ended = m_hosts.bench.ends[0].PollSends();
    ASSERT_EQ(ended.size(), 2);
    for (const WorkCompletion& completion : ended)
    {
        EXPECT_EQ(completion.status, WcStatus::SUCCESS);
        EXPECT_EQ(completion.opcode, WcOpcode::RDMA_WRITE);
    }
    const uint64_t target = TwoKernelHosts::GetTarget();
    std::vector<uint8_t> parameters(8);
    for (uint32_t i = 0; i < 8; ++i)
    {
        parameters[i] = static_cast<uint8_t>(target >> (8 * i));
    }
    ASSERT_EQ(m_hosts.Call(TallyKernel::RPC_CODE, parameters), PostResult::OK);
    m_hosts.bench.Run();
    EXPECT_EQ(m_hosts.GetStatus(), KernelStatus::OK);
    EXPECT_EQ(m_hosts.GetValue(), (std::vector<uint8_t>{10, 1, 0, 0, 0, 0, 0, 0})); // 5 + 261.
}

TEST_P(OwnOperation, IsInvalidIfAPacketOfItsMessageIsNotRegistered)
{
    constexpr uint32_t MTU{1024};
    m_hosts.Start();
    EXPECT_EQ(Tally(1, MTU), PostResult::OK);
    EXPECT_EQ(Tally(2, MTU + 1), PostResult::INVALID); // One packet only.
    EXPECT_EQ(Tally(3, 8, 0x0d), PostResult::INVALID); // A READ response.
    EXPECT_EQ(Tally(4, 8, opcode::WRITE_FIRST), PostResult::INVALID);
    EXPECT_EQ(Tally(5, 8, 0x1c), PostResult::INVALID); // Not first of its messages.
    EXPECT_EQ(Tally(6, 8, 0x20), PostResult::INVALID); // More than five bits.
    EXPECT_EQ(Tally(7, 8, 0x19), PostResult::OK);      // StRoM's RPC WRITE.
}

INSTANTIATE_TEST_SUITE_P(Hardware, OwnOperation, testing::Bool());

} // namespace ns3::rdma
