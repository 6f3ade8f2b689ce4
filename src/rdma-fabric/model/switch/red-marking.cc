// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/red-marking.h"

#include "ns3/boolean.h"
#include "ns3/double.h"

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
        TypeId("ns3::rdma::RedMarking")
            .SetParent<MarkingPolicy>()
            .SetGroupName("RdmaFabric")
            .AddConstructor<RedMarking>()
            .AddAttribute("AtEnqueue",
                          "Whether a frame is marked by the queue that it finds, else by the queue "
                          "that it leaves behind (false: HPCC simulator family)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RedMarking::m_isAtEnqueue),
                          MakeBooleanChecker())
            .AddAttribute(
                "ServerScale",
                "Factor on kmin and kmax of ports that lead to servers (1: as configured)",
                DoubleValue(1),
                MakeDoubleAccessor(&RedMarking::m_serverScale),
                MakeDoubleChecker<double>(0, 1000))
            .AddAttribute("SwitchScale",
                          "The same of ports that lead to switches",
                          DoubleValue(1),
                          MakeDoubleAccessor(&RedMarking::m_switchScale),
                          MakeDoubleChecker<double>(0, 1000));
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

bool
RedMarking::ShouldMark(const Frame&, const FabricPort& egress, uint64_t queueBytes, Tick)
{
    return m_markers[egress.GetNumber()].ShouldMark(queueBytes);
}

} // namespace ns3::rdma
