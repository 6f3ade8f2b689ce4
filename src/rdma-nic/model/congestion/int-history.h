// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_INT_HISTORY_H
#define RDMA_INT_HISTORY_H

#include "ns3/int-stack.h"

#include <boost/container/small_vector.hpp>

namespace ns3::rdma
{

/// What a stack is to the last one.
enum class IntStep
{
    LATE,    ///< Of the same path, and overtaken or a copy.
    RESTART, ///< The first one, or of another path: differences have no meaning.
    NEXT,    ///< Of the same path, and later at each hop.
};

/**
 * @ingroup rdma-cc
 * @brief The INT stack of a queue pair's last answer, with which the next one is compared.
 */
class IntHistory
{
  public:
    IntStep Compare(const IntStack& path) const;
    void Remember(const IntStack& path);

    /// @param hop below the number of hops of the last stack
    const IntHop& operator[](uint32_t hop) const
    {
        return m_hops[hop];
    }

  private:
    bool IsLate(const IntStack& path) const;
    bool IsSuccessor(const IntStack& path) const;

    /// Paths of up to 5 hops need no allocation.
    boost::container::small_vector<IntHop, 5> m_hops;
};

} // namespace ns3::rdma

#endif // RDMA_INT_HISTORY_H
