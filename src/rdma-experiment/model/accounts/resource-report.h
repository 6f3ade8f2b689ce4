// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_RESOURCE_REPORT_H
#define RDMA_RESOURCE_REPORT_H

#include "ns3/resource-account.h"

#include <optional>
#include <ostream>
#include <string>

namespace ns3::rdma
{

/**
 * @ingroup rdma-accounts
 * @brief The FPGA resources of a StRoM or BALBOA NIC, as a table or as JSON: StRoM's Table 3 and
 * BALBOA's Table 2 from the configuration.
 */
class ResourceReport
{
  public:
    /// What differs from the preset; unset: as the preset says, 16,384 entries.
    struct Changes
    {
        std::optional<uint32_t> queuePairs;
        std::optional<uint32_t> tlbEntries;
        std::optional<uint32_t> busBytes;
        std::string services; ///< balboa: "aes,dpi", one per slot; empty: none.
    };

    /// @param nic strom10g, strom100g or balboa @throws InputError
    ResourceReport(const std::string& nic, const Changes& changes);

    void WriteTable(std::ostream& out) const;
    std::string WriteJson() const;

    const ResourceConfig& GetConfig() const
    {
        return m_config;
    }

  private:
    void MakeStrom(const Changes& changes);
    void MakeBalboa(const Changes& changes);

    std::string m_nic;
    std::string m_head;  ///< Of the table, behind the NIC's name.
    std::string m_table; ///< Of the paper.
    const FpgaPart* m_part;
    ResourceConfig m_config;
    std::vector<ResourceLine> m_lines;
};

} // namespace ns3::rdma

#endif // RDMA_RESOURCE_REPORT_H
