// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/request-executor.h"

#include "ns3/payload-cargo.h"

#include <algorithm>

namespace ns3::rdma
{

RequestExecutor::RequestExecutor(const ExecutorConfig& config)
    : m_config(config)
{
}

RequestExecutor::RequestExecutor(const ExecutorConfig& config, uint32_t qpNumber)
    : m_config(config)
{
    m_config.qpNumber = qpNumber;
}

Execution
RequestExecutor::Execute(const Frame& frame, const FrameDetail* detail)
{
    const uint8_t operation = opcode::GetOperation(frame.opcode);
    if (IsOutOfSequence(frame))
    {
        return Refuse(syndrome::NAK_INVALID_REQUEST, AsyncEventType::QP_REQ_ERR);
    }
    if (opcode::IsSend(operation))
    {
        return ExecuteSend(frame, detail);
    }
    if (opcode::IsWrite(operation))
    {
        return ExecuteWrite(frame, detail);
    }
    if (operation == opcode::READ_REQUEST)
    {
        return CheckRead(frame, detail);
    }
    if (opcode::IsAtomic(operation))
    {
        return ExecuteAtomic(frame, detail);
    }
    return Refuse(syndrome::NAK_INVALID_REQUEST, AsyncEventType::QP_REQ_ERR);
}

bool
RequestExecutor::IsOutOfSequence(const Frame& frame) const
{
    const uint8_t operation = opcode::GetOperation(frame.opcode);
    const bool continues = !opcode::IsFirst(operation);
    if (continues != IsInMessage())
    {
        return true;
    }
    const uint8_t family = opcode::IsSend(operation) ? opcode::SEND_FIRST : opcode::WRITE_FIRST;
    return continues && family != m_family;
}

void
RequestExecutor::Abandon()
{
    m_family = NO_MESSAGE;
}

bool
RequestExecutor::TakeReceive()
{
    if (!m_receive && m_config.receiveQueue)
    {
        m_receive = m_config.receiveQueue->Take();
    }
    return m_receive.has_value();
}

bool
RequestExecutor::IsAllowed(uint32_t key, uint64_t address, uint64_t bytes, uint8_t access) const
{
    const bool isOpen = bytes == 0 || (m_config.access & access) != 0;
    return isOpen &&
           (!m_config.domain || m_config.domain->CheckRemote(key, address, bytes, access));
}

const std::vector<uint8_t>*
RequestExecutor::GetBytes(const FrameDetail* detail) const
{
    const bool isReal = m_config.domain && m_config.domain->GetMemory() && detail;
    const auto* payload = isReal ? dynamic_cast<const PayloadCargo*>(detail->cargo) : nullptr;
    return payload ? &payload->bytes : nullptr;
}

Execution
RequestExecutor::ExecuteSend(const Frame& frame, const FrameDetail* detail)
{
    const bool isDatagram = m_config.service == Service::UD;
    if (isDatagram && (detail ? detail->queueKey : 0) != m_config.queueKey)
    {
        Execution refused;
        refused.nak = syndrome::NAK_INVALID_REQUEST; // Dropped without a word.
        return refused;
    }
    const bool isFirst = opcode::IsFirst(opcode::GetOperation(frame.opcode));
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
    if (isFirst && m_config.domain &&
        !m_config.domain->CheckLocal(buffer, memory_access::LOCAL_WRITE))
    {
        return FailReceive(syndrome::NAK_REMOTE_OPERATION, WcStatus::LOC_PROT_ERR);
    }
    if (const auto* bytes = GetBytes(detail))
    {
        m_config.domain->Scatter(buffer, m_offset, bytes->data(), bytes->size());
    }
    m_offset += frame.payloadBytes;
    m_family = opcode::SEND_FIRST;
    return opcode::IsLast(opcode::GetOperation(frame.opcode))
               ? EndReceive(WcOpcode::RECV, frame, detail)
               : Execution{};
}

Execution
RequestExecutor::ExecuteWrite(const Frame& frame, const FrameDetail* detail)
{
    const uint8_t operation = opcode::GetOperation(frame.opcode);
    const bool isLast = opcode::IsLast(operation);
    if (opcode::IsFirst(operation))
    {
        m_address = frame.remoteAddress;
        m_key = detail ? detail->remoteKey : 0;
        m_messageBytes = frame.messageBytes;
        m_offset = 0;
    }
    // The whole message is checked before its first byte is written, where the format says its
    // length.
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
        if (opcode::HasImmediate(operation) && TakeReceive())
        {
            return FailReceive(syndrome::NAK_REMOTE_ACCESS, WcStatus::LOC_ACCESS_ERR);
        }
        return Refuse(syndrome::NAK_REMOTE_ACCESS, AsyncEventType::QP_ACCESS_ERR);
    }
    if (opcode::HasImmediate(operation) && !TakeReceive())
    {
        Execution notReady;
        notReady.nak = syndrome::RNR_NAK;
        return notReady;
    }
    if (const auto* bytes = GetBytes(detail))
    {
        m_config.domain->GetMemory()->Write(m_address + m_offset, bytes->data(), bytes->size());
    }
    m_offset += frame.payloadBytes;
    m_family = opcode::WRITE_FIRST;
    if (isLast && opcode::HasImmediate(operation))
    {
        return EndReceive(WcOpcode::RECV_RDMA_WITH_IMM, frame, detail);
    }
    Execution done;
    done.endsMessage = isLast;
    m_family = isLast ? NO_MESSAGE : m_family;
    return done;
}

Execution
RequestExecutor::EndReceive(WcOpcode code, const Frame& frame, const FrameDetail* detail)
{
    Execution done;
    WorkCompletion completion{m_receive->wrId, WcStatus::SUCCESS, m_config.qpNumber};
    completion.opcode = code;
    completion.hasImmediate = opcode::HasImmediate(opcode::GetOperation(frame.opcode));
    completion.immediate = detail ? detail->immediate : 0;
    completion.byteLength = static_cast<uint32_t>(m_offset);
    completion.srcQp = m_config.service == Service::UD ? frame.srcQp : 0;
    done.completion = completion;
    done.isSolicited = detail && detail->isSolicited;
    done.endsMessage = true;
    m_receive.reset();
    m_family = NO_MESSAGE;
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
    HostMemory* memory = m_config.domain ? m_config.domain->GetMemory() : nullptr;
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
    failed.completion = WorkCompletion{m_receive->wrId, status, m_config.qpNumber};
    m_receive.reset();
    m_family = NO_MESSAGE;
    return failed;
}

std::vector<WorkCompletion>
RequestExecutor::Flush()
{
    std::vector<WorkCompletion> flushed;
    while (m_receive || (!m_config.isReceiveQueueShared && TakeReceive()))
    {
        flushed.push_back({m_receive->wrId, WcStatus::WR_FLUSH_ERR, m_config.qpNumber});
        m_receive.reset();
    }
    m_family = NO_MESSAGE;
    return flushed;
}

} // namespace ns3::rdma
