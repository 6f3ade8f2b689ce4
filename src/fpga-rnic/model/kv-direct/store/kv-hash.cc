// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-hash.h"

#include "ns3/wide-integer.h"

#include <array>
#include <cstring>

namespace ns3::rdma
{

namespace
{
constexpr uint64_t MULTIPLIER{0xc6a4a7935bd1e995};
constexpr uint32_t SHIFT{47};
constexpr std::size_t WORD{sizeof(uint64_t)};

uint64_t
Fold(uint64_t value)
{
    return value ^ (value >> SHIFT);
}
} // namespace

uint64_t
HashKey(ByteView key, uint64_t seed)
{
    const std::size_t size = key.GetSize();
    const std::size_t whole = size / WORD * WORD;
    uint64_t hash = seed ^ (size * MULTIPLIER);
    for (std::size_t offset = 0; offset < whole; offset += WORD)
    {
        hash = (hash ^ (Fold(key.Get64(offset) * MULTIPLIER) * MULTIPLIER)) * MULTIPLIER;
    }
    if (whole < size)
    {
        std::array<uint8_t, WORD> rest{};
        std::memcpy(rest.data(), key.GetData() + whole, size - whole);
        hash = (hash ^ ByteView(rest.data(), WORD).Get64(0)) * MULTIPLIER;
    }
    return Fold(Fold(hash) * MULTIPLIER);
}

uint64_t
GetBucketHash(ByteView key, uint64_t seed, uint64_t buckets)
{
    constexpr uint32_t UPPER{32};
    const uint64_t hash = HashKey(key, seed);
    // The upper half of the product is the bucket (Lemire 2019). It depends on the upper bits of
    // the hash, the rest of the result on the lower ones.
    const auto bucket = static_cast<uint64_t>((Uint128{hash} * buckets) >> 64);
    return hash << UPPER | bucket;
}

} // namespace ns3::rdma
