// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_SLAB_MERGING_H
#define FPGA_SLAB_MERGING_H

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// How the host finds adjacent free slabs (KV-Direct, section 5.1.2 and Figure 12).
enum class SlabMergeMethod : uint8_t
{
    BITMAP,     ///< A bit per 32 bytes, set at random places.
    RADIX_SORT, ///< Addresses are sorted; threads can share the work.
};

/// The range of slabs, in units of 32 bytes.
struct SlabRange
{
    uint32_t firstUnit{0};
    uint32_t units{0};
    uint32_t maxType{0}; ///< Of the largest slab.
};

/**
 * Merges free slabs into the largest that their addresses allow.
 *
 * @param entries encoded as SlabEntry, of any sizes, that do not overlap and are in the range
 * @param threads of a radix sort, 1 at least; a bitmap is filled by one
 * @return entries that cover the same bytes, in order of address
 */
std::vector<uint32_t> MergeSlabs(std::vector<uint32_t> entries,
                                 const SlabRange& range,
                                 SlabMergeMethod method,
                                 uint32_t threads = 1);

} // namespace ns3::rdma

#endif // FPGA_SLAB_MERGING_H
