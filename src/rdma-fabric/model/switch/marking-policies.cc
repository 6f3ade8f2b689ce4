// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/marking-policies.h"

#include "ns3/bdp-share.h"
#include "ns3/type-attributes.h"

#include <algorithm>
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

NS_OBJECT_ENSURE_REGISTERED(RoleMarking);

TypeId
RoleMarking::GetTypeId()
{
    using Self = RoleMarking;
    constexpr uint64_t MOST_BYTES{UINT32_MAX}; // Ports count queues in 32 bits.
    static TypeId tid =
        TypeAttributes::Of<Self, MarkingPolicy>("ns3::rdma::RoleMarking", "RdmaFabric")
            .Add("MinShare",
                 Member(&Self::m_minShare, 0.2, 0, MOST_BDPS),
                 "Queue up to which no frame is marked, bandwidth-delay products in whole packets "
                 "(0.2: uet-htsim; Ultra Ethernet 1.0.3, section 3.6.17)")
            .Add("MaxShare",
                 Member(&Self::m_maxShare, 0.8, 0, MOST_BDPS),
                 "Queue from which all frames are marked, bandwidth-delay products in whole "
                 "packets; not below MinShare (0.8: uet-htsim; Ultra Ethernet 1.0.3; one threshold "
                 "there: 0.5)")
            .Add("MinBytes",
                 Member(&Self::m_minBytes, 0, 0, MOST_BYTES),
                 "The same as MinShare in bytes (0: MinShare holds)")
            .Add("MaxBytes",
                 Member(&Self::m_maxBytes, 0, 0, MOST_BYTES),
                 "The same as MaxShare in bytes (0: MaxShare holds)")
            .Add("ServerPorts",
                 Member(&Self::m_marksToServers, true),
                 "Whether ports that lead to servers mark (false with receiver credits: Ultra "
                 "Ethernet 1.0.3, section 3.6.14; false for MRC)")
            .Add("SwitchPorts",
                 Member(&Self::m_marksToSwitches, true),
                 "Whether ports that lead to switches mark")
            .Add("BaseRtt",
                 Member(&Self::m_baseRtt, "0s", 0, MOST_BASE_RTT),
                 "Round trip of the bandwidth-delay product (0: longest of the empty fabric)");
    return tid;
}

EcnProfile
RoleMarking::MakeProfile(const SwitchView& view, const FabricPort& port) const
{
    const Tick baseRtt = m_baseRtt > 0 ? m_baseRtt : view.scale.baseRtt;
    const auto choose = [&](uint64_t bytes, double share) {
        return bytes > 0 ? ReduceToRate(bytes, port)
                         : GetBdpShare(port, view.scale, share, baseRtt);
    };
    const uint64_t least = choose(m_minBytes, m_minShare);
    const uint64_t most = choose(m_maxBytes, m_maxShare);
    return {least, std::max(least, most), 1};
}

void
RoleMarking::Start(const SwitchView& view, const std::vector<MarkingPort>& ports)
{
    m_markers.clear();
    for (std::size_t number = 0; number < ports.size(); ++number)
    {
        const SwitchPortView& port = view.ports[number];
        const bool isOff = ports[number].profile.kminBytes == UINT64_MAX;
        const bool marks = !isOff && (port.leadsToServer ? m_marksToServers : m_marksToSwitches);
        m_markers.push_back(marks ? EcnMarker(MakeProfile(view, *port.port), ports[number].random)
                                  : EcnMarker());
    }
}

MarkingPoint
RoleMarking::GetPoint() const
{
    return MarkingPoint::DEQUEUE;
}

std::optional<DequeueMarkers>
RoleMarking::GetDequeueMarkers() const
{
    if (typeid(*this) != typeid(RoleMarking)) // A subclass has its own rules.
    {
        return std::nullopt;
    }
    return DequeueMarkers{m_markers, true};
}

bool
RoleMarking::ShouldMark(const Frame& frame, const FabricPort& egress, uint64_t queueBytes, Tick)
{
    return frame.payloadBytes > 0 && m_markers[egress.GetNumber()].ShouldMark(queueBytes);
}

} // namespace ns3::rdma
