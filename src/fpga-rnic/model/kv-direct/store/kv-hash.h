// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_HASH_H
#define FPGA_KV_HASH_H

#include "ns3/byte-view.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * A hash of a key, the same on every machine: MurmurHash64A (Austin Appleby, public domain), in
 * which each bit of the key affects all bits of the result.  KV-Direct names no hash function.
 */
uint64_t HashKey(ByteView key, uint64_t seed);

/// @param buckets at most 2^32
/// @return a hash whose lower 32 bits are the number of the key's bucket; the upper ones are
/// independent of it.
uint64_t GetBucketHash(ByteView key, uint64_t seed, uint64_t buckets);

} // namespace ns3::rdma

#endif // FPGA_KV_HASH_H
