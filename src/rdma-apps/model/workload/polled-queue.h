// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_POLLED_QUEUE_H
#define RDMA_POLLED_QUEUE_H

#include "ns3/completion-queue.h"
#include "ns3/ptr.h"

#include <functional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief A completion queue whose consumer handles each completion at once.
 *
 * It is never full.  The NIC may outlive this object: later completions stay in the queue.
 */
class PolledQueue
{
  public:
    using Handler = std::function<void(const WorkCompletion& completion)>;

    explicit PolledQueue(Handler handler);
    ~PolledQueue();
    PolledQueue(const PolledQueue&) = delete;
    PolledQueue& operator=(const PolledQueue&) = delete;

    /// @return the queue, for queue pairs.
    const Ptr<CompletionQueue>& Get() const
    {
        return m_queue;
    }

    /// @return a queue of any length that no consumer polls.
    static Ptr<CompletionQueue> MakeUnpolled();

  private:
    void OnNotified();

    Handler m_handler;
    Ptr<CompletionQueue> m_queue;
};

} // namespace ns3::rdma

#endif // RDMA_POLLED_QUEUE_H
