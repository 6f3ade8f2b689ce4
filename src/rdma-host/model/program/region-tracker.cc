// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/region-tracker.h"

#include "ns3/log.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("RegionTracker");

namespace
{
constexpr uint32_t WORD_BITS{64};
} // namespace

RegionTracker::RegionTracker(RegionLayout layout, uint64_t first)
    : m_layout(std::move(layout)),
      m_regions(m_layout.GetRegions()),
      m_words((m_layout.GetBlocks() + WORD_BITS - 1) / WORD_BITS),
      m_first(first),
      m_next(first)
{
    m_bits.assign(std::size_t{m_words} * m_regions.size(), 0);
    const uint64_t slot = first / m_layout.GetBlocks();
    RegionState& begun = m_regions[slot % m_layout.GetRegions()];
    begun.turn = slot / m_layout.GetRegions();
    begun.arrived =
        static_cast<uint32_t>(first % m_layout.GetBlocks()); // Earlier blocks are not missing.
}

void
RegionTracker::SetReportHandler(ReportHandler handler)
{
    m_onReport = std::move(handler);
}

void
RegionTracker::Mark(uint32_t region, uint32_t block)
{
    m_bits[std::size_t{region} * m_words + block / WORD_BITS] |= uint64_t{1} << block % WORD_BITS;
    RegionState& state = m_regions[region];
    ++state.arrived;
    state.isValid = state.arrived == m_layout.GetBlocks();
    state.isQueued = !state.isValid;
}

bool
RegionTracker::IsMarked(uint32_t region, uint32_t block) const
{
    const uint64_t word = m_bits[std::size_t{region} * m_words + block / WORD_BITS];
    return (word >> block % WORD_BITS & 1) != 0;
}

BlockArrival
RegionTracker::Take(uint32_t immediate)
{
    const BlockLabel label = RegionLayout::Decode(immediate);
    if (!m_layout.IsValid(label))
    {
        return BlockArrival::INVALID;
    }
    const uint64_t modulus = m_layout.GetModulus();
    const uint64_t ahead = (m_layout.GetNumber(label) + modulus - m_next % modulus) % modulus;
    if (ahead >= modulus / 2)
    {
        const uint64_t behind = modulus - ahead;
        return behind > m_next - m_first ? BlockArrival::INVALID : TakeOld(m_next - behind);
    }
    const uint64_t number = m_next + ahead;
    const uint64_t blocks = m_layout.GetBlocks();
    // The use of the newest message, or of the first expected one, is the last that has begun.
    uint64_t begun = m_next == m_first ? m_first / blocks : (m_next - 1) / blocks;
    for (const uint64_t slot = number / blocks; begun < slot;)
    {
        Pass(++begun);
    }
    m_missing += ahead;
    m_next = number + 1;
    Mark(label.region, label.block);
    return BlockArrival::NEW;
}

void
RegionTracker::Pass(uint64_t slot)
{
    const auto region = static_cast<uint32_t>(slot % m_layout.GetRegions());
    const uint64_t turn = slot / m_layout.GetRegions();
    if (slot >= m_first / m_layout.GetBlocks() + m_layout.GetRegions())
    {
        End(region);
    }
    m_regions[region] = {turn, 0, true, false};
    std::fill_n(m_bits.begin() + std::ptrdiff_t{region} * m_words, m_words, 0);
}

void
RegionTracker::End(uint32_t region)
{
    const RegionState& state = m_regions[region];
    if (state.isValid)
    {
        ++m_whole;
        return;
    }
    ++m_incomplete;
    NS_LOG_INFO("use " << state.turn << " of region " << region << " ends with " << state.arrived
                       << " of " << m_layout.GetBlocks() << " blocks");
    if (!m_onReport)
    {
        return;
    }
    RegionReport report{region, state.turn, {}};
    const uint64_t before = (state.turn * m_layout.GetRegions() + region) * m_layout.GetBlocks();
    for (uint32_t block = 0; block < m_layout.GetBlocks(); ++block)
    {
        if (before + block >= m_first && !IsMarked(region, block))
        {
            report.missing.push_back(block);
        }
    }
    m_onReport(report);
}

BlockArrival
RegionTracker::TakeOld(uint64_t number)
{
    const uint64_t slot = number / m_layout.GetBlocks();
    const auto region = static_cast<uint32_t>(slot % m_layout.GetRegions());
    const auto block = static_cast<uint32_t>(number % m_layout.GetBlocks());
    if (m_regions[region].turn != slot / m_layout.GetRegions())
    {
        return BlockArrival::STALE;
    }
    if (IsMarked(region, block))
    {
        ++m_duplicates;
        return BlockArrival::DUPLICATE;
    }
    Mark(region, block);
    --m_missing;
    ++m_late;
    return BlockArrival::LATE;
}

} // namespace ns3::rdma
