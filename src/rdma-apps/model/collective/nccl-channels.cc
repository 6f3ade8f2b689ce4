// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nccl-channels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace ns3::rdma
{

namespace
{

// NCCL 2.30, src/graph/search.cc: sm90SpeedArrayInter (GB/s), and the rules of the search.
constexpr double SPEEDS[]{48, 45, 42, 40, 30, 24, 22, 20, 17.5, 15, 12, 6, 3, 2.4, 1.2, 0.24, 0.12};
constexpr std::size_t LAST{std::size(SPEEDS) - 1};
constexpr double LEAST_RATIO{0.49};     ///< Of a slower class to the best one, for it to be tried.
constexpr double DOUBLED_FROM{25};      ///< ncclTopoDupChannels.
constexpr uint32_t DOUBLED_CHANNELS{4}; ///< At most, below 50 GB/s.
constexpr uint32_t MAX_RINGS{32};       ///< MAXCHANNELS / 2.
constexpr double FAST_RING{45};         ///< src/graph/connect.cc: four channels instead of two.
constexpr uint32_t FAST_CHANNELS{16};   ///< Below this number.
constexpr double PER_CHANNEL_GBPS{14};  ///< src/graph/paths.cc: NCCL_P2P_PER_CHANNEL_NET_BW.
constexpr uint32_t BATCH{8};            ///< NCCL_MAX_DEV_WORK_P2P_PER_BATCH.

uint64_t
DivideUp(uint64_t number, uint64_t divisor)
{
    return (number + divisor - 1) / divisor;
}

uint32_t
RaiseToPower(uint32_t number)
{
    uint32_t power = 1;
    while (power < number)
    {
        power *= 2;
    }
    return power;
}

double
GetSum(const NcclRings& rings)
{
    return rings.channels * rings.speedGBps;
}

} // namespace

NcclRings
FindNcclRings(double linkGBps, uint32_t nics)
{
    const auto search = [linkGBps, nics](double speed) {
        const auto each = static_cast<uint32_t>(std::floor(linkGBps / speed));
        return NcclRings{std::min(each * nics, MAX_RINGS), speed};
    };
    std::size_t index = 0;
    while (index < LAST && SPEEDS[index] > linkGBps)
    {
        ++index;
    }
    NcclRings best = search(SPEEDS[index]);
    while (index < LAST && SPEEDS[index + 1] / best.speedGBps > LEAST_RATIO)
    {
        const NcclRings next = search(SPEEDS[++index]);
        best = GetSum(next) > GetSum(best) ? next : best;
    }
    best.channels = std::max(best.channels, 1U);
    if (best.speedGBps >= DOUBLED_FROM && best.channels <= DOUBLED_CHANNELS)
    {
        best = {2 * best.channels, best.speedGBps / 2};
    }
    // NCCL then looks for faster rings of this number; the classes above have been tried.
    return best;
}

uint32_t
CountNcclChannels(const NcclRings& rings)
{
    const uint32_t channels = 2 * rings.channels;
    return rings.speedGBps > FAST_RING && channels < FAST_CHANNELS ? 2 * channels : channels;
}

NcclPeerChannels
FindNcclPeerChannels(double linkGBps,
                     uint32_t nics,
                     uint32_t ranks,
                     const NcclPeerSettings& settings)
{
    NcclPeerChannels channels;
    channels.all = RaiseToPower(CountNcclChannels(FindNcclRings(linkGBps, nics)));
    if (settings.perPeer)
    {
        channels.perPeer = std::min(channels.all, RaiseToPower(*settings.perPeer));
        return channels;
    }
    const auto needed =
        static_cast<uint32_t>(std::ceil(std::floor(linkGBps * nics) / PER_CHANNEL_GBPS));
    channels.perPeer = RaiseToPower(std::max(nics, needed));
    const uint32_t peers = std::min(settings.maxPeers.value_or(ranks), ranks);
    while (channels.perPeer > 1 && channels.perPeer * DivideUp(peers, BATCH) > channels.all)
    {
        channels.perPeer /= 2;
    }
    return channels;
}

uint32_t
CountNcclParts(uint64_t bytes, uint32_t perPeer, uint64_t chunk)
{
    const uint64_t least = std::max<uint64_t>(chunk / 2, 1);
    return static_cast<uint32_t>(std::clamp<uint64_t>(DivideUp(bytes, least), 1, perPeer));
}

uint64_t
GetNcclPieceBytes(uint64_t bytes, uint64_t chunk)
{
    constexpr uint64_t SMALL_CHUNKS{8};
    return bytes < chunk ? chunk / 4 : bytes < SMALL_CHUNKS * chunk ? chunk / 2 : chunk;
}

} // namespace ns3::rdma
