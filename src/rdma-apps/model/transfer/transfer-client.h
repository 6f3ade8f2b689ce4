// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TRANSFER_CLIENT_H
#define RDMA_TRANSFER_CLIENT_H

#include "ns3/fabric-engine.h"
#include "ns3/poisson-arrivals.h"
#include "ns3/polled-queue.h"
#include "ns3/queue-pair-renewals.h"
#include "ns3/rdma-nic.h"
#include "ns3/request-book.h"
#include "ns3/transfer-plan.h"

#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-transfer
 * @brief One server of the pool that posts: the requests that arrive at it, and its core, which
 * posts their slices.
 *
 * A request is for a server of the other pool, which is drawn uniformly.  When a layer is ready,
 * its slices are queued.  One core posts the slices in order, round-robin over the queue pairs to
 * that server.  If the next slice's queue pair has as many work requests as it may have, the core
 * waits. A request has ended when all of its slices are complete.
 *
 * With QueuePairRenewals it also waits while that queue pair is made again.  All slices without a
 * completion are then posted again: WRITEs and READs may be executed twice.
 *
 * Not modelled: the message that tells a pulling server that a layer is ready, batches of prompts
 * (each prompt computes as if it were alone), and the registration of memory.
 */
class TransferClient : private EventTarget, private RenewalHandler
{
  public:
    /// @param plan outlives this @param node of the client @param renewals outlive this; null: a
    /// request with a slice that fails has failed
    TransferClient(FabricEngine& engine,
                   const TransferPlan& plan,
                   uint32_t node,
                   QueuePairRenewals* renewals = nullptr);
    ~TransferClient() override;

    TransferClient(const TransferClient&) = delete;
    TransferClient& operator=(const TransferClient&) = delete;

    uint32_t GetNode() const
    {
        return m_node;
    }

    /// @return completions of its queue pairs.
    const Ptr<CompletionQueue>& GetCompletions() const
    {
        return m_completions.Get();
    }

    /// Queue pairs in the order of the plan's servers. @param nic null on other processes
    void AddQueuePair(const Ptr<RdmaNic>& nic, uint32_t number)
    {
        m_queuePairs.push_back({nic, number, 0, {}, 0});
    }

    /// The last queue pair that was added is renewed. @param end of its connection @param init
    /// unset on other processes
    void RenewLast(uint32_t end, const std::optional<QueuePairInit>& init);

    /// @return whether a request arrives before the duration is over. Before Start().
    bool HasArrival() const;

    /// Requests begin. Once.
    void Start();

    /// Makes a record of each request under way. @param status of these
    void Finish(RpcStatus status);

    RequestBook& GetBook()
    {
        return m_book;
    }

    /// @return layers and slices that are done.
    uint64_t GetProgress() const
    {
        return m_progress;
    }

  private:
    struct Request
    {
        RpcRecord record;
        std::size_t server{0};
        uint64_t tokens{0};
        uint32_t layersReady{0};
        uint64_t slicesLeft{0};
        uint64_t nextQueuePair{0}; ///< Counts its slices.
        bool isUnderWay{false};
        bool hasFailed{false};
    };

    struct Slice
    {
        uint32_t slot; ///< Of its request.
        uint32_t queuePair;
        uint32_t bytes;
    };

    struct QueuePair
    {
        Ptr<RdmaNic> nic;
        uint32_t number;
        uint32_t underWay;            ///< Work requests.
        std::deque<Slice> unfinished; ///< These, oldest first. Only with renewals.
        uint32_t end;                 ///< Of its connection. Only with renewals.
    };

    enum Event : uint32_t
    {
        START,  ///< Argument: unused.
        ARRIVE, ///< Argument: unused.
        READY,  ///< A layer is ready. Argument: slot.
        POST,   ///< The core has posted the first slice. Argument: unused.
        FAIL,   ///< A queue pair takes no slice. Argument: slot.
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void Arrive();
    void ScheduleArrival();
    void OnReady(uint32_t slot);
    void QueueLayer(uint32_t slot);
    void Pump();
    void PostFirst();
    bool TryPost(const Slice& slice);
    bool IsReady(const QueuePair& queuePair) const;
    void OnRenewed(uint32_t end, uint64_t consumed) override;
    void OnCompletion(const WorkCompletion& completion);
    void EndSlice(uint32_t slot, bool isOk);
    void End(uint32_t slot);

    FabricEngine& m_engine;
    const TransferPlan& m_plan;
    uint32_t m_node;
    QueuePairRenewals* m_renewals;              ///< Null: none.
    std::map<uint32_t, uint32_t> m_queuePairOf; ///< By end of the connection.
    uint32_t m_target;
    RandomStream m_random; ///< Servers and prompts.
    PoissonArrivals m_arrivals;
    PolledQueue m_completions;
    std::vector<QueuePair> m_queuePairs;
    std::vector<Request> m_requests; ///< By slot.
    std::vector<uint32_t> m_free;    ///< Slots.
    std::deque<Slice> m_slices;      ///< In the order of posting.
    bool m_isPosting{false};         ///< The core is at work on the first of them.
    RequestBook m_book;
    uint64_t m_progress{0};
};

} // namespace ns3::rdma

#endif // RDMA_TRANSFER_CLIENT_H
