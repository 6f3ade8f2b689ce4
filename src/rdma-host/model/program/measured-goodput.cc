// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/measured-goodput.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
/// @return Gb/s between two measurements. @param after later than before
double
GetRate(const OwnMeasurement& before, const OwnMeasurement& after)
{
    constexpr double GBPS_PER_BYTE_PER_PS{8e3};
    return GBPS_PER_BYTE_PER_PS * static_cast<double>(after.bytes - before.bytes) /
           static_cast<double>(after.at - before.at);
}
} // namespace

MeasuredGoodput::MeasuredGoodput(Tick start, Tick interval, std::size_t intervals)
    : m_start(start),
      m_interval(interval),
      m_bytes(intervals, 0)
{
    NS_ASSERT_MSG(interval > 0, "an interval takes time");
}

void
MeasuredGoodput::Add(const std::vector<OwnMeasurement>& measurements)
{
    const Tick first = measurements.empty() ? 0 : measurements.front().at;
    const Tick last = measurements.empty() ? 0 : measurements.back().at;
    m_from = m_hasThreads ? std::max(m_from, first) : first;
    m_until = m_hasThreads ? std::min(m_until, last) : last;
    m_hasThreads = true;
    for (std::size_t i = 1; i < measurements.size(); ++i)
    {
        const OwnMeasurement& before = measurements[i - 1];
        const OwnMeasurement& after = measurements[i];
        const double perTick = static_cast<double>(after.bytes - before.bytes) /
                               static_cast<double>(after.at - before.at);
        const Tick begin = std::max<Tick>(before.at - m_start, 0);
        const Tick end = std::max<Tick>(after.at - m_start, 0);
        for (auto bin = static_cast<std::size_t>(begin / m_interval);
             bin < m_bytes.size() && static_cast<Tick>(bin) * m_interval < end;
             ++bin)
        {
            const Tick binStart = static_cast<Tick>(bin) * m_interval;
            const Tick shared = std::min(end, binStart + m_interval) - std::max(begin, binStart);
            m_bytes[bin] += perTick * static_cast<double>(shared);
        }
    }
}

std::optional<double>
MeasuredGoodput::GetBytes(std::size_t interval) const
{
    const Tick begin = m_start + static_cast<Tick>(interval) * m_interval;
    if (!m_hasThreads || interval >= m_bytes.size() || begin < m_from ||
        begin + m_interval > m_until)
    {
        return std::nullopt;
    }
    return m_bytes[interval];
}

std::optional<GoodputRange>
FindGoodputRange(const std::vector<OwnMeasurement>& measurements, Tick from, Tick until)
{
    const auto isIn = [&](const OwnMeasurement& one) { return one.at >= from && one.at <= until; };
    const auto first = std::find_if(measurements.begin(), measurements.end(), isIn);
    const auto last = std::find_if(measurements.rbegin(), measurements.rend(), isIn).base();
    if (first == measurements.end() || last - first < 2)
    {
        return std::nullopt;
    }
    GoodputRange range{GetRate(*first, *(first + 1)), 0, GetRate(*first, *(last - 1))};
    for (auto one = first + 1; one != last; ++one)
    {
        const double rate = GetRate(*(one - 1), *one);
        range.least = std::min(range.least, rate);
        range.most = std::max(range.most, rate);
    }
    return range;
}

} // namespace ns3::rdma
