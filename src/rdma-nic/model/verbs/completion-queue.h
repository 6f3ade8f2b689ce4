// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_COMPLETION_QUEUE_H
#define RDMA_COMPLETION_QUEUE_H

#include "ns3/simple-ref-count.h"
#include "ns3/work-completion.h"

#include <deque>
#include <functional>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-verbs
 * @brief Completions of work requests (ibv_cq), with a completion channel.
 *
 * A consumer polls, or arms the queue for one notification: at the next completion, or only at the
 * next solicited one or error (IBTA Vol. 1, Section 11.4.2.2).  Completions beyond the capacity are
 * lost, and the queue is then permanently in error (Section 10.10.2: a local catastrophic error).
 */
class CompletionQueue : public SimpleRefCount<CompletionQueue>
{
  public:
    using Notifier = std::function<void()>;

    /// @param capacity largest number of completions; at least 1
    explicit CompletionQueue(uint32_t capacity);

    /// @param notifier called when the queue is armed and a matching completion is added; it may
    /// poll and arm the queue again
    void SetNotifier(Notifier notifier);

    /// @param handler called once, when the queue overflows
    void SetErrorHandler(Notifier handler);

    /// Arms the queue for one notification (ibv_req_notify_cq): earlier completions do not trigger
    /// it. Arming for all completions overrides arming for solicited ones.
    void RequestNotify(bool isSolicitedOnly);

    /// Removes the oldest completions (ibv_poll_cq).
    /// @param results the completions are appended, at most count
    /// @return the number of removed completions.
    uint32_t Poll(uint32_t count, std::vector<WorkCompletion>& results);

    /// Adds a completion.
    /// @param isSolicited whether its message requests a solicited event
    void Push(const WorkCompletion& completion, bool isSolicited);

    uint32_t GetCount() const;

    /// @return the completions in the queue, oldest first.
    const std::deque<WorkCompletion>& GetEntries() const
    {
        return m_entries;
    }

    bool HasOverflowed() const;

  private:
    enum class Armed
    {
        NO,
        SOLICITED,
        ALL,
    };

    std::deque<WorkCompletion> m_entries;
    uint32_t m_capacity;
    Armed m_armed{Armed::NO};
    bool m_hasOverflowed{false};
    Notifier m_notifier;
    Notifier m_errorHandler;
};

} // namespace ns3::rdma

#endif // RDMA_COMPLETION_QUEUE_H
