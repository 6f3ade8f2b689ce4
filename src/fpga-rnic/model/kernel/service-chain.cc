// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/service-chain.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

std::size_t
ServiceEntry::CountWaiting(Tick now)
{
    while (!takenAt.empty() && takenAt.front() <= now)
    {
        takenAt.pop_front();
    }
    return takenAt.size();
}

void
ServiceChain::Add(std::shared_ptr<ServiceEntry> entry)
{
    m_entries.push_back(std::move(entry));
}

bool
ServiceChain::HasRoom(Tick now, std::size_t maxWaiting) const
{
    return std::all_of(m_entries.begin(), m_entries.end(), [now, maxWaiting](const auto& entry) {
        return entry->CountWaiting(now) < maxWaiting;
    });
}

ChainOutcome
ServiceChain::Pass(const StreamInput& input)
{
    ChainOutcome outcome;
    StreamInput next = input; // Of the next service.
    Tick dataAt = input.at;
    Tick verdictAt = input.at;
    for (const auto& entry : m_entries)
    {
        next.at = std::max(dataAt, entry->readyAt);
        if (next.at > input.at)
        {
            entry->takenAt.push_back(next.at);
        }
        StreamStep step = entry->service->OnStream(next);
        entry->readyAt = std::max(entry->readyAt, step.readyAt);
        if (!step.step.commands.empty() || step.step.wakeAt != TICK_NEVER)
        {
            outcome.commands.push_back({entry->slot, std::move(step.step)});
        }
        outcome.isRejected |= step.isRejected;
        if (entry->service->GetPlacement() == StreamService::Placement::PARALLEL)
        {
            NS_ASSERT_MSG(step.bytes.empty(), "a service on a copy changes no data");
            verdictAt = std::max(verdictAt, step.passedAt);
            continue;
        }
        dataAt = std::max(next.at, step.passedAt);
        if (step.isRejected)
        {
            break; // Nothing reaches those behind it.
        }
        if (!step.bytes.empty())
        {
            NS_ASSERT_MSG(step.bytes.size() == input.bytes.GetSize(), "a service keeps the length");
            outcome.isChanged = true;
            outcome.bytes = std::move(step.bytes);
            next.bytes = ByteView(outcome.bytes);
        }
    }
    outcome.passedAt = std::max(dataAt, verdictAt);
    return outcome;
}

} // namespace ns3::rdma
