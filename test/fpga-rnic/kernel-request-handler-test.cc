// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-request-handler.h"

#include "two-kernel-hosts.h"

#include "ns3/opcode.h"
#include "ns3/shuffle-kernel.h"
#include "ns3/strom-opcodes.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// The handler of a queue pair of end 1, to which the test hands packets.
class KernelRequestHandlerTest : public testing::Test
{
  protected:
    KernelRequestHandlerTest()
        : m_hosts(false)
    {
        m_hosts.hosts[1]->Deploy(m_kernel);
        m_hosts.Start();
        RequestContext context;
        context.domain = m_hosts.bench.ends[1].domain;
        context.qpNumber = 0x55;
        m_handler = m_hosts.hosts[1]->GetHandlers()->Make(context);
        m_handler->SetAccess(memory_access::REMOTE_WRITE);
    }

    Execution Execute(uint8_t opcode, uint64_t address = ShuffleKernel::RPC_CODE)
    {
        Frame frame{};
        frame.opcode = opcode;
        frame.remoteAddress = address;
        frame.payloadBytes = 64;
        frame.messageBytes = 64;
        FrameDetail detail{};
        detail.remoteKey = m_hosts.bench.ends[1].region.remoteKey;
        return m_handler->Execute(frame, &detail);
    }

    Ptr<ShuffleKernel> m_kernel = CreateObject<ShuffleKernel>();
    TwoKernelHosts m_hosts;
    std::unique_ptr<RequestHandler> m_handler;
};
} // namespace

TEST_F(KernelRequestHandlerTest, PacketsOfAKernelsMessageComeInOrder)
{
    EXPECT_EQ(Execute(opcode::STROM_WRITE_MIDDLE).nak, syndrome::NAK_INVALID_REQUEST);
    EXPECT_EQ(Execute(opcode::STROM_WRITE_FIRST).nak, 0);
    EXPECT_EQ(Execute(opcode::STROM_WRITE_FIRST).nak, syndrome::NAK_INVALID_REQUEST);
    EXPECT_EQ(Execute(opcode::STROM_RPC_PARAMS).nak, syndrome::NAK_INVALID_REQUEST);
    EXPECT_EQ(Execute(opcode::WRITE_ONLY, VerbsEnd::BASE).nak, syndrome::NAK_INVALID_REQUEST);
    const Execution middle = Execute(opcode::STROM_WRITE_MIDDLE);
    EXPECT_EQ(middle.nak, 0);
    EXPECT_FALSE(middle.endsMessage);
    EXPECT_TRUE(Execute(opcode::STROM_WRITE_LAST).endsMessage);
    EXPECT_TRUE(Execute(opcode::STROM_WRITE_ONLY).endsMessage);
}

TEST_F(KernelRequestHandlerTest, ARefusalStopsTheQueuePair)
{
    EXPECT_EQ(Execute(opcode::STROM_WRITE_LAST).error, AsyncEventType::QP_REQ_ERR);
    // A stream for which there is no kernel.
    EXPECT_EQ(Execute(opcode::STROM_WRITE_ONLY, 999).nak, syndrome::NAK_INVALID_REQUEST);
}

TEST_F(KernelRequestHandlerTest, PlainWritesGoToMemory)
{
    const Execution done = Execute(opcode::WRITE_ONLY, VerbsEnd::BASE);
    EXPECT_EQ(done.nak, 0);
    EXPECT_TRUE(done.endsMessage);
    m_hosts.bench.Run();
    EXPECT_EQ(m_hosts.hosts[1]->GetStats().inputs, 0U);
}

TEST_F(KernelRequestHandlerTest, PacketsBeyondTheKernelsQueueAreDropped)
{
    uint32_t taken = 0;
    while (!Execute(opcode::STROM_WRITE_ONLY).isDropped)
    {
        ASSERT_LE(++taken, 512U); // KernelHost::QueuePackets.
    }
    EXPECT_EQ(taken, 512U);
    EXPECT_EQ(m_hosts.hosts[1]->GetStats().drops, 1U);
}

TEST_F(KernelRequestHandlerTest, TheEndOfTheQueuePairDropsWhatWaits)
{
    Execute(opcode::STROM_WRITE_FIRST);
    Execute(opcode::STROM_WRITE_MIDDLE);
    m_handler->Flush();
    m_handler.reset();
    m_hosts.bench.Run();
    EXPECT_EQ(m_hosts.hosts[1]->GetStats().inputs, 0U);
    EXPECT_EQ(m_kernel->GetDropped(), 0U);
}
