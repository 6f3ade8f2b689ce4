// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BARE_LOOP_H
#define RDMA_BARE_LOOP_H

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/// One message of the bare loop; servers are numbered from 0.
struct BareLoopFlow
{
    uint32_t src;
    uint32_t dst;
    uint64_t bytes;
    int64_t startPs;
};

/// Tiers of a fat-tree; zero aggregates or cores mean that the tier is absent.
struct BareLoopShape
{
    uint32_t pods;
    uint32_t torsPerPod;
    uint32_t serversPerTor;    ///< Power of two, as the two next.
    uint32_t aggregatesPerPod; ///< Each ToR has one link to each aggregate of its pod.
    uint32_t coresPerAggregate;

    uint32_t GetServerCount() const
    {
        return pods * torsPerPod * serversPerTor;
    }

    uint32_t GetServersPerPod() const
    {
        return torsPerPod * serversPerTor;
    }
};

/// What a run did.
struct BareLoopResult
{
    uint64_t packetHops{0}; ///< Link traversals of single data and acknowledgment packets.
    uint64_t events{0};
    uint64_t completedFlows{0};
    uint64_t receivedBytes{0}; ///< Payload that reached its server.
    uint64_t marks{0};         ///< Frames that the switch model marked, if there is one.
};

/**
 * @brief The fastest honest program we can write with the fabric's data flow: the yardstick of
 * ./waf bench.
 *
 * Servers send each flow as packets of 1024 bytes within a window of one bandwidth-delay product;
 * every packet is acknowledged; ports store, queue first in first out and forward by ECMP.  Links
 * are of 100 Gb/s at servers, 400 Gb/s above, and 1 us long.
 *
 * Not modelled: everything else, see docs/validation/performance.md.
 */
class BareLoop
{
  public:
    virtual ~BareLoop() = default;

    /**
     * @param flows by rising start time
     * @param hasSwitchModel whether switches do the sums of a shared buffer and draw ECN marks
     */
    static std::unique_ptr<BareLoop> Create(const BareLoopShape& shape,
                                            const std::vector<BareLoopFlow>& flows,
                                            bool hasSwitchModel);

    /// Runs until all flows are complete, or until a little after endPs.
    virtual BareLoopResult Run(int64_t endPs) = 0;

    /// @return picoseconds from the flow's start to its last acknowledgment, -1 if not complete.
    virtual int64_t GetCompletionTime(uint32_t flow) const = 0;
};

} // namespace ns3::rdma

#endif // RDMA_BARE_LOOP_H
