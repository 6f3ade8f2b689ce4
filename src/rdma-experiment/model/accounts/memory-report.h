// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_MEMORY_REPORT_H
#define RDMA_MEMORY_REPORT_H

#include "ns3/memory-design.h"

#include <optional>
#include <ostream>
#include <string>

namespace ns3::rdma
{

/**
 * @ingroup rdma-accounts
 * @brief The on-chip memory of one NIC design, as a table or as JSON: SRNIC's Tables 1 and 2 from
 * the configuration.
 *
 * Performant queue pairs per MB compare designs of any size (SRNIC section 6.1): with the memory
 * that is published, and with what this account finds.
 *
 * Not modelled: see AccountMemory().
 */
class MemoryReport
{
  public:
    /// @param queuePairs as published if unset @throws InputError
    explicit MemoryReport(const std::string& nic, std::optional<uint32_t> queuePairs = {});

    void WriteTable(std::ostream& out) const;
    std::string WriteJson() const;

  private:
    /// @return published performant queue pairs per MB of these bytes, if there are such.
    std::optional<double> GetPerMegabyte(std::optional<uint64_t> bytes) const;
    /// @return the published memory, unless it is of another number of queue pairs.
    std::optional<uint64_t> GetStatedBytes() const;
    void WriteLines(std::ostream& out) const;

    NicMemoryDesign m_design;
    std::vector<MemoryLine> m_lines;
    MemoryTotal m_total;
};

} // namespace ns3::rdma

#endif // RDMA_MEMORY_REPORT_H
