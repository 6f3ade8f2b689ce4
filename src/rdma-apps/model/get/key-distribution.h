// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KEY_DISTRIBUTION_H
#define RDMA_KEY_DISTRIBUTION_H

#include "ns3/random-stream.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-rpc
 * @brief Which of the keys 0, 1, ... a request is for: key k with a probability in proportion to
 * (k + 1)^-s (Zipf's law); s = 0: all alike.
 *
 * Drawn by inversion of the exact sums; one random number per draw.
 */
class KeyDistribution
{
  public:
    /// @param keys at least 1; @param exponent s, at least 0
    KeyDistribution(uint64_t keys, double exponent);

    uint64_t Draw(RandomStream& random) const;

    /// @return probability of a key.
    double GetProbability(uint64_t key) const;

  private:
    uint64_t m_keys;
    std::vector<double> m_sums; ///< Of the probabilities up to each key; empty: all alike.
};

} // namespace ns3::rdma

#endif // RDMA_KEY_DISTRIBUTION_H
