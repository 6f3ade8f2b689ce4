// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/perftest-own-json.h"

#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

using OwnJson = nlohmann::ordered_json;

std::string
GetOwnName(const PerftestOptions& options)
{
    const bool isSwap = options.atomicType == PerftestAtomic::COMPARE_AND_SWAP;
    std::string name;
    switch (options.kind.verb)
    {
    case PerftestVerb::WRITE:
        name = options.hasImmediate ? "RDMA_Write_imm_" : "RDMA_Write_";
        break;
    case PerftestVerb::SEND:
        name = options.hasImmediate ? "Send_imm_" : "Send_";
        break;
    case PerftestVerb::READ:
        name = "RDMA_Read_";
        break;
    case PerftestVerb::ATOMIC:
        name = isSwap ? "Atomic_CMP_AND_SWAP_" : "Atomic_FETCH_AND_ADD_";
        break;
    }
    name += options.isBidirectional ? "Bidirectional_" : "";
    name += options.postList > 1 ? "Post_List_" : "";
    return name + (options.kind.isLatency ? "Latency_Test" : "BW_Test");
}

OwnJson
DescribeTest(const PerftestRequest& request, const PerftestOptions& options)
{
    OwnJson json{{"test", GetOwnName(options)},
                 {"Dual_port", "OFF"},
                 {"Device", request.nic},
                 {"Number_of_qps", options.queuePairs},
                 {"Transport_type", "IB"},
                 {"Connection_type", GetServiceName(options.service)},
                 {"Using_SRQ", "OFF"},
                 {"TX_depth", options.txDepth}};
    if (options.postList > 1)
    {
        json["Post_List"] = options.postList;
    }
    if (options.receiveList > 1)
    {
        json["Recv_Post_List"] = options.receiveList;
    }
    if (options.ConsumesReceives() && options.isBidirectional)
    {
        json["RX_depth"] = options.rxDepth;
    }
    if (!options.kind.isLatency)
    {
        json["CQ_Moderation"] = options.completionInterval;
    }
    json["Mtu"] = options.mtu;
    json["Link_type"] = "Ethernet";
    if (options.kind.verb == PerftestVerb::READ || options.kind.verb == PerftestVerb::ATOMIC)
    {
        json["Outstand_reads"] = options.outstandingReads;
    }
    else
    {
        json["Max_inline_data"] = options.inlineBytes;
    }
    return json;
}

/// Adds results; with --output, its number alone.
class ResultWriter
{
  public:
    ResultWriter(const PerftestRequest& request, OwnJson& json)
        : m_request(request),
          m_json(json)
    {
    }

    void operator()(const BandwidthSummary& summary) const
    {
        const double average = ConvertBandwidth(m_request, summary.average);
        if (m_request.output == PerftestOutput::BANDWIDTH)
        {
            m_json = {{"bw_avg", average}};
        }
        else if (m_request.output == PerftestOutput::MESSAGE_RATE)
        {
            m_json = {{"msgRate_avg", summary.messageRate}};
        }
        else
        {
            m_json["BW_peak"] = m_request.hasNoPeak ? 0 : ConvertBandwidth(m_request, summary.peak);
            m_json["BW_average"] = average;
            m_json["MsgRate"] = summary.messageRate;
        }
    }

    void operator()(const LatencySummary& summary) const
    {
        if (m_request.output == PerftestOutput::LATENCY)
        {
            m_json = {{"avg_lat", summary.average}};
            return;
        }
        m_json["t_min"] = summary.min;
        m_json["t_max"] = summary.max;
        m_json["t_typical"] = summary.typical;
        m_json["t_avg"] = summary.average;
        m_json["t_stdev"] = summary.deviation;
        m_json["percentile_99"] = summary.p99;
        m_json["percentile_99.9"] = summary.p999;
    }

    void operator()(const LatencyRate& summary) const
    {
        if (m_request.output == PerftestOutput::LATENCY)
        {
            m_json = {{"t_avg", summary.average}};
            return;
        }
        m_json["t_avg"] = summary.average;
        m_json["tps_average"] = summary.perSecond;
    }

  private:
    const PerftestRequest& m_request;
    OwnJson& m_json;
};

} // namespace

std::string
WriteOwnJson(const PerftestRequest& request,
             const PerftestOptions& options,
             const PerftestResult& result,
             uint64_t iterations)
{
    OwnJson results{{"MsgSize", result.bytes}, {"n_iterations", iterations}};
    std::visit(ResultWriter(request, results), result.summary);
    const OwnJson json{{"test_info", DescribeTest(request, options)}, {"results", results}};
    return json.dump(1) + '\n';
}

double
ConvertBandwidth(const PerftestRequest& request, double mebibytes)
{
    constexpr double GBPS_PER_MIBPS{(1 << 20) * 8e-9};
    return request.isInGigabits ? mebibytes * GBPS_PER_MIBPS : mebibytes;
}

} // namespace ns3::rdma
