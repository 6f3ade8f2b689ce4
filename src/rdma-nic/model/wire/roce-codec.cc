// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/roce-codec.h"

#include "ns3/abort.h"
#include "ns3/extension-headers.h"
#include "ns3/frame-tag.h"
#include "ns3/icrc.h"
#include "ns3/payload-cargo.h"
#include "ns3/policy-error.h"
#include "ns3/roce-datagram.h"
#include "ns3/udp-source-port.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3::rdma
{

namespace
{
constexpr std::size_t ICRC_BYTES{4};
constexpr uint8_t ECN_MASK{3};
constexpr uint8_t ECT0{2};
constexpr uint8_t ECN_CE{3};
constexpr uint8_t PRIORITY_SHIFT{5}; ///< DSCP: six bits on top, of which three are the class.

uint8_t
MakeTrafficClass(const Frame& frame)
{
    const uint8_t ecn = frame.flags & frame_flag::CE            ? ECN_CE
                        : frame.flags & frame_flag::ECN_CAPABLE ? ECT0
                                                                : 0;
    return static_cast<uint8_t>(frame.priority << PRIORITY_SHIFT | ecn);
}

RoceDatagram
MakeDatagram(const Frame& frame, IpVersion version)
{
    return {version,
            frame.src,
            frame.dst,
            MakeTrafficClass(frame),
            ComputeUdpSourcePort(frame.srcQp, frame.dstQp)};
}

BthHeader
MakeBth(const Frame& frame, const FrameDetail& detail)
{
    BthHeader bth;
    bth.opcode = frame.opcode;
    bth.isSolicited = detail.isSolicited;
    bth.padCount = static_cast<uint8_t>(-frame.payloadBytes & 3);
    bth.isBecn = frame.opcode == opcode::CNP || (frame.flags & frame_flag::CE_ECHO) != 0;
    bth.destQp = frame.dstQp;
    bth.isAckRequested = (frame.flags & frame_flag::ACK_REQUEST) != 0;
    bth.psn = frame.psn;
    return bth;
}

void
SetFlag(Frame& frame, uint8_t flag, bool isSet)
{
    frame.flags = static_cast<uint8_t>(isSet ? frame.flags | flag : frame.flags & ~flag);
}

void
TakeDatagram(const RoceDatagram& datagram, Frame& frame)
{
    frame.src = datagram.src;
    frame.dst = datagram.dst;
    frame.priority = datagram.trafficClass >> PRIORITY_SHIFT;
    SetFlag(frame, frame_flag::ECN_CAPABLE, (datagram.trafficClass & ECN_MASK) != 0);
    SetFlag(frame, frame_flag::CE, (datagram.trafficClass & ECN_MASK) == ECN_CE);
}

void
TakeBth(const BthHeader& bth, Frame& frame, FrameDetail& detail)
{
    frame.opcode = bth.opcode;
    frame.dstQp = bth.destQp;
    frame.psn = bth.psn;
    detail.isSolicited = bth.isSolicited;
    SetFlag(frame, frame_flag::ACK_REQUEST, bth.isAckRequested);
    if (bth.opcode != opcode::CNP)
    {
        SetFlag(frame, frame_flag::CE_ECHO, bth.isBecn);
    }
}

/// Copies a frame's payload, as far as it has one, to where zeros are.
void
WritePayload(uint8_t* to, const Frame& frame, const FrameDetail& detail)
{
    if (const auto* cargo = dynamic_cast<const PayloadCargo*>(detail.cargo))
    {
        const std::size_t bytes = std::min<std::size_t>(cargo->bytes.size(), frame.payloadBytes);
        std::copy_n(cargo->bytes.begin(), bytes, to);
    }
}

/// @return whether a detail says anything.
bool
IsNeeded(const FrameDetail& detail)
{
    return detail.swapAdd != 0 || detail.compare != 0 || detail.remoteKey != 0 ||
           detail.immediate != 0 || detail.queueKey != 0 || detail.isSolicited;
}

/// @return whether the last four bytes are the ICRC of the others from the IP header on.
bool
IsIcrcRight(const uint8_t* frame, std::size_t bytes)
{
    const uint8_t* const ip = frame + RoceDatagram::ETHERNET_BYTES;
    const std::size_t covered = bytes - RoceDatagram::ETHERNET_BYTES - ICRC_BYTES;
    return boost::endian::load_little_u32(ip + covered) == ComputeIcrc(ip, covered);
}
} // namespace

RoceCodec::RoceCodec(const WireFormat& format, IpVersion version, const IntRules& intRules)
    : m_format(format),
      m_version(version),
      m_intRules(intRules),
      m_sizes(format, version, intRules)
{
    const uint32_t fixedBytes = format.GetFixedBytes(opcode::ACK);
    if (fixedBytes > 0)
    {
        FailPolicy(format,
                   "GetFixedBytes()",
                   "0 where frames are encoded",
                   std::to_string(fixedBytes));
    }
}

bool
RoceCodec::CanEncode(const Frame& frame)
{
    return frame.opcode != OPAQUE_OPCODE && !(frame.flags & frame_flag::MAC_CONTROL);
}

uint32_t
RoceCodec::GetPayloadOffset(uint8_t code) const
{
    return m_sizes.GetFrame(code, 0) - static_cast<uint32_t>(ICRC_BYTES);
}

std::vector<uint8_t>
RoceCodec::EncodeBytes(const Frame& frame, const FrameDetail* optionalDetail) const
{
    const std::size_t size = m_sizes.GetFrame(frame.opcode, frame.payloadBytes);
    NS_ABORT_MSG_IF(!CanEncode(frame), "a frame that is not RoCE has no RoCE bytes");
    NS_ABORT_MSG_IF(size > MAX_FRAME_BYTES, "a frame of " << size << " bytes is too long for IP");
    const FrameDetail detail = optionalDetail ? *optionalDetail : FrameDetail{};
    const std::size_t lower = RoceDatagram::GetBytes(m_version);
    std::vector<uint8_t> bytes = MakeDatagram(frame, m_version).Serialize(size - lower);

    Buffer headers;
    headers.AddAtStart(static_cast<uint32_t>(GetPayloadOffset(frame.opcode) - lower));
    Buffer::Iterator place = headers.Begin();
    MakeBth(frame, detail).Serialize(place);
    place.Next(BthHeader::SIZE);
    for (const HeaderKind kind : m_format.GetHeaders(frame.opcode))
    {
        WriteExtensionHeader(kind, place, frame, detail);
        place.Next(GetHeaderBytes(kind));
    }
    if (m_intRules.IsCarriedBy(frame.opcode))
    {
        IntHeader::Write(place, detail.path);
    }
    bytes.resize(size, 0);
    headers.CopyData(&bytes[lower], headers.GetSize());
    WritePayload(&bytes[lower + headers.GetSize()], frame, detail);

    const std::size_t covered = size - RoceDatagram::ETHERNET_BYTES - ICRC_BYTES;
    const uint32_t icrc = ComputeIcrc(&bytes[RoceDatagram::ETHERNET_BYTES], covered);
    boost::endian::store_little_u32(&bytes[size - ICRC_BYTES], icrc);
    return bytes;
}

Ptr<Packet>
RoceCodec::Encode(const Frame& frame, const FrameDetail* detail) const
{
    if (!CanEncode(frame))
    {
        return nullptr;
    }
    const std::vector<uint8_t> bytes = EncodeBytes(frame, detail);
    auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    packet->AddPacketTag(FrameTag(frame, detail));
    return packet;
}

std::optional<DecodedFrame>
RoceCodec::Decode(Ptr<const Packet> packet) const
{
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    FrameTag tag;
    if (!packet->PeekPacketTag(tag))
    {
        return DecodeBytes(bytes);
    }
    return Parse(bytes, {tag.GetFrame(), tag.GetDetail(), {}, {}});
}

std::optional<DecodedFrame>
RoceCodec::DecodeBytes(const std::vector<uint8_t>& bytes) const
{
    DecodedFrame empty{};
    empty.frame.next = NO_FRAME;
    return Parse(bytes, std::move(empty));
}

std::optional<DecodedFrame>
RoceCodec::Parse(const std::vector<uint8_t>& bytes, DecodedFrame decoded) const
{
    const auto lower = RoceDatagram::Parse(m_version, bytes.data(), bytes.size());
    const auto start = static_cast<uint32_t>(RoceDatagram::GetBytes(m_version));
    if (!lower || lower->frameBytes < start + BthHeader::SIZE + ICRC_BYTES ||
        !IsIcrcRight(bytes.data(), lower->frameBytes))
    {
        return std::nullopt;
    }
    const auto size = static_cast<uint32_t>(lower->frameBytes);
    Buffer buffer;
    buffer.AddAtStart(size - start);
    buffer.Begin().Write(&bytes[start], size - start);
    BthHeader bth;
    bth.Deserialize(buffer.Begin());
    const uint32_t least = m_sizes.GetFrame(bth.opcode, 0);
    if (bth.version != 0 || bth.opcode == OPAQUE_OPCODE || size < least + bth.padCount ||
        (size - least) % 4 != 0)
    {
        return std::nullopt;
    }
    decoded.frame.wireBytes = size;
    decoded.frame.payloadBytes = static_cast<uint16_t>(size - least - bth.padCount);
    TakeDatagram(lower->datagram, decoded.frame);
    TakeHeaders(buffer.Begin(), bth, decoded);
    const auto payload = bytes.begin() + GetPayloadOffset(bth.opcode);
    decoded.payload.assign(payload, payload + decoded.frame.payloadBytes);
    return decoded;
}

void
RoceCodec::TakeHeaders(Buffer::Iterator place, const BthHeader& bth, DecodedFrame& decoded) const
{
    FrameDetail detail = decoded.detail.value_or(FrameDetail{});
    TakeBth(bth, decoded.frame, detail);
    place.Next(BthHeader::SIZE);
    for (const HeaderKind kind : m_format.GetHeaders(bth.opcode))
    {
        ReadExtensionHeader(kind, place, decoded.frame, detail);
        place.Next(GetHeaderBytes(kind));
    }
    if (m_intRules.IsCarriedBy(bth.opcode))
    {
        decoded.path = IntHeader::Read(place, m_intRules.hops);
    }
    if (decoded.detail || IsNeeded(detail))
    {
        decoded.detail = detail;
    }
}

} // namespace ns3::rdma
