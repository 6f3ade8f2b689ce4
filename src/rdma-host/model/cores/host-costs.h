// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HOST_COSTS_H
#define RDMA_HOST_COSTS_H

#include "ns3/object.h"
#include "ns3/tick.h"

#include <cstdint>

namespace ns3::rdma
{

/// Core times of a host; see the attributes of HostCosts.
struct HostCostTable
{
    Tick post{0};
    Tick linkedPost{0};
    Tick doorbell{0};
    Tick receiveCall{0};
    Tick receive{0};
    Tick pollCall{0};
    Tick completion{0};
    Tick arm{0};
    Tick getEvent{0};
    Tick sleep{0};
    Tick wakeUp{0};
    Tick ack{0};
    Tick lock{0};
    Tick check{0};
    Tick regionLookup{0};
    Tick searchElement{0};
    Tick sample{0};
    Tick interrupt{0};
    Tick idleExit{0};
    Tick contextSwitch{0};
    uint32_t switchLines{0}; ///< Cache lines, not a time.
};

/**
 * @ingroup rdma-host
 * @brief Core times of a program's verbs calls, of its own work, and of the operating system.
 *
 * Costs assume data in the first-level cache; CacheHierarchy adds the access times of lines.  Some
 * costs are fitted, each to one published number; examples/thesis/README.md lists them and their
 * predictions.
 */
class HostCosts : public Object
{
  public:
    static TypeId GetTypeId();

    const HostCostTable& Get() const
    {
        return m_table;
    }

  private:
    HostCostTable m_table;
};

} // namespace ns3::rdma

#endif // RDMA_HOST_COSTS_H
