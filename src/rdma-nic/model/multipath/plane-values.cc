// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/plane-values.h"

#include <algorithm>

namespace ns3::rdma
{

PlaneValues::PlaneValues(uint32_t planes)
    : m_values(std::size_t{planes} * MOST),
      m_order(std::size_t{planes} * MOST),
      m_counts(planes),
      m_usable(static_cast<uint32_t>((uint64_t{1} << planes) - 1))
{
}

void
PlaneValues::SetUsable(uint32_t usable)
{
    m_usable = usable;
    std::fill(m_counts.begin(), m_counts.end(), uint8_t{0});
}

uint32_t
PlaneValues::GetPlane(uint32_t value) const
{
    const auto planes = static_cast<uint32_t>(m_counts.size());
    uint32_t plane = value % planes;
    for (uint32_t tried = 0; tried < planes && ((m_usable >> plane) & 1) == 0; ++tried)
    {
        plane = (plane + 1) % planes;
    }
    return plane;
}

uint32_t
PlaneValues::Take(uint32_t plane)
{
    const auto first = m_values.begin() + plane * MOST;
    const auto firstNumber = m_order.begin() + plane * MOST;
    const uint32_t value = *first;
    std::copy(first + 1, first + m_counts[plane], first);
    std::copy(firstNumber + 1, firstNumber + m_counts[plane], firstNumber);
    --m_counts[plane];
    return value;
}

std::optional<uint32_t>
PlaneValues::FindOldest(uint32_t planes) const
{
    std::optional<uint32_t> oldest;
    for (uint32_t plane = 0; plane < m_counts.size(); ++plane)
    {
        const bool isMeant = (planes >> plane) & 1 && m_counts[plane] > 0;
        if (isMeant && (!oldest || m_order[plane * MOST] < m_order[*oldest * MOST]))
        {
            oldest = plane;
        }
    }
    return oldest;
}

uint32_t
PlaneValues::Put(uint32_t value)
{
    const uint32_t plane = GetPlane(value);
    if (m_counts[plane] < MOST)
    {
        m_order[plane * MOST + m_counts[plane]] = m_named++;
        m_values[plane * MOST + m_counts[plane]++] = value;
    }
    return plane;
}

} // namespace ns3::rdma
