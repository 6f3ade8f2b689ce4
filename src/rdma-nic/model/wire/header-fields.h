// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HEADER_FIELDS_H
#define RDMA_HEADER_FIELDS_H

#include "ns3/frame.h"
#include "ns3/header-kind.h"

#include <vector>

namespace ns3::rdma
{

/// A field of a header: its position on the wire, and its mapping to a frame.
struct HeaderField
{
    const char* name;
    uint32_t bit;   ///< Offset from the start of the header; bit 0 is the most significant one.
    uint32_t width; ///< Bits, up to 64.

    /// @return the value on the wire; bits above the width are cut off.
    uint64_t (*get)(const Frame& frame, const FrameDetail& detail);

    /// Sets the frame's fields from the value. Null: ignored when received.
    void (*set)(Frame& frame, FrameDetail& detail, uint64_t value);

    void Write(uint8_t* header, uint64_t value) const;
    uint64_t Read(const uint8_t* header) const;
};

/**
 * @ingroup rdma-wire
 * @brief A header: its length, and its fields in the order in which they are read.
 *
 * Bits outside all fields are reserved: sent as zero and ignored when received.
 */
struct HeaderLayout
{
    uint32_t bytes;
    std::vector<HeaderField> fields;

    /// @param header must be zero
    void Write(uint8_t* header, const Frame& frame, const FrameDetail& detail) const;

    /// Sets the fields of the frame that the header carries; the others stay.
    void Read(const uint8_t* header, Frame& frame, FrameDetail& detail) const;
};

/// Base transport header, 12 bytes (IBTA Vol. 1, Section 9.2; FECN and BECN: Annex A17).
const HeaderLayout& GetBthLayout();

/// @return a header that may follow the BTH.
const HeaderLayout& GetLayout(HeaderKind kind);

/// @return bytes on the wire.
inline uint32_t
GetHeaderBytes(HeaderKind kind)
{
    return GetLayout(kind).bytes;
}

constexpr uint32_t BTH_BYTES{12};

/// Fields of a BTH that a receiver needs to check the packet's length and version.
struct BthStart
{
    uint8_t opcode;
    uint8_t padBytes; ///< Number of pad bytes behind the payload.
    uint8_t version;  ///< TVer: zero.
};

BthStart ReadBthStart(const uint8_t* bth);

} // namespace ns3::rdma

#endif // RDMA_HEADER_FIELDS_H
