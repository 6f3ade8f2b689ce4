// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_COMMUNICATOR_LINKS_H
#define RDMA_COMMUNICATOR_LINKS_H

#include "ns3/collective-plan.h"
#include "ns3/polled-queue.h"
#include "ns3/program-connector.h"
#include "ns3/queue-pair-renewals.h"

#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/// One direction between two ranks of a communicator.
struct CommunicatorLink
{
    static constexpr uint32_t NONE{UINT32_MAX};

    uint32_t group;             ///< Index among the groups of all stages.
    uint32_t src;               ///< Rank of the communicator.
    uint32_t dst;               ///< Rank of the communicator.
    uint64_t messages;          ///< Of one iteration.
    uint64_t arrived{0};        ///< Of all iterations. On the receiver's process.
    bool isLocal;               ///< Within a server: the rest is unused.
    RdmaNic* sender{nullptr};   ///< Null on other processes.
    RdmaNic* receiver{nullptr}; ///< Null on other processes.
    uint32_t srcEndpoint{0};
    uint32_t dstEndpoint{0};
    uint32_t srcQp{0};
    uint32_t dstQp{0};
    uint32_t entropy{0};     ///< Of the messages.
    uint32_t backEntropy{0}; ///< Of the other direction.
    // Of links with the same queue pairs, the first one has the receive requests of all.
    uint32_t next{NONE};        ///< The next of these links.
    uint64_t sharedMessages{0}; ///< Of one iteration, in all of them.
    uint64_t sharedArrived{0};  ///< Of all iterations, in all of them.
    bool isFirst{true};
    uint32_t end{NONE};    ///< The sender's end of the connection. Only with renewals.
    StagingRule staging{}; ///< None within a server.
};

/**
 * @ingroup rdma-collective
 * @brief The queue pairs of a communicator, which exist for the whole run: one pair for each
 * connection of each group's graph.
 *
 * A message is a WRITE with immediate data, its number in the graph.  Receive requests are posted
 * ahead, and again when one is used.
 *
 * With QueuePairRenewals, messages that were unfinished when a queue pair failed are posted again,
 * except messages that the receiver has consumed.
 */
class CommunicatorLinks : private RenewalHandler
{
  public:
    using Handler = PolledQueue::Handler;

    /// Makes the queue pairs of this process. The context and the connector outlive this.
    /// @param ranks places by rank of the communicator
    /// @param onSent, @param onReceived are called for completions of messages and of receive
    /// requests; with renewals not for failed ones
    /// @param renewals outlive this; null: queue pairs that fail stay so
    CommunicatorLinks(const CollectivePlan& plan,
                      const std::vector<RankPlace>& ranks,
                      const TrafficContext& context,
                      ProgramConnector& connector,
                      QueuePairRenewals* renewals,
                      const Handler& onSent,
                      const Handler& onReceived);

    /// Posts the first receive requests.
    void Start() const;

    std::size_t GetCount() const
    {
        return m_links.size();
    }

    CommunicatorLink& Get(std::size_t link)
    {
        return m_links[link];
    }

    const CommunicatorLink& Get(std::size_t link) const
    {
        return m_links[link];
    }

    /// @return index of the first link of a group, which are in the order of its connections.
    uint32_t GetFirst(uint32_t group) const
    {
        return m_first[group];
    }

    /// A message has arrived on queue pairs that several links share. In each iteration the
    /// messages of one link arrive before those of the next. @param first of these links
    /// @return index of the message's link
    std::size_t FindArrived(std::size_t first);

    /// Posts a receive request, whose id is the link's index.
    void PostReceive(std::size_t link) const;

    /// @return false if the send queue takes no more.
    bool Post(std::size_t link, uint64_t id, const RankMessage& message, uint64_t wrId);

    /// @return counters of all senders of this process; ackedBytes are those acknowledged so far.
    RequesterStats SumStats() const;

  private:
    /// Completion queues of a server.
    struct Queues
    {
        PolledQueue sent;
        PolledQueue received;
    };

    /// A message from its first posting to its completion.
    struct Unfinished
    {
        std::size_t link;
        uint64_t id;
        RankMessage message;
        uint64_t wrId;
    };

    /// Work of an end of a connection. Only with renewals.
    struct EndWork
    {
        std::deque<Unfinished> unfinished; ///< Oldest first.
        uint64_t completed{0};             ///< Messages, by the present queue pair.
    };

    /// Adds the queue pairs of a group to m_queuePairs. @throws InputError if there is no room
    void CheckRoom(const CollectiveGroup& group,
                   const std::vector<RankPlace>& ranks,
                   const std::vector<RankConnection>& connections);
    static void Reverse(CommunicatorLink& link, const CommunicatorLink& forward);
    void Share(CommunicatorLink& link, std::size_t first);
    void Connect(CommunicatorLink& link,
                 const RankPlace& src,
                 const RankPlace& dst,
                 const QueuePairAttributes& attributes);
    ProgramConnection Add(const RankPlace& src, const RankPlace& dst) const;
    void Watch(const ProgramConnection& made,
               const QueuePairAttributes& attributes,
               CommunicatorLink& link);
    void OnSent(uint32_t server, const WorkCompletion& completion);
    void OnReceived(uint32_t server, const WorkCompletion& completion);
    void OnQuit(uint32_t end) override;
    void OnRenewed(uint32_t end, uint64_t consumed) override;
    /// @return null: the sender has sent nothing, is on another process, or has no queue pair now.
    static const Requester* FindRequester(const CommunicatorLink& link);
    void PostReceives(std::size_t link) const;
    bool TryPost(const Unfinished& one) const;
    QueuePairInit MakeInit(uint32_t server) const;

    const TrafficContext& m_context;
    ProgramConnector& m_connector;
    QueuePairRenewals* m_renewals; ///< Null: none.
    Handler m_onSent;
    Handler m_onReceived;
    std::map<uint32_t, EndWork> m_work;                        ///< By end.
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_endOf; ///< By server and queue pair.
    RequesterStats m_statsBefore;                         ///< Of queue pairs that are destroyed.
    std::map<uint32_t, std::unique_ptr<Queues>> m_queues; ///< By node id; of this process.
    uint32_t m_receives;                                  ///< Posted ahead at most.
    bool m_hasOwnCosts;                                   ///< Posting threads account for theirs.
    uint64_t m_queuePairs{0}; ///< Of this process, in the groups seen so far.
    std::vector<CommunicatorLink> m_links;
    std::vector<uint32_t> m_first; ///< By group.
};

} // namespace ns3::rdma

#endif // RDMA_COMMUNICATOR_LINKS_H
