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
 * @brief The FPGA resources of a StRoM NIC, as a table or as JSON: StRoM's Table 3 from the
 * configuration.
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
    };

    /// @param nic strom10g or strom100g @throws InputError
    ResourceReport(const std::string& nic, const Changes& changes);

    void WriteTable(std::ostream& out) const;
    std::string WriteJson() const;

    const ResourceConfig& GetConfig() const
    {
        return m_config;
    }

  private:
    std::string m_nic;
    ResourceConfig m_config;
    std::vector<ResourceLine> m_lines;
};

} // namespace ns3::rdma

#endif // RDMA_RESOURCE_REPORT_H
