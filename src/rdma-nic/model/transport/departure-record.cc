// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/departure-record.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
constexpr std::size_t FIRST_CAPACITY{64};
}

DepartureRecord::DepartureRecord(uint64_t first)
    : m_first(first),
      m_end(first),
      m_departures(FIRST_CAPACITY),
      m_order(FIRST_CAPACITY),
      m_arrivedEnd(first)
{
}

void
DepartureRecord::Reserve(uint64_t unacked, uint64_t end)
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
DepartureRecord::OnSent(uint64_t number, uint64_t unacked, const Departure& latest)
{
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
DepartureRecord::Append(uint64_t number, Tick time)
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
DepartureRecord::Restart(uint64_t number, Tick now)
{
    Get(number).time = now;
    Append(number, now);
}

const Departure*
DepartureRecord::FindOut(uint64_t number) const
{
    return number >= m_first && number < m_end && Get(number).isOut ? &Get(number) : nullptr;
}

void
DepartureRecord::OnArrived(uint64_t number)
{
    if (number >= m_first && number < m_end)
    {
        Leave(Get(number));
    }
}

void
DepartureRecord::OnArrivedBefore(uint64_t number, bool isCounted)
{
    for (; m_first < std::min(number, m_end); ++m_first)
    {
        EndFlight(Get(m_first), isCounted);
    }
}

inline void
DepartureRecord::EndFlight(Departure& departure, bool isCounted)
{
    if (departure.isOut && !isCounted)
    {
        m_bytes -= departure.wireBytes;
        m_early += departure.wireBytes;
    }
    Leave(departure);
}

void
DepartureRecord::OnArrivedUnanswered(uint64_t number, bool isCounted)
{
    for (uint64_t arrived = std::max(m_first, m_arrivedEnd); arrived < std::min(number, m_end);
         ++arrived)
    {
        EndFlight(Get(arrived), isCounted);
    }
    m_arrivedEnd = std::max(m_arrivedEnd, number);
}

uint32_t
DepartureRecord::OnLost(uint64_t number)
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
DepartureRecord::OnArrivedAfterAll(uint64_t number, bool isCounted)
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
DepartureRecord::OnCounter(uint32_t counter)
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
DepartureRecord::CountExpiry(uint64_t number)
{
    constexpr uint8_t MOST{127};
    Departure& departure = Get(number);
    departure.expiries = std::min<uint8_t>(departure.expiries + 1, MOST);
}

std::optional<uint64_t>
DepartureRecord::FindOldest()
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
