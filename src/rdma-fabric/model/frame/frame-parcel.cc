// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/frame-parcel.h"

#include "ns3/abort.h"
#include "ns3/int-stack.h"

#include <map>

namespace ns3::rdma
{

namespace
{
std::map<uint32_t, UnpackCargo>&
GetKnownCargo()
{
    static std::map<uint32_t, UnpackCargo> known;
    return known;
}
} // namespace

void
RegisterCargo(uint32_t kind, UnpackCargo unpack)
{
    NS_ABORT_MSG_IF(kind == 0 || !GetKnownCargo().emplace(kind, unpack).second,
                    "cargo kind " << kind << " is taken");
}

void
PackDetail(const FrameDetail& detail, ByteBuffer& buffer)
{
    buffer.Put(detail);
    if (detail.cargo)
    {
        const uint32_t kind = detail.cargo->GetKind();
        NS_ABORT_MSG_IF(kind == 0, "a frame's cargo of this class cannot go to another rank");
        buffer.Put(kind);
        detail.cargo->Pack(buffer);
    }
    if (detail.path)
    {
        buffer.Put(detail.path->GetCapacity());
        buffer.Put(detail.path->GetCount());
        for (const IntHop& hop : *detail.path)
        {
            buffer.Put(hop);
        }
    }
}

void
UnpackDetail(ByteReader& reader, FramePool& pool, FrameIndex frame)
{
    const auto sent = reader.Get<FrameDetail>();
    FrameDetail& detail = pool.AddDetail(frame);
    detail = sent;
    detail.cargo = nullptr;
    detail.path = nullptr;
    if (sent.cargo)
    {
        const auto kind = reader.Get<uint32_t>();
        const auto known = GetKnownCargo().find(kind);
        NS_ABORT_MSG_IF(known == GetKnownCargo().end(), "no cargo of kind " << kind << " is known");
        detail.cargo = known->second(reader).release();
    }
    if (sent.path)
    {
        detail.path = new IntStack(reader.Get<uint32_t>());
        for (auto left = reader.Get<uint32_t>(); left > 0; --left)
        {
            detail.path->Push(reader.Get<IntHop>());
        }
    }
}

} // namespace ns3::rdma
