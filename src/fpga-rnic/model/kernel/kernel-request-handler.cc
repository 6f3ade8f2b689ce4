// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-request-handler.h"

#include "ns3/payload-cargo.h"

#include <utility>

namespace ns3::rdma
{

namespace
{
/// The bytes of a packet; zeros where it does not carry them.
class Payload
{
  public:
    Payload(const Frame& frame, const FrameDetail* detail)
    {
        const auto* cargo = detail ? dynamic_cast<const PayloadCargo*>(detail->cargo) : nullptr;
        m_zeros.resize(cargo ? 0 : frame.payloadBytes);
        m_view = ByteView(cargo ? cargo->bytes : m_zeros);
    }

    Payload(const Payload&) = delete;
    Payload& operator=(const Payload&) = delete;

    ByteView GetView() const
    {
        return m_view;
    }

  private:
    std::vector<uint8_t> m_zeros;
    ByteView m_view;
};
} // namespace

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
        return Refuse(); // Not the packet that its message goes on with.
    }
    const uint64_t named = info.isFirst ? frame.remoteAddress : m_code;
    return ExecuteKernel(frame, detail, bound.value_or(named));
}

Execution
KernelRequestHandler::ExecuteOnMemory(const Frame& frame, const FrameDetail* detail)
{
    const OpcodeInfo& info = opcode::Get(frame.opcode);
    if (info.kind != OpcodeKind::WRITE)
    {
        return m_memory.Execute(frame, detail);
    }
    const uint64_t address = info.isFirst ? frame.remoteAddress : m_nextAddress;
    ServiceChain* services = m_host->FindServices(m_queuePair);
    Execution done;
    if (!services || frame.payloadBytes == 0)
    {
        done = m_memory.Execute(frame, detail);
    }
    else if (m_host->HasRoom(*services))
    {
        // The request is checked without its data; these go to memory behind the services.
        FrameDetail bare = detail ? *detail : FrameDetail{};
        bare.cargo = nullptr;
        done = m_memory.Execute(frame, &bare);
        done.placedFrom = done.nak == 0 ? PassServices(*services, frame, detail, address) : 0;
    }
    else
    {
        done.isDropped = true;
    }
    const bool isDone = done.nak == 0 && !done.isDropped;
    m_nextAddress = isDone ? address + frame.payloadBytes : m_nextAddress;
    return done;
}

Tick
KernelRequestHandler::PassServices(ServiceChain& services,
                                   const Frame& frame,
                                   const FrameDetail* detail,
                                   uint64_t address)
{
    const OpcodeInfo& info = opcode::Get(frame.opcode);
    const Payload payload(frame, detail);
    StreamInput input;
    input.queuePair = m_queuePair;
    input.isFirst = info.isFirst;
    input.isLast = info.isLast;
    input.address = address;
    input.bytes = payload.GetView();
    const ChainOutcome outcome = m_host->Pass(services, input);
    if (outcome.isRejected)
    {
        return TICK_NEVER;
    }
    PayloadMemory* memory = m_domain ? m_domain->GetMemory() : nullptr;
    if (memory)
    {
        const ByteView bytes = outcome.isChanged ? ByteView(outcome.bytes) : input.bytes;
        memory->Write(address, bytes.GetData(), bytes.GetSize());
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
    input.isStream = frame.opcode != opcode::STROM_RPC_PARAMS;
    input.isFirst = info.isFirst;
    input.isLast = info.isLast;
    input.replyKey = info.isFirst ? (detail ? detail->remoteKey : 0) : m_replyKey;
    const Payload payload(frame, detail);
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

} // namespace ns3::rdma
