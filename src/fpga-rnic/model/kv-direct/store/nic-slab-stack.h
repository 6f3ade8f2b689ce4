// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_NIC_SLAB_STACK_H
#define FPGA_NIC_SLAB_STACK_H

#include "ns3/kv-store-settings.h"
#include "ns3/slab-entry.h"

#include <array>
#include <cstdint>

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

} // namespace ns3::rdma

#endif // FPGA_NIC_SLAB_STACK_H
