// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SLAB_STACKS_H
#define RDMA_SLAB_STACKS_H

#include "ns3/kv-access.h"
#include "ns3/kv-store-settings.h"
#include "ns3/payload-memory.h"
#include "ns3/slab-entry.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup fpga-kv-direct
 * @brief The NIC's stack of free slabs of one size (KV-Direct, section 4, Figure 8).
 *
 * Allocations and deallocations use the left end, the exchange with the host uses the right one.
 * An entry of a larger slab is opened when it is popped: a register holds the rest of it for the
 * next allocations.  The register is ours; the paper states that an entry may hold several slots.
 */
class NicSlabStack
{
  public:
    static constexpr uint32_t ROOM{SlabAllocatorSettings::MAX_NIC_ENTRIES};

    /// @param type of its slabs, which have 32 << type bytes
    explicit NicSlabStack(uint32_t type);

    /// @return entries, without the open one.
    uint32_t GetCount() const
    {
        return m_count;
    }

    bool IsEmpty() const
    {
        return m_count == 0 && m_openUnit == m_openEnd;
    }

    /// @return whether the next slab is taken from the open entry.
    bool IsOpen() const
    {
        return m_openUnit != m_openEnd;
    }

    /// Allocates a slab; only if there is one.
    /// @return its unit
    uint32_t Pop();

    /// Adds a free slab of this size or a larger one.
    void Push(const SlabEntry& entry);

    /// Exchange with the host.
    /// @param count at most GetCount()
    void PopRight(uint32_t* codes, uint32_t count);
    void PushRight(const uint32_t* codes, uint32_t count);

    /// Turns the rest of the open entry into entries of this stack, which has room for them.
    void Close();

    /// @return bytes of all its slabs.
    uint64_t GetSlabBytes() const;

  private:
    // Places wrap at 256, as an 8-bit register does.
    static_assert(ROOM == 256);

    uint32_t m_type;
    uint8_t m_left{0};
    uint32_t m_count{0};
    uint32_t m_openUnit{0};
    uint32_t m_openEnd{0};
    std::array<uint32_t, ROOM> m_ring{};
};

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

#endif // RDMA_SLAB_STACKS_H
