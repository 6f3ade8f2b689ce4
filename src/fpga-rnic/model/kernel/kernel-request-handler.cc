// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-request-handler.h"

#include "ns3/frame-payload.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

KernelRequestHandler::KernelRequestHandler(const RequestContext& context, Ptr<KernelHost> host)
    : m_memory(context),
      m_host(std::move(host)),
      m_domain(context.domain),
      m_queuePair(context.qpNumber)
{
}

KernelRequestHandler::~KernelRequestHandler()
{
    m_host->EndQueuePair(m_queuePair);
}

Execution
KernelRequestHandler::Refuse()
{
    Execution refused;
    refused.nak = syndrome::NAK_INVALID_REQUEST;
    refused.error = AsyncEventType::QP_REQ_ERR;
    return refused;
}

Execution
KernelRequestHandler::Execute(const Frame& frame, const FrameDetail* detail)
{
    const OpcodeInfo& info = opcode::Get(frame.opcode);
    const auto bound =
        info.kind == OpcodeKind::WRITE ? m_host->FindBinding(m_queuePair) : std::nullopt;
    if (info.kind != OpcodeKind::KERNEL && !bound)
    {
        return m_isInMessage ? Refuse() : ExecuteOnMemory(frame, detail);
    }
    if (m_memory.IsInMessage() || info.isFirst == m_isInMessage)
    {
        return Refuse(); // Not the next packet of the message in progress.
    }
    const uint64_t named = info.isFirst ? frame.remoteAddress : m_code;
    return ExecuteKernel(frame, detail, bound.value_or(named));
}

Execution
KernelRequestHandler::Fail()
{
    Execution failed;
    failed.nak = syndrome::NAK_REMOTE_OPERATION;
    failed.error = AsyncEventType::QP_FATAL;
    return failed;
}

Execution
KernelRequestHandler::ExecuteRead(const Frame& frame, const FrameDetail* detail) const
{
    const Execution checked = m_memory.CheckRead(frame, detail);
    QueuePairServices& services = m_host->GetServices();
    const bool isBad =
        checked.nak == 0 &&
        services.CheckReadResponse(m_queuePair, frame.messageBytes) != StreamFault::NONE;
    return isBad ? Fail() : checked;
}

Execution
KernelRequestHandler::ExecuteOnMemory(const Frame& frame, const FrameDetail* detail)
{
    const OpcodeInfo& info = opcode::Get(frame.opcode);
    if (info.kind == OpcodeKind::READ_REQUEST && !m_memory.IsInMessage())
    {
        return ExecuteRead(frame, detail);
    }
    if (info.kind != OpcodeKind::WRITE)
    {
        return m_memory.Execute(frame, detail);
    }
    if (info.isFirst)
    {
        m_nextAddress = frame.remoteAddress;
        m_writeKey = detail ? detail->remoteKey : 0;
    }
    ServiceChain* services = m_host->GetServices().FindReceive(m_queuePair);
    if (!services || frame.payloadBytes == 0)
    {
        return m_memory.Execute(frame, detail);
    }
    return ExecuteServed(*services, frame, detail);
}

bool
KernelRequestHandler::IsAllowed(uint32_t bytes, uint32_t behind) const
{
    return behind <= bytes || !m_domain ||
           m_domain->CheckRemote(m_writeKey, m_nextAddress, behind, memory_access::REMOTE_WRITE);
}

Execution
KernelRequestHandler::ExecuteServed(ServiceChain& services,
                                    const Frame& frame,
                                    const FrameDetail* detail)
{
    QueuePairServices& all = m_host->GetServices();
    const uint64_t bytes = std::max<uint64_t>(frame.messageBytes, frame.payloadBytes);
    if (opcode::IsFirst(frame.opcode) && all.CheckReceived(m_queuePair, bytes) != StreamFault::NONE)
    {
        return Fail();
    }
    const uint32_t behind = services.GetBytesBehind(frame.payloadBytes);
    if (behind > m_host->GetMaxPacketBytes() || !IsAllowed(frame.payloadBytes, behind))
    {
        all.CountFault(StreamFault::TOO_LONG);
        return Fail();
    }
    if (!m_host->HasRoom(services))
    {
        Execution dropped;
        dropped.isDropped = true;
        return dropped;
    }
    // The request is checked without its data, which are written after the services.
    FrameDetail bare = detail ? *detail : FrameDetail{};
    bare.cargo = nullptr;
    Execution done = m_memory.Execute(frame, &bare);
    if (done.nak == 0)
    {
        done.placedFrom = PassServices(services, frame, detail);
        done.placedBytes = behind == frame.payloadBytes ? 0 : behind;
        m_nextAddress += behind;
    }
    return done;
}

Tick
KernelRequestHandler::PassServices(ServiceChain& services,
                                   const Frame& frame,
                                   const FrameDetail* detail)
{
    const OpcodeInfo& info = opcode::Get(frame.opcode);
    const FramePayload payload(frame, detail);
    StreamInput input;
    input.queuePair = m_queuePair;
    input.isFirst = info.isFirst;
    input.isLast = info.isLast;
    input.address = m_nextAddress;
    input.bytes = payload.GetView();
    const ChainOutcome outcome = m_host->GetServices().OnReceived(services, input);
    if (outcome.isRejected)
    {
        return TICK_NEVER;
    }
    PayloadMemory* memory = m_domain ? m_domain->GetMemory() : nullptr;
    if (memory)
    {
        const ByteView bytes = outcome.isChanged ? ByteView(outcome.bytes) : input.bytes;
        memory->Write(m_nextAddress, bytes.GetData(), bytes.GetSize());
    }
    return outcome.passedAt;
}

Execution
KernelRequestHandler::ExecuteKernel(const Frame& frame, const FrameDetail* detail, uint64_t code)
{
    const OpcodeInfo& info = opcode::Get(frame.opcode);
    KernelInput input;
    input.queuePair = m_queuePair;
    input.opcode = frame.opcode;
    input.isStream = !opcode::IsSinglePacket(frame.opcode);
    input.isFirst = info.isFirst;
    input.isLast = info.isLast;
    input.replyKey = info.isFirst ? (detail ? detail->remoteKey : 0) : m_replyKey;
    const FramePayload payload(frame, detail);
    input.bytes = payload.GetView();
    const KernelHost::Admission admission = m_host->Accept(code, input);
    Execution done;
    if (admission == KernelHost::Admission::BUSY)
    {
        done.isDropped = true;
        return done;
    }
    if (admission == KernelHost::Admission::UNKNOWN)
    {
        return Refuse();
    }
    m_isInMessage = !info.isLast;
    m_code = code;
    m_replyKey = input.replyKey;
    done.endsMessage = info.isLast;
    done.placedFrom = TICK_NEVER; // Its bytes stay on the chip.
    return done;
}

Execution
KernelRequestHandler::CheckRead(const Frame& frame, const FrameDetail* detail) const
{
    return ExecuteRead(frame, detail);
}

void
KernelRequestHandler::SetAccess(uint8_t access)
{
    m_memory.SetAccess(access);
}

std::vector<WorkCompletion>
KernelRequestHandler::Flush()
{
    m_host->EndQueuePair(m_queuePair);
    return m_memory.Flush();
}

KernelRequestHandlerFactory::KernelRequestHandlerFactory(Ptr<KernelHost> host)
    : m_host(std::move(host))
{
}

std::unique_ptr<RequestHandler>
KernelRequestHandlerFactory::Make(const RequestContext& context) const
{
    return std::make_unique<KernelRequestHandler>(context, m_host);
}

PayloadServices*
KernelRequestHandlerFactory::FindServices(uint32_t queuePair) const
{
    QueuePairServices& services = m_host->GetServices();
    return services.Has(queuePair) ? &services : nullptr;
}

} // namespace ns3::rdma
