// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/random-permutation.h"

namespace ns3::rdma
{

RandomPermutation::RandomPermutation(uint64_t count, RandomStream random)
    : m_count(count)
{
    constexpr uint32_t MAX_HALF_BITS{32};
    while (m_halfBits < MAX_HALF_BITS && (count - 1) >> 2 * m_halfBits != 0)
    {
        ++m_halfBits;
    }
    m_halfMask = (uint64_t{1} << m_halfBits) - 1;
    for (uint64_t& key : m_keys)
    {
        key = random.Next();
    }
}

uint64_t
RandomPermutation::Permute(uint64_t number) const
{
    uint64_t left = number >> m_halfBits;
    uint64_t right = number & m_halfMask;
    for (const uint64_t key : m_keys)
    {
        const uint64_t mixed = left ^ (RandomStream::Scramble(right ^ key) & m_halfMask);
        left = right;
        right = mixed;
    }
    return left << m_halfBits | right;
}

uint64_t
RandomPermutation::Get(uint64_t place) const
{
    uint64_t number = Permute(place);
    while (number >= m_count)
    {
        number = Permute(number);
    }
    return number;
}

} // namespace ns3::rdma
