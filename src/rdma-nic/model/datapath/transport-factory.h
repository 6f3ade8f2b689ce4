// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TRANSPORT_FACTORY_H
#define RDMA_TRANSPORT_FACTORY_H

#include "ns3/fabric-engine.h"
#include "ns3/path-selector.h"
#include "ns3/queue-pair.h"

#include <string>

namespace ns3::rdma
{

/// Queue pairs that a NIC holds at a time.
struct QueuePairLimit
{
    uint32_t most{UINT32_MAX};
    std::string owner; ///< The class that limits them.
};

/// What the queue pairs of a NIC have in common, unless their own attributes say otherwise.
struct TransportDefaults
{
    Ptr<CongestionControl> congestionControl; ///< Prototype of each queue pair's own.
    Ptr<LossDetector> lossDetector;           ///< Likewise.
    Ptr<const RetransmissionTimeout> timeout; ///< Shared by the queue pairs.
    QueuePairLimit limit;                     ///< Of one NIC.
    Ptr<const PathSelector> pathSelector;     ///< Answers for all queue pairs.
    PathInfo path;
    Feedback feedback{Feedback::NONE};
    bool notifiesLoss{false}; ///< A NAK for a missing PSN takes a CNP along.
    ResponderRules rules;
    uint32_t ackInterval{1};
    uint32_t retryCount{7};
    bool hasBdpFlowControl{false};
    uint64_t maxOutstandingBytes{UINT64_MAX}; ///< Of the chip; payload.
    bool hasDoorbell{false};                  ///< Work requests wait for one.
    Ptr<ReadPool> readPool;                   ///< Of one NIC; null: no limit.
};

/// @return what the responder must send back; fails if the policy's answer is none.
Feedback GetCheckedFeedback(const CongestionControl& control);

/// @return the smaller of two limits. @param tables of the NIC, RdmaNic::MaxQueuePairs
QueuePairLimit FindQueuePairLimit(uint32_t tables, const RetransmissionTimeout& timeout);

/// @return what a loss detector needs of responders; fails if they cannot do it.
ResponderRules GetCheckedRules(const LossDetector& detector);

/**
 * @ingroup rdma-nic
 * @brief Makes the halves of queue pairs as the NIC's defaults and the queue pair's attributes say.
 */
class TransportFactory
{
  public:
    TransportFactory(const TransportDefaults& defaults, std::shared_ptr<FabricEngine> engine);

    // Each half is made by the first call.
    Requester& GetRequester(QueuePair& queuePair) const
    {
        return queuePair.requester ? *queuePair.requester : MakeRequester(queuePair);
    }

    Responder& GetResponder(QueuePair& queuePair) const
    {
        return queuePair.responder ? *queuePair.responder : MakeResponder(queuePair);
    }

    UnreliableResponder& GetUnreliable(QueuePair& queuePair) const;
    Requester& GetReadSender(QueuePair& queuePair) const;
    Responder& GetReadReceiver(QueuePair& queuePair) const;

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
    Requester& MakeRequester(QueuePair& queuePair) const;
    Responder& MakeResponder(QueuePair& queuePair) const;
    RequesterParts MakeParts(const QueuePair& queuePair) const;
    template <typename Policy>
    static Ptr<Policy> Fork(const Policy& prototype, const Policy*& latest);
    RequesterRules MakeRules(const QueuePair& queuePair) const;
    ResponderConfig MakeResponderConfig(const QueuePair& queuePair) const;
    static RequestContext MakeRequestContext(const QueuePair& queuePair);
    /// @return what it has in common with others like it.
    Requester::Rules GetRules(const QueuePair& queuePair) const;
    Responder::Config GetResponderConfig(const QueuePair& queuePair) const;
    static bool IsPlain(const QueuePair& queuePair);

    TransportDefaults m_defaults;
    Requester::Rules m_plainRules;      ///< Of queue pairs without a setup.
    Responder::Config m_plainResponder; ///< Likewise.
    std::shared_ptr<FabricEngine> m_engine;
    // Only to be compared: a fork that is handed out twice is an error of the policy.
    mutable const CongestionControl* m_latestControl{nullptr};
    mutable const LossDetector* m_latestDetector{nullptr};
};

} // namespace ns3::rdma

#endif // RDMA_TRANSPORT_FACTORY_H
