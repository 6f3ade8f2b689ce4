// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WORK_REPORTER_H
#define RDMA_WORK_REPORTER_H

#include "ns3/queue-pair-table.h"
#include "ns3/queue-pair-traces.h"
#include "ns3/transport-factory.h"

#include <functional>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/// A notice to a consumer: one of the first three, or a completion for the handler.
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
    bool hasProgram{false}; ///< Its consumer accounts for its own core time.
};

/// When consumers are notified of what a WorkReporter has collected.
class CompletionPath
{
  public:
    virtual ~CompletionPath() = default;

    /// Takes all notices, and delivers them in their order. @param notBefore when the first may be
    /// written
    virtual void Take(std::vector<Notice>& notices, Tick notBefore) = 0;
};

/**
 * @ingroup rdma-nic
 * @brief Notifies consumers of how their work requests ended, and moves queue pairs into their
 * error states when they did not end well.
 *
 * Notices are collected while a packet or a call is handled, and delivered by Deliver() when
 * nothing of a queue pair is in use any more: a consumer may post, change or destroy whatever it
 * likes.  Notices that it causes come after those from before.
 *
 * It is a completion path itself, which takes no time; another one, as a chip has that takes time,
 * can stand in its place.
 */
class WorkReporter : private CompletionPath
{
  public:
    using CompletionHandler = std::function<void(const WorkCompletion&)>;
    using AsyncEventHandler = std::function<void(const AsyncEvent&)>;

    WorkReporter(QueuePairTable& table, const TransportFactory& factory);

    /// Completions go this way from here on. @param path outlives this
    void SetPath(CompletionPath& path)
    {
        m_path = &path;
    }

    /// @param handler is called for requests on queue pairs without completion queue
    void SetCompletionHandler(CompletionHandler handler);
    void SetAsyncEventHandler(AsyncEventHandler handler);

    /// Completions and changes of state are observed from here on. @param traces outlives this
    void SetTraces(QueuePairTraces& traces)
    {
        m_traces = &traces;
    }

    /// Moves a queue pair to another state.
    void SetState(QueuePair& queuePair, QpState state);

    /// Reports what the requester says; it may have failed. @return false: there was nothing
    bool FinishRequests(QueuePair& queuePair, Completions& completions)
    {
        const bool hasReports = !completions.empty() || queuePair.requester->NeedsAttention();
        if (hasReports)
        {
            Settle(queuePair, completions);
        }
        return hasReports;
    }

    /// Reports send requests.
    void Complete(const QueuePair& queuePair, const Completions& completions);

    using ReceiveCompletions = std::vector<ReceiveCompletion>;

    /// Reports receive requests.
    void CompleteReceive(const QueuePair& queuePair, const ReceiveCompletions& completions);

    /// Reports that few receive requests are left, if so. @param queue may be null
    void ReportIfLow(const Ptr<ReceiveQueue>& queue);

    /// Flushes all that is posted. @param reason unset: its consumer requested it
    void EnterError(QueuePair& queuePair, std::optional<AsyncEventType> reason);

    /// Notifies one consumer: the end of a completion path. It may report more.
    void Notify(const Notice& notice);

    /// Notifies consumers of what was reported. The last thing that a packet or a call does.
    /// @param notBefore when a path that takes time may begin
    void Deliver(Tick notBefore = 0)
    {
        if (!m_outbox.empty() && !m_isDelivering)
        {
            m_path->Take(m_outbox, notBefore);
        }
    }

  private:
    void Settle(QueuePair& queuePair, Completions& completions);
    void FlushReceives(QueuePair& queuePair);
    void Report(AsyncEventType type, uint32_t queuePair);
    void ReportIfOverflowed(const CompletionQueue& queue, uint32_t queuePair);
    void Take(std::vector<Notice>& notices, Tick notBefore) override;

    std::vector<Notice> m_outbox;
    bool m_isDelivering{false};
    QueuePairTable& m_table;
    const TransportFactory& m_factory;
    std::unique_ptr<CompletionHandler> m_onCompletion;
    std::unique_ptr<AsyncEventHandler> m_onAsyncEvent;
    CompletionPath* m_path{this};
    QueuePairTraces* m_traces{nullptr}; ///< Null: the queue pairs are not traced.
};

} // namespace ns3::rdma

#endif // RDMA_WORK_REPORTER_H
