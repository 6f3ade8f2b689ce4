// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/post-check.h"

#include "ns3/psn.h"

namespace ns3::rdma
{

namespace
{
/// @return whether a packet of this place is registered for messages of a kernel's operation.
bool
HasKernelPacket(uint8_t operation, bool isFirst, bool isLast)
{
    const uint8_t found = opcode::GetByPlace(operation, isFirst, isLast);
    const OpcodeInfo& info = opcode::Get(opcode::Make(Service::RC, found));
    return info.kind == OpcodeKind::KERNEL && info.isFirst == isFirst && info.isLast == isLast;
}

/// @return whether each packet of a message of so many bytes is registered.
bool
IsKernelPostable(uint8_t operation, uint64_t bytes, uint32_t mtuBytes)
{
    if (operation >= opcode::PLACES.size())
    {
        return false;
    }
    if (bytes <= mtuBytes)
    {
        return HasKernelPacket(operation, true, true);
    }
    return HasKernelPacket(operation, true, false) && HasKernelPacket(operation, false, true) &&
           (bytes <= 2ULL * mtuBytes || HasKernelPacket(operation, false, false));
}
} // namespace

bool
IsPostable(const SendWorkRequest& request, const PostLimits& limits)
{
    constexpr uint64_t MAX_MESSAGE_BYTES{1ULL << 31};
    constexpr uint64_t ATOMIC_BYTES{8};
    const uint64_t bytes = GetTotalBytes(request.sgList);
    const bool canBeInline =
        !HasResponse(request.opcode) && bytes <= limits.capabilities.maxInlineBytes;
    const bool isFromHost = request.origin == PayloadOrigin::HOST;
    const bool hasItsBytes = !request.bytes || (!isFromHost && request.bytes->size() == bytes);
    return IsOperationAllowed(limits.service, request.opcode) && hasItsBytes &&
           (isFromHost || !HasResponse(request.opcode)) &&
           (request.opcode != WrOpcode::KERNEL ||
            IsKernelPostable(request.kernelOperation, bytes, limits.mtuBytes)) &&
           request.sgList.size() <= limits.capabilities.maxSendSge &&
           (!request.isInline || canBeInline) && bytes <= MAX_MESSAGE_BYTES &&
           bytes / limits.mtuBytes + 1 < Psn::MAX_WINDOW &&
           (!IsAtomic(request.opcode) || (bytes == ATOMIC_BYTES && request.sgList.size() == 1));
}

WcStatus
CheckLocally(const SendWorkRequest& request, const PostLimits& limits)
{
    if (HasResponse(request.opcode) && limits.maxReadsAndAtomics == 0)
    {
        return WcStatus::LOC_QP_OP_ERR;
    }
    if (limits.service == Service::UD && GetTotalBytes(request.sgList) > limits.mtuBytes)
    {
        return WcStatus::LOC_LEN_ERR;
    }
    const uint8_t access =
        HasResponse(request.opcode) ? memory_access::LOCAL_WRITE : memory_access::LOCAL_READ;
    const bool isInHost = request.origin == PayloadOrigin::HOST && !request.isInline;
    if (limits.domain && isInHost && !limits.domain->CheckLocal(request.sgList, access))
    {
        return WcStatus::LOC_PROT_ERR;
    }
    return WcStatus::SUCCESS;
}

} // namespace ns3::rdma
