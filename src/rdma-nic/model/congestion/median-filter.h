// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MEDIAN_FILTER_H
#define RDMA_MEDIAN_FILTER_H

#include "ns3/nstime.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-cc
 * @brief Median of the last values; of an even number, the larger of the two in the middle.
 *
 * Needs no memory for a length of 1, where the median is the newest value.
 */
class MedianFilter
{
  public:
    /// Forgets all values. @param length at least 1
    void Start(uint32_t length);

    /// @return the median of this value and the ones before it, at most length.
    Time Add(Time value);

  private:
    uint32_t m_length{1};
    uint32_t m_next{0};          ///< Place of the next value.
    std::vector<Time> m_values;  ///< A ring once it has m_length values.
    std::vector<Time> m_ordered; ///< Work space.
};

} // namespace ns3::rdma

#endif // RDMA_MEDIAN_FILTER_H
