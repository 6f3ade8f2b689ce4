// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nccl-keys.h"

#include "ns3/nccl-tuning.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace ns3::rdma
{

namespace
{

constexpr double BITS_PER_GB{8e9};
const std::vector<std::string> LIBRARIES{"none", "nccl", "nccl-adaptive-routing"};

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

std::vector<const CollectiveAlgorithm*>
NcclKeys::ListAlgorithms(const std::string& operation)
{
    std::vector<const CollectiveAlgorithm*> found;
    for (const CollectiveAlgorithm& one : GetCollectiveAlgorithms())
    {
        if (one.operation == operation && one.isOfNccl)
        {
            found.push_back(&one);
        }
    }
    return found;
}

void
NcclKeys::Read(const JsonValue& workload, const CollectiveAlgorithm& algorithm, bool isAuto)
{
    m_operation = algorithm.operation;
    m_isAlgorithmChosen = isAuto;
    const auto library = workload.Find("library");
    const std::string name = library ? library->GetChoice(LIBRARIES) : LIBRARIES.front();
    m_isByNccl = name != LIBRARIES.front();
    m_hasSeparateNotices = name == LIBRARIES.back();
    if (!m_isByNccl)
    {
        CheckAbsence(workload);
        return;
    }
    if (!algorithm.isOfNccl)
    {
        library->Fail("none, or an algorithm of NCCL",
                      name + " with " + m_operation + " by " + algorithm.name);
    }
    if (workload.Find("slices"))
    {
        workload.Get("slices").Fail("no slices beside a library, which chooses them");
    }
    ReadProtocol(workload);
}

void
NcclKeys::CheckAbsence(const JsonValue& workload) const
{
    if (m_isAlgorithmChosen)
    {
        workload.Get("algorithm").Fail("auto with \"library\": \"nccl\" only");
    }
    if (const auto protocol = workload.Find("protocol"))
    {
        protocol->Fail("no protocol without \"library\": \"nccl\"");
    }
}

void
NcclKeys::ReadProtocol(const JsonValue& workload)
{
    const auto protocol = workload.Find("protocol");
    if (!protocol)
    {
        m_protocol = m_isAlgorithmChosen ? AUTO : GetNcclProtocolNames().front();
        return;
    }
    if (!HasChoice(m_operation))
    {
        protocol->Fail("no protocol for " + m_operation + ", which NCCL sends by Simple");
    }
    std::vector<std::string> names = GetNcclProtocolNames();
    names.emplace_back(AUTO);
    m_protocol = protocol->GetChoice(names);
}

void
NcclKeys::Write(nlohmann::ordered_json& json) const
{
    json["library"] = LIBRARIES[m_hasSeparateNotices ? 2 : m_isByNccl ? 1 : 0];
    if (m_isByNccl && HasChoice(m_operation))
    {
        json["protocol"] = m_protocol;
    }
}

const CollectiveAlgorithm&
NcclKeys::Choose(const std::vector<RankPlace>& ranks,
                 const TopologyGraph& topology,
                 CollectiveShape& shape) const
{
    const std::vector<std::string>& names = GetNcclProtocolNames();
    std::vector<NcclWay> ways;
    for (const CollectiveAlgorithm* one : ListAlgorithms(m_operation))
    {
        for (std::size_t protocol = 0; protocol < names.size(); ++protocol)
        {
            const bool isWanted = (m_isAlgorithmChosen || shape.algorithm == one->name) &&
                                  (m_protocol == AUTO || m_protocol == names[protocol]);
            if (isWanted)
            {
                ways.push_back({one->name, static_cast<NcclProtocol>(protocol)});
            }
        }
    }
    NcclWay way = ways.front();
    if (IsChosen())
    {
        const double rate = FindLinkGBps(topology, ranks);
        way = NcclTuning(m_operation, shape.ranks, shape.channels, rate).Choose(ways, shape.bytes);
    }
    shape.algorithm = way.algorithm;
    shape.protocol = way.protocol;
    shape.hasSeparateNotices = m_hasSeparateNotices;
    const CollectiveAlgorithm& algorithm = *FindCollectiveAlgorithm(m_operation, way.algorithm);
    const auto& keys = algorithm.keys;
    if (std::find(keys.begin(), keys.end(), "channels") == keys.end())
    {
        shape.channels = 1; // Our trees and chains have one.
    }
    return algorithm;
}

} // namespace ns3::rdma
