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
 * Sparse: pages are allocated when written; all else reads as zero.  Pages are found by a table per
 * 2 MiB, and the tables by a hash; those used last are remembered, so that random accesses to some
 * 100 MiB find their page without a hash.
 */
class HostMemory : public PayloadMemory
{
  public:
    static constexpr std::size_t PAGE_BYTES{4096};

    void Write(uint64_t address, const uint8_t* bytes, std::size_t count) override;
    void Read(uint64_t address, uint8_t* bytes, std::size_t count) const override;

  private:
    static constexpr std::size_t TABLE_PAGES{512};
    static constexpr std::size_t RECENT_TABLES{64}; ///< A power of two; 1 KiB per host.

    using Page = std::array<uint8_t, PAGE_BYTES>;
    using Table = std::array<std::unique_ptr<Page>, TABLE_PAGES>;

    /// A table that was used lately.
    struct Recent
    {
        uint64_t number{0};
        Table* table{nullptr};
    };

    /// @return the table of an address; null if nothing was written there.
    Table* FindTable(uint64_t address) const;
    Page& GetPage(uint64_t address);

    std::unordered_map<uint64_t, std::unique_ptr<Table>> m_tables; ///< Never iterated.
    mutable std::array<Recent, RECENT_TABLES> m_recent{};          ///< By the number's lowest bits.
};

} // namespace ns3::rdma

#endif // RDMA_HOST_MEMORY_H
