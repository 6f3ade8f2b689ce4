// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TCP_CORES_H
#define RDMA_TCP_CORES_H

#include "ns3/kernel-tcp.h"
#include "ns3/software-costs.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-rpc
 * @brief The cores of one host that send and receive RPCs over kernel TCP: what a message costs,
 * one after the other on its core.
 *
 * Costs are those of KernelTcp and SoftwareCosts.  A core without work sleeps: the next message
 * waits for interrupt moderation, the core's idle state, an interrupt and the wake-up of the
 * thread. A message that arrives while the core is busy is found by its softirq, and waits for none
 * of these.
 *
 * A timeline.  Not modelled: acknowledgments, several messages in a segment.
 */
class TcpCores
{
  public:
    TcpCores(uint32_t cores, const KernelTcp& tcp, const SoftwareCosts& software);

    /// @param core any number: taken modulo the number of cores @return when a message is with the
    /// NIC
    Tick Send(Tick now, uint32_t core, uint64_t bytes);

    /// @param work of the application behind it
    /// @return when that is done.
    Tick Receive(Tick now, uint32_t core, uint64_t bytes, Tick work = 0);

    /// @return time to look at entries of a hash table, and at a value.
    Tick GetLookupTime(uint32_t entries) const;

    /// @return time that all cores together were busy.
    Tick GetBusy() const
    {
        return m_busy;
    }

  private:
    Tick Work(Tick now, uint32_t core, Tick cost);

    KernelTcpCosts m_costs;
    Tick m_rpc;  ///< Of the RPC library, at one host for one message.
    Tick m_miss; ///< A memory access that waits.
    std::vector<Tick> m_freeAt;
    Tick m_busy{0};
};

} // namespace ns3::rdma

#endif // RDMA_TCP_CORES_H
