// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/exact-quantiles.h"

#include "ns3/assert.h"
#include "ns3/number-text.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
constexpr uint32_t BINS_PER_OCTAVE{1024};

/// Values up to 2 x BINS_PER_OCTAVE have bins of their own.
std::size_t
FindBin(uint64_t value)
{
    std::size_t octave = 0;
    while (value >= 2 * BINS_PER_OCTAVE)
    {
        value /= 2;
        ++octave;
    }
    return octave * BINS_PER_OCTAVE + value;
}
} // namespace

void
ExactQuantiles::Add(int64_t value)
{
    NS_ASSERT_MSG(value >= 0, "a negative value has no bin");
    const std::size_t bin = FindBin(static_cast<uint64_t>(value));
    if (bin >= m_bins.size())
    {
        m_bins.resize(bin + 1);
    }
    m_bins[bin].push_back(value);
    ++m_count;
    m_sum += static_cast<long double>(value);
}

double
ExactQuantiles::GetMean() const
{
    return static_cast<double>(m_sum) / static_cast<double>(m_count);
}

int64_t
ExactQuantiles::GetPerMille(uint64_t perMille) const
{
    std::size_t before = GetNearestRank(m_count, perMille);
    auto bin = m_bins.begin();
    for (; before >= bin->size(); ++bin)
    {
        before -= bin->size();
    }
    std::vector<int64_t> values = *bin;
    const auto nth = values.begin() + static_cast<std::ptrdiff_t>(before);
    std::nth_element(values.begin(), nth, values.end());
    return *nth;
}

} // namespace ns3::rdma
