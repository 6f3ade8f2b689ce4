// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/payload-memory.h"

#include <array>
#include <boost/endian/conversion.hpp>

namespace ns3::rdma
{

void
PayloadMemory::Write64(uint64_t address, uint64_t value)
{
    std::array<uint8_t, sizeof value> bytes{};
    boost::endian::store_little_u64(bytes.data(), value);
    Write(address, bytes.data(), bytes.size());
}

uint64_t
PayloadMemory::Read64(uint64_t address) const
{
    std::array<uint8_t, sizeof(uint64_t)> bytes{};
    Read(address, bytes.data(), bytes.size());
    return boost::endian::load_little_u64(bytes.data());
}

} // namespace ns3::rdma
