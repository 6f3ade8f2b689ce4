// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_QUEUE_PAIR_ATTRIBUTES_H
#define RDMA_QUEUE_PAIR_ATTRIBUTES_H

#include "ns3/completion-queue.h"
#include "ns3/data-rate.h"
#include "ns3/opcode.h"
#include "ns3/protection-domain.h"
#include "ns3/receive-queue.h"
#include "ns3/request-handler-factory.h"

#include <functional>
#include <optional>

namespace ns3::rdma
{

/// States of a queue pair (IBTA Vol. 1, Section 10.3.1).
enum class QpState : uint8_t
{
    RESET, ///< Nothing is allowed.
    INIT,  ///< Receive requests may be posted; packets that come are dropped.
    RTR,   ///< Ready to receive.
    RTS,   ///< Ready to send.
    SQD,   ///< Send queue drained: what was begun is finished, nothing new is begun.
    SQE,   ///< Send queue error (UC, UD): send requests are flushed, receiving goes on.
    ERR,   ///< All requests are flushed, packets that come are dropped.
};

/// @return whether a consumer may ask for this change (IBTA Vol. 1, Figure 124): RESET and ERR from
/// everywhere; SQE only comes about by itself.
bool IsTransitionAllowed(QpState from, QpState to);

/// @return "RTS" and so on.
const char* GetQpStateName(QpState state);

/// @return whether a service has an operation (IBTA Vol. 1, Table 36; the thesis' Table 2.2).
bool IsOperationAllowed(Service service, WrOpcode opcode);

/// Sizes of a queue pair's queues (ibv_qp_cap).
struct QueuePairCapabilities
{
    uint32_t maxSendRequests{1U << 20};
    uint32_t maxReceiveRequests{1U << 20};
    uint32_t maxSendSge{16};
    uint32_t maxReceiveSge{16};
    uint32_t maxInlineBytes{220}; ///< 220: as perftest in latency tests.
};

/// What a queue pair is made with (ibv_qp_init_attr).
struct QueuePairInit
{
    Service service{Service::RC};
    Ptr<ProtectionDomain> domain;              ///< Null: memory is neither checked nor moved.
    Ptr<CompletionQueue> sendCompletions;      ///< Null: the NIC's completion handler is called.
    Ptr<CompletionQueue> receiveCompletions;   ///< Null: it takes no receive requests.
    Ptr<ReceiveQueue> sharedReceiveQueue;      ///< Null: the queue pair has a queue of its own.
    Ptr<const RequestHandlerFactory> handlers; ///< RC. Null: requests are carried out on memory.
    QueuePairCapabilities capabilities;
    bool isEverythingSignaled{false}; ///< sq_sig_all.
    /// Its consumer is a program that accounts for its own core time (program/): the NIC takes none
    /// for it, and its completions come when they are written to memory.
    bool hasOwnCosts{false};
};

/// @return whether there is nothing to keep of it but the service.
bool IsPlain(const QueuePairInit& init);

/// Where a queue pair's packets go and come from.
struct Connection
{
    uint32_t remoteEndpoint; ///< Its id.
    uint32_t remoteQp;       ///< 24 bits.
    uint32_t entropy;        ///< Of this end's frames: stands for the UDP source port in hashing.
    uint32_t initialPsn{0};  ///< Of both directions; 24 bits.
};

/// What may be changed on the way to RTS (ibv_qp_attr); unset: as it is, at first the NIC's
/// default.
struct QueuePairAttributes
{
    std::optional<Connection> connection;           ///< RC and UC, at RTR.
    std::optional<uint32_t> queueKey;               ///< UD, at INIT.
    std::optional<uint32_t> pathMtu;                ///< Payload bytes, at RTR.
    std::optional<uint32_t> maxReadsAndAtomics;     ///< max_rd_atomic: as requester.
    std::optional<uint32_t> maxDestReadsAndAtomics; ///< max_dest_rd_atomic: as responder.
    std::optional<uint8_t> minRnrTimer;             ///< Code below 32 (IBTA Vol. 1, Table 45).
    std::optional<uint8_t> timeout;                 ///< 4.096 us x 2^timeout, 0: never; below 32.
    std::optional<uint8_t> retryCount;              ///< At most 7.
    std::optional<uint8_t> rnrRetry;                ///< At most 7; 7: for ever.
    std::optional<uint8_t> access; ///< Of memory_access: what peers may do through it.
    /// Of its data packets on the wire, overhead included, whatever congestion control allows
    /// (ibv_modify_qp_rate_limit); 0: none. The burst is one packet. Also at RTS.
    std::optional<DataRate> rateLimit;
};

/// An asynchronous event (ibv_event_type).
enum class AsyncEventType : uint8_t
{
    QP_FATAL,         ///< A local error stopped the queue pair.
    QP_REQ_ERR,       ///< A peer's invalid request did.
    QP_ACCESS_ERR,    ///< A peer's forbidden access did.
    SQ_DRAINED,       ///< The move to SQD is complete.
    CQ_ERR,           ///< A completion queue overflowed.
    LAST_WQE_REACHED, ///< A queue pair in error takes no more from its shared receive queue.
};

struct AsyncEvent
{
    AsyncEventType type;
    uint32_t qpNumber;
};

} // namespace ns3::rdma

#endif // RDMA_QUEUE_PAIR_ATTRIBUTES_H
