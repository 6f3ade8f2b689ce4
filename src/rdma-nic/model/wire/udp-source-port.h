// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_UDP_SOURCE_PORT_H
#define RDMA_UDP_SOURCE_PORT_H

#include <cstdint>

namespace ns3::rdma
{

/// Destination port of RoCE v2 (IBTA Annex A17).
constexpr uint16_t ROCE_UDP_PORT{4791};

/**
 * @return the source port of a flow, in [0xc000, 0xffff], as Linux computes it: the product of the
 * queue pair numbers is folded to a 20-bit flow label, which is folded to 14 bits.
 * @param localQp, remoteQp 24 bits each; the order does not matter
 */
constexpr uint16_t
ComputeUdpSourcePort(uint32_t localQp, uint32_t remoteQp)
{
    uint64_t value = uint64_t{localQp} * remoteQp;
    value ^= value >> 20;
    value ^= value >> 40;
    const auto label = static_cast<uint32_t>(value & 0xfffff);
    return static_cast<uint16_t>(0xc000 | ((label & 0x3fff) ^ (label >> 14 & 0x3f)));
}

/**
 * @return the source port of a packet whose entropy is not that of its connection, in [0xc000,
 * 0xffff]: the entropy folded to 14 bits, so that an entropy below 2^14 appears unchanged in the
 * low bits.
 */
constexpr uint16_t
FoldEntropy(uint32_t entropy)
{
    return static_cast<uint16_t>(0xc000 | ((entropy ^ entropy >> 14 ^ entropy >> 28) & 0x3fff));
}

} // namespace ns3::rdma

#endif // RDMA_UDP_SOURCE_PORT_H
