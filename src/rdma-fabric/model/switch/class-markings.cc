// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/class-markings.h"

#include "ns3/boolean.h"
#include "ns3/policy-error.h"

#include <algorithm>
#include <string>

namespace ns3::rdma
{

MarkingPoint
StartMarking(MarkingPolicy& policy, const SwitchView& view, const std::vector<MarkingPort>& ports)
{
    CallPolicy(policy, "Start()", [&] { policy.Start(view, ports); });
    const MarkingPoint point = CallPolicy(policy, "GetPoint()", [&] { return policy.GetPoint(); });
    if (point != MarkingPoint::ENQUEUE && point != MarkingPoint::DEQUEUE)
    {
        FailPolicy(policy,
                   "GetPoint()",
                   "ENQUEUE or DEQUEUE",
                   std::to_string(static_cast<uint32_t>(point)));
    }
    return point;
}

std::optional<DequeueMarkers>
TakeDequeueMarkers(const MarkingPolicy& policy, std::size_t ports)
{
    auto markers =
        CallPolicy(policy, "GetDequeueMarkers()", [&] { return policy.GetDequeueMarkers(); });
    if (markers && markers->markers.size() != ports)
    {
        FailPolicy(policy,
                   "GetDequeueMarkers()",
                   "one marker per port",
                   std::to_string(markers->markers.size()));
    }
    return markers;
}

ClassMarkings::ClassMarkings(const ClassTable& classes,
                             TypeId type,
                             const AttributeValues& attributes,
                             const SwitchView& view,
                             const std::vector<MarkingPort>& shared,
                             const Ports& ports)
{
    Add(attributes.Create<MarkingPolicy>(type), view, shared);
    for (uint32_t number = 0; number < PRIORITIES; ++number)
    {
        const ClassSettings& settings = classes[number];
        if (!settings.HasMarking())
        {
            continue;
        }
        auto policy = attributes.Create<MarkingPolicy>(settings.markingPolicy.value_or(type));
        if (settings.markingPoint)
        {
            policy->SetAttributeFailSafe(
                "AtEnqueue",
                BooleanValue(*settings.markingPoint == MarkingPoint::ENQUEUE));
        }
        m_places[number] = static_cast<uint32_t>(m_markings.size());
        Add(policy, view, ports[number]);
    }
}

void
ClassMarkings::Add(Ptr<MarkingPolicy> policy,
                   const SwitchView& view,
                   const std::vector<MarkingPort>& ports)
{
    const MarkingPoint point = StartMarking(*policy, view, ports);
    m_markings.push_back({policy, point, TakeDequeueMarkers(*policy, ports.size())});
}

bool
ClassMarkings::HasPoint(MarkingPoint point) const
{
    return std::any_of(m_markings.begin(), m_markings.end(), [point](const Marking& marking) {
        return (marking.markers ? MarkingPoint::DEQUEUE : marking.point) == point;
    });
}

bool
ClassMarkings::ShouldMark(const Frame& frame,
                          const FabricPort& egress,
                          uint64_t queueBytes,
                          MarkingPoint point,
                          Tick now)
{
    Marking& marking = m_markings[m_places[frame.priority]];
    if (marking.markers)
    {
        return point == MarkingPoint::DEQUEUE &&
               (frame.payloadBytes > 0 || !marking.markers->onlyPayload) &&
               marking.markers->markers[egress.GetNumber()].ShouldMark(queueBytes);
    }
    return marking.point == point && CallPolicy(*marking.policy, "ShouldMark()", [&] {
               return marking.policy->ShouldMark(frame, egress, queueBytes, now);
           });
}

} // namespace ns3::rdma
