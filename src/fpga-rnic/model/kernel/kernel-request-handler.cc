// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-request-handler.h"

#include "ns3/payload-cargo.h"

#include <utility>

namespace ns3::rdma
{

KernelRequestHandler::KernelRequestHandler(const RequestContext& context, Ptr<KernelHost> host)
    : m_memory(context),
      m_host(std::move(host)),
      m_queuePair(context.qpNumber)
{
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
    if (info.kind != OpcodeKind::KERNEL)
    {
        return m_isInMessage ? Refuse() : m_memory.Execute(frame, detail);
    }
    if (m_memory.IsInMessage() || info.isFirst == m_isInMessage)
    {
        return Refuse(); // Not the packet that its message goes on with.
    }
    return ExecuteKernel(frame, detail);
}

Execution
KernelRequestHandler::ExecuteKernel(const Frame& frame, const FrameDetail* detail)
{
    const OpcodeInfo& info = opcode::Get(frame.opcode);
    const uint64_t code = info.isFirst ? frame.remoteAddress : m_code;
    KernelInput input;
    input.queuePair = m_queuePair;
    input.opcode = frame.opcode;
    input.isFirst = info.isFirst;
    input.isLast = info.isLast;
    input.replyKey = info.isFirst ? (detail ? detail->remoteKey : 0) : m_replyKey;
    const auto* payload = detail ? dynamic_cast<const PayloadCargo*>(detail->cargo) : nullptr;
    const std::vector<uint8_t> zeros(payload ? 0 : frame.payloadBytes);
    input.bytes = ByteView(payload ? payload->bytes : zeros);
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
    return done;
}

Execution
KernelRequestHandler::CheckRead(const Frame& frame, const FrameDetail* detail) const
{
    return m_memory.CheckRead(frame, detail);
}

void
KernelRequestHandler::SetAccess(uint8_t access)
{
    m_memory.SetAccess(access);
}

std::vector<WorkCompletion>
KernelRequestHandler::Flush()
{
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

} // namespace ns3::rdma
