// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-address.h"

#include "ns3/assert.h"

#include <array>

namespace ns3::rdma
{

namespace
{
constexpr uint32_t NETWORK{0x0a000000}; ///< 10.0.0.0.
constexpr uint32_t LAST_HOST{0xfffffe}; ///< Host part before the broadcast address of a /8.
constexpr uint8_t LOCAL_ADMINISTRATION{0x02};

/// Writes a number into the last four bytes of an address, most significant byte first.
template <std::size_t SIZE>
void
SetTail(std::array<uint8_t, SIZE>& bytes, uint32_t value)
{
    for (std::size_t i = 1; i <= 4; ++i, value >>= 8)
    {
        bytes[SIZE - i] = static_cast<uint8_t>(value);
    }
}

template <std::size_t SIZE>
uint32_t
GetTail(const std::array<uint8_t, SIZE>& bytes)
{
    uint32_t value = 0;
    for (std::size_t i = SIZE - 4; i < SIZE; ++i)
    {
        value = (value << 8) | bytes[i];
    }
    return value;
}
} // namespace

Mac48Address
MakeMacAddress(uint32_t id)
{
    std::array<uint8_t, 6> bytes{LOCAL_ADMINISTRATION};
    SetTail(bytes, id);
    Mac48Address address;
    address.CopyFrom(bytes.data());
    return address;
}

Ipv4Address
MakeIpv4Address(uint32_t id)
{
    NS_ASSERT_MSG(id < LAST_HOST, "10.0.0.0/8 has no address for " << id);
    return Ipv4Address(NETWORK + id + 1);
}

Ipv6Address
MakeIpv6Address(uint32_t id)
{
    std::array<uint8_t, 16> bytes{0xfd};
    SetTail(bytes, id + 1);
    return Ipv6Address(bytes.data());
}

std::optional<uint32_t>
FindEndpoint(const Mac48Address& address)
{
    std::array<uint8_t, 6> bytes;
    address.CopyTo(bytes.data());
    const uint32_t id = GetTail(bytes);
    return MakeMacAddress(id) == address ? std::optional(id) : std::nullopt;
}

std::optional<uint32_t>
FindEndpoint(const Ipv4Address& address)
{
    const uint32_t host = address.Get() - NETWORK;
    return host >= 1 && host <= LAST_HOST ? std::optional(host - 1) : std::nullopt;
}

std::optional<uint32_t>
FindEndpoint(const Ipv6Address& address)
{
    std::array<uint8_t, 16> bytes;
    address.GetBytes(bytes.data());
    const uint32_t host = GetTail(bytes);
    return host >= 1 && MakeIpv6Address(host - 1) == address ? std::optional(host - 1)
                                                             : std::nullopt;
}

} // namespace ns3::rdma
