// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/request-executor.h"

#include "ns3/host-memory.h"
#include "ns3/payload-cargo.h"
#include "ns3/strom-opcodes.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint64_t BASE{0x10000};
constexpr uint32_t BYTES{4096};
constexpr uint32_t PAYLOAD{100};

/// An executor with memory, one region that allows everything, and a receive queue.
class RequestExecution : public testing::Test
{
  protected:
    RequestExecution()
    {
        config.domain = domain;
        config.receiveQueue = queue;
        config.qpNumber = 17;
    }

    void Make()
    {
        m_executor.emplace(config);
    }

    void PostReceive(uint64_t wrId, uint32_t bytes)
    {
        ReceiveWorkRequest request;
        request.wrId = wrId;
        request.sgList = {{BASE + 1000, bytes, region.localKey}};
        queue->Post(request);
    }

    /// Shows it a packet whose payload is all "fill". What it reads besides is in frame and detail.
    Execution Take(uint8_t operation, uint32_t payloadBytes = PAYLOAD, uint8_t fill = 1)
    {
        if (!m_executor)
        {
            Make();
        }
        m_cargo.bytes.assign(payloadBytes, fill);
        frame.opcode = opcode::Make(config.service, operation);
        frame.payloadBytes = static_cast<uint16_t>(payloadBytes);
        detail.cargo = &m_cargo;
        return m_executor->Execute(frame, &detail);
    }

    void AimAt(uint64_t offset, uint32_t messageBytes)
    {
        frame.remoteAddress = BASE + offset;
        frame.messageBytes = messageBytes;
        detail.remoteKey = region.remoteKey;
    }

    uint8_t ReadByte(uint64_t offset) const
    {
        uint8_t byte = 0;
        memory->Read(BASE + offset, &byte, 1);
        return byte;
    }

    RequestExecutor& Get()
    {
        return *m_executor;
    }

    static constexpr uint8_t ALL{memory_access::LOCAL_WRITE | memory_access::REMOTE_WRITE |
                                 memory_access::REMOTE_READ | memory_access::REMOTE_ATOMIC};

    Ptr<HostMemory> memory = Create<HostMemory>();
    Ptr<ProtectionDomain> domain = Create<ProtectionDomain>(memory);
    MemoryRegion region = domain->Register(BASE, BYTES, ALL);
    Ptr<ReceiveQueue> queue = Create<ReceiveQueue>(10, 4);
    RequestContext config;
    Frame frame{};
    FrameDetail detail{};

  private:
    PayloadCargo m_cargo;
    std::optional<RequestExecutor> m_executor;
};

using Flushed = std::vector<uint64_t>;

Flushed
GetIds(const std::vector<WorkCompletion>& completions)
{
    Flushed ids;
    for (const WorkCompletion& completion : completions)
    {
        EXPECT_EQ(completion.status, WcStatus::WR_FLUSH_ERR);
        EXPECT_EQ(completion.qpNumber, 17);
        ids.push_back(completion.wrId);
    }
    return ids;
}
} // namespace

TEST_F(RequestExecution, PlacesTheBytesOfASendOneAfterTheOther)
{
    PostReceive(5, 250);
    EXPECT_FALSE(Take(opcode::SEND_FIRST, PAYLOAD, 1).completion);
    EXPECT_TRUE(Get().IsInMessage());
    EXPECT_FALSE(Take(opcode::SEND_MIDDLE, PAYLOAD, 2).endsMessage);
    detail.isSolicited = true;
    detail.immediate = 77;
    frame.srcQp = 9;
    const Execution last = Take(opcode::SEND_LAST_IMM, 50, 3);
    EXPECT_FALSE(Get().IsInMessage());
    EXPECT_TRUE(last.endsMessage && last.isSolicited);
    ASSERT_TRUE(last.completion);
    EXPECT_EQ(last.completion->wrId, 5);
    EXPECT_EQ(last.completion->status, WcStatus::SUCCESS);
    EXPECT_EQ(last.completion->opcode, WcOpcode::RECV);
    EXPECT_EQ(last.completion->byteLength, 250);
    EXPECT_EQ(last.completion->immediate, 77);
    EXPECT_EQ(last.completion->qpNumber, 17);
    EXPECT_EQ(last.completion->srcQp, 0); // Of datagrams only.
    EXPECT_EQ(ReadByte(1000), 1);
    EXPECT_EQ(ReadByte(1199), 2);
    EXPECT_EQ(ReadByte(1249), 3);
    EXPECT_EQ(ReadByte(1250), 0);
}

TEST_F(RequestExecution, WithoutReceiveRequestItIsNotReady)
{
    const Execution refused = Take(opcode::SEND_ONLY);
    EXPECT_EQ(refused.nak, syndrome::RNR_NAK);
    EXPECT_FALSE(refused.error); // It may come again.
    PostReceive(5, PAYLOAD);
    EXPECT_TRUE(Take(opcode::SEND_ONLY).completion);
}

TEST_F(RequestExecution, ASendThatDoesNotFitFailsAtThePacketThatShowsIt)
{
    PostReceive(5, 150);
    PostReceive(6, 500);
    EXPECT_EQ(Take(opcode::SEND_FIRST).nak, 0);
    const Execution failed = Take(opcode::SEND_LAST);
    EXPECT_EQ(failed.nak, syndrome::NAK_INVALID_REQUEST);
    ASSERT_TRUE(failed.completion && failed.error);
    EXPECT_EQ(failed.completion->wrId, 5);
    EXPECT_EQ(failed.completion->status, WcStatus::LOC_LEN_ERR);
    EXPECT_EQ(GetIds(Get().Flush()), (Flushed{6}));
}

TEST_F(RequestExecution, PacketsOutOfSequenceAreInvalid)
{
    struct Case
    {
        std::vector<uint8_t> before;
        uint8_t operation;
    };

    const Case cases[]{
        {{}, opcode::SEND_MIDDLE},
        {{}, opcode::WRITE_LAST},
        {{opcode::SEND_FIRST}, opcode::SEND_ONLY},
        {{opcode::SEND_FIRST}, opcode::WRITE_MIDDLE},
        {{opcode::SEND_FIRST}, opcode::READ_REQUEST},
        {{opcode::SEND_FIRST}, opcode::FETCH_ADD},
        {{opcode::WRITE_FIRST}, opcode::WRITE_FIRST},
        {{opcode::WRITE_FIRST}, opcode::SEND_LAST},
        {{opcode::WRITE_FIRST, opcode::WRITE_LAST}, opcode::WRITE_MIDDLE},
        {{}, opcode::STROM_RPC_PARAMS}, // Known to no reliable connection.
    };
    for (const Case& item : cases)
    {
        PostReceive(5, 1000);
        Make();
        AimAt(0, 2 * PAYLOAD);
        for (const uint8_t operation : item.before)
        {
            ASSERT_EQ(Take(operation).nak, 0);
        }
        const Execution refused = Take(item.operation);
        EXPECT_EQ(refused.nak, syndrome::NAK_INVALID_REQUEST) << unsigned{item.operation};
        EXPECT_EQ(refused.error, AsyncEventType::QP_REQ_ERR) << unsigned{item.operation};
    }
}

TEST_F(RequestExecution, AWriteGoesOnWhereItsFirstPacketBegan)
{
    AimAt(500, 250);
    Take(opcode::WRITE_FIRST, PAYLOAD, 1);
    frame.remoteAddress = 0; // Only the first packet has a RETH.
    detail.remoteKey = 0;
    EXPECT_EQ(Take(opcode::WRITE_MIDDLE, PAYLOAD, 2).nak, 0);
    const Execution last = Take(opcode::WRITE_LAST, 50, 3);
    EXPECT_TRUE(last.endsMessage);
    EXPECT_FALSE(last.completion);
    EXPECT_EQ(ReadByte(499), 0);
    EXPECT_EQ(ReadByte(599), 1);
    EXPECT_EQ(ReadByte(600), 2);
    EXPECT_EQ(ReadByte(749), 3);
}

TEST_F(RequestExecution, AWriteThatDoesNotEndWhereItSaidIsInvalid)
{
    AimAt(0, 250);
    Take(opcode::WRITE_FIRST);
    EXPECT_EQ(Take(opcode::WRITE_LAST, 100).nak, syndrome::NAK_INVALID_REQUEST);
}

TEST_F(RequestExecution, AForbiddenWriteIsRefusedBeforeItsFirstByte)
{
    AimAt(BYTES - 150, 151); // The first packet would fit.
    const Execution refused = Take(opcode::WRITE_FIRST);
    EXPECT_EQ(refused.nak, syndrome::NAK_REMOTE_ACCESS);
    EXPECT_EQ(refused.error, AsyncEventType::QP_ACCESS_ERR);
    EXPECT_EQ(ReadByte(BYTES - 150), 0);
}

TEST_F(RequestExecution, WhatTheQueuePairForbidsNoKeyAllows)
{
    config.access = memory_access::REMOTE_READ;
    AimAt(0, 8);
    EXPECT_EQ(Take(opcode::WRITE_ONLY, 8).nak, syndrome::NAK_REMOTE_ACCESS);
    EXPECT_EQ(Take(opcode::FETCH_ADD, 0).nak, syndrome::NAK_REMOTE_ACCESS);
    EXPECT_EQ(Take(opcode::READ_REQUEST, 0).nak, 0);
    AimAt(0, 0);
    EXPECT_EQ(Take(opcode::WRITE_ONLY, 0).nak, 0); // Nothing is accessed.
}

TEST_F(RequestExecution, ImmediateDataTakesAReceiveRequestAtTheLastPacket)
{
    AimAt(0, 2 * PAYLOAD);
    EXPECT_EQ(Take(opcode::WRITE_FIRST).nak, 0);
    EXPECT_EQ(Take(opcode::WRITE_LAST_IMM).nak, syndrome::RNR_NAK);
    PostReceive(5, 0);
    const Execution done = Take(opcode::WRITE_LAST_IMM);
    ASSERT_TRUE(done.completion);
    EXPECT_EQ(done.completion->opcode, WcOpcode::RECV_RDMA_WITH_IMM);
    EXPECT_EQ(done.completion->byteLength, 2 * PAYLOAD);
}

TEST_F(RequestExecution, AnAtomicChangesMemoryAndReturnsTheFormerValue)
{
    memory->Write64(BASE + 8, 40);
    AimAt(8, 0);
    detail.swapAdd = 2;
    EXPECT_EQ(Take(opcode::FETCH_ADD, 0).originalValue, 40);
    detail.compare = 41;
    EXPECT_EQ(Take(opcode::CMP_SWAP, 0).originalValue, 42);
    EXPECT_EQ(memory->Read64(BASE + 8), 42); // It was not 41.
    detail.compare = 42;
    Take(opcode::CMP_SWAP, 0);
    EXPECT_EQ(memory->Read64(BASE + 8), 2);
    detail.swapAdd = UINT64_MAX;
    Take(opcode::FETCH_ADD, 0);
    EXPECT_EQ(memory->Read64(BASE + 8), 1); // Modulo 2^64.
    AimAt(12, 0);
    EXPECT_EQ(Take(opcode::FETCH_ADD, 0).nak, syndrome::NAK_INVALID_REQUEST); // Not aligned.
}

TEST_F(RequestExecution, CheckingAReadChangesNothing)
{
    AimAt(0, BYTES);
    frame.opcode = opcode::READ_REQUEST;
    Make();
    EXPECT_EQ(Get().CheckRead(frame, &detail).nak, 0);
    frame.messageBytes = BYTES + 1;
    EXPECT_EQ(Get().CheckRead(frame, &detail).nak, syndrome::NAK_REMOTE_ACCESS);
    EXPECT_EQ(Get().CheckRead(frame, nullptr).nak, syndrome::NAK_REMOTE_ACCESS); // Key 0.
    EXPECT_FALSE(Get().IsInMessage());
}

TEST_F(RequestExecution, AnAbandonedMessageLeavesItsReceiveRequestToTheNext)
{
    PostReceive(5, 500);
    PostReceive(6, 500);
    Take(opcode::SEND_FIRST, PAYLOAD, 1);
    Get().Abandon();
    EXPECT_FALSE(Get().IsInMessage());
    const Execution next = Take(opcode::SEND_ONLY, PAYLOAD, 2);
    ASSERT_TRUE(next.completion);
    EXPECT_EQ(next.completion->wrId, 5);
    EXPECT_EQ(next.completion->byteLength, PAYLOAD);
    EXPECT_EQ(ReadByte(1000), 2); // From the start of the buffer.
}

TEST_F(RequestExecution, FlushesTheRequestInUseAndThoseThatWaitUnlessTheyAreShared)
{
    for (const bool isShared : {false, true})
    {
        config.isReceiveQueueShared = isShared;
        Make();
        for (const uint64_t wrId : {5, 6, 7})
        {
            PostReceive(wrId, 500);
        }
        Take(opcode::SEND_FIRST);
        EXPECT_EQ(GetIds(Get().Flush()), isShared ? (Flushed{5}) : (Flushed{5, 6, 7}));
        EXPECT_EQ(queue->GetCount(), isShared ? 2 : 0);
        EXPECT_TRUE(Get().Flush().empty());
    }
}

TEST_F(RequestExecution, WithoutADomainNothingIsCheckedOrMoved)
{
    config.domain = nullptr;
    config.receiveQueue = nullptr;
    AimAt(BYTES, 8);
    EXPECT_EQ(Take(opcode::WRITE_ONLY, 8).nak, 0);
    EXPECT_EQ(Take(opcode::READ_REQUEST, 0).nak, 0);
    EXPECT_EQ(Take(opcode::FETCH_ADD, 0).nak, 0);
    EXPECT_EQ(Take(opcode::SEND_ONLY, 8).nak, syndrome::RNR_NAK); // It takes no requests.
    EXPECT_EQ(memory->Read64(BASE + BYTES), 0);
}
