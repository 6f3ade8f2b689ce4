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

/// A service and the packets in front of it: one for all the chains that it is in.
struct ServiceEntry
{
    Ptr<StreamService> service;
    uint32_t slot{0};         ///< Of the kernel, for its commands.
    Tick readyAt{0};          ///< When it takes the next packet.
    std::deque<Tick> takenAt; ///< Of packets that wait, oldest first.

    /// @return packets that wait at a time.
    std::size_t CountWaiting(Tick now);
};

/// What becomes of a packet behind a chain.
struct ChainOutcome
{
    /// The commands of one service.
    struct Commands
    {
        uint32_t slot;
        KernelStep step;
    };

    bool isRejected{false}; ///< Its data go no further.
    bool isChanged{false};  ///< They are `bytes` now.
    std::vector<uint8_t> bytes;
    Tick passedAt{0}; ///< When they leave the last service, and all verdicts are there.
    boost::container::small_vector<Commands, 1> commands;
};

/**
 * @ingroup fpga-kernel
 * @brief Services that the packets of a stream pass one behind the other.
 *
 * Data go from one ON_PATH service to the next; a PARALLEL one gets the data of its
 * predecessor, and its verdict is awaited at the end.  A packet, or the copy of it, waits while its
 * service is busy.
 *
 * The time that a PARALLEL service has until its verdict counts may be hidden: its copy is taken
 * where the packet enters a pipeline whose end is the chain's begin (on its way in), or the verdict
 * is only needed at the end of one (on its way out).
 */
class ServiceChain
{
  public:
    using Placement = StreamService::Placement;

    /// Appends a service in its own placement.
    void Add(std::shared_ptr<ServiceEntry> entry);

    /// Appends a service in another placement: a PARALLEL one changes no data whatever it returns,
    /// and an ON_PATH one lets them go on when it has seen them.
    /// @param hidden by how much its verdict may come later than the data without delaying them
    void Add(std::shared_ptr<ServiceEntry> entry, Placement placement, Tick hidden);

    /// @return whether fewer packets than a bound wait for each service.
    bool HasRoom(Tick now, std::size_t maxWaiting) const;

    /// @return why a message cannot pass one of the services.
    StreamFault CheckMessage(const StreamMessage& message) const;

    /// @return bytes behind all services of a packet of so many.
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
