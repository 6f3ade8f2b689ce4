// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/memory-account.h"

#include "ns3/assert.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t BITS_PER_BYTE{8};

/// A way to use a block of memory.
struct BlockShape
{
    uint32_t depth;
    uint32_t width;
};

// AMD UG573 (UltraScale memory resources): RAMB18 as simple dual port and as true dual port.
constexpr std::array<BlockShape, 6> BLOCK_SHAPES{
    {{512, 36}, {1024, 18}, {2048, 9}, {4096, 4}, {8192, 2}, {16384, 1}}};
constexpr uint64_t BLOCK_BYTES{18 * 1024 / BITS_PER_BYTE};
constexpr BlockShape ULTRA_SHAPE{4096, 72};
constexpr uint64_t ULTRA_BYTES{288 * 1024 / BITS_PER_BYTE};

uint64_t
DivideUp(uint64_t value, uint64_t divisor)
{
    return (value + divisor - 1) / divisor;
}

uint64_t
RoundUpToPowerOfTwo(uint64_t value)
{
    uint64_t power = 1;
    while (power < value)
    {
        power *= 2;
    }
    return power;
}

uint64_t
SumBits(const MemoryTable& table)
{
    return std::accumulate(table.fieldBits.begin(), table.fieldBits.end(), uint64_t{0});
}

uint64_t
CountBlocks(uint64_t entries, uint64_t bits, const BlockShape& shape)
{
    return DivideUp(entries, shape.depth) * DivideUp(bits, shape.width);
}

/// Each field gets the shape that needs the fewest blocks.
uint64_t
CountBlocks(const MemoryTable& table)
{
    uint64_t blocks = 0;
    for (const uint32_t bits : table.fieldBits)
    {
        uint64_t fewest = std::numeric_limits<uint64_t>::max();
        for (const BlockShape& shape : BLOCK_SHAPES)
        {
            fewest = std::min(fewest, CountBlocks(table.entries, bits, shape));
        }
        blocks += fewest;
    }
    return blocks;
}

std::string
Count(uint64_t number, const std::string& unit)
{
    return std::to_string(number) + " " + unit;
}

/// As "4 KB" if it is a whole number of them; the units of SRNIC's footnote 1.
std::string
Size(uint64_t bytes)
{
    for (const auto& [unit, shift] : {std::pair("GB", 30U), {"MB", 20U}, {"KB", 10U}})
    {
        if (bytes >> shift > 0 && bytes % (uint64_t{1} << shift) == 0)
        {
            return Count(bytes >> shift, unit);
        }
    }
    return Count(bytes, "B");
}

/// A structure under construction.
struct Part
{
    std::string name;
    std::string formula;
    uint64_t conceptualBytes{0};
    MemoryTable table;       ///< What the design keeps of it: a table,
    uint64_t bufferBytes{0}; ///< or bytes that need no alignment.
};

MemoryTable
MakeTable(uint64_t entries, uint64_t entryBytes)
{
    return {"", entries, {static_cast<uint32_t>(entryBytes * BITS_PER_BYTE)}};
}

Part
MakeReceiveBuffer(const NicMemoryConfig& config)
{
    return {"receiving buffer",
            "shared by all queue pairs",
            config.receiveBufferBytes,
            {},
            config.receiveBufferBytes};
}

Part
MakeContexts(const NicMemoryConfig& config)
{
    const uint64_t pairs = config.queuePairs;
    return {"queue pair contexts",
            Count(config.contextBytes, "B") + " x " + Count(pairs, "queue pairs"),
            pairs * config.contextBytes,
            MakeTable(pairs, config.contextBytes)};
}

Part
MakeTranslations(const NicMemoryConfig& config)
{
    const uint64_t pages = config.regionBytes / config.pageBytes;
    const uint64_t whole = pages * config.translationEntryBytes;
    const uint64_t cache = config.translationCacheBytes;
    std::string formula = Size(config.regionBytes) + " of regions" + " / " +
                          Size(config.pageBytes) + " pages" + " x " +
                          Count(config.translationEntryBytes, "B");
    if (cache > 0)
    {
        formula += "; a cache of " + Size(cache);
    }
    return {"translation table", formula, whole, {}, cache > 0 ? cache : whole};
}

Part
MakeWqeCache(const NicMemoryConfig& config)
{
    const uint64_t perPair = uint64_t{config.sendWqes + config.receiveWqes} * config.wqeBytes;
    return {"WQE cache",
            "(" + std::to_string(config.sendWqes) + " + " + std::to_string(config.receiveWqes) +
                ") WQEs x " + Count(config.wqeBytes, "B") + " x " +
                Count(config.queuePairs, "queue pairs"),
            perPair * config.queuePairs,
            MakeTable(config.queuePairs, perPair)};
}

Part
MakeBitmaps(const NicMemoryConfig& config)
{
    const uint64_t bits = uint64_t{config.bitmaps} * config.windowPackets;
    return {"bitmaps",
            Count(config.bitmaps, "bitmaps") + " x " + Count(config.windowPackets, "bits") + " x " +
                Count(config.queuePairs, "queue pairs"),
            DivideUp(bits * config.queuePairs, BITS_PER_BYTE),
            {"", config.queuePairs, std::vector<uint32_t>(config.bitmaps, config.windowPackets)}};
}

Part
MakeReorderingBuffer(const NicMemoryConfig& config)
{
    const uint64_t bytes = config.reorderingBytes * config.queuePairs;
    return {"reordering buffer",
            Size(config.reorderingBytes) + " x " + Count(config.queuePairs, "queue pairs"),
            bytes,
            {},
            bytes};
}

Part
MakeOutstandingTable(const NicMemoryConfig& config)
{
    const uint64_t entries = uint64_t{config.windowPackets} * config.queuePairs;
    return {"outstanding request table",
            Count(config.outstandingEntryBytes, "B") + " x " +
                Count(config.windowPackets, "packets") + " x " +
                Count(config.queuePairs, "queue pairs"),
            entries * config.outstandingEntryBytes,
            MakeTable(entries, config.outstandingEntryBytes)};
}

using MakePart = Part (*)(const NicMemoryConfig&);

// In the order of MemoryStructure; the scheduler comes after them.
constexpr std::array<MakePart, MEMORY_STRUCTURES - 1> PARTS{MakeReceiveBuffer,
                                                            MakeContexts,
                                                            MakeTranslations,
                                                            MakeWqeCache,
                                                            MakeBitmaps,
                                                            MakeReorderingBuffer,
                                                            MakeOutstandingTable};

MemoryLine
MakeLine(MemoryStructure structure, const Part& part, const NicMemoryConfig& config)
{
    const std::string& replaced = config.replacedBy[static_cast<std::size_t>(structure)];
    MemoryLine line{structure, part.name, part.formula, replaced, part.conceptualBytes, 0, 0};
    if (part.conceptualBytes == 0 && !replaced.empty())
    {
        line.formula = "none"; // It never had one.
    }
    if (replaced.empty())
    {
        line.designBytes = GetTableBytes(part.table, MemoryAlignment::EXACT) + part.bufferBytes;
        line.builtBytes = GetTableBytes(part.table, config.alignment) + part.bufferBytes;
    }
    return line;
}

/// Contexts that are cut into several tables: a line each.
void
AddTables(const NicMemoryConfig& config, std::vector<MemoryLine>& lines)
{
    for (const MemoryTable& table : config.tables)
    {
        const uint64_t exact = GetTableBytes(table, MemoryAlignment::EXACT);
        lines.push_back({MemoryStructure::CONTEXTS,
                         table.name,
                         Count(SumBits(table), "bits") + " x " + Count(table.entries, "entries"),
                         "",
                         exact,
                         exact,
                         GetTableBytes(table, config.alignment)});
    }
}

/// The schedule queue, and what is on the way between two turns. Not in the conceptual model.
void
AddScheduler(const NicMemoryConfig& config, std::vector<MemoryLine>& lines)
{
    const uint64_t buffer = uint64_t{config.turns} *
                            (config.burstBytes + uint64_t{config.wqesPerTurn} * config.wqeBytes);
    const Part queue{"schedule queue",
                     Count(config.scheduleEntryBytes, "B") + " x " +
                         Count(config.queuePairs, "queue pairs"),
                     0,
                     MakeTable(config.queuePairs, config.scheduleEntryBytes)};
    const Part bursts{"scheduler's bursts",
                      Count(config.turns, "turns") + " x (" + Size(config.burstBytes) + " + " +
                          Count(config.wqesPerTurn, "WQEs") + " x " + Count(config.wqeBytes, "B") +
                          ")",
                      0,
                      {},
                      buffer};
    lines.push_back(MakeLine(MemoryStructure::SCHEDULER, queue, config));
    lines.push_back(MakeLine(MemoryStructure::SCHEDULER, bursts, config));
}

} // namespace

const char*
GetAlignmentName(MemoryAlignment alignment)
{
    static constexpr std::array<const char*, static_cast<std::size_t>(MemoryAlignment::COUNT)>
        NAMES{"exact", "power-of-two", "block-ram", "ultra-ram"};
    NS_ASSERT_MSG(alignment < MemoryAlignment::COUNT, "Unknown alignment of memory");
    return NAMES[static_cast<std::size_t>(alignment)];
}

uint64_t
GetTableBytes(const MemoryTable& table, MemoryAlignment alignment)
{
    const uint64_t bits = SumBits(table);
    if (table.entries == 0 || bits == 0)
    {
        return 0;
    }
    switch (alignment)
    {
    case MemoryAlignment::POWER_OF_TWO:
        return DivideUp(RoundUpToPowerOfTwo(table.entries) * bits, BITS_PER_BYTE);
    case MemoryAlignment::BLOCK_RAM:
        return CountBlocks(table) * BLOCK_BYTES;
    case MemoryAlignment::ULTRA_RAM:
        return CountBlocks(table.entries, bits, ULTRA_SHAPE) * ULTRA_BYTES;
    default:
        return DivideUp(table.entries * bits, BITS_PER_BYTE);
    }
}

std::vector<MemoryLine>
AccountMemory(const NicMemoryConfig& config)
{
    std::vector<MemoryLine> lines;
    for (std::size_t i = 0; i < PARTS.size(); ++i)
    {
        lines.push_back(MakeLine(static_cast<MemoryStructure>(i), PARTS[i](config), config));
    }
    AddTables(config, lines);
    AddScheduler(config, lines);
    // A part that this NIC does not have has no line, unless something takes its place.
    lines.erase(std::remove_if(lines.begin(),
                               lines.end(),
                               [](const MemoryLine& line) {
                                   return line.conceptualBytes == 0 && line.designBytes == 0 &&
                                          line.replacedBy.empty();
                               }),
                lines.end());
    return lines;
}

MemoryTotal
SumMemory(const std::vector<MemoryLine>& lines)
{
    MemoryTotal total;
    for (const MemoryLine& line : lines)
    {
        total.conceptualBytes += line.conceptualBytes;
        total.designBytes += line.designBytes;
        total.builtBytes += line.builtBytes;
    }
    return total;
}

} // namespace ns3::rdma
