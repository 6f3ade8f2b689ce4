// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/link-impairment.h"

#include "ns3/type-attributes.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(LinkImpairment);

TypeId
LinkImpairment::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<LinkImpairment, LossModel>("ns3::rdma::LinkImpairment", "RdmaFabric")
            .Add("LossRate",
                 Member(&LinkImpairment::m_lossRate, 0, 0, 1),
                 "Probability that a frame is lost")
            .Add("DuplicateRate",
                 Member(&LinkImpairment::m_duplicateRate, 0, 0, 1),
                 "Probability that a frame which is not lost arrives twice")
            .Add("ReorderRate",
                 Member(&LinkImpairment::m_reorderRate, 0, 0, 1),
                 "Probability that an arrival is delayed")
            .Add("MaxExtraDelay",
                 Member(&LinkImpairment::m_maxExtraDelay, MicroSeconds(10), Time(0), Seconds(1)),
                 "Upper end of the delay of a delayed arrival, uniform from 0 (10 us is ours: a "
                 "hundred full frames at 100 Gb/s)");
    return tid;
}

bool
LinkImpairment::IsLost(const Frame&)
{
    return m_random.NextDouble() < m_lossRate;
}

FrameImpairment
LinkImpairment::GetImpairment(const Frame& frame)
{
    FrameImpairment impairment;
    if (IsLost(frame))
    {
        impairment.arrivals = 0;
        return impairment;
    }
    if (frame.flags & frame_flag::MAC_CONTROL)
    {
        return impairment;
    }
    impairment.arrivals = m_random.NextDouble() < m_duplicateRate ? 2 : 1;
    for (uint32_t arrival = 0; arrival < impairment.arrivals; ++arrival)
    {
        impairment.extraDelays[arrival] = DrawDelay();
    }
    return impairment;
}

Tick
LinkImpairment::DrawDelay()
{
    if (m_random.NextDouble() >= m_reorderRate)
    {
        return 0;
    }
    return static_cast<Tick>(m_random.NextDouble() * static_cast<double>(ToTick(m_maxExtraDelay)));
}

} // namespace ns3::rdma
