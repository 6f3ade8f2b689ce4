// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WORK_REPORTER_H
#define RDMA_WORK_REPORTER_H

#include "ns3/queue-pair-table.h"
#include "ns3/queue-pair-traces.h"
#include "ns3/transport-factory.h"

#include <boost/container/small_vector.hpp>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/// A notice to a consumer: for one of the first three members, or a completion for the handler.
struct Notice
{
    bool IsCompletion() const
    {
        return !lowQueue && !event;
    }

    Ptr<CompletionQueue> queue;
    Ptr<ReceiveQueue> lowQueue;
    std::optional<AsyncEventType> event;
    WorkCompletion completion{};
    uint32_t qpNumber{0};
    bool isReceive{false};
    bool isSolicited{false};
    bool isForgotten{false};
    bool hasOwnCosts{false}; ///< Its consumer accounts for its own core time.
};

/// Notices in the order of delivery.
using Notices = boost::container::small_vector<Notice, 1>;

/// Decides when consumers are notified.
class CompletionPath
{
  public:
    virtual ~CompletionPath() = default;

    /// Takes all notices, and delivers them in their order.
    /// @param notBefore earliest time at which the first is written
    virtual void Take(const Notices& notices, Tick notBefore) = 0;

    /// A queue pair is reset or destroyed: its pending completions are discarded.
    virtual void Forget(const QueuePair& queuePair) = 0;
};

/**
 * @ingroup rdma-nic
 * @brief Reports ended work requests to consumers, and moves queue pairs into their error states
 * after a failure.
 *
 * Each call appends its notices to a list.  The caller passes the list to Deliver() when it no
 * longer uses the queue pair: a consumer may post to, change or destroy any queue pair.  Notices
 * that a consumer causes are delivered after the earlier ones.
 *
 * Completions take no time unless there is a CompletionPath.
 */
class WorkReporter
{
  public:
    using CompletionHandler = std::function<void(const WorkCompletion&)>;
    using AsyncEventHandler = std::function<void(const AsyncEvent&)>;

    WorkReporter(QueuePairTable& table, const TransportFactory& factory);

    /// Sets the path of all further completions.
    void SetPath(std::unique_ptr<CompletionPath> path)
    {
        m_path = std::move(path);
    }

    /// @param handler is called for requests on queue pairs without completion queue
    void SetCompletionHandler(CompletionHandler handler);
    void SetAsyncEventHandler(AsyncEventHandler handler);

    /// Traces completions and changes of state. @param traces outlives this
    void SetTraces(QueuePairTraces& traces)
    {
        m_traces = &traces;
    }

    /// Moves a queue pair to another state.
    void SetState(QueuePair& queuePair, QpState state);

    /// Moves a new queue pair to RTS; the traces have the states between.
    void Connect(QueuePair& queuePair);

    // Each of the following functions appends its notices to a list.

    /// Reports send requests that have ended, and the failure of the requester.
    void FinishRequests(QueuePair& queuePair, const Completions& completions, Notices& notices)
    {
        if (!completions.empty() || queuePair.GetRequester()->NeedsAttention())
        {
            Settle(queuePair, completions, notices);
        }
    }

    /// Reports send requests.
    static void Complete(const QueuePair& queuePair,
                         const Completions& completions,
                         Notices& notices);

    using ReceiveCompletions = std::vector<ReceiveCompletion>;

    /// Reports receive requests.
    static void CompleteReceive(const QueuePair& queuePair,
                                const ReceiveCompletions& completions,
                                Notices& notices);

    /// Reports that few receive requests are left, if they are below the limit.
    /// @param queue may be null
    static void ReportIfLow(const Ptr<ReceiveQueue>& queue, Notices& notices);

    /// Flushes all posted requests. @param reason unset: its consumer requested it
    void EnterError(QueuePair& queuePair, std::optional<AsyncEventType> reason, Notices& notices);

    /// Notifies one consumer: the end of a completion path.
    void Notify(const Notice& notice, Notices& notices);

    /// The queue pair is reset or destroyed: its pending completions are discarded.
    void Forget(const QueuePair& queuePair)
    {
        if (m_path)
        {
            m_path->Forget(queuePair);
        }
    }

    /// Notifies consumers. Called last in the handling of a packet or a call.
    /// @param notBefore when a path that takes time may begin
    void Deliver(const Notices& notices, Tick notBefore = 0)
    {
        if (!notices.empty())
        {
            m_path ? m_path->Take(notices, notBefore) : NotifyAll(notices);
        }
    }

  private:
    void Settle(QueuePair& queuePair, const Completions& completions, Notices& notices);
    void FlushReceives(QueuePair& queuePair, Notices& notices);
    static void Report(AsyncEventType type, uint32_t queuePair, Notices& notices);
    void ReportIfOverflowed(const CompletionQueue& queue, uint32_t queuePair, Notices& notices);
    /// Notifies consumers now, including the notices that they cause.
    void NotifyAll(const Notices& notices);

    /// State of a reporter that notifies consumers itself.
    struct Delivery
    {
        std::vector<Notice> due; ///< Notices still to be delivered while consumers are notified.
        bool isUnderWay{false};
    };

    std::unique_ptr<Delivery> m_delivery;
    QueuePairTable& m_table;
    const TransportFactory& m_factory;
    std::unique_ptr<CompletionHandler> m_onCompletion;
    std::unique_ptr<AsyncEventHandler> m_onAsyncEvent;
    std::unique_ptr<CompletionPath> m_path; ///< Null: completions take no time.
    QueuePairTraces* m_traces{nullptr};     ///< Null: the queue pairs are not traced.
};

} // namespace ns3::rdma

#endif // RDMA_WORK_REPORTER_H
