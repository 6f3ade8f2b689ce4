// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/frame-maker.h"

#include "ns3/log.h"
#include "ns3/opcode-table.h"
#include "ns3/payload-cargo.h"

#include <algorithm>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("FrameMaker");

namespace
{
PayloadMemory*
GetMemory(const QueuePair& queuePair)
{
    const Ptr<ProtectionDomain>& domain = queuePair.GetSetup().init.domain;
    return domain ? domain->GetMemory() : nullptr;
}

bool
IsFromHost(const SendWorkRequest& request)
{
    return request.origin == PayloadOrigin::HOST;
}
} // namespace

FrameMaker::FrameMaker(FramePool& pool, const FrameStyle& style)
    : m_pool(pool),
      m_style(style)
{
}

void
FrameMaker::ApplyOwnMark(const QueuePair& queuePair, const FrameMark& usual, Frame& frame) const
{
    if (usual.priority == m_style.data.priority)
    {
        queuePair.GetSetup().mark.Apply(frame);
    }
}

void
FrameMaker::ApplyPriority(const QueuePair& queuePair, uint8_t priority, Frame& frame) const
{
    if (priority == FrameStyle::AS_ACK)
    {
        return;
    }
    const FrameMark mark{priority};
    mark.Apply(frame);
    if (queuePair.HasOwnMark())
    {
        ApplyOwnMark(queuePair, mark, frame);
    }
}

void
FrameMaker::AddDetail(FrameIndex index, const QueuePair& queuePair, const PacketPlan& plan)
{
    const SendWorkRequest& request = plan.message->detail->request;
    FrameDetail& detail = m_pool.AddDetail(index);
    detail.remoteKey = request.remoteKey;
    detail.isSolicited = request.isSolicited && plan.isLast;
    if (opcode::HasImmediate(plan.operation))
    {
        detail.immediate = request.immediate;
    }
    if (plan.operation == opcode::CMP_SWAP)
    {
        detail.compare = request.compareAdd;
        detail.swapAdd = request.swap;
    }
    else if (plan.operation == opcode::FETCH_ADD)
    {
        detail.swapAdd = request.compareAdd;
    }
    if (queuePair.GetService() == Service::UD)
    {
        Frame& frame = m_pool[index];
        frame.dst = request.destination.remoteEndpoint;
        frame.entropy = request.destination.entropy;
        frame.dstQp = request.remoteQp;
        detail.queueKey = request.remoteQueueKey;
    }
}

void
FrameMaker::AddPayload(FrameIndex index, const QueuePair& queuePair, const PacketPlan& plan)
{
    const MessageDetail& message = *plan.message->detail;
    PayloadMemory* memory = GetMemory(queuePair);
    const bool isReal = message.request.bytes || (memory && IsFromHost(message.request));
    if (!isReal || plan.payloadBytes == 0)
    {
        return;
    }
    auto payload = std::make_unique<PayloadCargo>();
    payload->bytes.resize(plan.payloadBytes);
    uint8_t* bytes = payload->bytes.data();
    if (plan.message->family == opcode::READ_RESPONSE_FIRST)
    {
        memory->Read(message.request.remoteAddress + plan.offset, bytes, plan.payloadBytes);
    }
    else if (message.request.bytes)
    {
        std::copy_n(message.request.bytes->data() + plan.offset, plan.payloadBytes, bytes);
    }
    else if (!message.bytesInline.empty())
    {
        std::copy_n(message.bytesInline.data() + plan.offset, plan.payloadBytes, bytes);
    }
    else
    {
        queuePair.GetSetup().init.domain->Gather(message.request.sgList,
                                                 plan.offset,
                                                 bytes,
                                                 plan.payloadBytes);
    }
    m_pool.SetCargo(index, std::move(payload));
}

FrameIndex
FrameMaker::MakeReadResponse(const QueuePair& queuePair, const ReadResponsePlan& plan, Tick now)
{
    const FrameIndex index = Make(queuePair, plan.operation, m_style.data, plan.payloadBytes);
    Frame& frame = m_pool[index];
    frame.flags = frame_flag::ECN_CAPABLE;
    frame.sendTime = now;
    frame.psn = plan.psn.Get();
    frame.syndrome = syndrome::ACK;
    frame.ack.msn = plan.msn;
    PayloadMemory* memory = GetMemory(queuePair);
    if (memory && plan.payloadBytes > 0)
    {
        auto payload = std::make_unique<PayloadCargo>();
        payload->bytes.resize(plan.payloadBytes);
        memory->Read(plan.address, payload->bytes.data(), plan.payloadBytes);
        m_pool.SetCargo(index, std::move(payload));
    }
    return index;
}

FrameIndex
FrameMaker::MakeAcknowledgment(const QueuePair& queuePair, const Acknowledgment& answer)
{
    const FrameIndex index = Make(queuePair, answer.operation, m_style.ack, 0);
    Frame& frame = m_pool[index];
    frame.flags = static_cast<uint16_t>((answer.isCeEchoed ? frame_flag::CE_ECHO : 0) |
                                        (answer.isSelective ? frame_flag::SELECTIVE : 0));
    frame.sendTime = answer.sendTime;
    frame.psn = answer.psn.Get();
    frame.ack.selectivePsn = answer.selective.Get();
    frame.ack.msn = answer.msn;
    frame.psnOffset = m_style.hasPsnOffset ? answer.echoedOffset : 0;
    frame.syndrome = answer.syndrome;
    frame.echoedEntropy = answer.entropy;
    if (answer.flags != 0)
    {
        AddReport(index, answer);
        ApplyPriority(queuePair, m_style.reportPriority, frame);
    }
    if (answer.operation == opcode::ATOMIC_ACK)
    {
        m_pool.AddDetail(index).swapAdd = answer.originalValue;
    }
    NS_LOG_LOGIC("endpoint " << frame.src << ", queue pair " << frame.srcQp << " makes "
                             << OpcodeTable::GetName(frame.opcode)
                             << (syndrome::IsNak(frame.syndrome) ? ", a NAK" : "")
                             << (frame.IsReport() ? ", a report" : "")
                             << (frame.flags & frame_flag::CE_ECHO ? ", CE echo" : "") << ", PSN "
                             << frame.psn << "; it answers PSN " << answer.selective.Get());
    return index;
}

void
FrameMaker::AddReport(FrameIndex index, const Acknowledgment& answer)
{
    Frame& frame = m_pool[index];
    frame.flags |= answer.flags;
    frame.wireBytes = frame.flags & frame_flag::TRIMMED ? m_style.sizes.GetNackFrame()
                                                        : m_style.sizes.GetAckFrame();
    frame.entropy = answer.entropy; // UE 1.0.3, 3.6: an answer has the entropy that it echoes.
    frame.receivedBytes = answer.report.receivedBytes;
    if (answer.report.held > 0)
    {
        FrameDetail& detail = m_pool.AddDetail(index);
        detail.bits = answer.report.bitmap.bits;
        detail.range = {answer.report.bitmap.base.Get(), answer.report.held};
    }
}

FrameIndex
FrameMaker::MakeCredit(const QueuePair& queuePair, uint32_t granted)
{
    const FrameIndex index = Make(queuePair, opcode::ACK, m_style.ack, 0);
    Frame& frame = m_pool[index];
    ApplyPriority(queuePair, m_style.creditPriority, frame);
    frame.flags = ChangeKind(frame_flag::VARIED_ENTROPY, FrameKind::CREDIT);
    frame.entropy ^= granted; // Grants take all routes in turn.
    frame.syndrome = syndrome::ACK;
    frame.grantedCredit = granted;
    NS_LOG_LOGIC("endpoint " << frame.src << ", queue pair " << frame.srcQp
                             << " makes a credit for endpoint " << frame.dst << ": " << granted
                             << " units of 256 B in all");
    return index;
}

FrameIndex
FrameMaker::MakePorts(const QueuePair& queuePair, uint32_t up)
{
    const FrameIndex index = Make(queuePair, opcode::ACK, m_style.ack, 0);
    Frame& frame = m_pool[index];
    frame.flags = ChangeKind(0, FrameKind::PORTS);
    frame.syndrome = syndrome::ACK;
    frame.usablePorts = up;
    NS_LOG_INFO("endpoint " << frame.src << ", queue pair " << frame.srcQp
                            << " makes a notice of usable ports for endpoint " << frame.dst
                            << ", bit mask " << up);
    return index;
}

FrameIndex
FrameMaker::MakeProbe(const QueuePair& queuePair, const ReportProbe& probe, Tick now)
{
    // It shares the queues of data, so that it does not overtake the packets that it asks about.
    const FrameIndex index = Make(queuePair, opcode::WRITE_ONLY, m_style.data, 0);
    Frame& frame = m_pool[index];
    frame.wireBytes = m_style.sizes.GetProbeFrame();
    frame.flags = ChangeKind(frame_flag::ECN_CAPABLE, FrameKind::PROBE);
    frame.sendTime = now;
    frame.psn = probe.psn.Get();
    if (probe.hasEntropy)
    {
        frame.entropy = probe.entropy;
        frame.flags |= frame_flag::VARIED_ENTROPY;
    }
    NS_LOG_LOGIC("endpoint " << frame.src << ", queue pair " << frame.srcQp
                             << " makes a probe, PSN " << frame.psn << ", entropy "
                             << frame.entropy);
    return index;
}

FrameIndex
FrameMaker::MakeCnp(const QueuePair& queuePair, const Frame& marked)
{
    const FrameIndex index = Make(queuePair, opcode::CNP, m_style.cnp, 0);
    Frame& frame = m_pool[index];
    frame.dst = marked.src;
    frame.dstQp = marked.srcQp;
    frame.echoedEntropy = marked.entropy;
    NS_LOG_LOGIC("endpoint " << frame.src << ", queue pair " << frame.srcQp
                             << " makes a CNP for endpoint " << frame.dst << ", queue pair "
                             << frame.dstQp << "; its cause is PSN " << marked.psn);
    return index;
}

} // namespace ns3::rdma
