// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-parameters.h"

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

namespace
{
constexpr uint32_t PREDICATE_SHIFT{16};
constexpr uint32_t VALUE_SHIFT{18};
constexpr uint32_t RELATIVE_SHIFT{22};
constexpr uint32_t NEXT_SHIFT{23};
constexpr uint32_t VALID_SHIFT{27};
constexpr uint32_t POSITION_MASK{0xf};
constexpr uint32_t LAST_POSITION{TraversalParameters::WORDS - 2}; ///< Fields have 8 bytes.
} // namespace

std::vector<uint8_t>
TraversalParameters::Encode() const
{
    std::vector<uint8_t> bytes(BYTES);
    const uint32_t bits = keyMask | static_cast<uint32_t>(predicate) << PREDICATE_SHIFT |
                          (valuePtrPosition & POSITION_MASK) << VALUE_SHIFT |
                          static_cast<uint32_t>(isRelativePosition) << RELATIVE_SHIFT |
                          (nextElementPtrPosition & POSITION_MASK) << NEXT_SHIFT |
                          static_cast<uint32_t>(nextElementPtrValid) << VALID_SHIFT;
    boost::endian::store_little_u64(bytes.data(), target);
    boost::endian::store_little_u64(bytes.data() + 8, remoteAddress);
    boost::endian::store_little_u64(bytes.data() + 16, key);
    boost::endian::store_little_u32(bytes.data() + 24, valueSize);
    boost::endian::store_little_u32(bytes.data() + 28, bits);
    return bytes;
}

std::optional<TraversalParameters>
TraversalParameters::Decode(ByteView bytes)
{
    if (bytes.GetSize() < BYTES)
    {
        return std::nullopt;
    }
    TraversalParameters decoded;
    const uint32_t bits = bytes.Get32(28);
    decoded.target = bytes.Get64(0);
    decoded.remoteAddress = bytes.Get64(8);
    decoded.key = bytes.Get64(16);
    decoded.valueSize = bytes.Get32(24);
    decoded.keyMask = static_cast<uint16_t>(bits);
    decoded.predicate = static_cast<TraversalPredicate>(bits >> PREDICATE_SHIFT & 3);
    decoded.valuePtrPosition = bits >> VALUE_SHIFT & POSITION_MASK;
    decoded.isRelativePosition = (bits >> RELATIVE_SHIFT & 1) != 0;
    decoded.nextElementPtrPosition = bits >> NEXT_SHIFT & POSITION_MASK;
    decoded.nextElementPtrValid = (bits >> VALID_SHIFT & 1) != 0;
    return decoded.IsValid() ? std::optional(decoded) : std::nullopt;
}

bool
TraversalParameters::IsValid() const
{
    constexpr uint16_t LAST_WORD{1U << (WORDS - 1)};
    if (keyMask == 0 || (keyMask & LAST_WORD) != 0 || valueSize == 0)
    {
        return false;
    }
    // The last key's value pointer must be in the element, too.
    const uint32_t lastKey = 31 - static_cast<uint32_t>(__builtin_clz(keyMask));
    const uint32_t lastValue = valuePtrPosition + (isRelativePosition ? lastKey : 0);
    return lastValue <= LAST_POSITION &&
           (!nextElementPtrValid || nextElementPtrPosition <= LAST_POSITION);
}

bool
TraversalParameters::Matches(uint64_t elementKey) const
{
    switch (predicate)
    {
    case TraversalPredicate::EQUAL:
        return elementKey == key;
    case TraversalPredicate::LESS_THAN:
        return elementKey < key;
    case TraversalPredicate::GREATER_THAN:
        return elementKey > key;
    default:
        return elementKey != key;
    }
}

TraversalParameters::Look
TraversalParameters::LookAt(ByteView element) const
{
    for (uint32_t word = 0; word < WORDS; ++word)
    {
        const bool isKey = (keyMask >> word & 1) != 0;
        if (isKey && Matches(element.Get64(word * WORD_BYTES)))
        {
            const uint32_t position = valuePtrPosition + (isRelativePosition ? word : 0);
            return {true, element.Get64(position * WORD_BYTES)};
        }
    }
    return {false, nextElementPtrValid ? element.Get64(nextElementPtrPosition * WORD_BYTES) : 0};
}

} // namespace ns3::rdma
