// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/key-distribution.h"

#include <algorithm>
#include <cmath>

namespace ns3::rdma
{

KeyDistribution::KeyDistribution(uint64_t keys, double exponent)
    : m_keys(keys)
{
    if (exponent == 0)
    {
        return;
    }
    double sum = 0;
    m_sums.reserve(keys);
    for (uint64_t key = 0; key < keys; ++key)
    {
        sum += std::pow(static_cast<double>(key + 1), -exponent);
        m_sums.push_back(sum);
    }
    for (double& one : m_sums)
    {
        one /= sum;
    }
}

uint64_t
KeyDistribution::Draw(RandomStream& random) const
{
    const double number = random.NextDouble();
    if (m_sums.empty())
    {
        return std::min(static_cast<uint64_t>(number * static_cast<double>(m_keys)), m_keys - 1);
    }
    const auto found = std::upper_bound(m_sums.begin(), m_sums.end(), number);
    return std::min(static_cast<uint64_t>(found - m_sums.begin()), m_keys - 1);
}

double
KeyDistribution::GetProbability(uint64_t key) const
{
    if (m_sums.empty())
    {
        return 1.0 / static_cast<double>(m_keys);
    }
    return m_sums[key] - (key == 0 ? 0 : m_sums[key - 1]);
}

} // namespace ns3::rdma
