// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/region-layout.h"

#include "ns3/verbs-error.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <utility>

namespace ns3::rdma
{

namespace
{
constexpr uint32_t BLOCK_BITS{10};
constexpr uint32_t REGION_BITS{10};

std::string
FormatSpan(uint64_t address, uint64_t bytes)
{
    char text[64];
    std::snprintf(text,
                  sizeof text,
                  "0x%llx to 0x%llx",
                  static_cast<unsigned long long>(address),
                  static_cast<unsigned long long>(address + bytes - 1));
    return text;
}
} // namespace

RegionLayout::RegionLayout(std::vector<uint64_t> addresses, uint32_t blocks, uint32_t blockBytes)
    : m_addresses(std::move(addresses)),
      m_blocks(blocks),
      m_blockBytes(blockBytes)
{
    if (const std::string fault = FindFault(); !fault.empty())
    {
        throw VerbsError(fault);
    }
}

RegionLayout
RegionLayout::MakeDense(uint64_t address, uint32_t regions, uint32_t blocks, uint32_t blockBytes)
{
    std::vector<uint64_t> addresses;
    for (uint64_t region = 0; region < regions; ++region)
    {
        addresses.push_back(address + region * blocks * blockBytes);
    }
    return {std::move(addresses), blocks, blockBytes};
}

std::string
RegionLayout::FindFault() const
{
    if (m_addresses.empty() || m_addresses.size() > MAX_REGIONS)
    {
        return "expected 1 to " + std::to_string(MAX_REGIONS) +
               " memory regions of a queue pair, got " + std::to_string(m_addresses.size());
    }
    if (m_blocks == 0 || m_blocks > MAX_BLOCKS || m_blockBytes == 0)
    {
        return "expected memory regions of 1 to " + std::to_string(MAX_BLOCKS) +
               " blocks of at least a byte, got " + std::to_string(m_blocks) + " of " +
               std::to_string(m_blockBytes);
    }
    std::vector<std::size_t> order(m_addresses.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [this](std::size_t left, std::size_t right) {
        return std::pair(m_addresses[left], left) < std::pair(m_addresses[right], right);
    });
    const uint64_t bytes = uint64_t{m_blocks} * m_blockBytes;
    for (std::size_t i = 1; i < order.size(); ++i)
    {
        const uint64_t before = m_addresses[order[i - 1]];
        if (m_addresses[order[i]] - before < bytes)
        {
            return "memory regions " + std::to_string(order[i - 1]) + " (" +
                   FormatSpan(before, bytes) + ") and " + std::to_string(order[i]) + " (" +
                   FormatSpan(m_addresses[order[i]], bytes) + ") overlap";
        }
    }
    return {};
}

uint64_t
RegionLayout::GetAddress(uint64_t number) const
{
    return m_addresses[number / m_blocks % GetRegions()] + number % m_blocks * m_blockBytes;
}

uint32_t
RegionLayout::GetImmediate(uint64_t number) const
{
    const auto block = static_cast<uint32_t>(number % m_blocks);
    const auto region = static_cast<uint32_t>(number / m_blocks % GetRegions());
    const auto turn = static_cast<uint32_t>(number / m_blocks / GetRegions() % TURNS);
    return (turn << (REGION_BITS + BLOCK_BITS)) | (region << BLOCK_BITS) | block;
}

BlockLabel
RegionLayout::Decode(uint32_t immediate)
{
    return {immediate >> (REGION_BITS + BLOCK_BITS),
            (immediate >> BLOCK_BITS) % MAX_REGIONS,
            immediate % MAX_BLOCKS};
}

uint64_t
RegionLayout::GetNumber(const BlockLabel& label) const
{
    return (uint64_t{label.turn} * GetRegions() + label.region) * m_blocks + label.block;
}

} // namespace ns3::rdma
