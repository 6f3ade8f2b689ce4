// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ECMP_HASH_H
#define RDMA_ECMP_HASH_H

#include <cstdint>

namespace ns3::rdma
{

/// The choice of EcmpBalancer, without a virtual call: a function of the flow and a switch's seed.
struct EcmpHash
{
    uint32_t seed{0};

    /// @return a number below count.
    uint32_t Choose(uint32_t entropy, uint32_t count) const
    {
        // Finaliser of MurmurHash3 (Appleby 2011): each input bit flips half of the output bits.
        uint32_t hash = entropy ^ seed;
        hash = (hash ^ (hash >> 16)) * 0x85ebca6bU;
        hash = (hash ^ (hash >> 13)) * 0xc2b2ae35U;
        hash ^= hash >> 16;
        return static_cast<uint32_t>((uint64_t{hash} * count) >> 32);
    }
};

} // namespace ns3::rdma

#endif // RDMA_ECMP_HASH_H
