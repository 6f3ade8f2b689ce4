// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/packet-cargo.h"

#include "ns3/frame-parcel.h"

#include <vector>

namespace ns3::rdma
{

namespace
{
constexpr uint32_t MAC_BYTES{6};

Mac48Address
GetMac(ByteReader& reader)
{
    uint8_t bytes[MAC_BYTES];
    reader.GetBytes(bytes, sizeof bytes);
    Mac48Address address;
    address.CopyFrom(bytes);
    return address;
}

std::unique_ptr<FrameCargo>
UnpackPacket(ByteReader& reader)
{
    auto cargo = std::make_unique<PacketCargo>();
    cargo->protocol = reader.Get<uint16_t>();
    cargo->source = GetMac(reader);
    cargo->destination = GetMac(reader);
    const auto words = reader.Get<uint32_t>();
    std::vector<uint32_t> aligned(words);
    reader.GetBytes(aligned.data(), words * sizeof(uint32_t));
    const auto* bytes = reinterpret_cast<const uint8_t*>(aligned.data());
    cargo->packet = Create<Packet>(bytes, words * sizeof(uint32_t), true);
    return cargo;
}
} // namespace

const bool PacketCargo::IS_REGISTERED = [] {
    RegisterCargo(KIND, UnpackPacket);
    return true;
}();

void
PacketCargo::Pack(ByteBuffer& buffer) const
{
    buffer.Put(protocol);
    for (const Mac48Address& address : {source, destination})
    {
        uint8_t bytes[MAC_BYTES];
        address.CopyTo(bytes);
        buffer.PutBytes(bytes, sizeof bytes);
    }
    // ns-3 writes 32-bit words: headers, data, tags and metadata.
    std::vector<uint32_t> words((packet->GetSerializedSize() + 3) / 4);
    const auto size = static_cast<uint32_t>(words.size() * sizeof(uint32_t));
    packet->Serialize(reinterpret_cast<uint8_t*>(words.data()), size);
    buffer.Put(static_cast<uint32_t>(words.size()));
    buffer.PutBytes(words.data(), size);
}

} // namespace ns3::rdma
