// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/header-fields.h"

#include "ns3/mrc-layouts.h"
#include "ns3/opcode.h"
#include "ns3/psn.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace ns3::rdma
{

namespace
{
constexpr uint64_t PARTITION_KEY{0xffff}; ///< The default partition, the only one.

/// @return a field that is a member of the frame.
template <auto Member>
constexpr HeaderField
OfFrame(const char* name, uint32_t bit, uint32_t width)
{
    return {name,
            bit,
            width,
            [](const Frame& frame, const FrameDetail&) -> uint64_t { return frame.*Member; },
            [](Frame& frame, FrameDetail&, uint64_t value) {
                frame.*Member = static_cast<std::decay_t<decltype(frame.*Member)>>(value);
            }};
}

/// @return a field that is a member of the detail.
template <auto Member>
constexpr HeaderField
OfDetail(const char* name, uint32_t bit, uint32_t width)
{
    return {name,
            bit,
            width,
            [](const Frame&, const FrameDetail& detail) -> uint64_t { return detail.*Member; },
            [](Frame&, FrameDetail& detail, uint64_t value) {
                detail.*Member = static_cast<std::decay_t<decltype(detail.*Member)>>(value);
            }};
}

/// @return a one-bit field that is a flag of the frame.
template <uint16_t Flag>
constexpr HeaderField
OfFlag(const char* name, uint32_t bit)
{
    return {name,
            bit,
            1,
            [](const Frame& frame, const FrameDetail&) -> uint64_t {
                return (frame.flags & Flag) != 0;
            },
            [](Frame& frame, FrameDetail&, uint64_t value) {
                frame.flags = ChangeFlags(frame.flags, Flag, value != 0);
            }};
}

constexpr HeaderField PAD{
    "pad count",
    10,
    2,
    [](const Frame& frame, const FrameDetail&) -> uint64_t { return -frame.payloadBytes & 3; },
    nullptr};
constexpr HeaderField VERSION{"TVer",
                              12,
                              4,
                              [](const Frame&, const FrameDetail&) -> uint64_t { return 0; },
                              nullptr};
constexpr HeaderField P_KEY{"P_Key",
                            16,
                            16,
                            [](const Frame&, const FrameDetail&) { return PARTITION_KEY; },
                            nullptr};

/// Set on CNPs as specified; on other packets CE_ECHO, which is our use of the bit.
constexpr HeaderField BECN{
    "BECN",
    33,
    1,
    [](const Frame& frame, const FrameDetail&) -> uint64_t {
        return frame.opcode == opcode::CNP || (frame.flags & frame_flag::CE_ECHO);
    },
    [](Frame& frame, FrameDetail&, uint64_t value) {
        if (frame.opcode != opcode::CNP)
        {
            frame.flags = ChangeFlags(frame.flags, frame_flag::CE_ECHO, value != 0);
        }
    }};

constexpr HeaderField DESTINATION_QP{
    "destination QP",
    40,
    24,
    [](const Frame& frame, const FrameDetail&) -> uint64_t { return frame.dstQp; },
    [](Frame& frame, FrameDetail&, uint64_t value) { frame.dstQp = value & Psn::MASK; }};
constexpr HeaderField PSN{
    "PSN",
    72,
    24,
    [](const Frame& frame, const FrameDetail&) -> uint64_t { return frame.psn; },
    [](Frame& frame, FrameDetail&, uint64_t value) { frame.psn = value & Psn::MASK; }};
constexpr HeaderField SOURCE_QP{
    "source QP",
    40,
    24,
    [](const Frame& frame, const FrameDetail&) -> uint64_t { return frame.srcQp; },
    [](Frame& frame, FrameDetail&, uint64_t value) { frame.srcQp = value & Psn::MASK; }};
constexpr HeaderField MSN{
    "MSN",
    8,
    24,
    [](const Frame& frame, const FrameDetail&) -> uint64_t { return frame.ack.msn; },
    [](Frame& frame, FrameDetail&, uint64_t value) {
        frame.ack.msn = static_cast<uint32_t>(value);
    }};

/// PSN of the packet that an SRNIC acknowledgment answers.
constexpr HeaderField ECHOED_PSN{
    "echoed PSN",
    8,
    24,
    [](const Frame& frame, const FrameDetail&) -> uint64_t { return frame.ack.selectivePsn; },
    [](Frame& frame, FrameDetail&, uint64_t value) {
        frame.ack.selectivePsn = static_cast<uint32_t>(value);
    }};

/// Selective PSN of IRN, valid only if the bit before it is set.
constexpr HeaderField SELECTIVE_PSN{"selective PSN",
                                    8,
                                    24,
                                    [](const Frame& frame, const FrameDetail& detail) -> uint64_t {
                                        return frame.flags & frame_flag::SELECTIVE
                                                   ? ECHOED_PSN.get(frame, detail)
                                                   : 0;
                                    },
                                    [](Frame& frame, FrameDetail& detail, uint64_t value) {
                                        if (frame.flags & frame_flag::SELECTIVE)
                                        {
                                            ECHOED_PSN.set(frame, detail, value);
                                        }
                                    }};

/// The PSN offset; 0 in a READ request, which is one packet and uses the frame's field for its
/// RETH.
constexpr HeaderField META_OFFSET{"PSN offset",
                                  32,
                                  32,
                                  [](const Frame& frame, const FrameDetail&) -> uint64_t {
                                      return frame.opcode == opcode::READ_REQUEST ? 0
                                                                                  : frame.psnOffset;
                                  },
                                  [](Frame& frame, FrameDetail&, uint64_t value) {
                                      if (frame.opcode != opcode::READ_REQUEST)
                                      {
                                          frame.psnOffset = static_cast<uint32_t>(value);
                                      }
                                  }};
} // namespace

void
HeaderField::Write(uint8_t* header, uint64_t value) const
{
    uint32_t left = width;
    for (uint32_t at = bit; left > 0;)
    {
        const uint32_t room = 8 - at % 8;
        const uint32_t count = std::min(room, left);
        left -= count;
        const uint64_t part = value >> left & ((1U << count) - 1);
        header[at / 8] |= static_cast<uint8_t>(part << (room - count));
        at += count;
    }
}

uint64_t
HeaderField::Read(const uint8_t* header) const
{
    uint64_t value = 0;
    uint32_t left = width;
    for (uint32_t at = bit; left > 0;)
    {
        const uint32_t room = 8 - at % 8;
        const uint32_t count = std::min(room, left);
        left -= count;
        value = value << count | (header[at / 8] >> (room - count) & ((1U << count) - 1));
        at += count;
    }
    return value;
}

void
HeaderLayout::Write(uint8_t* header, const Frame& frame, const FrameDetail& detail) const
{
    for (const HeaderField& field : fields)
    {
        field.Write(header, field.get(frame, detail));
    }
}

void
HeaderLayout::Read(const uint8_t* header, Frame& frame, FrameDetail& detail) const
{
    for (const HeaderField& field : fields)
    {
        if (field.set)
        {
            field.set(frame, detail, field.Read(header));
        }
    }
}

const HeaderLayout&
GetBthLayout()
{
    static const HeaderLayout bth{BTH_BYTES,
                                  {OfFrame<&Frame::opcode>("opcode", 0, 8),
                                   OfDetail<&FrameDetail::isSolicited>("solicited event", 8, 1),
                                   PAD,
                                   VERSION,
                                   P_KEY,
                                   BECN,
                                   DESTINATION_QP,
                                   OfFlag<frame_flag::ACK_REQUEST>("AckReq", 64),
                                   PSN}};
    return bth;
}

const HeaderLayout&
GetLayout(HeaderKind kind)
{
    if (kind >= HeaderKind::METH)
    {
        return GetMrcLayout(kind);
    }
    constexpr HeaderField ADDRESS = OfFrame<&Frame::remoteAddress>("virtual address", 0, 64);
    constexpr HeaderField REMOTE_KEY = OfDetail<&FrameDetail::remoteKey>("R_Key", 64, 32);
    constexpr HeaderField IS_SELECTIVE = OfFlag<frame_flag::SELECTIVE>("is selective", 0);
    // By HeaderKind. Local to the function, since formats are created while libraries are loaded.
    // The papers of IRN and SRNIC give contents and sizes only; the order of fields is ours.
    static const std::array<HeaderLayout, 11> layouts{{
        // RETH (IBTA Vol. 1, Section 9.3.3).
        {16, {ADDRESS, REMOTE_KEY, OfFrame<&Frame::messageBytes>("DMA length", 96, 32)}},
        // Immediate data (Section 9.3.6).
        {4, {OfDetail<&FrameDetail::immediate>("immediate", 0, 32)}},
        // AETH (Section 9.3.5).
        {4, {OfFrame<&Frame::syndrome>("syndrome", 0, 8), MSN}},
        // AtomicETH (Section 9.3.4). The compare operand is zero in a fetch-and-add.
        {28,
         {ADDRESS,
          REMOTE_KEY,
          OfDetail<&FrameDetail::swapAdd>("swap or add", 96, 64),
          OfDetail<&FrameDetail::compare>("compare", 160, 64)}},
        // AtomicAckETH (Section 9.5.3): the value before the operation.
        {8, {OfDetail<&FrameDetail::swapAdd>("original", 0, 64)}},
        // DETH (Section 9.3.2).
        {8, {OfDetail<&FrameDetail::queueKey>("Q_Key", 0, 32), SOURCE_QP}},
        // Reserved bytes behind the BTH of a CNP (Annex A17, Section A17.9.3).
        {16, {}},
        // IRN, acknowledgment (Mittal et al. 2018, section 5.2).
        {4, {IS_SELECTIVE, SELECTIVE_PSN}},
        // SRNIC, SEND, READ request and READ response (section 4.4.1).
        {8, {OfFrame<&Frame::ssn>("SSN", 8, 24), META_OFFSET}},
        // SRNIC, each packet of a WRITE.
        {20,
         {ADDRESS,
          REMOTE_KEY,
          OfFrame<&Frame::ssn>("SSN", 104, 24),
          OfFrame<&Frame::psnOffset>("PSN offset", 128, 32)}},
        // SRNIC, acknowledgment: PSN and offset of the answered packet.
        {8, {IS_SELECTIVE, ECHOED_PSN, OfFrame<&Frame::psnOffset>("PSN offset", 32, 32)}},
    }};
    return layouts.at(static_cast<std::size_t>(kind));
}

BthStart
ReadBthStart(const uint8_t* bth)
{
    return {bth[0], static_cast<uint8_t>(PAD.Read(bth)), static_cast<uint8_t>(VERSION.Read(bth))};
}

} // namespace ns3::rdma
