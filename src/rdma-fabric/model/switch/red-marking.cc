// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/red-marking.h"

#include "ns3/type-attributes.h"

#include <typeinfo>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(RedMarking);

namespace
{
/// @return the scaled number. A factor of 1 changes nothing, even for UINT64_MAX (no marking).
uint64_t
Scale(uint64_t bytes, double factor)
{
    constexpr double LIMIT{1e18};
    const double scaled = static_cast<double>(bytes) * factor;
    return factor == 1 || scaled >= LIMIT ? bytes : static_cast<uint64_t>(scaled);
}
} // namespace

TypeId
RedMarking::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<RedMarking, MarkingPolicy>("ns3::rdma::RedMarking", "RdmaFabric")
            .Add("AtEnqueue",
                 Member(&RedMarking::m_isAtEnqueue, false),
                 "Whether a frame is marked by the queue that it finds, else by the queue that it "
                 "leaves behind (false: HPCC simulator family)")
            .Add("ServerScale",
                 Member(&RedMarking::m_serverScale, 1, 0, 1000),
                 "Factor on kmin and kmax of ports that lead to servers (1: as configured)")
            .Add("SwitchScale",
                 Member(&RedMarking::m_switchScale, 1, 0, 1000),
                 "Factor on kmin and kmax of ports that lead to switches (1: as configured)");
    return tid;
}

void
RedMarking::Start(const SwitchView& view, const std::vector<MarkingPort>& ports)
{
    m_markers.clear();
    for (std::size_t number = 0; number < ports.size(); ++number)
    {
        const double factor = view.ports[number].leadsToServer ? m_serverScale : m_switchScale;
        EcnProfile profile = ports[number].profile;
        profile.kminBytes = Scale(profile.kminBytes, factor);
        profile.kmaxBytes = Scale(profile.kmaxBytes, factor);
        m_markers.emplace_back(profile, ports[number].random);
    }
}

MarkingPoint
RedMarking::GetPoint() const
{
    return m_isAtEnqueue ? MarkingPoint::ENQUEUE : MarkingPoint::DEQUEUE;
}

std::optional<DequeueMarkers>
RedMarking::GetDequeueMarkers() const
{
    if (m_isAtEnqueue || typeid(*this) != typeid(RedMarking)) // A subclass has its own rules.
    {
        return std::nullopt;
    }
    return DequeueMarkers{m_markers, false};
}

bool
RedMarking::ShouldMark(const Frame&, const FabricPort& egress, uint64_t queueBytes, Tick)
{
    return m_markers[egress.GetNumber()].ShouldMark(queueBytes);
}

} // namespace ns3::rdma
