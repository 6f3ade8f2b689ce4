// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-slab-pair.h"

#include "ns3/slab-entry.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
constexpr uint32_t MAX_SHORT_TYPE{4}; ///< 512 bytes: padding fits one byte.

uint32_t
CountSlabBytes(uint32_t type)
{
    return SlabEntry::UNIT_BYTES << type;
}
} // namespace

uint32_t
KvSlabPair::CountHeaderBytes(uint32_t type)
{
    return type <= MAX_SHORT_TYPE ? 2 : 3;
}

std::optional<uint32_t>
KvSlabPair::FindType(std::size_t bytes, uint32_t maxType)
{
    for (uint32_t type = 0; type <= maxType; ++type)
    {
        if (CountHeaderBytes(type) + bytes <= CountSlabBytes(type))
        {
            return type;
        }
    }
    return std::nullopt;
}

uint32_t
KvSlabPair::Encode(uint32_t type, uint8_t* slab) const
{
    const uint32_t header = CountHeaderBytes(type);
    const auto bytes = static_cast<uint32_t>(header + key.GetSize() + value.GetSize());
    const uint32_t padding = CountSlabBytes(type) - bytes;
    slab[0] = static_cast<uint8_t>(key.GetSize());
    slab[1] = static_cast<uint8_t>(padding);
    slab[2] = static_cast<uint8_t>(padding >> 8); // Overwritten by the key of a short header.
    std::copy_n(key.GetData(), key.GetSize(), slab + header);
    std::copy_n(value.GetData(), value.GetSize(), slab + header + key.GetSize());
    return bytes;
}

KvSlabPair
KvSlabPair::Decode(uint32_t type, const uint8_t* slab)
{
    const uint32_t header = CountHeaderBytes(type);
    const uint32_t keyBytes = slab[0];
    const uint32_t padding = slab[1] | (header == 2 ? 0U : uint32_t{slab[2]} << 8);
    const uint32_t bytes = CountSlabBytes(type) - header - padding;
    return {ByteView(slab + header, keyBytes),
            ByteView(slab + header + keyBytes, bytes - keyBytes)};
}

} // namespace ns3::rdma
