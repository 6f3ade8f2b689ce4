// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nccl-keys.h"

#include "ns3/nccl-tuning.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr double BITS_PER_GB{8e9};

/// @return NICs that the connections of a rank use. @param ranks all
uint32_t
CountNics(const TopologyGraph& topology, const std::vector<RankPlace>& ranks)
{
    const RankPlace& first = ranks.front();
    const auto isAtServer = [&](uint32_t end) {
        return !topology.IsSwitch(end) && topology.GetEndpoint(end).server == first.server;
    };
    const auto links = std::count_if(topology.links.begin(), topology.links.end(), [&](auto& one) {
        return isAtServer(one.a) || isAtServer(one.b);
    });
    return first.nic ? 1 : std::max(static_cast<uint32_t>(links), 1U);
}

/// @return the lowest rate of a link at the servers of ranks, in GB/s.
double
FindLinkGBps(const TopologyGraph& topology, const std::vector<RankPlace>& ranks)
{
    std::set<uint32_t> servers;
    for (const RankPlace& rank : ranks)
    {
        servers.insert(rank.server);
    }
    double least = 0;
    for (const GraphLink& link : topology.links)
    {
        for (const uint32_t end : {link.a, link.b})
        {
            const bool isOfRank =
                !topology.IsSwitch(end) && servers.count(topology.GetEndpoint(end).server) > 0;
            const double rate = static_cast<double>(link.rate.GetBitRate()) / BITS_PER_GB;
            least = isOfRank && (least == 0 || rate < least) ? rate : least;
        }
    }
    return least;
}

} // namespace

bool
NcclKeys::HasChoice(const std::string& operation)
{
    return operation != "all-to-all" && operation != "send-receive";
}

void
NcclKeys::Visit(Keys& keys, const CollectiveAlgorithm& algorithm, bool isAuto)
{
    static constexpr std::array<std::pair<const char*, Library>, 3> LIBRARIES{
        {{"none", Library::NONE},
         {"nccl", Library::NCCL},
         {"nccl-adaptive-routing", Library::NCCL_ADAPTIVE_ROUTING}}};
    keys.Choice("library", m_library, LIBRARIES, "library whose way of sending is modelled");
    keys.Check(IsByNccl() || !isAuto, "algorithm", R"(auto with "library": "nccl" only)");
    keys.Check(!IsByNccl() || algorithm.isOfNccl,
               "library",
               "none, or an algorithm of NCCL",
               std::string(LIBRARIES[static_cast<std::size_t>(m_library)].first) + " with " +
                   algorithm.operation + " by " + algorithm.name);
    std::vector<std::string> names = GetNcclProtocolNames();
    names.emplace_back(AUTO);
    keys.Choice("protocol", m_protocol, std::move(names), "protocol of NCCL; auto: its own choice")
        .OnlyIf(IsByNccl() && HasChoice(algorithm.operation),
                IsByNccl()
                    ? "no protocol for " + algorithm.operation + ", which NCCL sends by Simple"
                    : R"(no protocol without "library": "nccl")")
        .Otherwise("simple; auto with the algorithm auto");
    keys.Count("timeout", m_timeout, "NCCL_IB_TIMEOUT: 4.096 us x 2^timeout")
        .Between(0U, 31U)
        .OnlyIf(IsByNccl(), R"(no timeout without "library": "nccl")")
        .Otherwise("20");
    keys.Count("retries", m_retries, "NCCL_IB_RETRY_CNT")
        .Between(0U, 7U)
        .OnlyIf(IsByNccl(), R"(no retries without "library": "nccl")")
        .Otherwise("7");
    VisitPeers(keys, algorithm);
}

void
NcclKeys::VisitPeers(Keys& keys, const CollectiveAlgorithm& algorithm)
{
    constexpr uint32_t MAX_CHANNELS{64};
    constexpr uint32_t MAX_PEERS{1 << 20};
    constexpr uint64_t LEAST_CHUNK{4096};
    constexpr uint64_t MOST_CHUNK{512 << 10}; // NCCL_BUFFSIZE of 8 steps.
    static constexpr const char* ONLY{R"(all-to-all or send-receive with "library": "nccl")"};
    const bool hasPeers = IsByNccl() && !HasChoice(algorithm.operation);
    keys.Count("channelsPerPeer",
               m_peers.perPeer,
               "NCCL_NCHANNELS_PER_NET_PEER: parts of a message, each with its channel")
        .Between(1U, MAX_CHANNELS)
        .OnlyIf(hasPeers, ONLY)
        .Otherwise("NCCL's number");
    keys.Count("maxPeers",
               m_peers.maxPeers,
               "NCCL_P2P_MAX_PEERS: peers among which NCCL divides its channels")
        .Between(1U, MAX_PEERS)
        .OnlyIf(hasPeers, ONLY)
        .Otherwise("all ranks");
    keys.Bytes("chunk", m_chunk, "NCCL_P2P_NET_CHUNKSIZE: largest piece of a message")
        .Between(LEAST_CHUNK, MOST_CHUNK)
        .WithUnit()
        .OnlyIf(hasPeers, ONLY);
    keys.Rate("copyRate", m_copyRate, "rate of a channel's copy to or from the NIC's buffers")
        .OnlyIf(hasPeers, ONLY);
}

void
NcclKeys::Resolve(bool isAuto)
{
    if (m_protocol.empty())
    {
        m_protocol = isAuto ? AUTO : GetNcclProtocolNames().front();
    }
}

const CollectiveAlgorithm&
NcclKeys::Choose(const std::vector<RankPlace>& ranks,
                 const TopologyGraph& topology,
                 CollectiveShape& shape) const
{
    const std::vector<std::string>& names = GetNcclProtocolNames();
    const bool isAuto = shape.algorithm == AUTO;
    std::vector<NcclWay> ways;
    for (const CollectiveAlgorithm& one : GetCollectiveAlgorithms())
    {
        const bool isKnown = one.operation == shape.operation && one.isOfNccl;
        for (std::size_t protocol = 0; protocol < names.size(); ++protocol)
        {
            const bool isWanted = isKnown && (isAuto || shape.algorithm == one.name) &&
                                  (m_protocol == AUTO || m_protocol == names[protocol]);
            if (isWanted)
            {
                ways.push_back({one.name, static_cast<NcclProtocol>(protocol)});
            }
        }
    }
    NcclWay way = ways.front();
    const double rate = FindLinkGBps(topology, ranks);
    if (IsChosen(isAuto))
    {
        const uint32_t channels = FindNcclRings(rate).channels;
        way = NcclTuning(shape.operation, shape.ranks, channels, rate).Choose(ways, shape.bytes);
    }
    shape.peers = {FindNcclPeerChannels(rate, CountNics(topology, ranks), shape.ranks, m_peers),
                   m_chunk,
                   m_copyRate.GetBitRate()};
    shape.algorithm = way.algorithm;
    shape.protocol = way.protocol;
    shape.hasSeparateNotices = m_library == Library::NCCL_ADAPTIVE_ROUTING;
    const CollectiveAlgorithm& algorithm = *FindCollectiveAlgorithm(shape.operation, way.algorithm);
    const auto& keys = algorithm.keys;
    if (std::find(keys.begin(), keys.end(), "channels") == keys.end())
    {
        shape.channels = 1; // Our trees and chains have one.
    }
    return algorithm;
}

} // namespace ns3::rdma
