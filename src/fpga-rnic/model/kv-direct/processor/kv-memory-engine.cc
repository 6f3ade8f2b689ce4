// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-memory-engine.h"

#include "ns3/random-stream.h"
#include "ns3/verbs-error.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// Lines of a block share a link, so that a slab is one request.
constexpr uint64_t LINK_BLOCK_BYTES{4096};
/// Salts that make hashes for different purposes independent.
constexpr uint64_t LINK_SALT{0x6c696e6b};
constexpr uint64_t CACHE_SALT{0x6472616d};
} // namespace

std::string
KvMemorySettings::FindFault() const
{
    if (memoryBytes == 0 || (base | memoryBytes | cacheBytes) % KvMemoryEngine::LINE_BYTES != 0)
    {
        return "the memory of a store and its cache are of whole lines of 64 bytes, not " +
               std::to_string(memoryBytes) + " and " + std::to_string(cacheBytes) + " bytes at " +
               std::to_string(base);
    }
    if (!(dispatchRatio >= 0 && dispatchRatio <= 1))
    {
        return "the load dispatch ratio is between 0 and 1, not " + std::to_string(dispatchRatio);
    }
    if (cacheBytes > memoryBytes)
    {
        return "a cache of " + std::to_string(cacheBytes) + " bytes is larger than the memory of " +
               std::to_string(memoryBytes);
    }
    return "";
}

KvMemoryStats
KvMemoryStats::operator-(const KvMemoryStats& earlier) const
{
    KvMemoryStats since = *this;
    since.pcieReads -= earlier.pcieReads;
    since.pcieWrites -= earlier.pcieWrites;
    since.pcieBytes -= earlier.pcieBytes;
    since.cardAccesses -= earlier.cardAccesses;
    since.hits -= earlier.hits;
    since.misses -= earlier.misses;
    since.writeBacks -= earlier.writeBacks;
    return since;
}

KvMemoryEngine::KvMemoryEngine(const KvMemorySettings& settings,
                               std::vector<PcieLink*> links,
                               ChannelMemory& card)
    : m_settings(settings),
      m_links(std::move(links)),
      m_card(card),
      m_cacheLines(settings.dispatchRatio > 0 ? settings.cacheBytes / LINE_BYTES : 0),
      m_cacheableBelow(static_cast<uint64_t>(std::ldexp(settings.dispatchRatio, 32))),
      m_isAllCacheable(settings.dispatchRatio >= 1),
      m_lines(m_cacheLines)
{
    if (const std::string fault = settings.FindFault(); !fault.empty())
    {
        throw VerbsError(fault);
    }
    if (m_cacheLines > 0 && !card.Contains(0, settings.cacheBytes))
    {
        throw VerbsError("a cache of " + std::to_string(settings.cacheBytes) +
                         " bytes does not fit on the card");
    }
}

bool
KvMemoryEngine::IsCacheable(uint64_t address) const
{
    if (m_cacheLines == 0)
    {
        return false;
    }
    return m_isAllCacheable ||
           RandomStream::Scramble(address / LINE_BYTES + CACHE_SALT) >> 32 < m_cacheableBelow;
}

PcieLink&
KvMemoryEngine::FindLink(uint64_t address) const
{
    if (m_links.size() == 1)
    {
        return *m_links.front();
    }
    const uint64_t hash = RandomStream::Scramble(address / LINK_BLOCK_BYTES + LINK_SALT);
    return *m_links[hash % m_links.size()];
}

uint64_t
KvMemoryEngine::GetCardAddress(uint64_t address) const
{
    return (address - m_settings.base) / LINE_BYTES % m_cacheLines * LINE_BYTES;
}

uint32_t
KvMemoryEngine::GetTag(uint64_t address) const
{
    return static_cast<uint32_t>((address - m_settings.base) / LINE_BYTES / m_cacheLines) + 1;
}

KvMemoryEngine::CacheLine&
KvMemoryEngine::FindLine(uint64_t address)
{
    return m_lines[GetCardAddress(address) / LINE_BYTES];
}

Tick
KvMemoryEngine::AccessCard(Tick now, Tick earliest, uint64_t address)
{
    ++m_stats.cardAccesses;
    return m_card.Access(now, earliest, GetCardAddress(address), LINE_BYTES);
}

Tick
KvMemoryEngine::ReadHost(Tick now, Tick earliest, Piece piece)
{
    ++m_stats.pcieReads;
    m_stats.pcieBytes += piece.bytes;
    return FindLink(piece.address).Read(now, earliest, DmaKind::KERNEL, piece.address, piece.bytes);
}

Tick
KvMemoryEngine::WriteHost(Tick now, Tick earliest, Piece piece)
{
    ++m_stats.pcieWrites;
    m_stats.pcieBytes += piece.bytes;
    PcieLink& link = FindLink(piece.address);
    const Tick seen = link.Write(now, earliest, DmaKind::KERNEL, piece.address, piece.bytes);
    return seen - link.GetWriteLatency();
}

/// @return the cache line, which is clean; the caller sets its arrival.
KvMemoryEngine::CacheLine&
KvMemoryEngine::Replace(Tick now, Tick earliest, uint64_t line)
{
    CacheLine& place = FindLine(line);
    if (place.isDirty)
    {
        ++m_stats.writeBacks;
        const uint64_t victim =
            m_settings.base + (place.tag - 1) * m_cacheLines * LINE_BYTES + GetCardAddress(line);
        WriteHost(now, std::max(earliest, place.arrival), {victim, LINE_BYTES});
    }
    place.tag = GetTag(line);
    place.isDirty = false;
    AccessCard(now, now, line); // The write of the line occupies the channel now.
    return place;
}

Tick
KvMemoryEngine::ReadCached(Tick now, Tick earliest, uint64_t line)
{
    const Tick seen = AccessCard(now, earliest, line);
    if (const CacheLine& place = FindLine(line); place.tag == GetTag(line))
    {
        ++m_stats.hits;
        return std::max(seen, place.arrival);
    }
    ++m_stats.misses;
    CacheLine& place = Replace(now, seen, line);
    place.arrival = ReadHost(now, seen, {line, LINE_BYTES});
    return place.arrival;
}

Tick
KvMemoryEngine::WriteCached(Tick now, Tick earliest, uint64_t line, uint32_t bytes)
{
    if (CacheLine& place = FindLine(line); place.tag == GetTag(line))
    {
        ++m_stats.hits;
        place.isDirty = true;
        return std::max(AccessCard(now, earliest, line), place.arrival);
    }
    ++m_stats.misses;
    Tick known = AccessCard(now, earliest, line); // Reads tag and dirty bit.
    if (bytes < LINE_BYTES)
    {
        known = ReadHost(now, known, {line, LINE_BYTES});
    }
    CacheLine& place = Replace(now, known, line);
    place.isDirty = true;
    place.arrival = known;
    return known;
}

template <class OnCached, class OnHost>
void
KvMemoryEngine::Divide(uint64_t address, uint32_t bytes, OnCached onCached, OnHost onHost) const
{
    const uint64_t end = address + bytes;
    Piece host;
    while (address < end)
    {
        const uint64_t line = address / LINE_BYTES * LINE_BYTES;
        const Piece piece{
            address,
            static_cast<uint32_t>(std::min(end, line + LINE_BYTES) - address),
        };
        if (!IsCacheable(line))
        {
            host.address = host.bytes == 0 ? piece.address : host.address;
            host.bytes += piece.bytes;
        }
        if (host.bytes > 0 && (IsCacheable(line) || address + piece.bytes == end))
        {
            onHost(host);
            host = {};
        }
        if (IsCacheable(line))
        {
            onCached(line, piece.bytes);
        }
        address += piece.bytes;
    }
}

Tick
KvMemoryEngine::Read(Tick now, Tick earliest, uint64_t address, uint32_t bytes)
{
    Tick done = earliest;
    Divide(
        address,
        bytes,
        [&](uint64_t line, uint32_t) { done = std::max(done, ReadCached(now, earliest, line)); },
        [&](Piece piece) { done = std::max(done, ReadHost(now, earliest, piece)); });
    return done;
}

Tick
KvMemoryEngine::Write(Tick now, Tick earliest, uint64_t address, uint32_t bytes)
{
    Tick done = earliest;
    Divide(
        address,
        bytes,
        [&](uint64_t line, uint32_t part) {
            done = std::max(done, WriteCached(now, earliest, line, part));
        },
        [&](Piece piece) { done = std::max(done, WriteHost(now, earliest, piece)); });
    return done;
}

void
KvMemoryEngine::Warm(uint64_t address, uint32_t bytes, bool isWrite)
{
    Divide(
        address,
        bytes,
        [&](uint64_t line, uint32_t) {
            CacheLine& place = FindLine(line);
            place.isDirty = (place.isDirty && place.tag == GetTag(line)) || isWrite;
            place.tag = GetTag(line);
        },
        [](Piece) {});
}

} // namespace ns3::rdma
