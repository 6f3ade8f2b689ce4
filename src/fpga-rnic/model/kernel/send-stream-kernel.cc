// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/send-stream-kernel.h"

#include "ns3/log.h"
#include "ns3/type-attributes.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("SendStreamKernel");

namespace
{
constexpr uint32_t ADDRESS_OFFSET{8};
constexpr uint32_t BYTES_OFFSET{16};
constexpr uint32_t KEY_OFFSET{20};
constexpr uint32_t REMOTE_OFFSET{24};
constexpr uint32_t ID_OFFSET{32};
} // namespace

std::vector<uint8_t>
SendStreamParameters::Encode() const
{
    std::vector<uint8_t> encoded(BYTES);
    boost::endian::store_little_u64(encoded.data(), target);
    boost::endian::store_little_u64(encoded.data() + ADDRESS_OFFSET, address);
    boost::endian::store_little_u32(encoded.data() + BYTES_OFFSET, bytes);
    boost::endian::store_little_u32(encoded.data() + KEY_OFFSET, remoteKey);
    boost::endian::store_little_u64(encoded.data() + REMOTE_OFFSET, remoteAddress);
    boost::endian::store_little_u64(encoded.data() + ID_OFFSET, wrId);
    return encoded;
}

std::optional<SendStreamParameters>
SendStreamParameters::Decode(ByteView bytes)
{
    if (bytes.GetSize() != BYTES || bytes.Get32(BYTES_OFFSET) == 0)
    {
        return std::nullopt;
    }
    return SendStreamParameters{bytes.Get64(0),
                                bytes.Get64(ADDRESS_OFFSET),
                                bytes.Get32(BYTES_OFFSET),
                                bytes.Get32(KEY_OFFSET),
                                bytes.Get64(REMOTE_OFFSET),
                                bytes.Get64(ID_OFFSET)};
}

NS_OBJECT_ENSURE_REGISTERED(SendStreamKernel);

TypeId
SendStreamKernel::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<SendStreamKernel, OffloadKernel>("ns3::rdma::SendStreamKernel",
                                                            "FpgaRnic")
            .Add("ChunkBytes",
                 Member(&SendStreamKernel::m_chunkBytes, 16384, 64, 1 << 20),
                 "Size of a chunk that is read, passed and sent at a time (16 KiB: our choice; "
                 "each chunk is a WRITE of its own, whose RETH costs 16 bytes)")
            .Add("MaxChunks",
                 Member(&SendStreamKernel::m_maxChunks, 4, 1, 1024),
                 "Outstanding reads at most (4: 64 KiB cover 1.5 us of PCIe at 100 Gb/s, StRoM "
                 "section 6.2, three times over)")
            .Add("Latency",
                 Member(&SendStreamKernel::m_latency, 4, 1, 10000),
                 "Cycles from one input to the next command (4: two functions of 2 cycles each as "
                 "in StRoM Listing 2; our estimate)");
    return tid;
}

void
SendStreamKernel::Add(Ptr<StreamService> service)
{
    auto entry = std::make_shared<ServiceEntry>();
    entry->service = std::move(service);
    m_services.Add(std::move(entry));
}

uint64_t
SendStreamKernel::GetRpcCode() const
{
    return RPC_CODE;
}

KernelStep
SendStreamKernel::OnPacket(const KernelInput& input)
{
    KernelStep step;
    step.readyAt = After(input.at, 1);
    if (input.bytes.GetSize() < sizeof(uint64_t) || input.isStream)
    {
        return step; // There is no address for an answer.
    }
    m_isLocal = input.isLocal;
    m_reply = {input.queuePair, input.bytes.Get64(0), input.replyKey};
    const auto call = SendStreamParameters::Decode(input.bytes);
    if (!call)
    {
        Answer(step, KernelStatus::BAD_PARAMETERS, After(input.at, m_latency));
        return step;
    }
    NS_LOG_LOGIC("queue pair " << m_reply.queuePair << ": a call begins, " << call->bytes << " B");
    m_call = *call;
    m_isBusy = true;
    m_status = KernelStatus::OK;
    m_asked = 0;
    m_passed = 0;
    m_reads = 0;
    m_sentAt = 0;
    ReadMore(step, input.at);
    step.readyAt = TICK_NEVER;
    return step;
}

void
SendStreamKernel::ReadMore(KernelStep& step, Tick now)
{
    while (m_status == KernelStatus::OK && m_asked < m_call.bytes && m_reads < m_maxChunks)
    {
        KernelCommand read;
        read.kind = KernelCommand::Kind::READ_HOST;
        read.at = After(now, m_latency);
        read.address = m_call.address + m_asked;
        read.length = std::min(m_chunkBytes, m_call.bytes - m_asked);
        m_asked += read.length;
        ++m_reads;
        step.commands.push_back(std::move(read));
    }
}

KernelStep
SendStreamKernel::OnData(uint64_t, ByteView bytes, Tick now)
{
    KernelStep step;
    --m_reads;
    if (m_status == KernelStatus::OK)
    {
        StreamInput input;
        input.queuePair = m_reply.queuePair;
        input.isSent = true;
        input.isFirst = m_passed == 0;
        input.address = m_call.remoteAddress + m_passed;
        input.bytes = bytes;
        input.at = now;
        m_passed += static_cast<uint32_t>(bytes.GetSize());
        input.isLast = m_passed == m_call.bytes;
        ChainOutcome outcome = m_services.Pass(input);
        m_status = outcome.isRejected ? KernelStatus::REJECTED : KernelStatus::OK;
        if (!outcome.isRejected)
        {
            step.commands.emplace_back();
            KernelCommand& write = step.commands.back();
            write.kind = KernelCommand::Kind::SEND_WRITE;
            write.at = After(outcome.passedAt, m_latency);
            write.address = input.address;
            write.bytes = outcome.isChanged ? std::move(outcome.bytes) : bytes.Copy();
            write.tag = m_call.wrId;
            write.queuePair = m_reply.queuePair;
            write.remoteKey = m_call.remoteKey;
            write.isSignaled = input.isLast;
            m_sentAt = write.at;
        }
        ReadMore(step, now);
    }
    if (m_reads == 0)
    {
        End(step, m_status, std::max(m_sentAt, After(now, m_latency)));
    }
    return step;
}

KernelStep
SendStreamKernel::OnFault(uint64_t, Tick now)
{
    KernelStep step;
    if (!m_isBusy || m_reads == 0)
    {
        return step; // The write of an answer failed.
    }
    --m_reads;
    m_status = KernelStatus::FAULT;
    if (m_reads == 0)
    {
        End(step, m_status, After(now, m_latency));
    }
    return step;
}

void
SendStreamKernel::End(KernelStep& step, KernelStatus status, Tick at)
{
    NS_LOG_LOGIC("queue pair " << m_reply.queuePair << ": the call ends, "
                               << GetKernelStatusName(status));
    m_isBusy = false;
    Answer(step, status, at);
    step.readyAt = at;
}

void
SendStreamKernel::Answer(KernelStep& step, KernelStatus status, Tick at) const
{
    if (!m_isLocal)
    {
        KernelReply::AddStatus(step, m_reply, status, at);
        return;
    }
    step.commands.emplace_back();
    KernelCommand& write = step.commands.back();
    write.kind = KernelCommand::Kind::WRITE_HOST;
    write.at = at;
    write.address = m_reply.address;
    write.bytes.resize(KernelReply::WORD_BYTES);
    boost::endian::store_little_u64(write.bytes.data(), KernelReply::MakeWord(status, 0));
}

} // namespace ns3::rdma
