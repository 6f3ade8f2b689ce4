// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HOST_MEMORY_H
#define RDMA_HOST_MEMORY_H

#include "ns3/payload-memory.h"

#include <array>
#include <memory>
#include <unordered_map>

namespace ns3::rdma
{

/**
 * @ingroup rdma-verbs
 * @brief The bytes of a host's address space, as far as they were ever written.
 *
 * Sparse: pages are allocated when written; all else reads as zero.
 */
class HostMemory : public PayloadMemory
{
  public:
    static constexpr std::size_t PAGE_BYTES{4096};

    void Write(uint64_t address, const uint8_t* bytes, std::size_t count) override;
    void Read(uint64_t address, uint8_t* bytes, std::size_t count) const override;

  private:
    using Page = std::array<uint8_t, PAGE_BYTES>;

    std::unordered_map<uint64_t, std::unique_ptr<Page>> m_pages; ///< Never iterated.
};

} // namespace ns3::rdma

#endif // RDMA_HOST_MEMORY_H
