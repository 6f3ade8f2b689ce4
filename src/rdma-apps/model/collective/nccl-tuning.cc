// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nccl-tuning.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace ns3::rdma
{

namespace
{

// Tables of NCCL 2.30, src/graph/tuning.cc, in the order Simple, LL, LL128; times in us, bandwidths
// in GB/s. "Scale" is 0 for two servers and 1 for more.
using PerProtocol = std::array<double, 3>;
constexpr PerProtocol RING_BASE{8.4, 6.6, 14.0};  ///< baseLatencies, Ring.
constexpr PerProtocol TREE_BASE{8.4, 6.8, 14.0};  ///< baseLatencies, Tree.
constexpr PerProtocol RING_STEP{14.0, 2.7, 4.0};  ///< hwLatencies, NET, Ring.
constexpr PerProtocol TREE_STEP{14.0, 5.0, 8.5};  ///< hwLatencies, NET, Tree.
constexpr double LL_MOST[]{39.0, 20.4};           ///< llMaxBws, Intel.
constexpr double RING_LL128_MOST{36.7};           ///< perChMaxRingLL128Bws, Hopper.
constexpr double TREE_MOST[]{41.4, 36.0};         ///< perChMaxTreeBws, Hopper.
constexpr double TREE_LL128_MOST[]{36.7, 29.0};   ///< perChMaxTreeLL128Bws, Hopper.
constexpr double RING_LL_SHARE{0.5};              ///< Of the bandwidth of the link.
constexpr double EFFICIENCY{0.92};                ///< Rings by LL128, and trees.
constexpr double TREE_LL_DIVISOR{3.8};            ///< Trees by LL.
constexpr double TREE_LL128_SHARE{120.0 / 128.0}; ///< Trees by LL128.
constexpr double TREE_PATTERN_SHARE{0.85};        ///< Pattern TREE.
constexpr double TREE_RATIO{0.5};                 ///< The buffer passes a link up and down.
constexpr double RING_PLATEAU{1.4};               ///< Latency of all-reduce by Simple.
constexpr uint64_t PLATEAU_BYTES{64};             ///< From so many per rank and channel.
constexpr uint64_t SIZE_UNIT{64};                 ///< Of treeCorrectionFactor.
constexpr double BYTES_PER_US{1000};              ///< Of 1 GB/s.

/// treeCorrectionFactor: by log2 of the size in 64 B.
constexpr std::size_t CORRECTED_SIZES{23};
constexpr double TREE_CORRECTION[3][CORRECTED_SIZES]{
    {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9},
    {1., 1., 1., 1., .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1., 1., 1., 1.},
    {1., 1., 1., 1., 1., .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1., 1.}};

/// @return floor of log2. @param number above 0
uint32_t
FloorLog2(uint64_t number)
{
    uint32_t log = 0;
    while (number >>= 1)
    {
        ++log;
    }
    return log;
}

std::size_t
GetIndex(NcclProtocol protocol)
{
    return static_cast<std::size_t>(protocol);
}

} // namespace

NcclTuning::NcclTuning(std::string operation, uint32_t ranks, uint32_t channels, double linkGBps)
    : m_operation(std::move(operation)),
      m_ranks(ranks),
      m_channels(channels),
      m_linkGBps(linkGBps)
{
}

double
NcclTuning::GetRingTime(NcclProtocol protocol, uint64_t bytes) const
{
    const std::size_t index = GetIndex(protocol);
    double bandwidth = m_linkGBps;
    if (protocol == NcclProtocol::LL)
    {
        bandwidth = std::min(LL_MOST[m_ranks > 2], bandwidth * RING_LL_SHARE);
    }
    if (protocol == NcclProtocol::LL128)
    {
        bandwidth = std::min(bandwidth * EFFICIENCY, m_channels * RING_LL128_MOST);
    }
    double latency = RING_BASE[index];
    uint32_t steps = m_ranks;
    if (m_operation == "broadcast" || m_operation == "reduce")
    {
        latency += RING_STEP[index];
    }
    else
    {
        steps = (m_operation == "all-reduce" ? 2 : 1) * (m_ranks - 1);
        // With one rank per server NCCL takes the latency of trees for each step.
        latency += steps * TREE_STEP[index];
    }
    const bool hasPlateau = m_operation == "all-reduce" && protocol == NcclProtocol::SIMPLE &&
                            bytes / (uint64_t{m_channels} * m_ranks) >= PLATEAU_BYTES;
    latency *= hasPlateau ? RING_PLATEAU : 1;
    bandwidth *= static_cast<double>(m_ranks) / steps;
    return latency + static_cast<double>(bytes) / (BYTES_PER_US * bandwidth);
}

double
NcclTuning::GetTreeTime(NcclProtocol protocol, uint64_t bytes) const
{
    const std::size_t index = GetIndex(protocol);
    const bool isLarge = m_ranks > 2;
    double bandwidth = std::min(m_linkGBps * EFFICIENCY, m_channels * TREE_MOST[isLarge]);
    if (protocol == NcclProtocol::LL)
    {
        bandwidth = std::min(bandwidth / TREE_LL_DIVISOR, LL_MOST[isLarge]);
    }
    if (protocol == NcclProtocol::LL128)
    {
        bandwidth = std::min(bandwidth * TREE_LL128_SHARE, m_channels * TREE_LL128_MOST[isLarge]);
    }
    bandwidth *= TREE_PATTERN_SHARE * TREE_RATIO;
    const uint64_t units = bytes / SIZE_UNIT;
    if (units > 0 && FloorLog2(units) < CORRECTED_SIZES)
    {
        bandwidth *= TREE_CORRECTION[index][FloorLog2(units)];
    }
    const double latency = TREE_BASE[index] + 2 * FloorLog2(m_ranks) * TREE_STEP[index];
    return latency + static_cast<double>(bytes) / (BYTES_PER_US * bandwidth);
}

std::optional<double>
NcclTuning::GetTime(const NcclWay& way, uint64_t bytes) const
{
    if (way.algorithm == "double-tree" && m_operation == "all-reduce")
    {
        return GetTreeTime(way.protocol, bytes);
    }
    const bool isHalf = m_operation == "all-gather" || m_operation == "reduce-scatter";
    const bool isRing = way.algorithm == "ring" && (isHalf || m_operation == "all-reduce");
    const bool isChain =
        way.algorithm == "chain" && (m_operation == "broadcast" || m_operation == "reduce");
    return isRing || isChain ? std::optional(GetRingTime(way.protocol, bytes)) : std::nullopt;
}

NcclWay
NcclTuning::Choose(const std::vector<NcclWay>& ways, uint64_t bytes) const
{
    NcclWay best = ways.front();
    std::optional<double> least;
    for (const NcclWay& way : ways)
    {
        const std::optional<double> time = GetTime(way, bytes);
        if (time && (!least || *time < *least))
        {
            best = way;
            least = time;
        }
    }
    return best;
}

} // namespace ns3::rdma
