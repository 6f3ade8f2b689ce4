// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/slab-merging.h"

#include "ns3/slab-entry.h"

#include <algorithm>
#include <array>
#include <thread>

namespace ns3::rdma
{

namespace
{
constexpr uint32_t DIGIT_BITS{8};
constexpr uint32_t DIGITS{1U << DIGIT_BITS};
constexpr uint32_t WORD_BITS{64};

using Histogram = std::array<std::size_t, DIGITS>;

uint32_t
GetDigit(uint32_t code, uint32_t shift)
{
    return code >> shift & (DIGITS - 1);
}

/// Calls work(thread, begin, end) for equal shares of a number of items.
template <typename WORK>
void
Share(std::size_t items, uint32_t threads, const WORK& work)
{
    std::vector<std::thread> others;
    for (uint32_t thread = 1; thread < threads; ++thread)
    {
        others.emplace_back(work, thread, items * thread / threads, items * (thread + 1) / threads);
    }
    work(0, 0, items / threads);
    for (std::thread& other : others)
    {
        other.join();
    }
}

/// Turns counts into places: digit by digit, and within a digit thread by thread.
void
MakePlaces(std::vector<Histogram>& counts)
{
    std::size_t place = 0;
    for (uint32_t digit = 0; digit < DIGITS; ++digit)
    {
        for (Histogram& count : counts)
        {
            const std::size_t here = count[digit];
            count[digit] = place;
            place += here;
        }
    }
}

/// Sorts by address, least significant digit first; each pass is stable.
void
RadixSort(std::vector<uint32_t>& entries, uint32_t threads)
{
    std::vector<uint32_t> sorted(entries.size());
    std::vector<Histogram> places(threads);
    // The lowest bits of an entry are its size; entries that do not overlap differ in the upper
    // bits.
    for (uint32_t shift = 0; shift < 32; shift += DIGIT_BITS)
    {
        Share(entries.size(), threads, [&](uint32_t thread, std::size_t begin, std::size_t end) {
            Histogram counts{};
            for (std::size_t i = begin; i < end; ++i)
            {
                ++counts[GetDigit(entries[i], shift)];
            }
            places[thread] = counts;
        });
        MakePlaces(places);
        Share(entries.size(), threads, [&](uint32_t thread, std::size_t begin, std::size_t end) {
            Histogram place = places[thread];
            uint32_t* const target = sorted.data();
            for (std::size_t i = begin; i < end; ++i)
            {
                const uint32_t entry = entries[i];
                target[place[GetDigit(entry, shift)]++] = entry;
            }
        });
        entries.swap(sorted);
    }
}

/// Appends the largest slabs of a run of free units.
void
AppendRun(uint32_t begin, uint32_t end, uint32_t maxType, std::vector<uint32_t>& merged)
{
    while (begin < end)
    {
        const SlabEntry slab = SlabEntry::Largest(begin, end, maxType);
        merged.push_back(slab.Encode());
        begin += slab.CountUnits();
    }
}

/// @param entries in order of address
std::vector<uint32_t>
JoinNeighbors(const std::vector<uint32_t>& entries, uint32_t maxType)
{
    std::vector<uint32_t> merged;
    uint32_t begin = 0;
    uint32_t end = 0;
    for (const uint32_t code : entries)
    {
        const SlabEntry entry = SlabEntry::Decode(code);
        if (entry.unit != end)
        {
            AppendRun(begin, end, maxType, merged);
            begin = entry.unit;
        }
        end = entry.unit + entry.CountUnits();
    }
    AppendRun(begin, end, maxType, merged);
    return merged;
}

/// @return the first unit, from `from` on, whose bit is `wanted`; `end` if there is none.
uint32_t
FindBit(const std::vector<uint64_t>& bitmap, uint32_t from, uint32_t end, bool wanted)
{
    while (from < end)
    {
        const uint64_t word = wanted ? bitmap[from / WORD_BITS] : ~bitmap[from / WORD_BITS];
        const uint64_t rest = word >> (from % WORD_BITS);
        if (rest != 0)
        {
            return std::min(end, from + static_cast<uint32_t>(__builtin_ctzll(rest)));
        }
        from = (from / WORD_BITS + 1) * WORD_BITS;
    }
    return end;
}

std::vector<uint32_t>
MergeByBitmap(const std::vector<uint32_t>& entries, const SlabRange& range)
{
    std::vector<uint64_t> bitmap(range.units / WORD_BITS + 2);
    for (const uint32_t code : entries)
    {
        const SlabEntry entry = SlabEntry::Decode(code);
        const uint32_t bit = entry.unit - range.firstUnit;
        if (entry.CountUnits() == WORD_BITS)
        {
            bitmap[bit / WORD_BITS] = ~uint64_t{0};
            continue;
        }
        // A slab is at a multiple of its size, and so within a word.
        bitmap[bit / WORD_BITS] |= ((uint64_t{1} << entry.CountUnits()) - 1) << (bit % WORD_BITS);
    }
    std::vector<uint32_t> merged;
    uint32_t begin = FindBit(bitmap, 0, range.units, true);
    while (begin < range.units)
    {
        const uint32_t end = FindBit(bitmap, begin, range.units, false);
        AppendRun(range.firstUnit + begin, range.firstUnit + end, range.maxType, merged);
        begin = FindBit(bitmap, end, range.units, true);
    }
    return merged;
}
} // namespace

std::vector<uint32_t>
MergeSlabs(std::vector<uint32_t> entries,
           const SlabRange& range,
           SlabMergeMethod method,
           uint32_t threads)
{
    if (method == SlabMergeMethod::BITMAP)
    {
        return MergeByBitmap(entries, range);
    }
    RadixSort(entries, threads);
    return JoinNeighbors(entries, range.maxType);
}

} // namespace ns3::rdma
