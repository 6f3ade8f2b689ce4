// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REQUEST_HANDLER_H
#define RDMA_REQUEST_HANDLER_H

#include "ns3/frame.h"
#include "ns3/queue-pair-attributes.h"
#include "ns3/tick.h"

#include <memory>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/// What a queue pair gives to its request handlers.
struct RequestContext
{
    Service service{Service::RC};
    Ptr<ProtectionDomain> domain;   ///< Null: memory is neither checked nor moved.
    Ptr<ReceiveQueue> receiveQueue; ///< Null: SENDs and immediate data are refused.
    bool isReceiveQueueShared{false};
    uint8_t access{0xff}; ///< Of memory_access: what peers may do.
    uint32_t queueKey{0}; ///< Datagrams.
    uint32_t qpNumber{0};
    Ptr<const RequestHandlerFactory> handlers; ///< Null: a RequestExecutor does it.
};

/// What became of one request packet.
struct Execution
{
    uint8_t nak{0};          ///< AETH syndrome of the refusal; 0: none.
    bool isDropped{false};   ///< Neither carried out nor refused: there is no room for it now.
    bool isSolicited{false}; ///< Of the completion.
    bool endsMessage{false};
    Tick placedFrom{0};        ///< When its data may leave for memory; TICK_NEVER: they do not go.
    uint32_t placedBytes{0};   ///< That go to memory; 0: as many as its payload.
    uint64_t placedAt{0};      ///< Of a SEND: the address of its data; 0: unknown.
    uint64_t originalValue{0}; ///< Of an atomic.
    std::optional<WorkCompletion> completion; ///< Of a receive request.
    std::optional<AsyncEventType> error;      ///< The queue pair must stop.
};

/**
 * @ingroup rdma-transport
 * @brief Carries out the request packets of a queue pair, which come in order.
 *
 * Handles no PSN: what is in order, and what is acknowledged, is the responder's part.  Which
 * handler a queue pair has is set when it is made (QueuePairInit::handlers).
 */
class RequestHandler
{
  public:
    virtual ~RequestHandler() = default;

    /// @param detail null if the frame has none
    virtual Execution Execute(const Frame& frame, const FrameDetail* detail) = 0;

    /// @return whether a READ request may be answered; nothing is carried out.
    virtual Execution CheckRead(const Frame& frame, const FrameDetail* detail) const = 0;

    /// @param access of memory_access: what peers may do from now on
    virtual void SetAccess(uint8_t access) = 0;

    /// The queue pair stops. @return flush completions of receive requests
    virtual std::vector<WorkCompletion> Flush() = 0;
};

} // namespace ns3::rdma

#endif // RDMA_REQUEST_HANDLER_H
