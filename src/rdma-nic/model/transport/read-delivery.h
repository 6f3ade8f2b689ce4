// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_READ_DELIVERY_H
#define RDMA_READ_DELIVERY_H

#include "ns3/frame.h"
#include "ns3/payload-services.h"
#include "ns3/placement.h"
#include "ns3/requester-rules.h"
#include "ns3/send-queue.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-transport
 * @brief Delivers the payload of READ responses to local memory, or to the services of the queue
 * pair.
 *
 * It has no state: a requester makes it for each response.
 */
class ReadDelivery
{
  public:
    ReadDelivery(const SendQueue& queue, const RequesterRules& rules)
        : m_queue(queue),
          m_rules(rules)
    {
    }

    /// A response with the PSNs of its request has arrived in order. @param number of the packet
    /// @param detail null if it has none @param[out] placement of the payload
    /// @return false: it does not fit the request.
    bool Deliver(uint64_t number,
                 const Frame& frame,
                 const FrameDetail* detail,
                 Placement& placement) const;

    /// Writes the payload of a new response packet with PSNs of its own to local memory.
    /// @return the placement of the payload
    Placement Place(const Frame& frame, const FrameDetail* detail) const;

  private:
    /// @return when the write of the payload to memory may begin; TICK_NEVER: no write.
    Tick Serve(const Message& message,
               uint64_t offset,
               const Frame& frame,
               const FrameDetail* detail,
               PayloadServices& services) const;

    const SendQueue& m_queue;
    const RequesterRules& m_rules;
};

} // namespace ns3::rdma

#endif // RDMA_READ_DELIVERY_H
