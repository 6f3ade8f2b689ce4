// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/service-chain.h"

#include "ns3/assert.h"
#include "ns3/checked-kernel.h"
#include "ns3/log.h"
#include "ns3/policy-error.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("ServiceChain");

namespace
{
uint32_t
ComputeBytesBehind(const StreamService& service, uint32_t bytes)
{
    return CallPolicy(service, "GetBytesBehind()", [&] { return service.GetBytesBehind(bytes); });
}

StreamStep
CallService(StreamService& service, const StreamInput& input)
{
    constexpr const char* CALL{"OnStream()"};
    StreamStep step = CallPolicy(service, CALL, [&] { return service.OnStream(input); });
    step.step = CheckStep(service, CALL, std::move(step.step));
    if (step.passedAt < 0 || step.passedAt == TICK_NEVER)
    {
        FailPolicy(service, CALL, "passedAt from 0 on", DescribeTick(step.passedAt));
    }
    return step;
}

void
CheckLength(const StreamService& service, std::size_t before, std::size_t behind)
{
    const uint32_t expected = ComputeBytesBehind(service, static_cast<uint32_t>(before));
    if (behind != expected)
    {
        FailPolicy(service,
                   "OnStream()",
                   std::to_string(expected) + " bytes, as GetBytesBehind() says",
                   std::to_string(behind));
    }
}
} // namespace

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
    const StreamService& service = *entry->service;
    const Placement placement =
        CallPolicy(service, "GetPlacement()", [&] { return service.GetPlacement(); });
    const Tick hidden = CallPolicy(service, "GetHidden()", [&] { return service.GetHidden(); });
    Add(std::move(entry), placement, hidden);
}

void
ServiceChain::Add(std::shared_ptr<ServiceEntry> entry, Placement placement, Tick hidden)
{
    m_links.push_back({std::move(entry), placement, hidden});
}

bool
ServiceChain::HasRoom(Tick now, std::size_t maxWaiting) const
{
    return std::all_of(m_links.begin(), m_links.end(), [now, maxWaiting](const Link& link) {
        return link.entry->CountWaiting(now) < maxWaiting;
    });
}

StreamFault
ServiceChain::CheckMessage(const StreamMessage& message) const
{
    for (const Link& link : m_links)
    {
        const StreamService& service = *link.entry->service;
        const StreamFault fault =
            CallPolicy(service, "CheckMessage()", [&] { return service.CheckMessage(message); });
        if (fault != StreamFault::NONE)
        {
            return fault;
        }
    }
    return StreamFault::NONE;
}

uint32_t
ServiceChain::GetBytesBehind(uint32_t bytes) const
{
    for (const Link& link : m_links)
    {
        bytes = link.placement == Placement::ON_PATH
                    ? ComputeBytesBehind(*link.entry->service, bytes)
                    : bytes;
    }
    return bytes;
}

ChainOutcome
ServiceChain::Pass(const StreamInput& input)
{
    ChainOutcome outcome;
    StreamInput next = input; // Input of the next service.
    Tick dataAt = input.at;
    Tick verdictAt = input.at;
    for (const Link& link : m_links)
    {
        ServiceEntry& entry = *link.entry;
        next.at = std::max(dataAt, entry.readyAt);
        if (next.at > input.at)
        {
            entry.takenAt.push_back(next.at);
        }
        StreamStep step = CallService(*entry.service, next);
        NS_LOG_LOGIC(entry.service->GetInstanceTypeId().GetName()
                     << " handles " << next.bytes.GetSize() << " B of queue pair " << next.queuePair
                     << (next.isSent ? ", to be sent" : ", received")
                     << (step.isRejected ? ", and rejects them" : "") << "; begins in "
                     << next.at - input.at << " ps, ends in " << step.passedAt - input.at << " ps");
        entry.readyAt = std::max(entry.readyAt, step.readyAt);
        if (!step.step.commands.empty() || step.step.wakeAt != TICK_NEVER)
        {
            outcome.commands.push_back({entry.slot, std::move(step.step)});
        }
        outcome.isRejected |= step.isRejected;
        if (link.placement == Placement::PARALLEL)
        {
            NS_ASSERT_MSG(step.bytes.empty() || entry.service->GetPlacement() == Placement::ON_PATH,
                          "a service on a copy changes no data");
            verdictAt = std::max(verdictAt, step.passedAt - link.hidden);
            continue;
        }
        dataAt = std::max(next.at, step.passedAt);
        if (step.isRejected)
        {
            break; // The later services receive nothing.
        }
        if (!step.bytes.empty())
        {
            CheckLength(*entry.service, next.bytes.GetSize(), step.bytes.size());
            outcome.isChanged = true;
            outcome.bytes = std::move(step.bytes);
            next.bytes = ByteView(outcome.bytes);
        }
    }
    outcome.passedAt = std::max(dataAt, verdictAt);
    return outcome;
}

} // namespace ns3::rdma
