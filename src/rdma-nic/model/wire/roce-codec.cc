// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/roce-codec.h"

#include "ns3/abort.h"
#include "ns3/frame-tag.h"
#include "ns3/header-fields.h"
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
/// The six upper bits of the traffic class. By default their highest three are the priority.
constexpr uint8_t DSCP_SHIFT{2};
constexpr uint8_t SELECTOR_SHIFT{3}; ///< In a DSCP, of the priority that it selects.
constexpr uint8_t TRIMMED_DSCP{4};   ///< The lowest bit of DSCP: the payload was removed.
constexpr uint8_t LAST_HOP_DSCP{8};  ///< The next bit: by the switch in front of the receiver.

uint8_t
MakeTrafficClass(const Frame& frame)
{
    const uint8_t ecn = frame.flags & frame_flag::CE            ? ECN_CE
                        : frame.flags & frame_flag::ECN_CAPABLE ? ECT0
                                                                : 0;
    // Answers to trimmed packets have the flags, too.
    const uint16_t trims = frame.IsReport() ? 0 : frame.flags;
    const uint8_t trimmed = trims & frame_flag::TRIMMED ? TRIMMED_DSCP : 0;
    const uint8_t lastHop = trims & frame_flag::LAST_HOP ? LAST_HOP_DSCP : 0;
    // A switch that removes a payload replaces the DSCP.
    const bool isRewritten = (trims & frame_flag::TRIMMED) != 0;
    const uint8_t dscp = isRewritten ? GetClassSelector(frame.priority) : frame.GetDscp();
    return static_cast<uint8_t>(dscp << DSCP_SHIFT | lastHop | trimmed | ecn);
}

uint16_t
GetSourcePort(const Frame& frame)
{
    return frame.flags & frame_flag::VARIED_ENTROPY
               ? FoldEntropy(frame.entropy)
               : ComputeUdpSourcePort(frame.srcQp, frame.dstQp);
}

RoceDatagram
MakeDatagram(const Frame& frame, IpVersion version)
{
    return {version, frame.src, frame.dst, MakeTrafficClass(frame), GetSourcePort(frame)};
}

void
SetFlag(Frame& frame, uint16_t flag, bool isSet)
{
    frame.flags = ChangeFlags(frame.flags, flag, isSet);
}

/// Without a FrameTag the DSCP of a trimmed packet cannot be distinguished from other DSCPs of the
/// same value: a DSCP with its lowest bit set, and no other below the class selector but that of
/// the last hop, counts as that of a trimmed packet.
void
TakeDscp(uint8_t dscp, Frame& frame)
{
    constexpr uint8_t BELOW_SELECTOR{7};
    constexpr uint8_t TRIMS{(TRIMMED_DSCP | LAST_HOP_DSCP) >> DSCP_SHIFT};
    if (frame.hasDscp && frame.dscp == dscp)
    {
        return; // The tag of the packet has it, and the priority.
    }
    const auto low = static_cast<uint8_t>(dscp & BELOW_SELECTOR);
    const bool isTrimmed = (low & (TRIMMED_DSCP >> DSCP_SHIFT)) != 0 && (low & ~TRIMS) == 0;
    frame.priority = dscp >> SELECTOR_SHIFT;
    frame.hasDscp = low != 0 && !isTrimmed;
    frame.dscp = frame.hasDscp ? dscp : 0;
}

void
TakeDatagram(const RoceDatagram& datagram, Frame& frame)
{
    frame.src = datagram.src & (MAX_ENDPOINTS - 1);
    frame.dst = datagram.dst;
    TakeDscp(datagram.trafficClass >> DSCP_SHIFT, frame);
    SetFlag(frame, frame_flag::ECN_CAPABLE, (datagram.trafficClass & ECN_MASK) != 0);
    SetFlag(frame, frame_flag::CE, (datagram.trafficClass & ECN_MASK) == ECN_CE);
    if (!frame.IsReport())
    {
        const bool isTrimmed = !frame.hasDscp && (datagram.trafficClass & TRIMMED_DSCP) != 0;
        SetFlag(frame, frame_flag::TRIMMED, isTrimmed);
        SetFlag(frame,
                frame_flag::LAST_HOP,
                isTrimmed && (datagram.trafficClass & LAST_HOP_DSCP) != 0);
    }
}

/// Copies a frame's payload, if it has one, to zeroed memory.
void
WritePayload(uint8_t* to, const Frame& frame, const FrameDetail& detail)
{
    if (const auto* cargo = dynamic_cast<const PayloadCargo*>(detail.cargo))
    {
        const std::size_t bytes = std::min<std::size_t>(cargo->bytes.size(), frame.payloadBytes);
        std::copy_n(cargo->bytes.begin(), bytes, to);
    }
}

/// @return whether a detail has a field that is not zero.
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

Frame
RoceCodec::MakeBth(const Frame& frame) const
{
    Frame bth = frame;
    m_format.ToBth(bth);
    return bth;
}

uint32_t
RoceCodec::GetPayloadOffset(const Frame& frame) const
{
    return GetPayloadOffset(MakeBth(frame).opcode);
}

uint32_t
RoceCodec::GetPayloadOffset(uint8_t code) const
{
    return m_sizes.GetFrame(code, 0) - static_cast<uint32_t>(ICRC_BYTES);
}

std::vector<uint8_t>
RoceCodec::EncodeBytes(const Frame& frame, const FrameDetail* optionalDetail) const
{
    const Frame bth = MakeBth(frame);
    const std::size_t size = m_sizes.GetFrame(bth.opcode, frame.payloadBytes);
    NS_ABORT_MSG_IF(!CanEncode(frame), "a frame that is not RoCE has no RoCE bytes");
    NS_ABORT_MSG_IF(size > MAX_FRAME_BYTES, "a frame of " << size << " bytes is too long for IP");
    const FrameDetail detail = optionalDetail ? *optionalDetail : FrameDetail{};
    const std::size_t lower = RoceDatagram::GetBytes(m_version);
    std::vector<uint8_t> bytes = MakeDatagram(frame, m_version).Serialize(size - lower);

    bytes.resize(size, 0);
    uint8_t* place = &bytes[lower];
    GetBthLayout().Write(place, bth, detail);
    if (const HeaderLayout* extension = m_format.GetBthExtension())
    {
        extension->Write(place, bth, detail);
    }
    place += BTH_BYTES;
    for (const HeaderKind kind : m_format.GetHeaders(bth.opcode))
    {
        GetLayout(kind).Write(place, frame, detail);
        place += GetHeaderBytes(kind);
    }
    if (m_intRules.IsCarriedBy(frame.opcode))
    {
        IntHeader::Write(place, detail.path);
    }
    WritePayload(&bytes[GetPayloadOffset(bth.opcode)], frame, detail);

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
    if (!lower || lower->frameBytes < start + BTH_BYTES + ICRC_BYTES ||
        !IsIcrcRight(bytes.data(), lower->frameBytes))
    {
        return std::nullopt;
    }
    const auto size = static_cast<uint32_t>(lower->frameBytes);
    const BthStart bth = ReadBthStart(&bytes[start]);
    const uint32_t least = m_sizes.GetFrame(bth.opcode, 0);
    if (bth.version != 0 || bth.opcode == OPAQUE_OPCODE || size < least + bth.padBytes ||
        size > UINT16_MAX || (size - least) % 4 != 0)
    {
        return std::nullopt;
    }
    decoded.frame.wireBytes = static_cast<uint16_t>(size);
    decoded.frame.payloadBytes = static_cast<uint16_t>(size - least - bth.padBytes);
    TakeDatagram(lower->datagram, decoded.frame);
    TakeHeaders(&bytes[start], decoded);
    const auto payload = bytes.begin() + GetPayloadOffset(bth.opcode);
    decoded.payload.assign(payload, payload + decoded.frame.payloadBytes);
    return decoded;
}

void
RoceCodec::TakeHeaders(const uint8_t* place, DecodedFrame& decoded) const
{
    FrameDetail detail = decoded.detail.value_or(FrameDetail{});
    const uint32_t knownPsn = decoded.frame.psn;
    GetBthLayout().Read(place, decoded.frame, detail);
    if (const HeaderLayout* extension = m_format.GetBthExtension())
    {
        extension->Read(place, decoded.frame, detail);
    }
    place += BTH_BYTES;
    for (const HeaderKind kind : m_format.GetHeaders(decoded.frame.opcode))
    {
        GetLayout(kind).Read(place, decoded.frame, detail);
        place += GetHeaderBytes(kind);
    }
    if (m_intRules.IsCarriedBy(decoded.frame.opcode))
    {
        decoded.path = IntHeader::Read(place, m_intRules.hops);
    }
    m_format.FromBth(decoded.frame, knownPsn);
    if (decoded.detail || IsNeeded(detail))
    {
        decoded.detail = detail;
    }
}

} // namespace ns3::rdma
