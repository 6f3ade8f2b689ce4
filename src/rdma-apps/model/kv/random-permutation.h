// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RANDOM_PERMUTATION_H
#define RDMA_RANDOM_PERMUTATION_H

#include "ns3/random-stream.h"

#include <array>
#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup rdma-kv
 * @brief A random order of the numbers 0, 1, ... n - 1 that needs no table.
 *
 * A Feistel network (Luby and Rackoff, How to Construct Pseudorandom Permutations from Pseudorandom
 * Functions, SIAM J. Comput. 1988) permutes the smallest even number of bits that has room for n
 * numbers; a result that is not below n is permuted again (cycle walking: Black and Rogaway,
 * Ciphers with Arbitrary Finite Domains, CT-RSA 2002), at most three times on average.
 *
 * Not cryptographic: the rounds use RandomStream::Scramble().
 */
class RandomPermutation
{
  public:
    /// @param count n, at least 1; @param random its keys are drawn from it
    RandomPermutation(uint64_t count, RandomStream random);

    /// @param place below n @return the number at this place, below n
    uint64_t Get(uint64_t place) const;

  private:
    static constexpr uint32_t ROUNDS{4}; ///< Luby and Rackoff's strong permutation.

    uint64_t Permute(uint64_t number) const;

    uint64_t m_count;
    uint32_t m_halfBits{1};
    uint64_t m_halfMask;
    std::array<uint64_t, ROUNDS> m_keys{};
};

} // namespace ns3::rdma

#endif // RDMA_RANDOM_PERMUTATION_H
