// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/payload-cargo.h"

#include "ns3/frame-parcel.h"

namespace ns3::rdma
{

namespace
{
std::unique_ptr<FrameCargo>
UnpackPayload(ByteReader& reader)
{
    std::vector<uint8_t> bytes(reader.Get<uint32_t>());
    reader.GetBytes(bytes.data(), bytes.size());
    return std::make_unique<PayloadCargo>(std::move(bytes));
}
} // namespace

const bool PayloadCargo::IS_REGISTERED = [] {
    RegisterCargo(KIND, UnpackPayload);
    return true;
}();

void
PayloadCargo::Pack(ByteBuffer& buffer) const
{
    buffer.Put(static_cast<uint32_t>(bytes.size()));
    buffer.PutBytes(bytes.data(), bytes.size());
}

} // namespace ns3::rdma
