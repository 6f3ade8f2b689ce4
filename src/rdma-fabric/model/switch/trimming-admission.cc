// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/trimming-admission.h"

#include "ns3/bdp-share.h"
#include "ns3/type-attributes.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(TrimmingAdmission);

TypeId
TrimmingAdmission::GetTypeId()
{
    using Self = TrimmingAdmission;
    constexpr uint64_t MOST_BYTES{UINT32_MAX}; // Ports count queues in 32 bits.
    static TypeId tid =
        TypeAttributes::Of<Self, AdmissionPolicy>("ns3::rdma::TrimmingAdmission", "RdmaFabric")
            .Add("ServerLimit",
                 Member(&Self::m_serverLimit, 1, 0, MOST_BDPS),
                 "Data that a queue towards a server may hold, bandwidth-delay products in whole "
                 "packets (1: uet-htsim; Ultra Ethernet 1.0.3, section 3.6.17: 1.5, and 2 to 5 "
                 "without trimming)")
            .Add("SwitchLimit",
                 Member(&Self::m_switchLimit, 1, 0, MOST_BDPS),
                 "The same towards a switch (1: uet-htsim; Ultra Ethernet 1.0.3, section 3.6.17)")
            .Add("ServerLimitBytes",
                 Member(&Self::m_serverLimitBytes, 0, 0, MOST_BYTES),
                 "The same as ServerLimit in bytes (0: ServerLimit holds)")
            .Add("SwitchLimitBytes",
                 Member(&Self::m_switchLimitBytes, 0, 0, MOST_BYTES),
                 "The same as SwitchLimit in bytes (0: SwitchLimit holds)")
            .Add("HeadersOnlyLimit",
                 Member(&Self::m_headersOnlyLimit, 2, 0, MOST_BDPS),
                 "Factor on the data limit: bytes that a queue may hold when a frame without "
                 "payload arrives (2: uet-htsim; Ultra Ethernet 1.0.3: 1 bandwidth-delay product)")
            .Add("NewestShare",
                 Member(&Self::m_newestShare, 0.5, 0, 1),
                 "Probability that the newest queued packet is trimmed instead of the arriving one "
                 "(0.5: NDP, section 3.1, and uet-htsim)")
            .Add("Trimming",
                 Member(&Self::m_isTrimming, true),
                 "Whether payloads are removed, else the same packets are dropped")
            .Add(
                "Priorities",
                Member(&Self::m_priorities, 0xff),
                "Bit mask of the priorities whose data is trimmed; others have the shared buffer's "
                "limits only (255: all; Ultra Ethernet leaves the DSCP to the operator)")
            .Add("BaseRtt",
                 Member(&Self::m_baseRtt, "0s", 0, MOST_BASE_RTT),
                 "Round trip of the bandwidth-delay product (0: longest of the empty fabric)");
    return tid;
}

void
TrimmingAdmission::Start(const SwitchView& view)
{
    m_random = RandomStream(view.seed, 0);
    const Tick baseRtt = m_baseRtt > 0 ? m_baseRtt : view.scale.baseRtt;
    m_limits.clear();
    for (const SwitchPortView& port : view.ports)
    {
        const uint64_t bytes = port.leadsToServer ? m_serverLimitBytes : m_switchLimitBytes;
        const double share = port.leadsToServer ? m_serverLimit : m_switchLimit;
        const uint64_t data = bytes > 0 ? ReduceToRate(bytes, *port.port)
                                        : GetBdpShare(*port.port, view.scale, share, baseRtt);
        m_limits.push_back(
            {data, static_cast<uint64_t>(m_headersOnlyLimit * static_cast<double>(data))});
    }
}

Admission
TrimmingAdmission::Decide(const ArrivedFrame& arrived, Tick now)
{
    const Frame& frame = arrived.frame;
    if (frame.opcode == OPAQUE_OPCODE || arrived.egress.IsFree(frame.priority))
    {
        return Admission::QUEUE;
    }
    if (frame.payloadBytes == 0)
    {
        return HasRoomForTrimmed(arrived, now) ? Admission::QUEUE : Admission::DROP;
    }
    if (((m_priorities >> frame.priority) & 1) == 0)
    {
        return Admission::QUEUE;
    }
    const uint64_t queued = arrived.egress.GetQueueBytes(frame.priority);
    if (arrived.hasRoom && queued + frame.wireBytes <= m_limits[arrived.egress.GetNumber()].data)
    {
        return Admission::QUEUE;
    }
    if (IsNewestChosen(arrived))
    {
        return m_isTrimming ? Admission::TRIM_NEWEST : Admission::DROP_NEWEST;
    }
    return m_isTrimming ? Admission::TRIM : Admission::DROP;
}

bool
TrimmingAdmission::NeedsFree() const
{
    return false; // Decide() would queue them.
}

bool
TrimmingAdmission::HasRoomForTrimmed(const ArrivedFrame& trimmed, Tick)
{
    const Frame& frame = trimmed.frame;
    const uint64_t queued = trimmed.egress.GetQueueBytes(frame.priority);
    return trimmed.egress.IsFree(frame.priority) ||
           queued + frame.wireBytes <= m_limits[trimmed.egress.GetNumber()].headersOnly;
}

bool
TrimmingAdmission::IsNewestChosen(const ArrivedFrame& arrived)
{
    if (!arrived.hasRoom || m_newestShare == 0)
    {
        return false;
    }
    return m_newestShare == 1 || m_random.NextDouble() < m_newestShare;
}

} // namespace ns3::rdma
