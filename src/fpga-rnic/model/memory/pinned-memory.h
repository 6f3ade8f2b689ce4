// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_PINNED_MEMORY_H
#define FPGA_PINNED_MEMORY_H

#include "ns3/host-memory.h"
#include "ns3/tlb.h"

#include <optional>

namespace ns3::rdma
{

/**
 * @ingroup fpga-memory
 * @brief Allocates pinned memory of a host, in consecutive whole pages.
 *
 * As StRoM's driver does (section 4.2), it pins a region and enters its pages into the TLB.  Memory
 * is never freed.
 */
class PinnedMemory
{
  public:
    /// @param memory of the host
    /// @param base address of the first region, on a page border
    PinnedMemory(Ptr<HostMemory> memory, Ptr<Tlb> tlb, uint64_t base);

    /// @param bytes at least 1
    /// @return address of the region; unset if the TLB has too few free entries.
    std::optional<uint64_t> Allocate(uint64_t bytes);

    HostMemory& GetMemory() const
    {
        return *m_memory;
    }

  private:
    Ptr<HostMemory> m_memory;
    Ptr<Tlb> m_tlb;
    uint64_t m_next;
};

} // namespace ns3::rdma

#endif // FPGA_PINNED_MEMORY_H
