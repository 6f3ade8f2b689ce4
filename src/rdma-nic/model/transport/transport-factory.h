// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TRANSPORT_FACTORY_H
#define RDMA_TRANSPORT_FACTORY_H

#include "ns3/fabric-core.h"
#include "ns3/fabric-engine.h"
#include "ns3/path-selector.h"
#include "ns3/queue-pair.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/// How many queue pairs a NIC holds at a time.
struct QueuePairLimit
{
    uint32_t most{UINT32_MAX};
    std::string owner; ///< The class that limits them.
};

/// Attributes of a NIC that its queue pairs read.
struct TransportSettings
{
    uint32_t ackInterval{1};
    uint32_t retryCount{7};
    uint32_t readRequestBytes{0}; ///< Of a READ request at most; 0: no limit.
    bool notifiesLoss{false};     ///< A CNP is sent with each NAK for a missing PSN.
    bool hasBdpFlowControl{false};
    bool requestsReports{true};
};

/// Defaults of a NIC's queue pairs, which their own attributes override.
struct TransportDefaults : public TransportSettings
{
    Ptr<CongestionControl> congestionControl; ///< Prototype; each queue pair has a fork.
    Ptr<LossDetector> lossDetector;           ///< Prototype, as above.
    Ptr<const RetransmissionTimeout> timeout; ///< Shared by the queue pairs.
    Ptr<const FlightFactory> flights;         ///< Null: the built-in ones.
    Ptr<ReceiverControl> receiverControl;     ///< Prototype; null: CumulativeReceiver.
    Ptr<OutOfOrderAdmission> admission;       ///< Of one NIC; null: all packets are admitted.
    Ptr<EntropySelector> entropySelector;     ///< Prototype; null: the connection's entropy.
    uint32_t planes{1};                       ///< Ports of a NIC.
    const FabricCore* core{nullptr};          ///< Null: all ports of peers are usable.
    uint64_t creditBytes{0};                  ///< Largest window under credit; 0: no credit.
    uint64_t seed{0};                         ///< Of the selectors' random streams.
    QueuePairLimit limit;                     ///< Of one NIC.
    Ptr<const PathSelector> pathSelector;     ///< Shared by the queue pairs.
    PathInfo path;
    Feedback feedback{Feedback::NONE};
    DetectorTraits traits;                    ///< Of the loss detector.
    uint64_t maxOutstandingBytes{UINT64_MAX}; ///< Payload that the chip can track.
    bool hasDoorbell{false};                  ///< The NIC sees work requests after a doorbell.
    Ptr<ReadPool> readPool;                   ///< Of one NIC; null: no limit.
};

/// @return the feedback that the responder must send; fails if the policy returns an invalid value.
Feedback GetCheckedFeedback(const CongestionControl& control);

/// @return the smaller of two limits.
/// @param tables queue pairs in the NIC's tables, RdmaNic::MaxQueuePairs
QueuePairLimit FindQueuePairLimit(uint32_t tables, const RetransmissionTimeout& timeout);

/// @return the traits of a loss detector; fails if responders do not support its rules.
DetectorTraits GetCheckedTraits(const LossDetector& detector);

/**
 * @ingroup rdma-nic
 * @brief Makes the requesters and responders of queue pairs from the NIC's defaults and the queue
 * pairs' attributes.
 */
class TransportFactory
{
  public:
    TransportFactory(const TransportDefaults& defaults, std::shared_ptr<FabricEngine> engine);

    // The first call makes the object.
    Requester& GetRequester(QueuePair& queuePair) const
    {
        return queuePair.GetRequester() ? *queuePair.GetRequester() : MakeRequester(queuePair);
    }

    Responder& GetResponder(QueuePair& queuePair) const
    {
        return queuePair.GetResponder() ? *queuePair.GetResponder() : MakeResponder(queuePair);
    }

    UnreliableResponder& GetUnreliable(QueuePair& queuePair) const;
    Requester& GetReadSender(QueuePair& queuePair) const;
    Responder& GetReadReceiver(QueuePair& queuePair) const;

    /// Keeps policies of a queue pair that has ended for a later one, if nothing else holds them
    /// and they can be restarted.
    void Keep(RequesterPolicies&& policies) const;

    /// Applies the queue pair's attributes to its halves.
    void Update(QueuePair& queuePair) const;

    const TransportDefaults& GetDefaults() const
    {
        return m_defaults;
    }

    uint32_t GetMtu(const QueuePair& queuePair) const
    {
        return queuePair.GetSetup().attributes.pathMtu.value_or(m_defaults.path.mtuBytes);
    }

    uint32_t GetMaxReads(const QueuePair& queuePair) const;

  private:
    /// A requester begins with the ports of its peer that are usable when it is made: its first
    /// packet need not wait for a notice.
    /// @return one bit per port
    uint32_t FindPeerPorts(const QueuePair& queuePair) const;
    /// Fails if the flight has no routes but the NIC needs them.
    void CheckRoutes(const Requester& requester) const;
    Requester& MakeRequester(QueuePair& queuePair) const;
    Responder& MakeResponder(QueuePair& queuePair) const;
    Ptr<EntropySelector> MakeSelector(const QueuePair& queuePair) const;
    RequesterParts MakeParts(const QueuePair& queuePair) const;
    template <typename Policy>
    static Ptr<Policy> Fork(const Policy& prototype, const Policy*& latest);
    template <typename Policy>
    static Ptr<Policy> Take(std::vector<Ptr<Policy>>& idle,
                            const Policy& prototype,
                            const Policy*& latest);
    template <typename Policy>
    static void Keep(Ptr<Policy>&& policy, const Policy& prototype, std::vector<Ptr<Policy>>& idle);
    RequesterRules MakeRules(const QueuePair& queuePair) const;
    ResponderConfig MakeResponderConfig(const QueuePair& queuePair) const;
    static RequestContext MakeRequestContext(const QueuePair& queuePair);
    /// @return the rules that it shares with similar queue pairs.
    Requester::Rules GetRules(const QueuePair& queuePair) const;
    Responder::Config GetResponderConfig(const QueuePair& queuePair) const;
    static bool IsPlain(const QueuePair& queuePair);

    TransportDefaults m_defaults;
    Requester::Rules m_plainRules;      ///< Of queue pairs without a setup.
    Responder::Config m_plainResponder; ///< As above.
    std::shared_ptr<FabricEngine> m_engine;
    // For comparison only: a policy that returns the same fork twice is in error.
    mutable const CongestionControl* m_latestControl{nullptr};
    mutable const LossDetector* m_latestDetector{nullptr};
    mutable const EntropySelector* m_latestSelector{nullptr};
    // Restarted policies of queue pairs that have ended: at most as many as existed at a time.
    mutable std::vector<Ptr<CongestionControl>> m_idleControls;
    mutable std::vector<Ptr<LossDetector>> m_idleDetectors;
};

} // namespace ns3::rdma

#endif // RDMA_TRANSPORT_FACTORY_H
