// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/reported-flight.h"

#include "ns3/policy-error.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
constexpr std::size_t FIRST_CAPACITY{64};
}

ReportedFlight::ReportedFlight(Ptr<EntropySelector> selector,
                               uint32_t entropy,
                               uint32_t planes,
                               uint64_t first)
    : m_selector(selector),
      m_entropy(entropy),
      m_first(first),
      m_end(first),
      m_departures(FIRST_CAPACITY),
      m_order(FIRST_CAPACITY),
      m_arrivedEnd(first)
{
    if (m_selector && planes > 1)
    {
        m_planes = std::make_unique<PlaneValues>(planes);
    }
}

inline uint32_t
ReportedFlight::GetNext(uint64_t inFlightBytes, Tick now)
{
    return CallPolicy(*m_selector, "GetNext()", [&] {
        return m_selector->GetNext(inFlightBytes, ToTime(now));
    });
}

bool
ReportedFlight::HasRoute(uint32_t plane, uint32_t own, uint64_t inFlightBytes, Tick now)
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
ReportedFlight::FindPreferred(uint32_t among, uint32_t own, uint64_t inFlightBytes, Tick now)
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
ReportedFlight::ChooseEntropy(uint32_t plane, uint64_t inFlightBytes, Tick now)
{
    if (!m_selector)
    {
        return m_entropy;
    }
    // An exclusive or can be undone: answers return the combined value.
    return m_entropy ^
           (m_planes && m_planes->Has(plane) ? m_planes->Take(plane) : GetNext(inFlightBytes, now));
}

void
ReportedFlight::Signal(uint32_t entropy, RouteSignal signal, Tick now)
{
    if (m_selector)
    {
        CallPolicy(*m_selector, "OnFeedback()", [&] {
            m_selector->OnFeedback(entropy ^ m_entropy, signal, ToTime(now));
        });
    }
}

void
ReportedFlight::Signal(uint64_t number, RouteSignal signal, Tick now)
{
    m_counts.lost += signal == RouteSignal::LOST;
    m_counts.timedOut += signal == RouteSignal::TIMEOUT;
    Signal(Get(number).entropy, signal, now);
}

Tick
ReportedFlight::GetProbeTime() const
{
    return m_selector ? ToTick(CallPolicy(*m_selector,
                                          "GetProbeTime()",
                                          [&] { return m_selector->GetProbeTime(); }))
                      : TICK_NEVER;
}

std::optional<uint32_t>
ReportedFlight::TakeProbe(Tick now)
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
ReportedFlight::OnProbeReply(uint32_t entropy, bool isMarked, Tick now)
{
    if (m_selector)
    {
        CallPolicy(*m_selector, "OnProbeReply()", [&] {
            m_selector->OnProbeReply(entropy ^ m_entropy, isMarked, ToTime(now));
        });
    }
}

void
ReportedFlight::UpdatePorts(uint32_t own)
{
    if (const uint32_t usable = own & m_peerPorts; usable != m_planes->GetUsable())
    {
        m_planes->SetUsable(usable);
        CallPolicy(*m_selector, "OnPorts()", [&] { m_selector->OnPorts(usable); });
    }
}

void
ReportedFlight::Reserve(uint64_t unacked, uint64_t end)
{
    for (; m_first < unacked; ++m_first)
    {
        if (m_first < m_end)
        {
            Leave(Get(m_first));
        }
    }
    std::size_t size = m_departures.size();
    if (end - m_first <= size)
    {
        return;
    }
    while (size < end - m_first)
    {
        size *= 2;
    }
    std::vector<Departure> larger(size);
    for (uint64_t number = m_first; number < m_end; ++number)
    {
        larger[number & (larger.size() - 1)] = Get(number);
    }
    m_departures = std::move(larger);
}

void
ReportedFlight::OnSent(uint64_t number,
                       uint64_t unacked,
                       const Departure& latest,
                       uint32_t creditTarget)
{
    if (m_credit)
    {
        m_credit->OnSent(latest.wireBytes, creditTarget);
    }
    if (number < unacked)
    {
        return;
    }
    Reserve(unacked, number + 1);
    Departure& departure = Get(number);
    const bool isNew = number >= m_end;
    // A request for a READ response takes several numbers; those between are never in flight.
    for (; m_end < number; ++m_end)
    {
        Get(m_end) = {};
    }
    m_end = std::max(m_end, number + 1);
    constexpr uint32_t MOST{127};
    const uint32_t transmissions = isNew ? 0 : departure.transmissions;
    const uint8_t expiries = isNew ? 0 : departure.expiries;
    Leave(departure);
    departure = latest;
    departure.expiries = expiries;
    departure.transmissions = static_cast<uint8_t>(std::min(transmissions + 1, MOST));
    departure.isOut = true;
    m_asking += departure.asksForAck;
    departure.wireBytes = number < m_arrivedEnd ? 0 : latest.wireBytes;
    m_bytes += departure.wireBytes;
    Append(number, latest.time);
}

inline void
ReportedFlight::Append(uint64_t number, Tick time)
{
    if (m_order.full())
    {
        FindOldest();
        if (m_order.full())
        {
            m_order.set_capacity(2 * m_order.capacity());
        }
    }
    m_order.push_back({number, time});
}

void
ReportedFlight::Restart(uint64_t number, Tick now)
{
    Get(number).time = now;
    Append(number, now);
}

const Departure*
ReportedFlight::FindOut(uint64_t number) const
{
    return number >= m_first && number < m_end && Get(number).isOut ? &Get(number) : nullptr;
}

void
ReportedFlight::OnArrived(uint64_t number)
{
    if (number >= m_first && number < m_end)
    {
        Leave(Get(number));
    }
}

void
ReportedFlight::OnArrivedBefore(uint64_t number, bool isCounted)
{
    for (; m_first < std::min(number, m_end); ++m_first)
    {
        EndFlight(Get(m_first), isCounted);
    }
}

inline void
ReportedFlight::EndFlight(Departure& departure, bool isCounted)
{
    if (departure.isOut && !isCounted)
    {
        m_bytes -= departure.wireBytes;
        m_early += departure.wireBytes;
    }
    Leave(departure);
}

void
ReportedFlight::OnArrivedUnanswered(uint64_t number, bool isCounted)
{
    for (uint64_t arrived = std::max(m_first, m_arrivedEnd); arrived < std::min(number, m_end);
         ++arrived)
    {
        EndFlight(Get(arrived), isCounted);
    }
    m_arrivedEnd = std::max(m_arrivedEnd, number);
}

uint32_t
ReportedFlight::OnLost(uint64_t number)
{
    if (!FindOut(number))
    {
        return 0;
    }
    Departure& departure = Get(number);
    Leave(departure);
    m_bytes -= departure.wireBytes;
    return departure.wireBytes;
}

void
ReportedFlight::OnArrivedAfterAll(uint64_t number, bool isCounted)
{
    const uint32_t bytes = Get(number).wireBytes;
    if (isCounted)
    {
        m_bytes += bytes;
    }
    else
    {
        m_early += bytes;
    }
}

uint32_t
ReportedFlight::OnCounter(uint32_t counter)
{
    const auto growth = static_cast<int32_t>(counter - m_counter);
    if (growth <= 0)
    {
        return 0; // An older report, overtaken by a newer one.
    }
    m_counter = counter;
    const auto grown = static_cast<uint32_t>(growth);
    const uint64_t early = std::min<uint64_t>(m_early, grown);
    m_early -= early;
    m_bytes -= static_cast<int64_t>(grown - early);
    return grown;
}

void
ReportedFlight::CountExpiry(uint64_t number)
{
    constexpr uint8_t MOST{127};
    Departure& departure = Get(number);
    departure.expiries = std::min<uint8_t>(departure.expiries + 1, MOST);
}

std::optional<uint64_t>
ReportedFlight::FindOldest()
{
    while (!m_order.empty())
    {
        const Transmission& oldest = m_order.front();
        const Departure* departure = FindOut(oldest.number);
        if (departure && departure->time == oldest.time)
        {
            return oldest.number;
        }
        m_order.pop_front();
    }
    return std::nullopt;
}

} // namespace ns3::rdma
