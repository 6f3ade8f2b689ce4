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
 * @brief The written bytes of a host's address space.
 *
 * Pages are allocated when they are written; other addresses read as zero.  There is a table of
 * pages per 2 MiB, and a hash map of the tables.  The tables used last are cached, so that random
 * accesses to about 100 MiB need no hash.
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

    /// A recently used table.
    struct Recent
    {
        uint64_t number{0};
        Table* table{nullptr};
    };

    /// @return the table of an address; null if nothing was written there.
    Table* FindTable(uint64_t address) const;
    Page& GetPage(uint64_t address);

    std::unordered_map<uint64_t, std::unique_ptr<Table>> m_tables; ///< Never iterated.
    /// By the lowest bits of the table's number.
    mutable std::array<Recent, RECENT_TABLES> m_recent{};
};

} // namespace ns3::rdma

#endif // RDMA_HOST_MEMORY_H
