// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PERCENTILE_H
#define RDMA_PERCENTILE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// @return index of a percentile in a sorted sample, by nearest rank: the smallest value with at
/// least that share of the sample at or below it. @param count above 0
inline std::size_t
GetNearestRank(std::size_t count, uint64_t perMille)
{
    constexpr uint64_t ALL{1000};
    return std::max<std::size_t>((count * perMille + ALL - 1) / ALL, 1) - 1;
}

/// @return the percentile of a sample by nearest rank, hence a value that occurs.
/// @param sample not empty; reordered
template <typename Value>
Value
TakePercentile(std::vector<Value>& sample, uint64_t perMille)
{
    const auto nth =
        sample.begin() + static_cast<std::ptrdiff_t>(GetNearestRank(sample.size(), perMille));
    std::nth_element(sample.begin(), nth, sample.end());
    return *nth;
}

} // namespace ns3::rdma

#endif // RDMA_PERCENTILE_H
