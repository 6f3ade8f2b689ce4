// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/icrc.h"

#include "ns3/assert.h"
#include "ns3/header-fields.h"

#include <algorithm>
#include <array>
#include <boost/crc.hpp>

namespace ns3::rdma
{

namespace
{
constexpr uint8_t ONES{0xff};
constexpr std::size_t UDP_BYTES{8};
constexpr std::size_t IPV6_BYTES{40};
constexpr std::size_t LONGEST_IPV4{60};

/// Sets the variable fields of an IP header to ones.
/// @return the header's length.
std::size_t
MaskIp(uint8_t* ip)
{
    if (ip[0] >> 4 == 4)
    {
        ip[1] = ONES;           // Type of service.
        ip[8] = ONES;           // Time to live.
        ip[10] = ip[11] = ONES; // Header checksum.
        return std::size_t{4} * (ip[0] & 0x0f);
    }
    ip[0] |= 0x0f;                // Traffic class, the first half.
    ip[1] = ip[2] = ip[3] = ONES; // Its second half, flow label.
    ip[7] = ONES;                 // Hop limit.
    return IPV6_BYTES;
}
} // namespace

uint32_t
ComputeIcrc(const uint8_t* ip, std::size_t bytes)
{
    NS_ASSERT_MSG(bytes >= 20 + UDP_BYTES + BTH_BYTES, "no BTH in " << bytes << " bytes");
    std::array<uint8_t, LONGEST_IPV4 + UDP_BYTES + BTH_BYTES> start{};
    const std::size_t copied = std::min(bytes, start.size());
    std::copy(ip, ip + copied, start.begin());
    const std::size_t udp = MaskIp(start.data());
    start[udp + 6] = start[udp + 7] = ONES; // UDP checksum.
    start[udp + UDP_BYTES + 4] = ONES;      // FECN, BECN, reserved.

    std::array<uint8_t, 8> route{};
    route.fill(ONES);
    boost::crc_32_type crc;
    crc.process_bytes(route.data(), route.size());
    crc.process_bytes(start.data(), copied);
    crc.process_bytes(ip + copied, bytes - copied);
    return crc.checksum();
}

} // namespace ns3::rdma
