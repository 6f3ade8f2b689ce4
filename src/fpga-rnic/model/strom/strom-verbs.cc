// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/strom-verbs.h"

#include "ns3/strom-opcodes.h"

#include <memory>
#include <utility>

namespace ns3::rdma
{

namespace
{
SendWorkRequest
MakeRequest(uint8_t operation, uint64_t wrId, uint64_t code, const Sge& piece, uint32_t replyKey)
{
    SendWorkRequest request;
    request.wrId = wrId;
    request.opcode = WrOpcode::KERNEL;
    request.kernelOperation = operation;
    request.sgList = {piece};
    request.remoteAddress = code;
    request.remoteKey = replyKey;
    return request;
}
} // namespace

PostResult
PostRpc(RdmaNic& nic,
        uint32_t queuePair,
        uint64_t wrId,
        uint64_t code,
        std::vector<uint8_t> parameters,
        uint32_t replyKey)
{
    if (parameters.size() > MAX_STORED_PARAMETERS)
    {
        return PostResult::INVALID;
    }
    const Sge piece{0, static_cast<uint32_t>(parameters.size()), 0};
    SendWorkRequest request = MakeRequest(opcode::STROM_RPC_PARAMS, wrId, code, piece, replyKey);
    request.origin = PayloadOrigin::CHIP; // They are part of the command.
    request.bytes = std::make_shared<const std::vector<uint8_t>>(std::move(parameters));
    return nic.PostSend(queuePair, request);
}

PostResult
PostRpc(RdmaNic& nic,
        uint32_t queuePair,
        uint64_t wrId,
        uint64_t code,
        const Sge& parameters,
        uint32_t replyKey)
{
    return nic.PostSend(queuePair,
                        MakeRequest(opcode::STROM_RPC_PARAMS, wrId, code, parameters, replyKey));
}

PostResult
PostRpcWrite(RdmaNic& nic,
             uint32_t queuePair,
             uint64_t wrId,
             uint64_t code,
             const Sge& data,
             uint32_t replyKey)
{
    return nic.PostSend(queuePair,
                        MakeRequest(opcode::STROM_WRITE_FIRST, wrId, code, data, replyKey));
}

} // namespace ns3::rdma
