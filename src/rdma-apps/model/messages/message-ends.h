// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MESSAGE_ENDS_H
#define RDMA_MESSAGE_ENDS_H

#include "ns3/message-plan.h"
#include "ns3/program-connector.h"
#include "ns3/protection-domain.h"
#include "ns3/random-stream.h"

#include <deque>
#include <map>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-messages
 * @brief The registered memory of the servers of a workload: equal parts, one per queue pair.
 *
 * Each part has places of one message, from a multiple of 64 bytes on.  Memory is checked, but has
 * no bytes.
 */
class MessageMemory
{
  public:
    explicit MessageMemory(const MessagePlan& plan);

    /// Adds a part at a server. The same on all ranks. @return its first address
    uint64_t Add(uint32_t node);

    /// @param node to which a part was added
    const MemoryRegion& GetRegion(uint32_t node) const
    {
        return m_hosts.at(node).region;
    }

    const Ptr<ProtectionDomain>& GetDomain(uint32_t node) const
    {
        return m_hosts.at(node).domain;
    }

    /// @return the distance of a random place from the beginning of a part.
    uint64_t Draw(RandomStream& random) const
    {
        return m_places == 1 ? 0 : random.NextBelow(m_places) * m_stride;
    }

  private:
    struct Host
    {
        Ptr<ProtectionDomain> domain;
        MemoryRegion region;
        uint32_t parts{0};
    };

    uint64_t m_first;  ///< Address of each region.
    uint64_t m_stride; ///< From one place to the next.
    uint32_t m_places; ///< Of a part.
    uint32_t m_mostParts;
    std::map<uint32_t, Host> m_hosts; ///< By node id.
};

/// The messages of one queue pair at their sender. Times are ticks.
struct MessageSender
{
    ProgramEnd end;
    uint64_t localPart{0}; ///< Address, as remotePart.
    uint64_t remotePart{0};
    RandomStream random;
    std::deque<Tick> postedAt; ///< Of messages under way, which end in their order.
    bool isBroken{false};
};

/// Receive requests of one queue pair.
struct MessageReceiver
{
    ProgramEnd end;
    uint64_t part{0}; ///< Address.
};

} // namespace ns3::rdma

#endif // RDMA_MESSAGE_ENDS_H
