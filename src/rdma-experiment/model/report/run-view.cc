// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/run-view.h"

#include <algorithm>

namespace ns3::rdma
{

void
RunView::AddQueue(const QueueDepth& queue)
{
    if (queue.bytes <= fullest.back().bytes)
    {
        return;
    }
    fullest.back() = queue;
    std::stable_sort(fullest.begin(), fullest.end(), [](const auto& one, const auto& other) {
        return one.bytes > other.bytes;
    });
}

void
RunView::Add(const RunView& other)
{
    flowsActive += other.flowsActive;
    ackedBytes += other.ackedBytes;
    drops += other.drops;
    discards += other.discards;
    pauses += other.pauses;
    for (const QueueDepth& queue : other.fullest)
    {
        AddQueue(queue);
    }
}

} // namespace ns3::rdma
