// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/resource-account.h"

#include "ns3/memory-account.h"

#include <array>
#include <cmath>
#include <numeric>

namespace ns3::rdma
{

namespace
{

constexpr uint32_t READ_REQUESTS{2048}; ///< fpga-network-stack: of all queue pairs.
constexpr double BITS_PER_BLOCK{36864};
constexpr double BITS_PER_BYTE{8};

/// Table 3 of the paper, for 500 queue pairs and a TLB of 16,384 entries.
struct Version
{
    double busBytes;
    double luts;
    double blocks;
    double flipFlops;
};

constexpr Version TEN_G{8, 92'000, 181, 115'000};
constexpr Version HUNDRED_G{64, 122'000, 402, 214'000};

/// @return on the line through both versions, over the width.
double
Interpolate(uint32_t busBytes, double Version::*value)
{
    const double part = (busBytes - TEN_G.busBytes) / (HUNDRED_G.busBytes - TEN_G.busBytes);
    return TEN_G.*value + part * (HUNDRED_G.*value - TEN_G.*value);
}

bool
IsStated(uint32_t busBytes)
{
    return busBytes == TEN_G.busBytes || busBytes == HUNDRED_G.busBytes;
}

uint32_t
SumBits(const MemoryTable& table)
{
    return std::accumulate(table.fieldBits.begin(), table.fieldBits.end(), 0U);
}

/// Those with an entry per queue pair.
std::vector<MemoryTable>
MakeQueuePairTables(uint32_t queuePairs)
{
    return {{"state table", queuePairs, {24 + 24 + 24 + 24 + 24 + 3}},
            {"queue pair table", queuePairs, {24 + 32 + 16}},
            {"MSN table", queuePairs, {24 + 64 + 32}},
            {"retransmission timers", queuePairs, {32 + 4 + 1}},
            {"multi-queue, lists", queuePairs, {16 + 16 + 1}}};
}

/// Each entry in one piece.
std::vector<MemoryTable>
MakeTables(const ResourceConfig& config)
{
    std::vector<MemoryTable> tables = MakeQueuePairTables(config.queuePairs);
    tables.push_back({"multi-queue, elements", READ_REQUESTS, {64 + 16 + 1}});
    tables.push_back({"TLB", config.tlbEntries, {48}});
    return tables;
}

double
CountBlocks(const MemoryTable& table)
{
    const auto bytes = static_cast<double>(GetTableBytes(table, MemoryAlignment::BLOCK_RAM));
    return bytes * BITS_PER_BYTE / BITS_PER_BLOCK;
}

double
SumBlocks(const std::vector<MemoryTable>& tables)
{
    double blocks = 0;
    for (const MemoryTable& table : tables)
    {
        blocks += CountBlocks(table);
    }
    return blocks;
}

} // namespace

const char*
GetBasisName(ResourceBasis basis)
{
    static constexpr std::array<const char*, 5> NAMES{"stated",
                                                      "computed",
                                                      "fitted",
                                                      "remainder",
                                                      "sum"};
    return NAMES[static_cast<std::size_t>(basis)];
}

const FpgaPart&
GetVcu118()
{
    static const FpgaPart part{"XCVU9P", 1'182'240, 2160, 2'364'480};
    return part;
}

uint32_t
GetQueuePairBits()
{
    uint32_t bits = 0;
    for (const MemoryTable& table : MakeQueuePairTables(1))
    {
        bits += SumBits(table);
    }
    return bits;
}

std::vector<ResourceLine>
AccountResources(const ResourceConfig& config)
{
    std::vector<ResourceLine> lines;
    double blocks = 0;
    for (const MemoryTable& table : MakeTables(config))
    {
        const double own = CountBlocks(table);
        lines.push_back(
            {table.name,
             std::to_string(table.entries) + " x " + std::to_string(SumBits(table)) + " bit",
             std::nullopt,
             own,
             std::nullopt,
             ResourceBasis::COMPUTED});
        blocks += own;
    }
    const ResourceBasis sums =
        IsStated(config.busBytes) ? ResourceBasis::STATED : ResourceBasis::FITTED;
    const double counted = SumBlocks(MakeTables({500, 16384, config.busBytes}));
    const double rest = Interpolate(config.busBytes, &Version::blocks) - counted;
    lines.push_back({"all else",
                     "FIFOs, DMA engine, Ethernet: the rest of Table 3",
                     std::nullopt,
                     rest,
                     std::nullopt,
                     ResourceBasis::REMAINDER});
    const bool isTables = config.queuePairs == 500 && config.tlbEntries == 16384;
    lines.push_back({"NIC",
                     sums == ResourceBasis::FITTED ? "between the two versions of Table 3"
                     : isTables                    ? "Table 3"
                                                   : "logic, registers: Table 3; memory: the sum",
                     Interpolate(config.busBytes, &Version::luts),
                     blocks + rest,
                     Interpolate(config.busBytes, &Version::flipFlops),
                     sums == ResourceBasis::STATED && !isTables ? ResourceBasis::SUM : sums});
    return lines;
}

} // namespace ns3::rdma
