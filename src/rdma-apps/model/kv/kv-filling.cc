// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-filling.h"

#include "ns3/host-memory.h"
#include "ns3/kv-visitors.h"
#include "ns3/kv-workload.h"
#include "ns3/random-permutation.h"

#include <algorithm>
#include <cmath>

namespace ns3::rdma
{

namespace
{
constexpr uint64_t ORDER_STREAM{0x6b766f72646572}; ///< "kvorder".
} // namespace

uint64_t
KvFilling::CountPairs(uint64_t memoryBytes) const
{
    const double pairs = utilization * static_cast<double>(memoryBytes) / (keyBytes + valueBytes);
    return std::max<uint64_t>(1, static_cast<uint64_t>(pairs));
}

uint64_t
KvFilling::CountUsedBytes(uint64_t memoryBytes) const
{
    // Pairs are spread at random over the pages.
    const double pairsPerPage =
        utilization * static_cast<double>(HostMemory::PAGE_BYTES) / (keyBytes + valueBytes);
    return static_cast<uint64_t>(static_cast<double>(memoryBytes) * -std::expm1(-pairsPerPage));
}

bool
KvFilling::Fill(KvStore& store,
                uint64_t count,
                std::size_t partition,
                std::size_t partitions,
                const std::function<void()>& poll) const
{
    constexpr uint64_t PAIRS_PER_POLL{4096};
    KvPairs pairs(keyBytes, valueBytes);
    KvAccesses accesses;
    const RandomPermutation order(count, RandomStream(seed, ORDER_STREAM));
    for (uint64_t place = 0; place < count; ++place)
    {
        if (poll && place % PAIRS_PER_POLL == 0)
        {
            poll();
        }
        const uint64_t number = isByNumber ? place : order.Get(place);
        if (GetPartition(number, partitions) != partition)
        {
            continue;
        }
        KvPutter putter(pairs.GetValue(number));
        accesses.clear();
        if (store.Visit(pairs.GetKey(number), putter, accesses) != KvStatus::OK)
        {
            return false;
        }
    }
    return true;
}

void
SuitStore(KvStoreSettings& settings, const KvFilling& filling)
{
    constexpr uint32_t MAX_INLINE{50};
    constexpr double INLINE_RATIO{0.8};
    constexpr double SPARE{0.05};
    constexpr uint32_t SLAB_METADATA{2};
    const uint32_t pair = filling.keyBytes + filling.valueBytes;
    settings.inlineThreshold = std::min(pair, MAX_INLINE);
    if (pair <= MAX_INLINE)
    {
        settings.hashIndexRatio = INLINE_RATIO;
        return;
    }
    settings.inlineThreshold = 0;
    constexpr uint32_t LONG_SLAB{512}; // Longer slabs have a byte more of metadata.
    uint32_t slab = 32;
    while (slab < pair + SLAB_METADATA + (slab > LONG_SLAB ? 1 : 0))
    {
        slab *= 2;
    }
    settings.maxSlabBytes = std::max(settings.maxSlabBytes, slab);
    // A store that cannot be made is refused by its settings.
    const double slabs = filling.utilization * slab / pair;
    settings.hashIndexRatio = std::clamp(1 - SPARE - slabs, SPARE, INLINE_RATIO);
}

} // namespace ns3::rdma
