// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/polled-queue.h"

#include <limits>
#include <utility>
#include <vector>

namespace ns3::rdma
{

PolledQueue::PolledQueue(Handler handler)
    : m_handler(std::move(handler)),
      m_queue(MakeUnpolled())
{
    m_queue->SetNotifier([this] { OnNotified(); });
    m_queue->RequestNotify(false);
}

PolledQueue::~PolledQueue()
{
    m_queue->SetNotifier(nullptr);
}

Ptr<CompletionQueue>
PolledQueue::MakeUnpolled()
{
    return Create<CompletionQueue>(std::numeric_limits<uint32_t>::max());
}

void
PolledQueue::OnNotified()
{
    // Armed first: a handler may cause the next completion.
    m_queue->RequestNotify(false);
    std::vector<WorkCompletion> completions;
    m_queue->Poll(m_queue->GetCount(), completions);
    for (const WorkCompletion& completion : completions)
    {
        m_handler(completion);
    }
}

} // namespace ns3::rdma
