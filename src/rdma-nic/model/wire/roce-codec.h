// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ROCE_CODEC_H
#define RDMA_ROCE_CODEC_H

#include "ns3/frame.h"
#include "ns3/header-sizes.h"
#include "ns3/packet.h"
#include "ns3/wire-format.h"

#include <optional>
#include <vector>

namespace ns3::rdma
{

/// A frame decoded from bytes.
struct DecodedFrame
{
    Frame frame; ///< List, switch port and the flag DETAILED are unset: no pool holds it.
    std::optional<FrameDetail>
        detail;                   ///< Without cargo and INT stack; unset if the frame needs none.
    std::vector<IntHop> path;     ///< Of the INT header, if it has one.
    std::vector<uint8_t> payload; ///< Without padding; the contents of a PayloadCargo.
};

/**
 * @ingroup rdma-wire
 * @brief Encodes frames of one wire format as bytes of RoCE v2, and decodes them.
 *
 * Ethernet II without FCS, IPv4 or IPv6 and UDP (see RoceDatagram), BTH, the headers that the wire
 * format lists, the INT header if the NIC's rules give it one, payload, padding, ICRC.  IP's DSCP
 * is Frame::GetDscp(); its ECN field is ECT(0) or CE by the frame's
 * flags.  BECN is set on CNPs; on all other packets it is CE_ECHO, which is our use of the bit. The
 * payload is that of the frame's PayloadCargo, else zeros.  A packet with a RETH carries
 * Frame::messageBytes in it; its PSN offset, if the format has one, is then zero.
 *
 * An encoded packet carries a FrameTag, so that decoding restores all fields of the frame.  From
 * bytes alone only the fields on the wire are decoded; the others are zero.
 *
 * Frames of other protocols and MAC control are refused, since they are not RoCE.
 */
class RoceCodec
{
  public:
    /// Longest frame that Frame::wireBytes holds; it fits into IPv4's total length.
    static constexpr uint32_t MAX_FRAME_BYTES{0xffff};

    /// @param format must outlive the codec
    RoceCodec(const WireFormat& format, IpVersion version, const IntRules& intRules = {});

    /// @return whether the codec can encode the frame.
    static bool CanEncode(const Frame& frame);

    /// @return bytes before the payload, from the destination MAC address on.
    uint32_t GetPayloadOffset(const Frame& frame) const;
    /// @param code BTH opcode on the wire
    uint32_t GetPayloadOffset(uint8_t code) const;

    /// Aborts unless CanEncode().
    /// @param detail null if none
    /// @return the frame's bytes, HeaderSizes::GetFrame() in number.
    std::vector<uint8_t> EncodeBytes(const Frame& frame, const FrameDetail* detail) const;

    /// @return the bytes as a packet with a FrameTag; null unless CanEncode().
    Ptr<Packet> Encode(const Frame& frame, const FrameDetail* detail) const;

    /// @return unset unless the bytes are a RoCE v2 packet of this format and IP version, between
    /// addresses of the fabric, with valid lengths and ICRC.
    std::optional<DecodedFrame> Decode(Ptr<const Packet> packet) const;
    std::optional<DecodedFrame> DecodeBytes(const std::vector<uint8_t>& bytes) const;

  private:
    std::optional<DecodedFrame> Parse(const std::vector<uint8_t>& bytes,
                                      DecodedFrame decoded) const;
    /// @return the frame as its BTH has it.
    Frame MakeBth(const Frame& frame) const;
    /// @param place address of the BTH
    void TakeHeaders(const uint8_t* place, DecodedFrame& decoded) const;

    const WireFormat& m_format;
    IpVersion m_version;
    IntRules m_intRules;
    HeaderSizes m_sizes;
};

} // namespace ns3::rdma

#endif // RDMA_ROCE_CODEC_H
