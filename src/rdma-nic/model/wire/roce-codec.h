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

/// A frame that was read from bytes.
struct DecodedFrame
{
    Frame frame; ///< List, switch port and the flag DETAILED are unset: no pool holds it.
    std::optional<FrameDetail>
        detail;                   ///< Without cargo and INT stack; unset if the frame needs none.
    std::vector<IntHop> path;     ///< Of the INT header, if it has one.
    std::vector<uint8_t> payload; ///< Without padding; what a PayloadCargo would hold.
};

/**
 * @ingroup rdma-wire
 * @brief Turns frames of one wire format into the bytes of RoCE v2 and back.
 *
 * Ethernet II without FCS, IPv4 or IPv6 and UDP (see RoceDatagram), BTH, the headers that the wire
 * format lists, the INT header if the NIC's rules give it one, payload, padding, ICRC.  IP's DSCP
 * is the class selector of the frame's priority; its ECN field is ECT(0) or CE by the frame's
 * flags.  BECN is set on CNPs, and stands for CE_ECHO on all other packets, which is our use of it.
 * The payload is that of the frame's PayloadCargo, else zeros.  A packet with a RETH has
 * Frame::messageBytes there; its PSN offset, if the format has one, is then zero.
 *
 * A packet made here carries a FrameTag, so that decoding it gives all of the frame.  From bytes
 * alone come the fields that are on the wire; the others are zero.
 *
 * Refused: frames of other protocols and MAC control, which are not RoCE.
 */
class RoceCodec
{
  public:
    /// Longest frame that Frame::wireBytes holds; it fits into IPv4's total length.
    static constexpr uint32_t MAX_FRAME_BYTES{0xffff};

    /// @param format needed for as long as the codec
    RoceCodec(const WireFormat& format, IpVersion version, const IntRules& intRules = {});

    /// @return whether frames like this one have bytes here.
    static bool CanEncode(const Frame& frame);

    /// @return bytes before the payload, from the destination MAC address on.
    uint32_t GetPayloadOffset(uint8_t code) const;

    /// @return the frame's bytes: HeaderSizes::GetFrame() of them. @param detail null if none.
    /// Aborts unless CanEncode().
    std::vector<uint8_t> EncodeBytes(const Frame& frame, const FrameDetail* detail) const;

    /// @return the same as a packet with a FrameTag; null unless CanEncode().
    Ptr<Packet> Encode(const Frame& frame, const FrameDetail* detail) const;

    /// @return unset if the bytes are no RoCE v2 packet of this format and IP version, between
    /// nodes of ours, with right lengths and ICRC.
    std::optional<DecodedFrame> Decode(Ptr<const Packet> packet) const;
    std::optional<DecodedFrame> DecodeBytes(const std::vector<uint8_t>& bytes) const;

  private:
    std::optional<DecodedFrame> Parse(const std::vector<uint8_t>& bytes,
                                      DecodedFrame decoded) const;
    /// @param place of the BTH
    void TakeHeaders(const uint8_t* place, DecodedFrame& decoded) const;

    const WireFormat& m_format;
    IpVersion m_version;
    IntRules m_intRules;
    HeaderSizes m_sizes;
};

} // namespace ns3::rdma

#endif // RDMA_ROCE_CODEC_H
