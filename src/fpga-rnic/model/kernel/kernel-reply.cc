// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-reply.h"

#include <boost/endian/conversion.hpp>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// Bytes that fit into one packet: the second smallest path MTU of InfiniBand (IBTA Vol. 1, Section
/// 9.4.3). A constant, so that the split does not depend on the fabric.
constexpr std::size_t ONE_PACKET{512};
constexpr uint32_t STATUS_SHIFT{32};

KernelCommand
MakeWrite(const ReplyAddress& to, uint64_t offset, std::vector<uint8_t> bytes, Tick at)
{
    KernelCommand command;
    command.kind = KernelCommand::Kind::SEND_WRITE;
    command.at = at;
    command.address = to.address + offset;
    command.bytes = std::move(bytes);
    command.queuePair = to.queuePair;
    command.remoteKey = to.remoteKey;
    return command;
}
} // namespace

const char*
GetKernelStatusName(KernelStatus status)
{
    constexpr const char* NAMES[]{"none",
                                  "OK",
                                  "NOT_FOUND",
                                  "FAULT",
                                  "BAD_PARAMETERS",
                                  "NO_KERNEL",
                                  "TOO_MANY_STEPS",
                                  "NO_ROOM",
                                  "REJECTED"};
    const auto index = static_cast<std::size_t>(status);
    return index < std::size(NAMES) ? NAMES[index] : "unknown";
}

uint64_t
KernelReply::MakeWord(KernelStatus status, uint32_t bytes)
{
    return static_cast<uint64_t>(status) << STATUS_SHIFT | bytes;
}

KernelStatus
KernelReply::GetStatus(uint64_t word)
{
    return static_cast<KernelStatus>(static_cast<uint8_t>(word >> STATUS_SHIFT));
}

uint32_t
KernelReply::GetBytes(uint64_t word)
{
    return static_cast<uint32_t>(word);
}

void
KernelReply::AddTo(KernelStep& step, const ReplyAddress& to, Tick at, uint32_t sent) const
{
    std::vector<uint8_t> word(WORD_BYTES);
    const uint32_t bytes = sent + static_cast<uint32_t>(value.size());
    boost::endian::store_little_u64(word.data(), MakeWord(status, bytes));
    if (bytes + WORD_BYTES <= ONE_PACKET)
    {
        word.insert(word.end(), value.begin(), value.end());
    }
    else if (!value.empty())
    {
        AddPart(step, to, sent, value, at);
    }
    step.commands.push_back(MakeWrite(to, 0, std::move(word), at));
}

void
KernelReply::AddPart(KernelStep& step,
                     const ReplyAddress& to,
                     uint32_t offset,
                     std::vector<uint8_t> bytes,
                     Tick at)
{
    step.commands.push_back(MakeWrite(to, WORD_BYTES + offset, std::move(bytes), at));
}

void
KernelReply::AddStatus(KernelStep& step, const ReplyAddress& to, KernelStatus status, Tick at)
{
    KernelReply{status, {}}.AddTo(step, to, at);
}

} // namespace ns3::rdma
