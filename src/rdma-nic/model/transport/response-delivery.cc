// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/response-delivery.h"

#include "ns3/opcode.h"
#include "ns3/payload-cargo.h"

#include <algorithm>

namespace ns3::rdma
{

WcOpcode
GetWcOpcode(WrOpcode opcode)
{
    switch (opcode)
    {
    case WrOpcode::RDMA_WRITE:
    case WrOpcode::RDMA_WRITE_WITH_IMM:
    case WrOpcode::KERNEL: // "Semantically similar to RDMA WRITE" (StRoM section 5.1).
        return WcOpcode::RDMA_WRITE;
    case WrOpcode::RDMA_READ:
        return WcOpcode::RDMA_READ;
    case WrOpcode::ATOMIC_CMP_AND_SWP:
        return WcOpcode::COMP_SWAP;
    case WrOpcode::ATOMIC_FETCH_AND_ADD:
        return WcOpcode::FETCH_ADD;
    default:
        return WcOpcode::SEND;
    }
}

WcStatus
GetStatusOfNak(uint8_t code)
{
    switch (code)
    {
    case syndrome::NAK_REMOTE_ACCESS:
        return WcStatus::REM_ACCESS_ERR;
    case syndrome::NAK_REMOTE_OPERATION:
        return WcStatus::REM_OP_ERR;
    default:
        return WcStatus::REM_INV_REQ_ERR;
    }
}

bool
FitsRequest(const Message& message, uint64_t offset, uint32_t mtuBytes, const Frame& frame)
{
    if (IsAtomic(message.GetRequest().opcode))
    {
        return frame.opcode == opcode::ATOMIC_ACK;
    }
    return opcode::GetKind(frame.opcode) == OpcodeKind::READ_RESPONSE &&
           frame.payloadBytes == std::min<uint64_t>(message.bytes - offset, mtuBytes);
}

WorkCompletion
MakeSendCompletion(const Message& message, WcStatus status, uint32_t queuePair)
{
    WorkCompletion completion{message.wrId, status, queuePair};
    completion.opcode = GetWcOpcode(message.GetRequest().opcode);
    completion.byteLength = static_cast<uint32_t>(message.bytes);
    return completion;
}

uint64_t
FindPlace(const Message& message, uint64_t offset)
{
    return message.detail ? GetAddress(message.GetRequest().sgList, offset) : 0;
}

void
PlaceResponse(const Message& message,
              uint64_t offset,
              const FrameDetail* detail,
              const ProtectionDomain* domain)
{
    if (!detail || !domain || !domain->GetMemory())
    {
        return;
    }
    const SgeList& buffer = message.GetRequest().sgList;
    if (IsAtomic(message.GetRequest().opcode))
    {
        domain->GetMemory()->Write64(buffer.front().address, detail->swapAdd);
    }
    else if (const auto* payload = dynamic_cast<const PayloadCargo*>(detail->cargo))
    {
        domain->Scatter(buffer, offset, payload->bytes.data(), payload->bytes.size());
    }
}

} // namespace ns3::rdma
