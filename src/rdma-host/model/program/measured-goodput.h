// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MEASURED_GOODPUT_H
#define RDMA_MEASURED_GOODPUT_H

#include "ns3/self-measurement.h"

#include <optional>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-program
 * @brief The goodput that threads measure themselves, resampled at equal intervals.
 *
 * A thread's measurements are as far apart as its wake-ups permit.  The bytes between two of them
 * are spread evenly over the time between them (the thesis' chapter 5 resamples at 10 ms).
 */
class MeasuredGoodput
{
  public:
    /// @param start of the first interval; @param interval above 0; @param intervals number
    MeasuredGoodput(Tick start, Tick interval, std::size_t intervals);

    /// Adds all measurements of a thread.
    void Add(const std::vector<OwnMeasurement>& measurements);

    /// @return the bytes of all threads in an interval; unset if a thread has not measured from its
    /// start to its end, or if there is no thread
    std::optional<double> GetBytes(std::size_t interval) const;

  private:
    Tick m_start;
    Tick m_interval;
    std::vector<double> m_bytes; ///< By interval.
    Tick m_from{0};              ///< The latest first measurement of a thread.
    Tick m_until{0};             ///< The earliest last measurement of a thread.
    bool m_hasThreads{false};
};

/// Least and most Gb/s between two successive measurements of a thread.
struct GoodputRange
{
    double least{0};
    double most{0};
    double mean{0}; ///< Between the first and the last measurement.
};

/// @param from, until: other measurements are left out
/// @return unset if fewer than two remain
std::optional<GoodputRange> FindGoodputRange(const std::vector<OwnMeasurement>& measurements,
                                             Tick from,
                                             Tick until);

} // namespace ns3::rdma

#endif // RDMA_MEASURED_GOODPUT_H
