// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BYTE_CURVE_H
#define RDMA_BYTE_CURVE_H

#include "ns3/tick.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-program
 * @brief Bytes that a thread has counted until a time, from its own measurements.
 *
 * A thread that is notified once per list of messages counts them late and together.  Divided by
 * the time since its measurement before, they are its goodput; the thesis takes these values of all
 * threads and resamples them (chapter 5).  So between two measurements bytes grow linearly.
 */
class ByteCurve
{
  public:
    /// Nothing before time 0. @param when, bytes not below those of the point before
    void Add(Tick when, uint64_t bytes);

    /// @return bytes until then, rounded down; behind the last point: those of that point.
    uint64_t GetAt(Tick when) const;

    /// @return time of the last point; 0: there is none.
    Tick GetLastTime() const
    {
        return m_points.empty() ? 0 : m_points.back().when;
    }

  private:
    struct Point
    {
        Tick when;
        uint64_t bytes;
    };

    std::vector<Point> m_points; ///< In order of time.
};

} // namespace ns3::rdma

#endif // RDMA_BYTE_CURVE_H
