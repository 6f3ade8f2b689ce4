// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_SERVICE_CHAIN_H
#define FPGA_SERVICE_CHAIN_H

#include "ns3/stream-service.h"

#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/// A service and its queued packets, shared by all chains that use the same hardware.
struct ServiceEntry
{
    Ptr<StreamService> service;
    uint32_t slot{0};         ///< Of the kernel, for the service's commands.
    Tick readyAt{0};          ///< When it accepts the next packet.
    std::deque<Tick> takenAt; ///< When queued packets are accepted, oldest first.

    /// @return the number of packets queued at a time.
    std::size_t CountWaiting(Tick now);
};

/// Result of passing a packet through a chain.
struct ChainOutcome
{
    /// The commands of one service.
    struct Commands
    {
        uint32_t slot;
        KernelStep step;
    };

    bool isRejected{false}; ///< Its data are discarded.
    bool isChanged{false};  ///< Its data are replaced by `bytes`.
    std::vector<uint8_t> bytes;
    Tick passedAt{0}; ///< When the data have left the last service and all verdicts are known.
    boost::container::small_vector<Commands, 1> commands;
};

/**
 * @ingroup fpga-kernel
 * @brief Services that the packets of a stream pass one after the other.
 *
 * An ON_PATH service receives the output of the previous one.  A PARALLEL service receives a copy
 * of that output, and its verdict is needed at the end of the chain.  A packet or its copy is
 * queued while its service is busy.
 *
 * The time until the verdict of a PARALLEL service may be hidden.  On receive, the copy is taken at
 * the entry of a pipeline whose exit is the start of the chain.  On transmit, the verdict is needed
 * only at the exit of such a pipeline.
 */
class ServiceChain
{
  public:
    using Placement = StreamService::Placement;

    /// Appends a service in its own placement.
    void Add(std::shared_ptr<ServiceEntry> entry);

    /// Appends a service in another placement. A PARALLEL service changes no data, whatever it
    /// returns. An ON_PATH service delays the data until it has processed them.
    /// @param hidden time by which its verdict may follow the data without delaying them
    void Add(std::shared_ptr<ServiceEntry> entry, Placement placement, Tick hidden);

    /// @return whether fewer than maxWaiting packets are queued at each service.
    bool HasRoom(Tick now, std::size_t maxWaiting) const;

    /// @return why a message cannot pass one of the services, or NONE.
    StreamFault CheckMessage(const StreamMessage& message) const;

    /// @return length of a packet after all services.
    uint32_t GetBytesBehind(uint32_t bytes) const;

    ChainOutcome Pass(const StreamInput& input);

    bool IsEmpty() const
    {
        return m_links.empty();
    }

  private:
    /// A service in this chain.
    struct Link
    {
        std::shared_ptr<ServiceEntry> entry;
        Placement placement;
        Tick hidden;
    };

    std::vector<Link> m_links;
};

} // namespace ns3::rdma

#endif // FPGA_SERVICE_CHAIN_H
