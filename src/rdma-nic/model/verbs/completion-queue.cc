// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/completion-queue.h"

#include "ns3/verbs-error.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// Calls a copy, so that a handler may replace itself.
void
Notify(CompletionQueue::Notifier handler)
{
    if (handler)
    {
        handler();
    }
}
} // namespace

CompletionQueue::CompletionQueue(uint32_t capacity)
    : m_capacity(capacity)
{
    if (capacity == 0)
    {
        throw VerbsError("a completion queue needs room for at least one completion");
    }
}

void
CompletionQueue::SetNotifier(Notifier notifier)
{
    m_notifier = std::move(notifier);
}

void
CompletionQueue::SetErrorHandler(Notifier handler)
{
    m_errorHandler = std::move(handler);
}

void
CompletionQueue::RequestNotify(bool isSolicitedOnly)
{
    if (!isSolicitedOnly)
    {
        m_armed = Armed::ALL;
    }
    else if (m_armed == Armed::NO)
    {
        m_armed = Armed::SOLICITED;
    }
}

uint32_t
CompletionQueue::Poll(uint32_t count, std::vector<WorkCompletion>& results)
{
    const uint32_t taken = std::min(count, GetCount());
    const auto end = m_entries.begin() + taken;
    results.insert(results.end(), m_entries.begin(), end);
    m_entries.erase(m_entries.begin(), end);
    return taken;
}

void
CompletionQueue::Push(const WorkCompletion& completion, bool isSolicited)
{
    if (m_hasOverflowed)
    {
        return;
    }
    if (GetCount() == m_capacity)
    {
        m_hasOverflowed = true;
        Notify(m_errorHandler);
        return;
    }
    m_entries.push_back(completion);
    const bool isAwaited =
        m_armed == Armed::ALL ||
        (m_armed == Armed::SOLICITED && (isSolicited || completion.status != WcStatus::SUCCESS));
    if (isAwaited)
    {
        m_armed = Armed::NO; // Before the call, since the notifier may arm the queue again.
        Notify(m_notifier);
    }
}

uint32_t
CompletionQueue::GetCount() const
{
    return static_cast<uint32_t>(m_entries.size());
}

bool
CompletionQueue::HasOverflowed() const
{
    return m_hasOverflowed;
}

} // namespace ns3::rdma
