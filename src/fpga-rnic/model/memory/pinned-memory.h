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
 * @brief Hands out pinned memory of a host, in whole pages, one behind the other.
 *
 * What StRoM's driver does (section 4.2): a region that the application passes is pinned and its
 * pages are entered into the TLB.  Memory is never given back.
 */
class PinnedMemory
{
  public:
    /// @param memory whose bytes; @param base of the first region, on a page border
    PinnedMemory(Ptr<HostMemory> memory, Ptr<Tlb> tlb, uint64_t base);

    /// @param bytes at least 1 @return its address; unset: the TLB has too few entries.
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
