// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_SLAB_ENTRY_H
#define FPGA_SLAB_ENTRY_H

#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup fpga-kv-direct
 * @brief A free slab in the stacks of KV-Direct's allocator: address and size in 32 bits.
 *
 * The paper (section 3.3.2) specifies an address field and a slab type field.  Their total of 4
 * bytes is inferred from its section 5.1.2: 180 M slots per second take 720 MB/s.  The fields fit
 * exactly.  Addresses are in units of 32 bytes (31 bits), and a slab of 32 << type bytes is at a
 * multiple of its size, so that its lowest `type` bits are 0.  In an entry, a 1 and `type` zeros
 * follow the other bits of the address.
 */
struct SlabEntry
{
    static constexpr uint32_t UNIT_BYTES{32}; ///< The smallest slab.
    static constexpr uint32_t BYTES{4};       ///< Of an entry in memory.
    static constexpr uint32_t MAX_TYPE{6};    ///< 2048 bytes; a bucket has 3 bits for it.

    uint32_t unit{0}; ///< Address in units of 32 bytes, a multiple of 2^type.
    uint32_t type{0}; ///< 32 << type bytes.

    uint32_t Encode() const
    {
        return (unit << 1) | (1U << type);
    }

    /// @param code not 0
    static SlabEntry Decode(uint32_t code)
    {
        const auto type = static_cast<uint32_t>(__builtin_ctz(code));
        return {(code ^ (1U << type)) >> 1, type};
    }

    /// @return units that it spans.
    uint32_t CountUnits() const
    {
        return 1U << type;
    }

    /// @return the largest slab that begins at a unit and ends at or before another.
    static SlabEntry Largest(uint32_t unit, uint32_t end, uint32_t maxType)
    {
        const uint32_t room = 31U - static_cast<uint32_t>(__builtin_clz(end - unit));
        const uint32_t aligned = unit == 0 ? 31U : static_cast<uint32_t>(__builtin_ctz(unit));
        uint32_t type = room < aligned ? room : aligned;
        return {unit, type < maxType ? type : maxType};
    }
};

} // namespace ns3::rdma

#endif // FPGA_SLAB_ENTRY_H
