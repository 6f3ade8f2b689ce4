// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_QUEUE_PAIR_RENEWALS_H
#define RDMA_QUEUE_PAIR_RENEWALS_H

#include "ns3/program-connector.h"

#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace ns3::rdma
{

/// Counts of renewals on this process.
struct RenewalCounts
{
    template <typename Self, typename Visit>
    static void VisitFields(Self& self, const Visit& visit)
    {
        visit(self.queuePairs, self.repeated, self.spared);
    }

    void Add(const RenewalCounts& other)
    {
        queuePairs += other.queuePairs;
        repeated += other.repeated;
        spared += other.spared;
    }

    uint64_t queuePairs{0}; ///< Created again.
    uint64_t repeated{0};   ///< Unfinished requests that were posted again.
    uint64_t spared{0};     ///< Requests without an answer that the peer had consumed.
};

/// What an application does at an end of a connection that is renewed.
class RenewalHandler
{
  public:
    virtual ~RenewalHandler() = default;

    /// The queue pair is destroyed next.
    virtual void OnQuit(uint32_t)
    {
    }

    /// The queue pair is in RTS, and so is its peer's. Posts receive requests and unfinished work.
    /// @param consumed receive requests that the peer's former queue pair completed
    virtual void OnRenewed(uint32_t end, uint64_t consumed) = 0;
};

/**
 * @ingroup rdma-flows
 * @brief Creates both queue pairs of a connection again after one of them has failed, as an
 * application does that survives RETRY_EXC_ERR.
 *
 * The end that gets the error first leads.  After half of the time of a renewal its peer knows, and
 * both ends destroy their queue pairs: what they have consumed by then is final, and each sends
 * this count to the other one.  After the whole time both have a new queue pair in RTS, on the next
 * port whose link is up at the leading end.  The time is an input: it contains the messages over
 * another network, the drain of completion queues, and RESET, INIT, RTR and RTS.
 *
 * The count is what makes requests that are not idempotent safe: the peer has consumed the oldest
 * unfinished requests, which are not repeated.  NCCL 2.30 and RCCL find out by a READ of a record
 * at the receiver (NCCL_IB_RESILIENCY_PORT_FAILOVER; ROCm/rocm-systems, pull request 6145), Varuna
 * by a log of completions that each request writes (arXiv 2603.28001).  That these make the same
 * difference as a count is inferred: connections deliver in order.
 *
 * Not modelled: a limit of attempts, the network of the messages, the core's time, answers of
 * atomics (no workload with renewals posts any).
 */
class QueuePairRenewals final : private EventTarget
{
  public:
    /// All outlive this. @param time of a renewal, at least the longest round trip of the fabric
    /// @throws InputError "expected ..., got ..." if it is shorter
    QueuePairRenewals(const TrafficContext& context, ProgramConnector& connector, Tick time);
    ~QueuePairRenewals() override;

    QueuePairRenewals(const QueuePairRenewals&) = delete;
    QueuePairRenewals& operator=(const QueuePairRenewals&) = delete;

    /// Adds a connection, on all ranks in the same order. @return its sender's end; the other end
    /// is the next number
    uint32_t Add(const ProgramConnection& connection, const QueuePairAttributes& attributes);

    /// The queue pair of an end was made, on its rank. @param handler outlives this
    void Watch(uint32_t end, const QueuePairInit& init, RenewalHandler& handler);

    /// @return whether the queue pair of an end takes work.
    bool IsReady(uint32_t end) const
    {
        return m_ends[end].state == State::READY;
    }

    /// A work request has failed, or could not be posted.
    void OnError(uint32_t end);

    /// A receive request has been completed.
    void CountConsumed(uint32_t end)
    {
        ++m_ends[end].consumed;
    }

    RenewalCounts& GetCounts()
    {
        return m_counts;
    }

    // As those of RunTraffic.
    void AddTo(WindowState& state) const;
    void Pack(uint32_t rank, ByteBuffer& buffer);
    void Unpack(ByteReader& reader);
    void OnWindow();

  private:
    enum class State : uint8_t
    {
        READY,
        BROKEN,   ///< Its peer may not know.
        DESTROYED ///< It has no queue pair.
    };

    enum Event : uint32_t
    {
        QUIT,   ///< The queue pair is destroyed. Argument: end.
        NOTICE, ///< Notices that are due are handled. Argument: unused.
    };

    /// To an end, perhaps on another rank.
    struct Notice
    {
        Tick at;
        Tick brokenAt; ///< At the leading end.
        uint64_t consumed;
        uint32_t end;
        uint32_t renewal; ///< Number of the connection's renewals before.
        uint32_t port;
        bool isCount; ///< Else it says that the connection is broken.
    };

    struct End
    {
        ProgramEnd place;
        QueuePairAttributes attributes;
        QueuePairInit init;
        RenewalHandler* handler{nullptr};
        State state{State::READY};
        uint32_t port{0};     ///< Of both NICs.
        uint32_t leader{0};   ///< End that leads.
        Tick brokenAt{0};     ///< At the leader.
        uint32_t renewals{0}; ///< So far.
        uint64_t consumed{0}; ///< By the present queue pair.
    };

    static uint32_t GetPeer(uint32_t end)
    {
        return end ^ 1U;
    }

    static bool IsLater(const Notice& left, const Notice& right);
    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void Follow(uint32_t end, uint32_t leader, Tick brokenAt, uint32_t port);
    void Quit(uint32_t end);
    void Renew(uint32_t end, uint64_t consumedByPeer);
    void Send(const Notice& notice);
    void Enter(const Notice& notice);
    void Handle(const Notice& notice);
    uint32_t ChoosePort(const End& end) const;

    const TrafficContext& m_context;
    ProgramConnector& m_connector;
    FabricEngine& m_engine;
    Tick m_half;
    uint32_t m_target;
    std::vector<End> m_ends;
    std::vector<Notice> m_heap;        ///< To ends of this rank.
    std::vector<Notice> m_sent;        ///< To ends of other ranks, of the whole run.
    std::vector<std::size_t> m_packed; ///< By rank: notices of m_sent that it has.
    Tick m_earliestSent{TICK_NEVER};   ///< Of notices that other ranks may not have yet.
    RenewalCounts m_counts;
};

/// @return as a part of summary.json.
nlohmann::ordered_json WriteCounts(const RenewalCounts& counts);

/// @return the counts of all ranks; on the first one.
RenewalCounts CollectCounts(RankGroup& ranks, QueuePairRenewals& renewals);

} // namespace ns3::rdma

#endif // RDMA_QUEUE_PAIR_RENEWALS_H
