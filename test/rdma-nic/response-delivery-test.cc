// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/response-delivery.h"

#include "ns3/host-memory.h"
#include "ns3/opcode.h"
#include "ns3/payload-cargo.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t MTU{1024};

Message
MakeMessage(WrOpcode opcode, uint64_t bytes)
{
    Message message{};
    message.bytes = bytes;
    message.detail = std::make_unique<MessageDetail>();
    message.detail->request.opcode = opcode;
    message.detail->request.sgList = {{0x1000, static_cast<uint32_t>(bytes), 0}};
    return message;
}

Frame
MakeFrame(uint8_t code, uint16_t payload)
{
    Frame frame{};
    frame.opcode = code;
    frame.payloadBytes = payload;
    return frame;
}
} // namespace

TEST(ResponseDelivery, NamesOperationsAsCompletionsDo)
{
    EXPECT_EQ(GetWcOpcode(WrOpcode::SEND_WITH_IMM), WcOpcode::SEND);
    EXPECT_EQ(GetWcOpcode(WrOpcode::RDMA_WRITE_WITH_IMM), WcOpcode::RDMA_WRITE);
    EXPECT_EQ(GetWcOpcode(WrOpcode::RDMA_READ), WcOpcode::RDMA_READ);
    EXPECT_EQ(GetWcOpcode(WrOpcode::KERNEL), WcOpcode::RDMA_WRITE);
    EXPECT_EQ(GetWcOpcode(WrOpcode::ATOMIC_CMP_AND_SWP), WcOpcode::COMP_SWAP);
    EXPECT_EQ(GetWcOpcode(WrOpcode::ATOMIC_FETCH_AND_ADD), WcOpcode::FETCH_ADD);
}

TEST(ResponseDelivery, EachNakEndsARequestInItsOwnWay)
{
    EXPECT_EQ(GetStatusOfNak(syndrome::NAK_INVALID_REQUEST), WcStatus::REM_INV_REQ_ERR);
    EXPECT_EQ(GetStatusOfNak(syndrome::NAK_REMOTE_ACCESS), WcStatus::REM_ACCESS_ERR);
    EXPECT_EQ(GetStatusOfNak(syndrome::NAK_REMOTE_OPERATION), WcStatus::REM_OP_ERR);
}

TEST(ResponseDelivery, AReadTakesPacketsOfItsLengthOnly)
{
    const Message read = MakeMessage(WrOpcode::RDMA_READ, 2500); // 1024 + 1024 + 452.
    EXPECT_TRUE(FitsRequest(read, 0, MTU, MakeFrame(opcode::READ_RESPONSE_FIRST, 1024)));
    EXPECT_TRUE(FitsRequest(read, 2048, MTU, MakeFrame(opcode::READ_RESPONSE_LAST, 452)));
    EXPECT_FALSE(FitsRequest(read, 2048, MTU, MakeFrame(opcode::READ_RESPONSE_LAST, 453)));
    EXPECT_FALSE(FitsRequest(read, 0, MTU, MakeFrame(opcode::READ_RESPONSE_FIRST, 1000)));
    EXPECT_FALSE(FitsRequest(read, 0, MTU, MakeFrame(opcode::ATOMIC_ACK, 1024)));
}

TEST(ResponseDelivery, AnAtomicTakesItsAcknowledgmentOnly)
{
    const Message add = MakeMessage(WrOpcode::ATOMIC_FETCH_AND_ADD, 8);
    EXPECT_TRUE(FitsRequest(add, 0, MTU, MakeFrame(opcode::ATOMIC_ACK, 0)));
    EXPECT_FALSE(FitsRequest(add, 0, MTU, MakeFrame(opcode::READ_RESPONSE_ONLY, 8)));
}

TEST(ResponseDelivery, PlacesWhatResponsesBring)
{
    const auto domain = Create<ProtectionDomain>(Create<HostMemory>());
    PayloadCargo payload;
    payload.bytes = {1, 2, 3};
    FrameDetail detail{};
    detail.cargo = &payload;
    PlaceResponse(MakeMessage(WrOpcode::RDMA_READ, 2000), 1024, &detail, PeekPointer(domain));
    EXPECT_EQ(domain->GetMemory()->Read64(0x1000 + 1024), 0x030201);
    detail.swapAdd = 77;
    PlaceResponse(MakeMessage(WrOpcode::ATOMIC_CMP_AND_SWP, 8), 0, &detail, PeekPointer(domain));
    EXPECT_EQ(domain->GetMemory()->Read64(0x1000), 77);
}

TEST(ResponseDelivery, PlacesNothingWithoutMemory)
{
    FrameDetail detail{};
    const Message read = MakeMessage(WrOpcode::RDMA_READ, 8);
    PlaceResponse(read, 0, &detail, nullptr);
    PlaceResponse(read, 0, nullptr, PeekPointer(Create<ProtectionDomain>(Create<HostMemory>())));
    const auto domain = Create<ProtectionDomain>();
    PlaceResponse(read, 0, &detail, PeekPointer(domain));
    EXPECT_EQ(domain->GetMemory(), nullptr);
}
