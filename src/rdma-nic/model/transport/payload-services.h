// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PAYLOAD_SERVICES_H
#define RDMA_PAYLOAD_SERVICES_H

#include "ns3/frame-pool.h"
#include "ns3/psn.h"
#include "ns3/tick.h"
#include "ns3/work-completion.h"
#include "ns3/work-request.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// A packet of a WRITE or of a READ response that is about to leave.
struct SentPacket
{
    uint32_t queuePair; ///< Number of the sender.
    FramePool& pool;    ///< Holds the frame, whose payload, lengths and cargo may change.
    FrameIndex index;
    Psn oldest;    ///< Requests before it are acknowledged.
    bool isResend; ///< It is a retransmission.
    Tick at;       ///< When its first byte is on the chip.
};

/// The payload of an accepted READ response after the services.
struct ServedResponse
{
    bool isRejected{false}; ///< It is not written to memory.
    bool isChanged{false};  ///< It has been replaced by `bytes`.
    std::vector<uint8_t> bytes;
    Tick placedFrom{0}; ///< When its write to memory may begin.
};

/**
 * @ingroup rdma-transport
 * @brief Services that process the payload of queue pairs between memory and wire.
 *
 * RequestHandlerFactory::FindServices() returns the services of a queue pair.  The payload of
 * incoming WRITEs passes the queue pair's RequestHandler instead.
 */
class PayloadServices
{
  public:
    virtual ~PayloadServices() = default;

    /// @return how a request ends that cannot pass; SUCCESS: it can. Called when it is posted.
    /// @param mtuBytes payload of a full packet
    virtual WcStatus CheckRequest(uint32_t queuePair,
                                  const SendWorkRequest& request,
                                  uint32_t mtuBytes) const = 0;

    /// Processes a packet, in the order of sending.
    /// @return when its first byte has passed the services; not before SentPacket::at
    virtual Tick OnSend(const SentPacket& packet) = 0;

    /// @return whether there is room for a READ response; else it is dropped as if it were lost.
    virtual bool HasRoom(uint32_t queuePair) const = 0;

    /// Processes an accepted READ response. @param detail null if it has none @param address of its
    /// first byte at this host
    virtual ServedResponse OnResponse(uint32_t queuePair,
                                      const Frame& frame,
                                      const FrameDetail* detail,
                                      uint64_t address) = 0;
};

} // namespace ns3::rdma

#endif // RDMA_PAYLOAD_SERVICES_H
