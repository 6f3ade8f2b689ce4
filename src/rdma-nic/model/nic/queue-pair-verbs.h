// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_QUEUE_PAIR_VERBS_H
#define RDMA_QUEUE_PAIR_VERBS_H

#include "ns3/nic-core.h"
#include "ns3/post-check.h"

#include <optional>

namespace ns3::rdma
{

class PayloadServices;

/**
 * @ingroup rdma-nic
 * @brief The consumers' calls on the queue pairs of a NIC: makes queue pairs, changes their states,
 * and posts work requests.
 */
class QueuePairVerbs
{
  public:
    /// Both outlive this.
    QueuePairVerbs(NicCore& nic, const TransportFactory& factory);

    // As in RdmaNic.
    uint32_t Create(const QueuePairInit& init, std::optional<uint32_t> number, uint32_t port);
    /// @param chipRtt time that the chips at both ends add to a round trip
    bool Modify(uint32_t queuePair,
                QpState state,
                const QueuePairAttributes& attributes,
                const FabricCore& core,
                Tick chipRtt);
    /// @param attributes with the connection @param chipRtt as above
    void Connect(uint32_t queuePair,
                 const QueuePairAttributes& attributes,
                 const FabricCore& core,
                 Tick chipRtt);
    void Destroy(uint32_t queuePair);
    void PostWrite(uint32_t queuePair, uint64_t wrId, uint64_t bytes);
    PostResult PostSend(uint32_t queuePair,
                        const SendWorkRequest& request,
                        const SendWorkRequest** bad);
    PostResult PostOnChip(uint32_t queuePair, const SendWorkRequest& request);
    PostResult PostReceive(uint32_t queuePair,
                           const ReceiveWorkRequest& request,
                           const ReceiveWorkRequest** bad);

  private:
    /// @return the facts that the fabric has about the path to the peer.
    PathFacts FindOwnPath(const FabricCore& core, const QueuePair& queuePair, Tick chipRtt) const;
    /// Stores them if congestion control uses them.
    void SetOwnPath(QueuePair& queuePair, const FabricCore& core, Tick chipRtt) const;
    QueuePair& Get(uint32_t number);
    static bool CanPost(const QueuePair& queuePair);
    /// Posts a WRITE of any length, without memory, that passes the services of its queue pair.
    void PostServedWrite(QueuePair& queuePair,
                         const PayloadServices& services,
                         uint64_t wrId,
                         uint64_t bytes);
    PostResult PostOne(QueuePair& queuePair, const SendWorkRequest& request);
    PostLimits GetPostLimits(const QueuePair& queuePair) const;
    void Start(QueuePair& queuePair, uint32_t requests);
    /// Called when the queue pair may send more or less without a post.
    void Continue(QueuePair& queuePair);
    /// @return whether the queue pair has failed; its posted requests have then ended.
    bool Flush(QueuePair& queuePair);

    NicCore& m_nic;
    const TransportFactory& m_factory;
};

} // namespace ns3::rdma

#endif // RDMA_QUEUE_PAIR_VERBS_H
