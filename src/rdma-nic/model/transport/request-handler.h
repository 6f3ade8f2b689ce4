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

/// Parameters of a queue pair's request handler.
struct RequestContext
{
    Service service{Service::RC};
    Ptr<ProtectionDomain> domain;   ///< Null: memory is neither checked nor moved.
    Ptr<ReceiveQueue> receiveQueue; ///< Null: SENDs and immediate data are refused.
    bool isReceiveQueueShared{false};
    uint8_t access{0xff}; ///< Bits of memory_access: permissions of peers.
    uint32_t queueKey{0}; ///< Of datagrams.
    uint32_t qpNumber{0};
    Ptr<const RequestHandlerFactory> handlers; ///< Null: a RequestExecutor is used.
};

/// The result of one request packet.
struct Execution
{
    uint8_t nak{0};          ///< AETH syndrome of the refusal; 0: none.
    bool isDropped{false};   ///< Neither carried out nor refused: there is no room for it.
    bool isSolicited{false}; ///< Of the completion.
    bool endsMessage{false};
    Tick placedFrom{0};        ///< When the write of its data may begin; TICK_NEVER: no write.
    uint32_t placedBytes{0};   ///< Bytes written to memory; 0: all of its payload.
    uint64_t placedAt{0};      ///< Of a SEND: the address of its data; 0: unknown.
    uint64_t originalValue{0}; ///< Of an atomic.
    std::optional<WorkCompletion> completion; ///< Of a receive request.
    std::optional<AsyncEventType> error;      ///< The queue pair must stop.
};

/**
 * @ingroup rdma-transport
 * @brief Carries out the request packets of a queue pair, which come in order.
 *
 * It handles no PSN: the responder decides which packets are in order and acknowledged.  The
 * handler of a queue pair is selected when the queue pair is made (QueuePairInit::handlers).
 */
class RequestHandler
{
  public:
    virtual ~RequestHandler() = default;

    /// @param detail null if the frame has none
    virtual Execution Execute(const Frame& frame, const FrameDetail* detail) = 0;

    /// @return whether a READ request may be answered; nothing is executed.
    virtual Execution CheckRead(const Frame& frame, const FrameDetail* detail) const = 0;

    /// @param access bits of memory_access: permissions of peers
    virtual void SetAccess(uint8_t access) = 0;

    /// The queue pair stops. @return flush completions of receive requests
    virtual std::vector<WorkCompletion> Flush() = 0;
};

} // namespace ns3::rdma

#endif // RDMA_REQUEST_HANDLER_H
