// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/queue-pair-services.h"

#include "ns3/frame-payload.h"
#include "ns3/opcode.h"
#include "ns3/payload-cargo.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace ns3::rdma
{

namespace
{
bool
IsReadResponse(const Frame& frame)
{
    return opcode::GetKind(frame.opcode) == OpcodeKind::READ_RESPONSE;
}

/// @return bytes of the last packet of a message.
uint32_t
GetLastBytes(uint64_t messageBytes, uint32_t mtuBytes)
{
    return static_cast<uint32_t>((messageBytes - 1) % mtuBytes + 1);
}

/// @param first packet of the message, before the services
/// @return the length of the message after its services.
uint32_t
GetMessageBytes(const ServiceChain& chain, const Frame& first)
{
    const uint32_t whole = first.payloadBytes; // Of each packet but the last.
    if (whole == 0 || first.messageBytes == 0)
    {
        return first.messageBytes;
    }
    const uint32_t packets = (first.messageBytes - 1) / whole + 1;
    return (packets - 1) * chain.GetBytesBehind(whole) +
           chain.GetBytesBehind(GetLastBytes(first.messageBytes, whole));
}
} // namespace

QueuePairServices::QueuePairServices(PassFunction pass, RoomFunction hasRoom)
    : m_pass(std::move(pass)),
      m_hasRoom(std::move(hasRoom))
{
}

ServiceChain&
QueuePairServices::GetReceive(uint32_t queuePair)
{
    return m_streams[queuePair].receive;
}

ServiceChain&
QueuePairServices::GetSend(uint32_t queuePair)
{
    return m_streams[queuePair].send;
}

ServiceChain*
QueuePairServices::FindReceive(uint32_t queuePair)
{
    const auto found = m_streams.find(queuePair);
    const bool isEmpty = found == m_streams.end() || found->second.receive.IsEmpty();
    return isEmpty ? nullptr : &found->second.receive;
}

void
QueuePairServices::EndQueuePair(uint32_t queuePair)
{
    const auto found = m_streams.find(queuePair);
    if (found != m_streams.end())
    {
        found->second.kept.Clear();
    }
}

void
QueuePairServices::Detach(uint32_t queuePair)
{
    m_streams.erase(queuePair);
}

StreamFault
QueuePairServices::CountFault(StreamFault fault) const
{
    m_stats.faults[static_cast<std::size_t>(fault)] += fault != StreamFault::NONE;
    return fault;
}

StreamFault
QueuePairServices::CheckSameLength(const ServiceChain& chain, uint64_t bytes)
{
    const auto packet = static_cast<uint32_t>(std::min<uint64_t>(bytes, UINT16_MAX));
    const uint32_t behind = chain.GetBytesBehind(packet);
    return behind > packet   ? StreamFault::TOO_LONG
           : behind < packet ? StreamFault::BAD_LENGTH
                             : StreamFault::NONE;
}

StreamFault
QueuePairServices::CheckSent(const Streams& streams,
                             uint32_t queuePair,
                             uint64_t bytes,
                             uint32_t mtuBytes)
{
    const StreamFault fault = streams.send.CheckMessage({queuePair, true, bytes});
    if (fault != StreamFault::NONE || bytes == 0)
    {
        return fault;
    }
    const bool isLong = streams.send.GetBytesBehind(GetLastBytes(bytes, mtuBytes)) > mtuBytes ||
                        (bytes > mtuBytes && streams.send.GetBytesBehind(mtuBytes) > mtuBytes);
    return isLong ? StreamFault::TOO_LONG : StreamFault::NONE;
}

StreamFault
QueuePairServices::CheckReceived(uint32_t queuePair, uint64_t bytes)
{
    const ServiceChain* chain = FindReceive(queuePair);
    return chain ? CountFault(chain->CheckMessage({queuePair, false, bytes})) : StreamFault::NONE;
}

StreamFault
QueuePairServices::CheckReadResponse(uint32_t queuePair, uint64_t bytes)
{
    const auto found = m_streams.find(queuePair);
    if (found == m_streams.end() || found->second.send.IsEmpty() || bytes == 0)
    {
        return StreamFault::NONE;
    }
    const StreamFault fault = found->second.send.CheckMessage({queuePair, true, bytes});
    return CountFault(fault != StreamFault::NONE ? fault
                                                 : CheckSameLength(found->second.send, bytes));
}

WcStatus
QueuePairServices::CheckRequest(uint32_t queuePair,
                                const SendWorkRequest& request,
                                uint32_t mtuBytes) const
{
    const auto found = m_streams.find(queuePair);
    const uint64_t bytes = GetTotalBytes(request.sgList);
    if (found == m_streams.end() || bytes == 0)
    {
        return WcStatus::SUCCESS;
    }
    StreamFault fault = StreamFault::NONE;
    const Streams& streams = found->second;
    if (request.opcode == WrOpcode::RDMA_READ)
    {
        fault = streams.receive.CheckMessage({queuePair, false, bytes});
        fault = fault == StreamFault::NONE ? CheckSameLength(streams.receive, bytes) : fault;
    }
    else if (request.opcode == WrOpcode::RDMA_WRITE ||
             request.opcode == WrOpcode::RDMA_WRITE_WITH_IMM)
    {
        fault = CheckSent(streams, queuePair, bytes, mtuBytes);
    }
    switch (CountFault(fault))
    {
    case StreamFault::NONE:
        return WcStatus::SUCCESS;
    case StreamFault::NO_KEY:
        return WcStatus::LOC_QP_OP_ERR;
    default:
        return WcStatus::LOC_LEN_ERR;
    }
}

Tick
QueuePairServices::OnSend(const SentPacket& packet)
{
    const auto found = m_streams.find(packet.queuePair);
    if (found == m_streams.end() || found->second.send.IsEmpty())
    {
        return packet.at;
    }
    Streams& streams = found->second;
    const Frame& frame = packet.pool[packet.index];
    const Psn psn(frame.psn);
    const bool isResponse = IsReadResponse(frame);
    streams.kept.Release(packet.oldest);
    const SentPayload* before = isResponse        ? streams.kept.FindResponse(psn)
                                : packet.isResend ? streams.kept.FindRequest(psn)
                                                  : nullptr;
    if (before)
    {
        ++m_stats.resent;
        Carry(packet, *before);
        return packet.at;
    }
    Tick passedAt = packet.at;
    SentPayload payload = PassSent(streams, packet, passedAt);
    Carry(packet, payload);
    if (isResponse)
    {
        streams.kept.KeepResponse(psn, opcode::IsFirst(frame.opcode), std::move(payload));
    }
    else if (!packet.isResend) // Else its first transmission preceded the services.
    {
        streams.kept.KeepRequest(psn, std::move(payload));
    }
    return passedAt;
}

SentPayload
QueuePairServices::PassSent(Streams& streams, const SentPacket& packet, Tick& passedAt)
{
    const Frame& frame = packet.pool[packet.index];
    const FramePayload bytes(frame, packet.pool.FindDetail(frame));
    StreamInput input;
    input.queuePair = packet.queuePair;
    input.isSent = true;
    input.isFirst = opcode::IsFirst(frame.opcode);
    input.isLast = opcode::IsLast(frame.opcode);
    input.address = frame.remoteAddress;
    input.bytes = bytes.GetView();
    input.at = packet.at;
    ChainOutcome outcome = m_pass(streams.send, input);
    ++m_stats.sent;
    m_stats.rejected += outcome.isRejected;
    passedAt = outcome.passedAt;
    SentPayload payload;
    payload.messageBytes = input.isFirst && !IsReadResponse(frame)
                               ? GetMessageBytes(streams.send, frame)
                               : frame.messageBytes;
    if (outcome.isRejected)
    {
        // Its PSN is assigned, so the packet is sent with zeros as payload.
        const auto length = static_cast<uint32_t>(bytes.GetView().GetSize());
        payload.bytes.emplace(streams.send.GetBytesBehind(length));
    }
    else if (outcome.isChanged)
    {
        payload.bytes = std::move(outcome.bytes);
    }
    return payload;
}

void
QueuePairServices::Carry(const SentPacket& packet, const SentPayload& payload)
{
    Frame& frame = packet.pool[packet.index];
    frame.messageBytes = payload.messageBytes;
    if (payload.bytes)
    {
        frame.payloadBytes = static_cast<uint16_t>(payload.bytes->size());
        packet.pool.SetCargo(packet.index, std::make_unique<PayloadCargo>(*payload.bytes));
    }
}

bool
QueuePairServices::HasRoom(uint32_t queuePair) const
{
    const auto found = m_streams.find(queuePair);
    return found == m_streams.end() || m_hasRoom(found->second.receive);
}

ServedResponse
QueuePairServices::OnResponse(uint32_t queuePair,
                              const Frame& frame,
                              const FrameDetail* detail,
                              uint64_t address)
{
    ServedResponse served;
    ServiceChain* chain = FindReceive(queuePair);
    if (!chain)
    {
        return served;
    }
    const FramePayload bytes(frame, detail);
    StreamInput input;
    input.queuePair = queuePair;
    input.isFirst = opcode::IsFirst(frame.opcode);
    input.isLast = opcode::IsLast(frame.opcode);
    input.address = address;
    input.bytes = bytes.GetView();
    ChainOutcome outcome = OnReceived(*chain, input);
    served.isRejected = outcome.isRejected;
    served.isChanged = outcome.isChanged;
    served.bytes = std::move(outcome.bytes);
    served.placedFrom = outcome.passedAt;
    return served;
}

ChainOutcome
QueuePairServices::OnReceived(ServiceChain& chain, const StreamInput& input)
{
    ChainOutcome outcome = m_pass(chain, input);
    ++m_stats.received;
    m_stats.rejected += outcome.isRejected;
    return outcome;
}

} // namespace ns3::rdma
