// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/byte-curve.h"

#include "ns3/assert.h"
#include "ns3/wide-integer.h"

#include <algorithm>

namespace ns3::rdma
{

void
ByteCurve::Add(Tick when, uint64_t bytes)
{
    NS_ASSERT_MSG(when >= GetLastTime() && (m_points.empty() || bytes >= m_points.back().bytes),
                  "points come in order");
    m_points.push_back({when, bytes});
}

uint64_t
ByteCurve::GetAt(Tick when) const
{
    const auto after =
        std::upper_bound(m_points.begin(), m_points.end(), when, [](Tick time, const Point& point) {
            return time < point.when;
        });
    if (after == m_points.end())
    {
        return m_points.empty() ? 0 : m_points.back().bytes;
    }
    const Point before = after == m_points.begin() ? Point{0, 0} : *(after - 1);
    const auto share = static_cast<Uint128>(after->bytes - before.bytes) *
                       static_cast<uint64_t>(std::max<Tick>(when - before.when, 0));
    return before.bytes +
           static_cast<uint64_t>(share / static_cast<uint64_t>(after->when - before.when));
}

} // namespace ns3::rdma
