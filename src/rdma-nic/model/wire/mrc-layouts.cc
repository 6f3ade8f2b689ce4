// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/mrc-layouts.h"

#include "ns3/psn.h"

#include <algorithm>
#include <array>

namespace ns3::rdma
{

namespace
{
constexpr Tick TIME_UNIT{128'000};    ///< 128 ns.
constexpr uint64_t BYTES_UNIT{256};   ///< Of the receiver's counter.
constexpr uint32_t MOST_HELD{0x7fff}; ///< Of ooo_count.
constexpr uint64_t COUNTER_MASK{0xffffff};

/// @return the counter on the wire: units of 256 bytes, rounded up.
uint64_t
ToUnits(uint32_t bytes)
{
    return (uint64_t{bytes} + BYTES_UNIT - 1) / BYTES_UNIT & COUNTER_MASK;
}

/// @return the difference of two PSNs, cut to 16 bits.
uint64_t
GetOffset(uint32_t psn, uint32_t base)
{
    return static_cast<uint16_t>(Psn(psn) - Psn(base));
}

/// @return the PSN at a 16-bit signed distance.
uint32_t
AddOffset(uint32_t base, uint64_t offset)
{
    const auto signedOffset = static_cast<int16_t>(offset);
    return (base + static_cast<uint32_t>(int32_t{signedOffset})) & Psn::MASK;
}

constexpr HeaderField ENTROPY{
    "entropy",
    32,
    32,
    [](const Frame& frame, const FrameDetail&) -> uint64_t { return frame.echoedEntropy; },
    [](Frame& frame, FrameDetail&, uint64_t value) {
        frame.echoedEntropy = static_cast<uint32_t>(value);
    }};

/// The requester's queue pair, low bits.
constexpr HeaderField SPDCID{
    "spdcid",
    64,
    16,
    [](const Frame& frame, const FrameDetail&) -> uint64_t { return frame.dstQp; },
    nullptr};
/// The responder's queue pair, low bits.
constexpr HeaderField DPDCID{
    "dpdcid",
    80,
    16,
    [](const Frame& frame, const FrameDetail&) -> uint64_t { return frame.srcQp; },
    nullptr};

/// @return when the answered packet left its NIC, 128 ns. Sixteen bits do not restore a time.
constexpr HeaderField
MakeSendTime(uint32_t bit)
{
    return {"tx_time",
            bit,
            16,
            [](const Frame& frame, const FrameDetail&) -> uint64_t {
                return static_cast<uint64_t>(frame.sendTime / TIME_UNIT);
            },
            nullptr};
}

/// Receive requests that earlier messages of the queue pair consume.
constexpr HeaderField RQMSN{
    "RQMSN",
    0,
    16,
    [](const Frame& frame, const FrameDetail&) -> uint64_t { return frame.ssn; },
    [](Frame& frame, FrameDetail&, uint64_t value) {
        frame.ssn = (frame.ssn & ~0xffffU) | static_cast<uint32_t>(value);
    }};

/// 00: nothing; 01: skip this value once, since the packet carried CE.
constexpr HeaderField MARK{"m",
                           9,
                           2,
                           [](const Frame& frame, const FrameDetail&) -> uint64_t {
                               return (frame.flags & frame_flag::CE_ECHO) != 0;
                           },
                           [](Frame& frame, FrameDetail&, uint64_t value) {
                               frame.flags =
                                   ChangeFlags(frame.flags, frame_flag::CE_ECHO, value != 0);
                           }};
constexpr HeaderField CACK_PSN{
    "cack_psn",
    104,
    24,
    [](const Frame& frame, const FrameDetail&) -> uint64_t { return frame.psn; },
    [](Frame& frame, FrameDetail&, uint64_t value) { frame.psn = value & Psn::MASK; }};
/// Whether the report answers a probe.
constexpr HeaderField PROBE_RESPONSE{
    "pr",
    14,
    1,
    [](const Frame& frame, const FrameDetail&) -> uint64_t {
        return frame.GetKind() == FrameKind::PROBE_REPORT;
    },
    [](Frame& frame, FrameDetail&, uint64_t value) {
        frame.flags =
            ChangeKind(frame.flags, value != 0 ? FrameKind::PROBE_REPORT : FrameKind::REPORT);
    }};
/// MRC does not say how probes are numbered: here by the low bits of the newest PSN sent, which the
/// BTH of the probe has, too.
constexpr HeaderField PROBE_ID{
    "probe_id",
    32,
    16,
    [](const Frame& frame, const FrameDetail&) -> uint64_t { return frame.psn & 0xffff; },
    nullptr};
/// Follows CACK_PSN in the table, which is read first. In answers to probes MRC has the probe's
/// number in this place; here they have the offset, too.
constexpr HeaderField ACK_PSN_OFFSET{"ack_psn_offset",
                                     16,
                                     16,
                                     [](const Frame& frame, const FrameDetail&) {
                                         return GetOffset(frame.ack.selectivePsn, frame.psn);
                                     },
                                     [](Frame& frame, FrameDetail&, uint64_t value) {
                                         frame.ack.selectivePsn = AddOffset(frame.psn, value);
                                     }};
constexpr HeaderField BITMAP{
    "sack_bitmap",
    160,
    64,
    [](const Frame&, const FrameDetail& detail) -> uint64_t { return detail.bits; },
    [](Frame&, FrameDetail& detail, uint64_t value) { detail.bits = value; }};
/// Of a report without bitmap: zero. Follows BITMAP.
constexpr HeaderField SACK_OFFSET{"sack_offset",
                                  144,
                                  16,
                                  [](const Frame& frame, const FrameDetail& detail) -> uint64_t {
                                      return detail.bits != 0
                                                 ? GetOffset(detail.range.base, frame.psn)
                                                 : 0;
                                  },
                                  [](Frame& frame, FrameDetail& detail, uint64_t value) {
                                      if (detail.bits != 0)
                                      {
                                          detail.range.base = AddOffset(frame.psn, value);
                                      }
                                  }};

constexpr HeaderField OOO_COUNT{"ooo_count",
                                17,
                                15,
                                [](const Frame&, const FrameDetail& detail) -> uint64_t {
                                    return std::min(detail.range.held, MOST_HELD);
                                },
                                [](Frame&, FrameDetail& detail, uint64_t value) {
                                    if (std::min(detail.range.held, MOST_HELD) != value)
                                    {
                                        detail.range.held = static_cast<uint32_t>(value);
                                    }
                                }};
/// An exact counter that agrees with the rounded one stays.
constexpr HeaderField RECEIVED{
    "rcvd_bytes",
    40,
    24,
    [](const Frame& frame, const FrameDetail&) { return ToUnits(frame.receivedBytes); },
    [](Frame& frame, FrameDetail&, uint64_t value) {
        if (ToUnits(frame.receivedBytes) != value)
        {
            frame.receivedBytes = static_cast<uint32_t>(value * BYTES_UNIT);
        }
    }};

constexpr HeaderField REASON{
    "reason",
    16,
    8,
    [](const Frame& frame, const FrameDetail&) -> uint64_t {
        return frame.flags & frame_flag::LAST_HOP ? mrc_reason::TRIMMED_LAST_HOP
                                                  : mrc_reason::TRIMMED;
    },
    [](Frame& frame, FrameDetail&, uint64_t value) {
        const bool isLastHop = value == mrc_reason::TRIMMED_LAST_HOP;
        frame.flags = ChangeFlags(frame.flags, frame_flag::LAST_HOP, isLastHop);
        frame.flags = ChangeFlags(frame.flags,
                                  frame_flag::TRIMMED,
                                  isLastHop || value == mrc_reason::TRIMMED);
    }};
constexpr HeaderField NACK_PSN{
    "nack_psn",
    104,
    24,
    [](const Frame& frame, const FrameDetail&) -> uint64_t { return frame.ack.selectivePsn; },
    [](Frame& frame, FrameDetail&, uint64_t value) {
        frame.ack.selectivePsn = static_cast<uint32_t>(value);
    }};

uint16_t
GetResentFlag(const Frame& bth)
{
    const bool isAnswer = bth.opcode == mrc_opcode::SACK || bth.opcode == mrc_opcode::NACK;
    return isAnswer ? frame_flag::ANSWERS_RESENT : frame_flag::RETRANSMISSION;
}

constexpr HeaderField RTX{"rtx",
                          66,
                          1,
                          [](const Frame& bth, const FrameDetail&) -> uint64_t {
                              return (bth.flags & GetResentFlag(bth)) != 0;
                          },
                          [](Frame& bth, FrameDetail&, uint64_t value) {
                              bth.flags = ChangeFlags(bth.flags, GetResentFlag(bth), value != 0);
                          }};
} // namespace

const HeaderLayout&
GetMrcLayout(HeaderKind kind)
{
    // By HeaderKind, from METH on. MRC 1.0, Tables 7-12 to 7-22. Fields that frames do not have are
    // zero: MSN, type, next header, congestion control type and flags, MPR,
    // restore, penalty, vendor information.
    static const std::array<HeaderLayout, 7> layouts{{
        {4, {RQMSN}}, // METH
        {28,
         {MARK,
          PROBE_RESPONSE,
          CACK_PSN,
          ACK_PSN_OFFSET,
          ENTROPY,
          SPDCID,
          DPDCID,
          BITMAP,
          SACK_OFFSET}},                                                      // SETH
        {8, {MakeSendTime(0), OOO_COUNT, RECEIVED}},                          // CC_STATE
        {20, {REASON, ENTROPY, SPDCID, DPDCID, NACK_PSN, MakeSendTime(144)}}, // NETH
        {16, {PROBE_ID, SPDCID, DPDCID, MakeSendTime(96)}},                   // PETH
        {16, {MakeSendTime(96)}},                                             // ERTH
        {36, {MakeSendTime(224)}},                                            // EETH
    }};
    return layouts.at(static_cast<std::size_t>(kind) - static_cast<std::size_t>(HeaderKind::METH));
}

const HeaderLayout&
GetMrcBthLayout()
{
    static const HeaderLayout bth{BTH_BYTES, {RTX}};
    return bth;
}

} // namespace ns3::rdma
