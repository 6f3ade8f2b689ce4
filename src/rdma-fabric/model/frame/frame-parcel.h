// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FRAME_PARCEL_H
#define RDMA_FRAME_PARCEL_H

#include "ns3/byte-buffer.h"
#include "ns3/frame-pool.h"

#include <cstring>

namespace ns3::rdma
{

/// A frame from another process, and the event of its arrival.
struct FrameArrival
{
    Tick when;
    uint32_t owner; ///< See FabricEngine::MakeOwner().
    FrameIndex frame;
};

/// Makes a cargo from the bytes that FrameCargo::Pack() appended.
using UnpackCargo = std::unique_ptr<FrameCargo> (*)(ByteReader&);

/// Registers a class of cargo.
/// @param kind FrameCargo::GetKind() of the class: unique and not 0
void RegisterCargo(uint32_t kind, UnpackCargo unpack);

/// Appends the detail, cargo and INT stack of a frame that has a detail.
void PackDetail(const FrameDetail& detail, ByteBuffer& buffer);
/// Gives a frame the detail, cargo and INT stack that PackDetail() appended.
void UnpackDetail(ByteReader& reader, FramePool& pool, FrameIndex frame);

/// A frame as it travels, in front of its detail. Bytes without padding.
struct ParcelLayout
{
    static constexpr std::size_t OWNER{sizeof(Tick)};
    static constexpr std::size_t FRAME{OWNER + sizeof(uint32_t)};
    static constexpr std::size_t BYTES{FRAME + sizeof(Frame)};
};

/// Appends a frame, with its detail and cargo. The frame stays in its pool.
inline void
PackFrame(const FramePool& pool, const FrameArrival& arrival, ByteBuffer& buffer)
{
    const Frame& frame = pool[arrival.frame];
    char* const place = buffer.Extend(ParcelLayout::BYTES);
    std::memcpy(place, &arrival.when, sizeof arrival.when);
    std::memcpy(place + ParcelLayout::OWNER, &arrival.owner, sizeof arrival.owner);
    std::memcpy(place + ParcelLayout::FRAME, &frame, sizeof frame);
    if (const FrameDetail* detail = pool.FindDetail(frame))
    {
        PackDetail(*detail, buffer);
    }
}

/// Reads the next frame into a frame of a pool, whose fields are unset.
inline FrameArrival
UnpackFrame(ByteReader& reader, FramePool& pool, FrameIndex into)
{
    const char* const place = reader.Skip(ParcelLayout::BYTES);
    FrameArrival arrival{};
    std::memcpy(&arrival.when, place, sizeof arrival.when);
    std::memcpy(&arrival.owner, place + ParcelLayout::OWNER, sizeof arrival.owner);
    arrival.frame = into;
    Frame& frame = pool[arrival.frame];
    std::memcpy(static_cast<void*>(&frame), place + ParcelLayout::FRAME, sizeof frame);
    if (frame.flags & frame_flag::DETAILED)
    {
        UnpackDetail(reader, pool, arrival.frame);
    }
    return arrival;
}

/// Reads the next frame into a pool.
inline FrameArrival
UnpackFrame(ByteReader& reader, FramePool& pool)
{
    return UnpackFrame(reader, pool, pool.Allocate());
}

} // namespace ns3::rdma

#endif // RDMA_FRAME_PARCEL_H
