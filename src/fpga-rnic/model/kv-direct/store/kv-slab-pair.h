// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_SLAB_PAIR_H
#define FPGA_KV_SLAB_PAIR_H

#include "ns3/byte-view.h"

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/**
 * @ingroup fpga-kv-direct
 * @brief A pair that is not inline, as stored in its slab: lengths, key, value, padding.
 *
 * KV-Direct has 2 bytes of metadata per pair (section 5.2.1: sizes are a power of two minus 2), but
 * does not specify them.  Ours: the length of the key, and the bytes of padding.  Padding is below
 * 256 in slabs up to 512 bytes, because a smaller pair would have a smaller slab.  Larger slabs,
 * which the paper's allocator does not have, need a second byte for the padding.
 */
struct KvSlabPair
{
    static constexpr uint32_t MAX_KEY_BYTES{255};

    ByteView key;
    ByteView value;

    /// @param type of the slab, 32 << type bytes
    /// @return bytes before the key.
    static uint32_t CountHeaderBytes(uint32_t type);

    /// @param bytes of key and value
    /// @return type of the smallest slab for a pair; unset if it is too long.
    static std::optional<uint32_t> FindType(std::size_t bytes, uint32_t maxType);

    /// @param type that FindType() returns
    /// @return bytes that were written
    uint32_t Encode(uint32_t type, uint8_t* slab) const;

    /// @param slab an encoded pair, which the views point to
    static KvSlabPair Decode(uint32_t type, const uint8_t* slab);
};

} // namespace ns3::rdma

#endif // FPGA_KV_SLAB_PAIR_H
