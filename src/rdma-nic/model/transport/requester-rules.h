// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REQUESTER_RULES_H
#define RDMA_REQUESTER_RULES_H

#include "ns3/entropy-selector.h"
#include "ns3/flight-factory.h"
#include "ns3/loss-detector.h"
#include "ns3/pacer.h"
#include "ns3/protection-domain.h"
#include "ns3/read-pool.h"
#include "ns3/request-handler-factory.h"
#include "ns3/retransmission-timeout.h"

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/// The policies of one requester.
struct RequesterPolicies
{
    Ptr<CongestionControl> congestionControl;
    Ptr<LossDetector> lossDetector;
};

/// Parts that each requester has for itself.
struct RequesterParts
{
    Ptr<CongestionControl> congestionControl; ///< Its own instance.
    Ptr<LossDetector> lossDetector;           ///< Its own instance.
    uint32_t initialPsn;                      ///< 24 bits.
    uint32_t qpNumber{0};
    PathFacts ownPath; ///< Set if congestion control uses it.
    /// Its own instance, started; null: each packet has the connection's entropy.
    Ptr<EntropySelector> entropySelector{};
    uint32_t entropy{0};     ///< Of the connection.
    uint32_t planes{1};      ///< By which its packets may leave, if it has a selector.
    uint32_t peerPorts{~0U}; ///< Usable ports of the peer, one bit per port.
};

/// Rules of a requester whose receiver sends reports.
struct ReportRules
{
    bool hasProbes{false};       ///< Probes request reports.
    bool requestsReports{false}; ///< By a probe, if its window has shrunk below what is in flight.
    uint64_t creditBytes{0};     ///< Largest window under the receiver's credit; 0: no credit.
};

/// Rules that many requesters of a NIC share.
struct RequesterRules : public SendBounds
{
    Ptr<const RetransmissionTimeout> timeout;
    std::optional<FirstTimeout> firstTimeout; ///< Its GetFirst().
    bool needsRtt{false};                     ///< The timeout needs it.
    uint32_t heldLimit{0}; ///< Packets ahead of the oldest one that the receiver can hold, which
                           ///< then do not count as in flight. 0: they count as in flight.
    Ptr<const FlightFactory> flights;   ///< Null: MakeBuiltInFlight() makes them.
    std::optional<ReportRules> reports; ///< Set if the receiver sends reports (ReceiverControl).
    uint32_t retryCount;                ///< Timer expiries in a row before it gives up.
    uint32_t rnrRetry{7};               ///< RNR NAKs in a row before it gives up; 7: never.
    uint32_t maxReadsAndAtomics{16};    ///< Most requests in flight.
    uint32_t readRequestBytes{0};       ///< Of a READ request at most; 0: no limit.
    bool isReliable{true};              ///< Otherwise a message ends when it has left (UC, UD).
    bool isEverythingSignaled{true};
    bool hasDoorbell{false};      ///< Posted requests become visible by Ring().
    Ptr<ProtectionDomain> domain; ///< Null: memory is neither checked nor moved.
    Ptr<ReadPool> readPool;       ///< Of the NIC's READs and atomics. Null: there is no limit.
    Ptr<const RequestHandlerFactory> handlers; ///< Of its queue pair; null: none.
    uint32_t queuePair{0};                     ///< Set if there are handlers.
};

/// Parameters of a requester.
struct RequesterConfig : public RequesterParts, public RequesterRules
{
};

} // namespace ns3::rdma

#endif // RDMA_REQUESTER_RULES_H
