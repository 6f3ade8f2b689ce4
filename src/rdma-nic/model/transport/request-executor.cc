// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/request-executor.h"

#include "ns3/payload-cargo.h"

#include <algorithm>

namespace ns3::rdma
{

RequestExecutor::RequestExecutor(const RequestContext& context)
    : m_context(context)
{
}

Execution
RequestExecutor::Execute(const Frame& frame, const FrameDetail* detail)
{
    if (IsOutOfSequence(frame))
    {
        return Refuse(syndrome::NAK_INVALID_REQUEST, AsyncEventType::QP_REQ_ERR);
    }
    switch (opcode::GetKind(frame.opcode))
    {
    case OpcodeKind::SEND:
        return ExecuteSend(frame, detail);
    case OpcodeKind::WRITE:
        return ExecuteWrite(frame, detail);
    case OpcodeKind::READ_REQUEST:
        return CheckRead(frame, detail);
    case OpcodeKind::ATOMIC:
        return ExecuteAtomic(frame, detail);
    default:
        return Refuse(syndrome::NAK_INVALID_REQUEST, AsyncEventType::QP_REQ_ERR);
    }
}

bool
RequestExecutor::IsOutOfSequence(const Frame& frame) const
{
    const OpcodeInfo& info = opcode::Get(frame.opcode);
    const bool continues = !info.isFirst;
    if (continues != IsInMessage())
    {
        return true;
    }
    return continues && info.kind != m_message;
}

void
RequestExecutor::Abandon()
{
    m_message = NO_MESSAGE;
}

bool
RequestExecutor::TakeReceive()
{
    if (!m_receive && m_context.receiveQueue)
    {
        m_receive = m_context.receiveQueue->Take();
    }
    return m_receive.has_value();
}

bool
RequestExecutor::IsAllowed(uint32_t key, uint64_t address, uint64_t bytes, uint8_t access) const
{
    const bool isOpen = bytes == 0 || (m_context.access & access) != 0;
    return isOpen &&
           (!m_context.domain || m_context.domain->CheckRemote(key, address, bytes, access));
}

const std::vector<uint8_t>*
RequestExecutor::GetBytes(const FrameDetail* detail) const
{
    const bool isReal = m_context.domain && m_context.domain->GetMemory() && detail;
    const auto* payload = isReal ? dynamic_cast<const PayloadCargo*>(detail->cargo) : nullptr;
    return payload ? &payload->bytes : nullptr;
}

Execution
RequestExecutor::ExecuteSend(const Frame& frame, const FrameDetail* detail)
{
    const bool isDatagram = m_context.service == Service::UD;
    if (isDatagram && (detail ? detail->queueKey : 0) != m_context.queueKey)
    {
        Execution refused;
        refused.nak = syndrome::NAK_INVALID_REQUEST; // The datagram is dropped silently.
        return refused;
    }
    const bool isFirst = opcode::IsFirst(frame.opcode);
    if (isFirst)
    {
        if (!TakeReceive())
        {
            Execution notReady;
            notReady.nak = syndrome::RNR_NAK;
            return notReady;
        }
        m_offset = isDatagram ? GRH_BYTES : 0; // Room for the GRH, unused on IPv4.
    }
    const SgeList& buffer = m_receive->sgList;
    if (m_offset + frame.payloadBytes > GetTotalBytes(buffer))
    {
        return FailReceive(syndrome::NAK_INVALID_REQUEST, WcStatus::LOC_LEN_ERR);
    }
    if (isFirst && m_context.domain &&
        !m_context.domain->CheckLocal(buffer, memory_access::LOCAL_WRITE))
    {
        return FailReceive(syndrome::NAK_REMOTE_OPERATION, WcStatus::LOC_PROT_ERR);
    }
    if (const auto* bytes = GetBytes(detail))
    {
        m_context.domain->Scatter(buffer, m_offset, bytes->data(), bytes->size());
    }
    const uint64_t placedAt = GetAddress(buffer, m_offset);
    m_offset += frame.payloadBytes;
    m_message = OpcodeKind::SEND;
    Execution done =
        opcode::IsLast(frame.opcode) ? EndReceive(WcOpcode::RECV, frame, detail) : Execution{};
    done.placedAt = placedAt;
    return done;
}

Execution
RequestExecutor::ExecuteWrite(const Frame& frame, const FrameDetail* detail)
{
    const OpcodeInfo& info = opcode::Get(frame.opcode);
    const bool isLast = info.isLast;
    if (info.isFirst)
    {
        m_address = frame.remoteAddress;
        m_key = detail ? detail->remoteKey : 0;
        m_messageBytes = frame.messageBytes;
        m_offset = 0;
    }
    // If the format contains the length of the message, all of it is checked before its first byte
    // is written.
    const uint64_t checked =
        m_offset == 0 ? std::max<uint64_t>(m_messageBytes, frame.payloadBytes) : frame.payloadBytes;
    const bool hasOtherLength =
        isLast && m_messageBytes > 0 && m_offset + frame.payloadBytes != m_messageBytes;
    if (hasOtherLength)
    {
        return Refuse(syndrome::NAK_INVALID_REQUEST, AsyncEventType::QP_REQ_ERR);
    }
    if (!IsAllowed(m_key, m_address + m_offset, checked, memory_access::REMOTE_WRITE))
    {
        if (info.hasImmediate && TakeReceive())
        {
            return FailReceive(syndrome::NAK_REMOTE_ACCESS, WcStatus::LOC_ACCESS_ERR);
        }
        return Refuse(syndrome::NAK_REMOTE_ACCESS, AsyncEventType::QP_ACCESS_ERR);
    }
    if (info.hasImmediate && !TakeReceive())
    {
        Execution notReady;
        notReady.nak = syndrome::RNR_NAK;
        return notReady;
    }
    if (const auto* bytes = GetBytes(detail))
    {
        m_context.domain->GetMemory()->Write(m_address + m_offset, bytes->data(), bytes->size());
    }
    m_offset += frame.payloadBytes;
    m_message = OpcodeKind::WRITE;
    if (isLast && info.hasImmediate)
    {
        return EndReceive(WcOpcode::RECV_RDMA_WITH_IMM, frame, detail);
    }
    Execution done;
    done.endsMessage = isLast;
    m_message = isLast ? NO_MESSAGE : m_message;
    return done;
}

Execution
RequestExecutor::EndReceive(WcOpcode code, const Frame& frame, const FrameDetail* detail)
{
    Execution done;
    WorkCompletion completion{m_receive->wrId, WcStatus::SUCCESS, m_context.qpNumber};
    completion.opcode = code;
    completion.hasImmediate = opcode::HasImmediate(frame.opcode);
    completion.immediate = detail ? detail->immediate : 0;
    completion.byteLength = static_cast<uint32_t>(m_offset);
    completion.srcQp = m_context.service == Service::UD ? frame.srcQp : 0;
    done.completion = completion;
    done.isSolicited = detail && detail->isSolicited;
    done.endsMessage = true;
    m_receive.reset();
    m_message = NO_MESSAGE;
    return done;
}

Execution
RequestExecutor::CheckRead(const Frame& frame, const FrameDetail* detail) const
{
    Execution checked;
    checked.endsMessage = true;
    if (!IsAllowed(detail ? detail->remoteKey : 0,
                   frame.remoteAddress,
                   frame.messageBytes,
                   memory_access::REMOTE_READ))
    {
        checked.nak = syndrome::NAK_REMOTE_ACCESS;
        checked.error = AsyncEventType::QP_ACCESS_ERR;
    }
    return checked;
}

Execution
RequestExecutor::ExecuteAtomic(const Frame& frame, const FrameDetail* detail)
{
    constexpr uint64_t BYTES{8};
    if (frame.remoteAddress % BYTES != 0)
    {
        return Refuse(syndrome::NAK_INVALID_REQUEST, AsyncEventType::QP_REQ_ERR);
    }
    if (!IsAllowed(detail ? detail->remoteKey : 0,
                   frame.remoteAddress,
                   BYTES,
                   memory_access::REMOTE_ATOMIC))
    {
        return Refuse(syndrome::NAK_REMOTE_ACCESS, AsyncEventType::QP_ACCESS_ERR);
    }
    Execution done;
    done.endsMessage = true;
    PayloadMemory* memory = m_context.domain ? m_context.domain->GetMemory() : nullptr;
    if (memory && detail)
    {
        done.originalValue = memory->Read64(frame.remoteAddress);
        if (frame.opcode == opcode::FETCH_ADD)
        {
            memory->Write64(frame.remoteAddress, done.originalValue + detail->swapAdd);
        }
        else if (done.originalValue == detail->compare)
        {
            memory->Write64(frame.remoteAddress, detail->swapAdd);
        }
    }
    return done;
}

Execution
RequestExecutor::Refuse(uint8_t nak, AsyncEventType error)
{
    Execution refused;
    refused.nak = nak;
    refused.error = error;
    return refused;
}

Execution
RequestExecutor::FailReceive(uint8_t nak, WcStatus status)
{
    Execution failed = Refuse(nak, AsyncEventType::QP_FATAL);
    failed.completion = WorkCompletion{m_receive->wrId, status, m_context.qpNumber};
    m_receive.reset();
    m_message = NO_MESSAGE;
    return failed;
}

std::vector<WorkCompletion>
RequestExecutor::Flush()
{
    std::vector<WorkCompletion> flushed;
    while (m_receive || (!m_context.isReceiveQueueShared && TakeReceive()))
    {
        flushed.push_back({m_receive->wrId, WcStatus::WR_FLUSH_ERR, m_context.qpNumber});
        m_receive.reset();
    }
    m_message = NO_MESSAGE;
    return flushed;
}

} // namespace ns3::rdma
