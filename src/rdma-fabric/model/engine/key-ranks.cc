// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/key-ranks.h"

// The loader chooses the version for the processor.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) &&                            \
    !defined(__SANITIZE_ADDRESS__)
#define RDMA_WITH_AVX2 [[gnu::target_clones("avx2", "default")]]
#else
#define RDMA_WITH_AVX2
#endif

namespace ns3::rdma
{

namespace
{
/// As many keys as a register of AVX2 holds; elsewhere the compiler uses two registers.
using WideVector [[gnu::vector_size(8 * sizeof(int32_t))]] = int32_t;
constexpr uint32_t WIDE_LANES{8};
} // namespace

/// Computes the ranks of some adjacent groups of WIDE_LANES keys.
template <std::size_t... GROUPS>
[[gnu::always_inline]] inline void
KeyRanks::ComputeGroups(uint32_t first, uint32_t count, std::index_sequence<GROUPS...>)
{
    WideVector keys[sizeof...(GROUPS)];
    (std::memcpy(&keys[GROUPS], &m_keys[first + GROUPS * WIDE_LANES], sizeof(WideVector)), ...);
    WideVector ranks[sizeof...(GROUPS)] = {};
    for (uint32_t number = 0; number < count; ++number)
    {
        const WideVector other = m_keys[number] - WideVector{};
        ((ranks[GROUPS] -= other < keys[GROUPS]), ...); // True is -1.
    }
    (std::memcpy(&m_ranks[first + GROUPS * WIDE_LANES], &ranks[GROUPS], sizeof(WideVector)), ...);
}

RDMA_WITH_AVX2 void
KeyRanks::Compute(uint32_t count)
{
    switch ((count - 1) / WIDE_LANES)
    {
    case 0:
        ComputeGroups(0, count, std::make_index_sequence<1>());
        return;
    case 1:
        ComputeGroups(0, count, std::make_index_sequence<2>());
        return;
    case 2:
        ComputeGroups(0, count, std::make_index_sequence<3>());
        return;
    default:
        break;
    }
    constexpr uint32_t AT_ONCE{4};
    for (uint32_t first = 0; first < count; first += AT_ONCE * WIDE_LANES)
    {
        ComputeGroups(first, count, std::make_index_sequence<AT_ONCE>());
    }
}

} // namespace ns3::rdma
