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
    INIT,  ///< Receive requests may be posted; arriving packets are dropped.
    RTR,   ///< Ready to receive.
    RTS,   ///< Ready to send.
    SQD,   ///< Send queue drained: started requests are completed, no other request is started.
    SQE,   ///< Send queue error (UC, UD): send requests are flushed, receiving continues.
    ERR,   ///< All requests are flushed, arriving packets are dropped.
};

/// @return whether a consumer may request this transition (IBTA Vol. 1, Figure 124): to RESET and
/// ERR from every state; never to SQE, which only the NIC enters.
bool IsTransitionAllowed(QpState from, QpState to);

/// @return the name, for example "RTS".
const char* GetQpStateName(QpState state);

/// @return whether a service supports an operation (IBTA Vol. 1, Table 36; the thesis' Table 2.2).
bool IsOperationAllowed(Service service, WrOpcode opcode);

/// Sizes of a queue pair's queues (ibv_qp_cap).
struct QueuePairCapabilities
{
    uint32_t maxSendRequests{1U << 20};
    uint32_t maxReceiveRequests{1U << 20};
    uint32_t maxSendSge{16};
    uint32_t maxReceiveSge{16};
    uint32_t maxInlineBytes{220}; ///< Default: as perftest in latency tests.
};

/// Parameters of the creation of a queue pair (ibv_qp_init_attr).
struct QueuePairInit
{
    Service service{Service::RC};
    Ptr<ProtectionDomain> domain; ///< Null: accesses are not checked, and no bytes are copied.
    Ptr<CompletionQueue> sendCompletions; ///< Null: completions go to the NIC's completion handler.
    Ptr<CompletionQueue> receiveCompletions; ///< Null: the queue pair accepts no receive requests.
    Ptr<ReceiveQueue> sharedReceiveQueue;    ///< Null: the queue pair has a queue of its own.
    /// RC only. Null: requests are carried out on memory.
    Ptr<const RequestHandlerFactory> handlers;
    QueuePairCapabilities capabilities;
    bool isEverythingSignaled{false}; ///< sq_sig_all.
    /// The consumer is a program that accounts for its core time itself: the NIC charges none, and
    /// completions are delivered when they have been written to memory.
    bool hasOwnCosts{false};
};

/// @return whether all fields except the service have their defaults.
bool IsPlain(const QueuePairInit& init);

/// The peer of a connected queue pair.
struct Connection
{
    uint32_t remoteEndpoint; ///< Endpoint id of the peer.
    uint32_t remoteQp;       ///< 24 bits.
    uint32_t entropy; ///< Entropy of this end's frames: represents the UDP source port in hashing.
    uint32_t initialPsn{0}; ///< For both directions; 24 bits.
};

/// Attributes set in transitions up to RTS (ibv_qp_attr). An unset attribute is unchanged;
/// initially it is the NIC's default.
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
    /// Bits of memory_access that peers have through the queue pair.
    std::optional<uint8_t> access;
    /// Limit of the rate of data packets on the wire, overhead included, in addition to congestion
    /// control (ibv_modify_qp_rate_limit); 0: none. The burst is one packet. May also be set at
    /// RTS.
    std::optional<DataRate> rateLimit;
    /// Below DSCPS; traffic_class >> 2 of ibv_ah_attr. The NIC's map selects the priority.
    std::optional<uint8_t> dscp;
    /// Priority, below PRIORITIES: sl of ibv_ah_attr. If it is set, the map is not used, and the
    /// DSCP, if unset, is its class selector.
    std::optional<uint8_t> serviceLevel;
};

/// An asynchronous event (ibv_event_type).
enum class AsyncEventType : uint8_t
{
    QP_FATAL,      ///< A local error stopped the queue pair.
    QP_REQ_ERR,    ///< An invalid request of a peer stopped the queue pair.
    QP_ACCESS_ERR, ///< A forbidden access by a peer stopped the queue pair.
    SQ_DRAINED,    ///< The move to SQD is complete.
    CQ_ERR,        ///< A completion queue overflowed.
    /// A queue pair in error has taken its last request from its shared receive queue.
    LAST_WQE_REACHED,
};

struct AsyncEvent
{
    AsyncEventType type;
    uint32_t qpNumber;
};

} // namespace ns3::rdma

#endif // RDMA_QUEUE_PAIR_ATTRIBUTES_H
