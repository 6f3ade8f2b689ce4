// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/perftest-report.h"

#include "ns3/quantity.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <numeric>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr int INDENT{2};
constexpr std::size_t LINE_WIDTH{87};
constexpr double BITS_PER_GBPS_BYTE{8e-9};

// perftest's own heads, so that scripts which look for them find them.
constexpr const char* BANDWIDTH_HEAD{
    " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]"};
constexpr const char* LATENCY_HEAD{
    " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    "
    "t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]"};

/// A number and the width of its column.
struct Cell
{
    double value;
    int width;
    int decimals;
};

void
WriteCells(std::ostream& output, std::initializer_list<Cell> cells)
{
    std::ostringstream line;
    line << std::left << std::fixed;
    for (const Cell& cell : cells)
    {
        // A value as wide as its column is still separated from the next one.
        line << std::setprecision(cell.decimals) << std::setw(std::max(cell.width - 1, 0))
             << cell.value << ' ';
    }
    const std::string text = line.str();
    output << text.substr(0, text.find_last_not_of(' ') + 1) << '\n';
}

void
WriteSummary(std::ostream& output, const PerftestResult& result, const BandwidthSummary& summary)
{
    WriteCells(output,
               {{static_cast<double>(result.bytes), 11, 0},
                {static_cast<double>(result.iterations), 15, 0},
                {summary.peak, 19, 2},
                {summary.average, 21, 2},
                {summary.messageRate, 0, 6}});
}

void
WriteSummary(std::ostream& output, const PerftestResult& result, const LatencySummary& summary)
{
    WriteCells(output,
               {{static_cast<double>(result.bytes), 7, 0},
                {static_cast<double>(result.iterations), 15, 0},
                {summary.min, 15, 2},
                {summary.max, 13, 2},
                {summary.typical, 19, 2},
                {summary.average, 15, 2},
                {summary.deviation, 16, 2},
                {summary.p99, 23, 2},
                {summary.p999, 0, 2}});
}

Json
ToJson(const BandwidthSummary& summary)
{
    return {{"peakMiBps", summary.peak},
            {"averageMiBps", summary.average},
            {"messageRateMpps", summary.messageRate}};
}

Json
ToJson(const LatencySummary& summary)
{
    return {{"minUs", summary.min},
            {"maxUs", summary.max},
            {"typicalUs", summary.typical},
            {"averageUs", summary.average},
            {"deviationUs", summary.deviation},
            {"p1Us", summary.p1},
            {"p5Us", summary.p5},
            {"p95Us", summary.p95},
            {"p99Us", summary.p99},
            {"p999Us", summary.p999}};
}

/// Beyond so many queue pairs their rates are not listed.
constexpr std::size_t LISTED_QUEUE_PAIRS{64};

template <std::size_t SIZE>
Json
ToJson(const std::array<uint64_t, SIZE>& bytes)
{
    Json json = Json::object();
    for (std::size_t kind = 0; kind < SIZE; ++kind)
    {
        json[GetDmaKindName(static_cast<DmaKind>(kind))] = bytes[kind];
    }
    return json;
}

Json
ToJson(const CacheStats& cache)
{
    return {{"hits", cache.hits}, {"misses", cache.misses}, {"stalls", cache.stalls}};
}

Json
ToJson(const CpuStats& cpu, Tick time)
{
    const auto total = std::accumulate(cpu.busy.begin(), cpu.busy.end(), Tick{0});
    Json tasks = Json::object();
    for (std::size_t task = 0; task < CPU_TASKS; ++task)
    {
        tasks[GetCpuTaskName(static_cast<CpuTask>(task))] = {
            {"cores", static_cast<double>(cpu.busy[task]) / static_cast<double>(time)},
            {"count", cpu.count[task]}};
    }
    return {{"cores", static_cast<double>(total) / static_cast<double>(time)}, {"tasks", tasks}};
}

Json
ToJson(const PerftestMeasurement& measurement, const EndCounters& end)
{
    Json json{{"dataFrames", end.dataFrames}, {"retransmitted", end.retransmitted}};
    if (measurement.isHardwareTimed)
    {
        const PcieStats& pcie = end.pcie;
        const auto add = [](const auto& bytes) {
            return std::accumulate(bytes.begin(), bytes.end(), uint64_t{0});
        };
        json["cpu"] = ToJson(end.cpu, measurement.end - measurement.begin);
        json["pcie"] = {{"upGbps", measurement.GetGbps(add(pcie.upBytes))},
                        {"downGbps", measurement.GetGbps(add(pcie.downBytes))},
                        {"extraGbps", measurement.GetExtraPcieGbps(end)},
                        {"upBytes", ToJson(pcie.upBytes)},
                        {"downBytes", ToJson(pcie.downBytes)},
                        {"reads", pcie.reads},
                        {"writes", pcie.writes},
                        {"doorbells", pcie.doorbells},
                        {"tagStalls", pcie.tagStalls},
                        {"creditStalls", pcie.creditStalls}};
        json["contextCache"] = ToJson(end.contexts);
        json["translationCache"] = ToJson(end.translations);
        json["receiveWqeCache"] = ToJson(end.receiveWqes);
        if (measurement.hasIngressMeters)
        {
            json["ingress"] = {{"frames", end.ingress.frames},
                               {"discards", end.ingress.discards},
                               {"stalls", end.ingress.stalls},
                               {"peakBytes", end.ingress.peakBytes}};
        }
    }
    return json;
}

Json
ToJson(const PerftestMeasurement& measurement, const PerftestResult& result)
{
    constexpr double PS_PER_US{1e6};
    const double begin = static_cast<double>(measurement.begin) / PS_PER_US;
    const double end = static_cast<double>(measurement.end) / PS_PER_US;
    Json json{{"fromUs", begin}, {"toUs", end}};
    if (std::holds_alternative<BandwidthSummary>(result.summary))
    {
        json["goodputGbps"] = measurement.GetGbps(measurement.goodBytes);
        json["wireGbps"] = measurement.GetWireGbps();
        json["messageRateMpps"] = static_cast<double>(measurement.goodBytes) /
                                  static_cast<double>(result.bytes) / (end - begin);
        if (measurement.queuePairs.size() <= LISTED_QUEUE_PAIRS)
        {
            json["queuePairGbps"] = Json::array();
            for (const uint64_t bytes : measurement.queuePairs)
            {
                json["queuePairGbps"].push_back(measurement.GetGbps(bytes));
            }
        }
    }
    json["client"] = ToJson(measurement, measurement.client);
    json["server"] = ToJson(measurement, measurement.server);
    return json;
}

/// What the line of the NIC says beyond the plain case.
std::string
DescribeOthers(const PerftestRequest& request)
{
    std::string text = request.peerNic.empty() ? "" : " to " + request.peerNic;
    if (request.isHardwareTimed)
    {
        text += ", hardware on, threads: " + std::to_string(request.threads.value_or(1));
    }
    return text;
}

} // namespace

PerftestReport::PerftestReport(const PerftestRequest& request, const PerftestOptions& options)
    : m_request(request),
      m_options(options)
{
}

void
PerftestReport::WriteHead(std::ostream& output) const
{
    const std::string rule(LINE_WIDTH, '-');
    const std::string network = m_request.servers
                                    ? "fat-tree of " + std::to_string(*m_request.servers)
                                    : std::string("back to back");
    output << rule << '\n'
           << " Test            : " << GetPerftestName(m_options.kind)
           << (m_options.isBidirectional ? ", bidirectional" : "") << '\n'
           << " NIC             : " << m_request.nic << DescribeOthers(m_request) << '\n'
           << " Network         : " << network << ", " << m_request.rate << ", " << m_request.delay
           << " per link\n"
           << " Connection type : " << GetServiceName(m_options.service) << '\n'
           << " Number of qps   : " << m_options.queuePairs << '\n'
           << " TX depth        : " << m_options.txDepth << '\n'
           << " Mtu             : " << m_options.mtu << "[B]\n"
           << rule << '\n'
           << (m_options.kind.isLatency ? LATENCY_HEAD : BANDWIDTH_HEAD) << std::endl;
}

void
PerftestReport::WriteLine(std::ostream& output, const PerftestResult& result) const
{
    output << ' ';
    std::visit([&](const auto& summary) { WriteSummary(output, result, summary); }, result.summary);
    output << std::flush;
}

void
PerftestReport::WriteFoot(std::ostream& output, const std::vector<PerftestResult>& results) const
{
    output << std::string(LINE_WIDTH, '-') << std::endl;
    const bool hasMeters = std::any_of(results.begin(), results.end(), [](const auto& result) {
        return result.measurement.hasIngressMeters;
    });
    if (hasMeters && !m_options.kind.isLatency)
    {
        output
            << " Note            : the receiver's port discards frames of a fast sender at random "
               "times (docs/models/nic-hardware.md).\n"
               "                   A test below 0.1 s has few or no such stalls; one queue pair "
               "has less bandwidth in a test of seconds."
            << std::endl;
    }
}

std::string
PerftestReport::WriteJson(const std::vector<PerftestResult>& results) const
{
    Json json{{"test", GetPerftestName(m_options.kind)},
              {"nic", m_request.nic},
              {"peerNic", m_request.peerNic.empty() ? m_request.nic : m_request.peerNic},
              {"hardware", m_request.isHardwareTimed ? "on" : "off"},
              {"connection", GetServiceName(m_options.service)},
              {"mtu", m_options.mtu},
              {"qp", m_options.queuePairs},
              {"iters", m_options.iterations},
              {"txDepth", m_options.txDepth},
              {"rxDepth", m_options.rxDepth},
              {"inline", m_options.inlineBytes},
              {"cqMod", m_options.completionInterval},
              {"postList", m_options.postList},
              {"bidirectional", m_options.isBidirectional},
              {"rate", m_request.rate},
              {"delay", m_request.delay},
              {"loss", m_request.lossRate},
              {"seed", m_request.seed},
              {"ipv6", m_request.hasIpv6},
              {"set", m_request.settings}};
    json["threads"] =
        m_request.isHardwareTimed ? Json(m_request.threads.value_or(1)) : Json(nullptr);
    json["fabric"] = m_request.servers ? Json(*m_request.servers) : Json(nullptr);
    if (m_options.kind.verb == PerftestVerb::READ || m_options.kind.verb == PerftestVerb::ATOMIC)
    {
        json["outs"] = m_options.outstandingReads;
    }
    if (m_options.burst > 0)
    {
        json["burst"] = m_options.burst;
        json["gap"] = FormatTime(ToTime(m_options.gap));
    }
    json["results"] = Json::array();
    for (const PerftestResult& result : results)
    {
        Json line{{"size", result.bytes}, {"iters", result.iterations}};
        std::visit([&line](const auto& summary) { line.update(ToJson(summary)); }, result.summary);
        if (result.burstRate > 0)
        {
            line["burstGbps"] =
                result.burstRate * static_cast<double>(result.bytes) * BITS_PER_GBPS_BYTE;
        }
        if (result.measurement.goodBytes > 0)
        {
            line["measured"] = ToJson(result.measurement, result);
        }
        json["results"].push_back(line);
    }
    return json.dump(INDENT) + '\n';
}

} // namespace ns3::rdma
