// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FETCH_LINES_H
#define RDMA_FETCH_LINES_H

#include <cstddef>

namespace ns3::rdma
{

/// Prefetches consecutive cache lines, so that their misses overlap.  Always inlined: g++ removes
/// calls of functions that only prefetch.
template <std::size_t LINES>
[[gnu::always_inline]] inline void
FetchLines(const void* memory)
{
    constexpr std::size_t LINE{64};
    for (std::size_t line = 0; line < LINES; ++line)
    {
        __builtin_prefetch(static_cast<const char*>(memory) + line * LINE);
    }
}

} // namespace ns3::rdma

#endif // RDMA_FETCH_LINES_H
