// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/median-filter.h"

#include <algorithm>

namespace ns3::rdma
{

void
MedianFilter::Start(uint32_t length)
{
    m_length = length;
    m_next = 0;
    m_values.clear();
    if (length > 1)
    {
        m_values.reserve(length);
        m_ordered.reserve(length);
    }
}

Time
MedianFilter::Add(Time value)
{
    if (m_length == 1)
    {
        return value;
    }
    if (m_values.size() < m_length)
    {
        m_values.push_back(value);
    }
    else
    {
        m_values[m_next] = value;
        m_next = (m_next + 1) % m_length;
    }
    m_ordered.assign(m_values.begin(), m_values.end());
    const auto middle = m_ordered.begin() + static_cast<std::ptrdiff_t>(m_ordered.size() / 2);
    std::nth_element(m_ordered.begin(), middle, m_ordered.end());
    return *middle;
}

} // namespace ns3::rdma
