// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/int-history.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace ns3::rdma
{

bool
IntHistory::IsLate(const IntStack& path) const
{
    const auto isSamePort = [](const IntHop& now, const IntHop& old) {
        return now.bitRate == old.bitRate;
    };
    const auto isNotLater = [](const IntHop& now, const IntHop& old) { return now.at <= old.at; };
    return path.GetCount() == m_hops.size() &&
           std::equal(path.begin(), path.end(), m_hops.begin(), isSamePort) &&
           std::inner_product(path.begin(),
                              path.end(),
                              m_hops.begin(),
                              false,
                              std::logical_or<>(),
                              isNotLater);
}

bool
IntHistory::IsSuccessor(const IntStack& path) const
{
    // False on another path.
    return path.GetCount() == m_hops.size() &&
           std::equal(path.begin(),
                      path.end(),
                      m_hops.begin(),
                      [](const IntHop& now, const IntHop& old) {
                          return now.at > old.at && now.sentBytes >= old.sentBytes &&
                                 now.bitRate == old.bitRate;
                      });
}

IntStep
IntHistory::Compare(const IntStack& path) const
{
    if (IsLate(path))
    {
        return IntStep::LATE;
    }
    return IsSuccessor(path) ? IntStep::NEXT : IntStep::RESTART;
}

void
IntHistory::Remember(const IntStack& path)
{
    m_hops.assign(path.begin(), path.end());
}

} // namespace ns3::rdma
