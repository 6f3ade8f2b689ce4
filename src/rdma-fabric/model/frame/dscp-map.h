// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_DSCP_MAP_H
#define RDMA_DSCP_MAP_H

#include "ns3/frame.h"
#include "ns3/type-attributes.h"

#include <array>
#include <optional>
#include <string>

namespace ns3::rdma
{

/**
 * @ingroup rdma-frame
 * @brief Which priority a device gives to packets of each DSCP.
 *
 * A DSCP that is not listed has the priority that it is a class selector of, or would be without
 * its lower bits: DSCP / 8 (the default of NVIDIA's dscp2prio). 26, the usual DSCP of RoCE data,
 * has priority 3; 48, that of CNPs, has 6.
 */
class DscpMap
{
  public:
    DscpMap();

    /// @param text well-formed
    explicit DscpMap(const std::string& text);

    /// @param text "26:3,48:6", each DSCP at most once; may be empty
    /// @return unset: it is malformed.
    static std::optional<DscpMap> Parse(const std::string& text);

    /// @param dscp below DSCPS
    uint8_t GetPriority(uint8_t dscp) const
    {
        return m_priorities[dscp];
    }

    /// @param dscp below DSCPS @param priority below PRIORITIES
    void Set(uint8_t dscp, uint8_t priority)
    {
        m_priorities[dscp] = priority;
    }

  private:
    std::array<uint8_t, DSCPS> m_priorities;
};

/// @param field of a text @return the field with the checker of MakeDscpMapChecker()
AttributeField DscpMapField(AttributeField field);

/// @return a checker of a StringValue that DscpMap::Parse() accepts. Each call makes a new one.
Ptr<const AttributeChecker> MakeDscpMapChecker();

} // namespace ns3::rdma

#endif // RDMA_DSCP_MAP_H
