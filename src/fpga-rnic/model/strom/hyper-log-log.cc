// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/hyper-log-log.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>

namespace ns3::rdma
{

namespace
{
/// The finalizer of MurmurHash3, x64 variant (A. Appleby): each input bit changes half of the
/// output bits.
uint64_t
Mix(uint64_t value)
{
    value ^= value >> 33;
    value *= 0xff51afd7ed558ccd;
    value ^= value >> 33;
    value *= 0xc4ceb9fe1a85ec53;
    value ^= value >> 33;
    return value;
}

/// @param bits not 0
/// @return leading zeros plus one.
uint8_t
Rank(uint64_t bits)
{
    return static_cast<uint8_t>(__builtin_clzll(bits) + 1);
}
} // namespace

HyperLogLog::HyperLogLog(uint32_t precision, uint64_t seed)
    : m_precision(precision),
      m_seed(Mix(seed + 0x9e3779b97f4a7c15)), // So that item 0 is not hashed to 0.
      m_registers(std::size_t{1} << precision)
{
    NS_ASSERT_MSG(precision >= MIN_PRECISION && precision <= MAX_PRECISION, "no such precision");
}

void
HyperLogLog::Add(uint64_t item)
{
    const uint64_t hash = Mix(item ^ m_seed);
    // The 1 after the ranked bits limits the rank if all of them are 0.
    const uint64_t ranked = (hash << m_precision) | (uint64_t{1} << (m_precision - 1));
    uint8_t& entry = m_registers[hash >> (64 - m_precision)];
    entry = std::max(entry, Rank(ranked));
}

std::size_t
HyperLogLog::AddItems(ByteView bytes, uint32_t itemBytes)
{
    std::size_t offset = 0;
    for (; offset + itemBytes <= bytes.GetSize(); offset += itemBytes)
    {
        Add(itemBytes == sizeof(uint32_t) ? bytes.Get32(offset) : bytes.Get64(offset));
    }
    return bytes.GetSize() - offset;
}

void
HyperLogLog::Merge(const HyperLogLog& other)
{
    NS_ASSERT_MSG(m_precision == other.m_precision && m_seed == other.m_seed, "another sketch");
    std::transform(m_registers.begin(),
                   m_registers.end(),
                   other.m_registers.begin(),
                   m_registers.begin(),
                   [](uint8_t a, uint8_t b) { return std::max(a, b); });
}

double
HyperLogLog::Estimate() const
{
    const auto registers = static_cast<double>(m_registers.size());
    double sum = 0;
    for (const uint8_t rank : m_registers)
    {
        sum += std::ldexp(1.0, -rank);
    }
    const double alpha = 0.7213 / (1 + 1.079 / registers); // Figure 3 of the paper; 128 or more.
    const double raw = alpha * registers * registers / sum;
    const auto empty = std::count(m_registers.begin(), m_registers.end(), uint8_t{0});
    return raw <= 2.5 * registers && empty > 0
               ? registers * std::log(registers / static_cast<double>(empty))
               : raw;
}

void
HyperLogLog::Clear()
{
    std::fill(m_registers.begin(), m_registers.end(), uint8_t{0});
}

} // namespace ns3::rdma
