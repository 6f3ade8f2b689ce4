// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_HOST_SLAB_STACK_H
#define FPGA_HOST_SLAB_STACK_H

#include "ns3/kv-access.h"
#include "ns3/payload-memory.h"
#include "ns3/slab-entry.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup fpga-kv-direct
 * @brief A double-ended stack of free slabs in the host's memory (KV-Direct, section 4, Figure 8).
 *
 * The NIC reads and writes the left end by DMA, the host's daemon the right one.  The entries are
 * in a ring, so that neither side moves the other's entries.  Each side writes the position of its
 * end into registers of the other (MMIO), which needs no DMA; the paper does not specify this.
 */
class HostSlabStack
{
  public:
    /// @param memory outlives the stack
    /// @param room entries, a multiple of 16
    HostSlabStack(PayloadMemory& memory, uint64_t address, uint32_t room);

    uint32_t GetCount() const
    {
        return m_count;
    }

    /// @return bytes of all its slabs.
    uint64_t GetSlabBytes() const
    {
        return m_units * SlabEntry::UNIT_BYTES;
    }

    /// Removes entries at the NIC's end.
    /// @param count at most GetCount()
    /// @param accesses the DMAs are appended: one, or two where the ring wraps
    void PopLeft(uint32_t* codes, uint32_t count, bool isBackground, KvAccesses& accesses);
    void PushLeft(const uint32_t* codes, uint32_t count, bool isBackground, KvAccesses& accesses);

    /// Removes entries at the daemon's end.
    /// @param count at most GetCount()
    std::vector<uint32_t> PopRight(uint32_t count);
    void PushRight(const std::vector<uint32_t>& codes);

  private:
    /// Copies entries between the ring and the host.
    /// @param place of the first, below the room
    template <bool IS_WRITE, typename CODE>
    void Copy(uint32_t place, CODE* codes, uint32_t count, bool isBackground, KvAccesses* accesses);

    void Count(const uint32_t* codes, uint32_t count, bool isAdded);

    PayloadMemory& m_memory;
    uint64_t m_address;
    uint32_t m_room;
    uint32_t m_left{0}; ///< Place of the leftmost entry.
    uint32_t m_count{0};
    uint64_t m_units{0}; ///< Units of all slabs.
};

} // namespace ns3::rdma

#endif // FPGA_HOST_SLAB_STACK_H
