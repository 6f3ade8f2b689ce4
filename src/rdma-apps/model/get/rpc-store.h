// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RPC_STORE_H
#define RDMA_RPC_STORE_H

#include "ns3/get-table.h"
#include "ns3/host-memory.h"
#include "ns3/protection-domain.h"
#include "ns3/rpc-plan.h"

#include <functional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-rpc
 * @brief The hash table of one server, in registered memory that peers may read.
 *
 * Each rank makes the stores of all servers, since clients compute where keys are; only that of the
 * server's own rank has bytes.
 */
class RpcStore
{
  public:
    static constexpr uint64_t BASE{uint64_t{1} << 32}; ///< A border of any page.

    /// @param server place in the plan's servers; @param memory null: no bytes
    /// @param poll called now and then; may throw
    RpcStore(const RpcPlan& plan,
             std::size_t server,
             Ptr<HostMemory> memory,
             const std::function<void()>& poll = {});

    const GetTable& GetIndex() const
    {
        return m_table;
    }

    const Ptr<ProtectionDomain>& GetDomain() const
    {
        return m_domain;
    }

    const MemoryRegion& GetRegion() const
    {
        return m_region;
    }

  private:
    GetTable m_table;
    Ptr<ProtectionDomain> m_domain;
    MemoryRegion m_region;
};

} // namespace ns3::rdma

#endif // RDMA_RPC_STORE_H
