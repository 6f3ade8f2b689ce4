// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/zipfian.h"

#include <algorithm>
#include <cmath>

namespace ns3::rdma
{

Zipfian::Zipfian(uint64_t count, double theta)
    : m_theta(theta),
      m_alpha(1 / (1 - theta)),
      m_zeta2(1 + std::pow(0.5, theta))
{
    Grow(count);
}

void
Zipfian::Grow(uint64_t count)
{
    constexpr uint64_t EXACT{1 << 20};
    constexpr uint64_t LONG{uint64_t{1} << 27}; // The sum of more terms takes seconds.
    const uint64_t end = count > LONG ? std::max(m_count, EXACT) : count;
    while (m_count < end)
    {
        ++m_count;
        m_zeta += std::pow(static_cast<double>(m_count), -m_theta);
    }
    if (m_count < count)
    {
        // The midpoint rule: the error of a term i is below i^-(theta + 2) / 12, of all from EXACT
        // on below 1e-13.
        constexpr double HALF{0.5};
        const auto power = [this](uint64_t i) {
            return std::pow(static_cast<double>(i) + HALF, 1 - m_theta);
        };
        m_zeta += (power(count) - power(m_count)) / (1 - m_theta);
        m_count = count;
    }
    const auto n = static_cast<double>(m_count);
    m_eta = (1 - std::pow(2 / n, 1 - m_theta)) / (1 - m_zeta2 / m_zeta);
}

uint64_t
Zipfian::Get(double uniform) const
{
    const double scaled = uniform * m_zeta;
    if (scaled < 1)
    {
        return 0;
    }
    if (scaled < m_zeta2)
    {
        return std::min<uint64_t>(1, m_count - 1);
    }
    const double place =
        static_cast<double>(m_count) * std::pow(m_eta * uniform - m_eta + 1, m_alpha);
    return std::min(static_cast<uint64_t>(place), m_count - 1);
}

uint64_t
GetYcsbHash(uint64_t number)
{
    uint64_t hash = 0xCBF29CE484222325ULL;
    constexpr uint64_t PRIME{1099511628211ULL};
    for (int i = 0; i < 8; ++i)
    {
        hash = (hash ^ (number & 0xff)) * PRIME;
        number >>= 8;
    }
    const auto value = static_cast<int64_t>(hash);
    return value < 0 ? 0 - hash : hash;
}

} // namespace ns3::rdma
