// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/shuffle-data.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3::rdma
{

ShuffleData::ShuffleData(const ShuffleOptions& options, OffloadHosts& hosts)
    : m_hosts(hosts),
      m_bytes(options.bytes),
      m_mask((uint64_t{1} << options.bits) - 1),
      m_source(hosts.Allocate(OffloadHosts::CLIENT, options.bytes)),
      m_partitions(m_mask + 1)
{
    MakeValues(options);
    uint64_t address = hosts.Allocate(OffloadHosts::SERVER, options.bytes);
    for (std::size_t i = 0; i < m_partitions.size(); ++i)
    {
        const bool isCut = options.isShort && i == 0;
        const uint64_t values = m_partitions[i].size() / (isCut ? 2 : 1);
        m_table.push_back({address, static_cast<uint32_t>(values)});
        m_leftOut += m_partitions[i].size() - values;
        address += m_partitions[i].size() * ShuffleKernel::VALUE_BYTES;
    }
}

std::string
ShuffleData::FindFault() const
{
    const HostMemory& memory = *m_hosts.Get(OffloadHosts::SERVER).memory;
    std::vector<uint8_t> found;
    for (std::size_t i = 0; i < m_partitions.size(); ++i)
    {
        found.resize(m_table[i].values * ShuffleKernel::VALUE_BYTES);
        memory.Read(m_table[i].address, found.data(), found.size());
        for (std::size_t k = 0; k < m_table[i].values; ++k)
        {
            if (boost::endian::load_little_u64(found.data() + k * ShuffleKernel::VALUE_BYTES) !=
                m_partitions[i][k])
            {
                return "value " + std::to_string(k) + " of partition " + std::to_string(i) +
                       " differs";
            }
        }
    }
    return {};
}

std::string
ShuffleData::FindFaultOfCopy() const
{
    const auto bytes = static_cast<std::size_t>(m_bytes);
    std::vector<uint8_t> sent(bytes);
    std::vector<uint8_t> found(bytes);
    m_hosts.Get(OffloadHosts::CLIENT).memory->Read(m_source, sent.data(), bytes);
    m_hosts.Get(OffloadHosts::SERVER).memory->Read(m_table[0].address, found.data(), bytes);
    return sent == found ? "" : "the copy differs";
}

void
ShuffleData::MakeValues(const ShuffleOptions& options)
{
    constexpr std::size_t PIECE{1U << 16U};
    RandomStream random = m_hosts.MakeRandom(0);
    HostMemory& memory = *m_hosts.Get(OffloadHosts::CLIENT).memory;
    std::vector<uint8_t> piece;
    for (uint64_t offset = 0; offset < m_bytes; offset += piece.size())
    {
        piece.resize(static_cast<std::size_t>(std::min<uint64_t>(PIECE, m_bytes - offset)));
        for (std::size_t at = 0; at < piece.size(); at += ShuffleKernel::VALUE_BYTES)
        {
            uint64_t value = random.Next();
            if (options.hotShare > 0 && random.NextDouble() < options.hotShare)
            {
                value &= ~m_mask;
            }
            boost::endian::store_little_u64(piece.data() + at, value);
            m_partitions[GetPartition(value)].push_back(value);
        }
        memory.Write(m_source + offset, piece.data(), piece.size());
    }
}

} // namespace ns3::rdma
