// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/work-time.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ns3::rdma
{

namespace
{
constexpr double MOST_MEANS{1000};
constexpr double MOST_PS{1e18};      ///< 1,000,000 s, the longest time of a scenario.
constexpr double MOST_VARIATION{10}; ///< Of a lognormal distribution.
constexpr double MOST_UNIFORM{
    0.57735}; ///< 1 / sqrt(3), rounded down: its lower end is not below 0.
} // namespace

void
WorkTime::Visit(Keys& keys)
{
    static constexpr std::array<std::pair<const char*, Distribution>, 4> DISTRIBUTIONS{
        {{"constant", Distribution::CONSTANT},
         {"uniform", Distribution::UNIFORM},
         {"exponential", Distribution::EXPONENTIAL},
         {"lognormal", Distribution::LOGNORMAL}}};
    keys.Time("time", m_mean, "mean time of a rank").Positive().Required();
    keys.Choice("distribution", m_distribution, DISTRIBUTIONS, "of the time of each rank");
    const bool isUniform = m_distribution == Distribution::UNIFORM;
    const bool isVaried = isUniform || m_distribution == Distribution::LOGNORMAL;
    keys.Number("variation",
                m_variation,
                "standard deviation over mean; at most 0.57735 if uniform")
        .Between(0.0, isUniform ? MOST_UNIFORM : MOST_VARIATION)
        .RequiredIf(isVaried)
        .OnlyIf(isVaried, "no such key unless distribution is \"uniform\" or \"lognormal\"");
}

double
WorkTime::DrawFactor(RandomStream& stream) const
{
    switch (m_distribution)
    {
    case Distribution::UNIFORM:
        return 1 + m_variation * std::sqrt(3.0) * (2 * stream.NextDouble() - 1);
    case Distribution::EXPONENTIAL:
        return -std::log(1 - stream.NextDouble());
    case Distribution::LOGNORMAL: {
        // A standard normal number (Box and Muller 1958).
        const double radius = std::sqrt(-2 * std::log(1 - stream.NextDouble()));
        const double normal = radius * std::cos(2 * M_PI * stream.NextDouble());
        const double variance = std::log(1 + m_variation * m_variation);
        return std::exp(std::sqrt(variance) * normal - variance / 2);
    }
    default:
        return 1;
    }
}

Tick
WorkTime::Draw(RandomStream& stream) const
{
    const double factor = std::clamp(DrawFactor(stream), 0.0, MOST_MEANS);
    if (factor == 1)
    {
        return ToTick(m_mean); // Exact, as a constant is.
    }
    const double ps = factor * static_cast<double>(ToTick(m_mean));
    return static_cast<Tick>(std::llround(std::min(ps, MOST_PS)));
}

Tick
WorkTime::GetMost() const
{
    if (m_distribution == Distribution::CONSTANT)
    {
        return ToTick(m_mean);
    }
    const double ps = MOST_MEANS * static_cast<double>(ToTick(m_mean));
    return static_cast<Tick>(std::min(ps, MOST_PS));
}

} // namespace ns3::rdma
