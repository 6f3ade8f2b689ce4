// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PCAP_READER_H
#define RDMA_PCAP_READER_H

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// One packet of a capture.
struct PcapRecord
{
    uint32_t seconds;
    uint32_t nanoseconds;
    uint32_t originalBytes;
    std::vector<uint8_t> bytes;
};

/// @return all bytes of a file; empty if there is none.
inline std::vector<uint8_t>
ReadBytes(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// @return the records of a little-endian capture file.
inline std::vector<PcapRecord>
ReadPcap(const std::string& path)
{
    constexpr std::size_t HEADER{24};
    const auto data = ReadBytes(path);
    std::size_t at = HEADER;
    const auto readWord = [&] {
        uint32_t word = 0;
        for (uint32_t shift = 0; shift < 32; shift += 8)
        {
            word |= uint32_t{data.at(at++)} << shift;
        }
        return word;
    };
    std::vector<PcapRecord> records;
    while (at < data.size())
    {
        PcapRecord record{};
        record.seconds = readWord();
        record.nanoseconds = readWord();
        const uint32_t kept = readWord();
        record.originalBytes = readWord();
        record.bytes.assign(data.begin() + at, data.begin() + at + kept);
        at += kept;
        records.push_back(std::move(record));
    }
    return records;
}

} // namespace ns3::rdma

#endif // RDMA_PCAP_READER_H
