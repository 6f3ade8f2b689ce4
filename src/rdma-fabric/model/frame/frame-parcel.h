// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FRAME_PARCEL_H
#define RDMA_FRAME_PARCEL_H

#include "ns3/byte-buffer.h"
#include "ns3/frame-pool.h"

#include <cstring>

namespace ns3::rdma
{

/// A frame that came out of another process, and the event that it is for.
struct FrameArrival
{
    Tick when;
    uint32_t owner; ///< See FabricEngine::MakeOwner().
    FrameIndex frame;
};

/// Makes a cargo from what FrameCargo::Pack() put.
using UnpackCargo = std::unique_ptr<FrameCargo> (*)(ByteReader&);

/// Makes a class of cargo known. @param kind FrameCargo::GetKind() of it, not 0 and no other's
void RegisterCargo(uint32_t kind, UnpackCargo unpack);

/// Appends the detail, cargo and INT stack of a frame that has a detail.
void PackDetail(const FrameDetail& detail, ByteBuffer& buffer);
/// Gives a frame what PackDetail() has put.
void UnpackDetail(ByteReader& reader, FramePool& pool, FrameIndex frame);

/// Appends a frame, with its detail and cargo. It stays in its pool.
inline void
PackFrame(const FramePool& pool, const FrameArrival& arrival, ByteBuffer& buffer)
{
    const Frame& frame = pool[arrival.frame];
    constexpr std::size_t BYTES{sizeof arrival.when + sizeof arrival.owner + sizeof frame};
    char* const place = buffer.Extend(BYTES);
    std::memcpy(place, &arrival.when, sizeof arrival.when);
    std::memcpy(place + sizeof arrival.when, &arrival.owner, sizeof arrival.owner);
    std::memcpy(place + BYTES - sizeof frame, &frame, sizeof frame);
    if (const FrameDetail* detail = pool.FindDetail(frame))
    {
        PackDetail(*detail, buffer);
    }
}

/// Takes the next frame out, into a pool.
inline FrameArrival
UnpackFrame(ByteReader& reader, FramePool& pool)
{
    FrameArrival arrival{};
    arrival.when = reader.Get<Tick>();
    arrival.owner = reader.Get<uint32_t>();
    arrival.frame = pool.Allocate();
    Frame& frame = pool[arrival.frame];
    reader.GetBytes(&frame, sizeof frame);
    if (frame.flags & frame_flag::DETAILED)
    {
        UnpackDetail(reader, pool, arrival.frame);
    }
    return arrival;
}

} // namespace ns3::rdma

#endif // RDMA_FRAME_PARCEL_H
