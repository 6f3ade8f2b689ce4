// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/entropy-routes.h"

#include "ns3/policy-error.h"

namespace ns3::rdma
{

EntropyRoutes::EntropyRoutes(Ptr<EntropySelector> selector,
                             uint32_t entropy,
                             uint32_t planes,
                             uint32_t peerPorts)
    : m_selector(selector),
      m_entropy(entropy),
      m_peerPorts(peerPorts)
{
    if (m_selector && planes > 1)
    {
        m_planes = std::make_unique<PlaneValues>(planes);
    }
}

inline uint32_t
EntropyRoutes::GetNext(uint64_t inFlightBytes, Tick now)
{
    return CallPolicy(*m_selector, "GetNext()", [&] {
        return m_selector->GetNext(inFlightBytes, ToTime(now));
    });
}

bool
EntropyRoutes::HasRoute(uint32_t plane, uint32_t own, uint64_t inFlightBytes, Tick now)
{
    UpdatePorts(own);
    if (((m_planes->GetUsable() >> plane) & 1) == 0)
    {
        return false;
    }
    for (uint32_t draws = m_planes->GetMostDraws(); draws > 0 && !m_planes->Has(plane); --draws)
    {
        m_planes->Put(GetNext(inFlightBytes, now));
    }
    return m_planes->Has(plane);
}

std::optional<uint32_t>
EntropyRoutes::FindPreferred(uint32_t among, uint32_t own, uint64_t inFlightBytes, Tick now)
{
    UpdatePorts(own);
    among &= m_planes->GetUsable();
    auto oldest = m_planes->FindOldest(among);
    for (uint32_t draws = m_planes->GetMostDraws(); draws > 0 && among != 0 && !oldest; --draws)
    {
        m_planes->Put(GetNext(inFlightBytes, now));
        oldest = m_planes->FindOldest(among);
    }
    return oldest;
}

uint32_t
EntropyRoutes::Choose(uint32_t plane, uint64_t inFlightBytes, Tick now)
{
    if (!m_selector)
    {
        return m_entropy;
    }
    return m_entropy ^
           (m_planes && m_planes->Has(plane) ? m_planes->Take(plane) : GetNext(inFlightBytes, now));
}

void
EntropyRoutes::Signal(uint32_t entropy, RouteSignal signal, Tick now)
{
    if (m_selector)
    {
        CallPolicy(*m_selector, "OnFeedback()", [&] {
            m_selector->OnFeedback(entropy ^ m_entropy, signal, ToTime(now));
        });
    }
}

Tick
EntropyRoutes::GetProbeTime() const
{
    return m_selector ? ToTick(CallPolicy(*m_selector,
                                          "GetProbeTime()",
                                          [&] { return m_selector->GetProbeTime(); }))
                      : TICK_NEVER;
}

std::optional<uint32_t>
EntropyRoutes::TakeProbe(Tick now)
{
    const auto value =
        CallPolicy(*m_selector, "TakeProbe()", [&] { return m_selector->TakeProbe(ToTime(now)); });
    if (GetProbeTime() <= now)
    {
        FailPolicy(*m_selector,
                   "GetProbeTime()",
                   "a time after that of TakeProbe(), " + DescribeTick(now),
                   DescribeTick(GetProbeTime()));
    }
    return value ? std::optional(m_entropy ^ *value) : std::nullopt;
}

void
EntropyRoutes::OnProbeReply(uint32_t entropy, bool isMarked, Tick now)
{
    if (m_selector)
    {
        CallPolicy(*m_selector, "OnProbeReply()", [&] {
            m_selector->OnProbeReply(entropy ^ m_entropy, isMarked, ToTime(now));
        });
    }
}

void
EntropyRoutes::UpdatePorts(uint32_t own)
{
    if (const uint32_t usable = own & m_peerPorts; usable != m_planes->GetUsable())
    {
        m_planes->SetUsable(usable);
        CallPolicy(*m_selector, "OnPorts()", [&] { m_selector->OnPorts(usable); });
    }
}

} // namespace ns3::rdma
