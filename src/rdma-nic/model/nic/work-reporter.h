// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WORK_REPORTER_H
#define RDMA_WORK_REPORTER_H

#include "ns3/queue-pair-table.h"
#include "ns3/transport-factory.h"

#include <functional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief Tells consumers how their work requests ended, and moves queue pairs into their error
 * states when they did not end well.
 *
 * A consumer that is told may destroy the queue pair, so callers use none of it afterwards.
 */
class WorkReporter
{
  public:
    using CompletionHandler = std::function<void(const WorkCompletion&)>;
    using AsyncEventHandler = std::function<void(const AsyncEvent&)>;

    WorkReporter(QueuePairTable& table, TransportFactory& factory);

    /// @param handler is told of requests on queue pairs without completion queue
    void SetCompletionHandler(CompletionHandler handler);
    void SetAsyncEventHandler(AsyncEventHandler handler);

    /// Reports what the requester says; it may have failed.
    void FinishRequests(QueuePair& queuePair, Completions& completions)
    {
        if (!completions.empty() || queuePair.requester->NeedsAttention())
        {
            Settle(queuePair, completions);
        }
    }

    /// Reports send requests.
    void Complete(const QueuePair& queuePair, const Completions& completions);

    using ReceiveCompletions = std::vector<ReceiveCompletion>;

    /// Reports receive requests.
    void CompleteReceive(const QueuePair& queuePair, const ReceiveCompletions& completions);

    /// Flushes all that is posted. @param reason unset: its consumer asked for it
    void EnterError(QueuePair& queuePair, std::optional<AsyncEventType> reason);

  private:
    /// What is told after the send requests, when all states are settled.
    struct Aftermath
    {
        ReceiveCompletions receives;
        std::vector<AsyncEventType> events;
    };

    void Settle(QueuePair& queuePair, Completions& completions);
    void FlushReceives(QueuePair& queuePair, Aftermath& aftermath);
    void Deliver(const QueuePair& queuePair, const Completions& sends, const Aftermath& aftermath);
    void TellIfOverflowed(const Ptr<CompletionQueue>& queue, uint32_t queuePair);
    void Tell(AsyncEventType type, uint32_t queuePair);

    QueuePairTable& m_table;
    TransportFactory& m_factory;
    CompletionHandler m_onCompletion;
    AsyncEventHandler m_onAsyncEvent;
};

} // namespace ns3::rdma

#endif // RDMA_WORK_REPORTER_H
