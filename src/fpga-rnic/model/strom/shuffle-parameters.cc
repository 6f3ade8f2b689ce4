// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/shuffle-parameters.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
constexpr uint32_t STREAM_OFFSET{8};
constexpr uint32_t BITS_OFFSET{16};
constexpr uint32_t FIRST_OFFSET{18};
constexpr uint32_t COUNT_OFFSET{20};
constexpr uint32_t VALUES_OFFSET{8}; ///< In an entry.
} // namespace

std::vector<std::vector<uint8_t>>
ShuffleParameters::Encode(uint32_t maxBytes) const
{
    const std::size_t perMessage = (maxBytes - HEADER_BYTES) / ENTRY_BYTES;
    std::vector<std::vector<uint8_t>> messages;
    for (std::size_t begin = 0; begin < partitions.size(); begin += perMessage)
    {
        const std::size_t count = std::min(perMessage, partitions.size() - begin);
        std::vector<uint8_t> bytes(HEADER_BYTES + count * ENTRY_BYTES);
        boost::endian::store_little_u64(bytes.data(), target);
        boost::endian::store_little_u64(bytes.data() + STREAM_OFFSET, streamBytes);
        boost::endian::store_little_u16(bytes.data() + BITS_OFFSET, static_cast<uint16_t>(bits));
        boost::endian::store_little_u16(bytes.data() + FIRST_OFFSET,
                                        static_cast<uint16_t>(first + begin));
        boost::endian::store_little_u16(bytes.data() + COUNT_OFFSET, static_cast<uint16_t>(count));
        for (std::size_t i = 0; i < count; ++i)
        {
            uint8_t* const entry = bytes.data() + HEADER_BYTES + i * ENTRY_BYTES;
            boost::endian::store_little_u64(entry, partitions[begin + i].address);
            boost::endian::store_little_u32(entry + VALUES_OFFSET, partitions[begin + i].values);
        }
        messages.push_back(std::move(bytes));
    }
    return messages;
}

std::optional<ShuffleParameters>
ShuffleParameters::Decode(ByteView bytes)
{
    constexpr uint32_t HALF{0xffff};
    if (bytes.GetSize() < HEADER_BYTES)
    {
        return std::nullopt;
    }
    ShuffleParameters parameters;
    parameters.target = bytes.Get64(0);
    parameters.streamBytes = bytes.Get64(STREAM_OFFSET);
    parameters.bits = bytes.Get32(BITS_OFFSET) & HALF;
    parameters.first = bytes.Get32(BITS_OFFSET) >> 16;
    const uint32_t count = bytes.Get32(COUNT_OFFSET) & HALF;
    const bool isMeant = parameters.streamBytes > 0 &&
                         parameters.streamBytes % sizeof(uint64_t) == 0 &&
                         parameters.bits <= MAX_BITS && count > 0 &&
                         parameters.first + count <= 1U << parameters.bits &&
                         bytes.GetSize() == HEADER_BYTES + std::size_t{count} * ENTRY_BYTES;
    if (!isMeant)
    {
        return std::nullopt;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        const std::size_t entry = HEADER_BYTES + std::size_t{i} * ENTRY_BYTES;
        parameters.partitions.push_back({bytes.Get64(entry), bytes.Get32(entry + VALUES_OFFSET)});
    }
    return parameters;
}

} // namespace ns3::rdma
