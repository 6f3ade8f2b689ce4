// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HOST_MEMORY_H
#define RDMA_HOST_MEMORY_H

#include "ns3/simple-ref-count.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace ns3::rdma
{

/**
 * @ingroup rdma-verbs
 * @brief The bytes of a host's address space, as far as they were ever written.
 *
 * Sparse: pages come into being when written; all else reads as zero.  Integers are little-endian,
 * as on the hosts that the papers use.
 */
class HostMemory : public SimpleRefCount<HostMemory>
{
  public:
    static constexpr std::size_t PAGE_BYTES{4096};

    void Write(uint64_t address, const uint8_t* bytes, std::size_t count);
    void Read(uint64_t address, uint8_t* bytes, std::size_t count) const;

    void Write64(uint64_t address, uint64_t value);
    uint64_t Read64(uint64_t address) const;

    /// @return pages that were written.
    std::size_t GetPageCount() const;

  private:
    using Page = std::array<uint8_t, PAGE_BYTES>;

    std::unordered_map<uint64_t, std::unique_ptr<Page>> m_pages; ///< Never iterated.
};

} // namespace ns3::rdma

#endif // RDMA_HOST_MEMORY_H
