// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FETCH_LINES_H
#define RDMA_FETCH_LINES_H

#include <cstddef>

namespace ns3::rdma
{

/// Starts loading so many cache lines, of any memory: with thousands of queue pairs each is a wait
/// of its own unless they are waited for together.  In line: g++ drops calls that only prefetch.
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
