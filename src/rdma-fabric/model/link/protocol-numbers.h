// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PROTOCOL_NUMBERS_H
#define RDMA_PROTOCOL_NUMBERS_H

#include <cstdint>

namespace ns3::rdma
{

// IANA's registries "IEEE 802 Numbers" and "Protocol Numbers". ns-3 3.37 has them as PROT_NUMBER of
// its protocols, which is deprecated from 3.49 on; the replacement is not in 3.37.
constexpr uint16_t IPV4_ETHERTYPE{0x0800};
constexpr uint16_t IPV6_ETHERTYPE{0x86dd};
constexpr uint8_t TCP_PROTOCOL{6};
constexpr uint8_t UDP_PROTOCOL{17};

} // namespace ns3::rdma

#endif // RDMA_PROTOCOL_NUMBERS_H
