// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KV_FILLING_H
#define RDMA_KV_FILLING_H

#include "ns3/kv-store.h"
#include "ns3/random-stream.h"

#include <cstdint>
#include <functional>

namespace ns3::rdma
{

/**
 * How a store is filled before it is measured: pairs of one size up to a share of its memory.
 *
 * Pairs are stored in a random order, as KV-Direct's are random (section 5.2.1).  The number of a
 * pair is often its place in the order of popularity: stored in the order of their numbers, popular
 * pairs would all be in the first bucket of their chain.
 */
struct KvFilling
{
    uint32_t keyBytes{8};
    uint32_t valueBytes{8};
    double utilization{0.5}; ///< Pairs' bytes over all of the memory (section 3.3.1).
    uint64_t seed{1};        ///< Of the run: the order of the pairs, and who has which.
    bool isByNumber{false};  ///< Instead of random: a higher number is a newer pair.

    /// @return pairs that are meant, at least 1.
    uint64_t CountPairs(uint64_t memoryBytes) const;

    /// @return bytes of the pages of host memory that the pairs are in, which the simulation holds.
    uint64_t CountUsedBytes(uint64_t memoryBytes) const;

    /// Which of so many stores has a pair: by a hash that each seed has another one of.
    std::size_t GetPartition(uint64_t number, std::size_t partitions) const
    {
        const uint64_t salt = RandomStream::Scramble(seed);
        return partitions == 1 ? 0 : RandomStream::Scramble(number + 1 + salt) % partitions;
    }

    /// Puts the pairs 0, 1, ... count - 1 of KvPairs into a store, as far as they are of its
    /// partition.
    /// @param poll called now and then; may throw
    /// @return whether the store took all
    bool Fill(KvStore& store,
              uint64_t count,
              std::size_t partition = 0,
              std::size_t partitions = 1,
              const std::function<void()>& poll = {}) const;
};

/**
 * Sets hash index ratio and inline threshold as they suit pairs of one size: those of at most 50
 * bytes are inline, with four fifths of the memory as index; of longer ones, the index is what
 * slabs leave, less a twentieth of the memory.  Our choice: the paper tunes them (section 5.2.1),
 * and so do its figures here.
 */
void SuitStore(KvStoreSettings& settings, const KvFilling& filling);

} // namespace ns3::rdma

#endif // RDMA_KV_FILLING_H
