// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_HASH_H
#define FPGA_KV_HASH_H

#include "ns3/byte-view.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * A hash of a key, the same on every machine: MurmurHash64A (A. Appleby, public domain), in which
 * each bit of the key reaches all bits of the result.  KV-Direct names no hash function.
 */
uint64_t HashKey(ByteView key, uint64_t seed);

} // namespace ns3::rdma

#endif // FPGA_KV_HASH_H
