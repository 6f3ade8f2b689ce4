// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REQUESTER_RULES_H
#define RDMA_REQUESTER_RULES_H

#include "ns3/loss-detector.h"
#include "ns3/pacer.h"
#include "ns3/protection-domain.h"
#include "ns3/read-pool.h"
#include "ns3/request-handler-factory.h"
#include "ns3/retransmission-timeout.h"

#include <cstdint>

namespace ns3::rdma
{

/// What a requester has for itself.
struct RequesterParts
{
    Ptr<CongestionControl> congestionControl; ///< Its own instance.
    Ptr<LossDetector> lossDetector;           ///< Its own instance.
    uint32_t initialPsn;                      ///< 24 bits.
    uint32_t qpNumber{0};
    PathFacts ownPath; ///< If congestion control uses it.
};

/// What many requesters of a NIC have in common.
struct RequesterRules : public SendBounds
{
    Ptr<const RetransmissionTimeout> timeout;
    bool needsRtt{false};            ///< By the timeout.
    uint32_t heldLimit{0};           ///< If packets that the receiver holds are not in flight: how
                                     ///< far ahead of the oldest packet it holds them. 0: they are.
    uint32_t retryCount;             ///< Timer expiries in a row before it gives up.
    uint32_t rnrRetry{7};            ///< RNR NAKs in a row before it gives up; 7: never.
    uint32_t maxReadsAndAtomics{16}; ///< Under way at most.
    bool isReliable{true};           ///< Otherwise a message ends when it has left (UC, UD).
    bool isEverythingSignaled{true};
    bool hasDoorbell{false};      ///< What is posted waits for Ring().
    Ptr<ProtectionDomain> domain; ///< Null: memory is neither checked nor moved.
    Ptr<ReadPool> readPool;       ///< Of the NIC's READs and atomics. Null: there is no limit.
    Ptr<const RequestHandlerFactory> handlers; ///< Of its queue pair; null: none.
    uint32_t queuePair{0};                     ///< If it has handlers.
};

/// What a requester is made with.
struct RequesterConfig : public RequesterParts, public RequesterRules
{
};

} // namespace ns3::rdma

#endif // RDMA_REQUESTER_RULES_H
