// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/perftest-report.h"

#include "ns3/perftest-own-json.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr int INDENT{2};
const std::string RULE(87, '-');
constexpr double BITS_PER_GBPS_BYTE{8e-9};

// perftest's own heads, so that scripts which look for them find them.
constexpr const char* BANDWIDTH_HEAD{
    " #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]"};
constexpr const char* GIGABITS_HEAD{
    " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]"};
constexpr const char* LATENCY_HEAD{
    " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    "
    "t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]"};
constexpr const char* RATE_HEAD{" #bytes        #iterations       t_avg[usec]    tps average"};

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

/// Writes one line of a table. The last columns are those of the kind of the summary.
class LineWriter
{
  public:
    LineWriter(std::ostream& output,
               const PerftestRequest& request,
               uint64_t bytes,
               uint64_t iterations)
        : m_output(output),
          m_request(request),
          m_bytes(static_cast<double>(bytes)),
          m_iterations(static_cast<double>(iterations))
    {
    }

    void operator()(const BandwidthSummary& summary) const
    {
        // As perftest's inc_accuracy.
        constexpr double LITTLE{0.1};
        const double average = ConvertBandwidth(m_request, summary.average);
        const double peak = m_request.hasNoPeak ? 0 : ConvertBandwidth(m_request, summary.peak);
        const int decimals = m_request.isInGigabits && average < LITTLE ? 6 : 2;
        const int width = m_request.isInGigabits ? 18 : 19;
        WriteCells(m_output,
                   {{m_bytes, 11, 0},
                    {m_iterations, 15, 0},
                    {peak, width, decimals},
                    {average, width + 2, decimals},
                    {summary.messageRate, 0, 6}});
    }

    void operator()(const LatencySummary& summary) const
    {
        WriteCells(m_output,
                   {{m_bytes, 7, 0},
                    {m_iterations, 15, 0},
                    {summary.min, 15, 2},
                    {summary.max, 13, 2},
                    {summary.typical, 19, 2},
                    {summary.average, 15, 2},
                    {summary.deviation, 16, 2},
                    {summary.p99, 23, 2},
                    {summary.p999, 0, 2}});
    }

    void operator()(const LatencyRate& summary) const
    {
        WriteCells(m_output,
                   {{m_bytes, 14, 0},
                    {m_iterations, 18, 0},
                    {summary.average, 15, 2},
                    {summary.perSecond, 0, 2}});
    }

  private:
    std::ostream& m_output;
    const PerftestRequest& m_request;
    double m_bytes;
    double m_iterations;
};

/// Writes the only number of --output.
class NumberWriter
{
  public:
    NumberWriter(std::ostream& output, const PerftestRequest& request)
        : m_output(output),
          m_request(request)
    {
    }

    void operator()(const BandwidthSummary& summary) const
    {
        const bool isRate = m_request.output == PerftestOutput::MESSAGE_RATE;
        Write(isRate ? summary.messageRate : ConvertBandwidth(m_request, summary.average));
    }

    template <typename Latency>
    void operator()(const Latency& summary) const
    {
        Write(summary.average);
    }

  private:
    void Write(double number) const
    {
        m_output << std::fixed << std::setprecision(6) << number << '\n';
    }

    std::ostream& m_output;
    const PerftestRequest& m_request;
};

void
WriteValues(std::ostream& output, const std::vector<double>& values)
{
    output << "#, usec\n" << std::defaultfloat << std::setprecision(6);
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        output << i + 1 << ", " << values[i] << '\n';
    }
}

Json
ToJson(const BandwidthSummary& summary)
{
    return {{"peakMiBps", summary.peak},
            {"averageMiBps", summary.average},
            {"messageRateMpps", summary.messageRate}};
}

Json
ToJson(const LatencyRate& summary)
{
    return {{"averageUs", summary.average}, {"messagesPerSecond", summary.perSecond}};
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

/// Options that are there only if they are not perftest's default.
void
WriteChanges(Json& json, const PerftestOptions& options)
{
    const std::pair<const char*, bool> flags[] = {
        {"reversed", options.isReversed},
        {"immediate", options.hasImmediate},
        {"compareAndSwap", options.atomicType == PerftestAtomic::COMPARE_AND_SWAP},
        {"gpu", options.isInGpu}};
    for (const auto& [name, isSet] : flags)
    {
        if (isSet)
        {
            json[name] = true;
        }
    }
    if (options.receiveList > 1)
    {
        json["recvPostList"] = options.receiveList;
    }
    if (options.queuePairRate)
    {
        json["queuePairRate"] = FormatRate(*options.queuePairRate);
    }
    if (options.bursts)
    {
        json["burstSize"] = options.bursts->messages;
    }
    if (options.timeout)
    {
        json["timeout"] = *options.timeout;
    }
    if (options.retries)
    {
        json["retries"] = *options.retries;
    }
    if (options.trafficClass.priority)
    {
        json["priority"] = *options.trafficClass.priority;
    }
    if (options.trafficClass.dscp)
    {
        json["dscp"] = *options.trafficClass.dscp;
    }
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

const char*
PerftestReport::GetHead() const
{
    if (m_options.kind.isLatency)
    {
        return m_options.duration > 0 ? RATE_HEAD : LATENCY_HEAD;
    }
    return m_request.isInGigabits ? GIGABITS_HEAD : BANDWIDTH_HEAD;
}

void
PerftestReport::WriteHead(std::ostream& output) const
{
    if (m_request.output != PerftestOutput::ALL)
    {
        return;
    }
    const std::string network = m_request.servers
                                    ? "fat-tree of " + std::to_string(*m_request.servers)
                                    : std::string("back to back");
    output << RULE << '\n'
           << " Test            : " << GetPerftestName(m_options.kind)
           << (m_options.isBidirectional ? ", bidirectional" : "") << '\n'
           << " NIC             : " << m_request.nic << DescribeOthers(m_request) << '\n'
           << " Network         : " << network << ", " << m_request.rate << ", " << m_request.delay
           << " per link\n"
           << " Connection type : " << GetServiceName(m_options.service) << '\n'
           << " Number of qps   : " << m_options.queuePairs << '\n'
           << " TX depth        : " << m_options.txDepth << '\n'
           << " Mtu             : " << m_options.mtu << "[B]\n"
           << RULE << '\n'
           << GetHead() << std::endl;
}

uint64_t
PerftestReport::GetIterations(const PerftestResult& result) const
{
    return result.iterations > 0 ? result.iterations * m_options.queuePairs : result.messages;
}

void
PerftestReport::WriteLine(std::ostream& output, const PerftestResult& result) const
{
    if (m_request.hasUnsortedValues)
    {
        WriteValues(output, result.valuesUs);
    }
    if (m_request.hasSortedValues)
    {
        std::vector<double> sorted = result.valuesUs;
        std::sort(sorted.begin(), sorted.end());
        WriteValues(output, sorted);
    }
    if (m_request.output != PerftestOutput::ALL)
    {
        std::visit(NumberWriter(output, m_request), result.summary);
        return;
    }
    if (m_options.hasValues)
    {
        output << RULE << '\n' << GetHead() << '\n';
    }
    output << ' ';
    std::visit(LineWriter(output, m_request, result.bytes, GetIterations(result)), result.summary);
    output << std::flush;
}

void
PerftestReport::WriteDirections(std::ostream& output, const PerftestResult& result) const
{
    constexpr std::array<const char*, 2> TITLES{" Local results: ", " Remote results: "};
    for (std::size_t i = 0; i < result.directions.size(); ++i)
    {
        output << RULE << "\n\n" << TITLES[i] << '\n' << RULE << '\n' << GetHead() << "\n ";
        LineWriter(output, m_request, result.bytes, GetIterations(result))(result.directions[i]);
    }
}

void
PerftestReport::WriteFoot(std::ostream& output, const std::vector<PerftestResult>& results) const
{
    if (m_request.output != PerftestOutput::ALL)
    {
        return;
    }
    if (m_request.hasBothDirections && results.size() == 1)
    {
        WriteDirections(output, results.front());
    }
    output << RULE << std::endl;
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
              {"iters", m_options.duration > 0 ? Json(nullptr) : Json(m_options.iterations)},
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
    if (!m_request.machine.empty())
    {
        json["machine"] = m_request.machine;
    }
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
    if (m_options.duration > 0)
    {
        json["duration"] = FormatTime(ToTime(m_options.duration));
        json["margin"] = FormatTime(ToTime(m_options.margin));
    }
    WriteChanges(json, m_options);
    json["results"] = Json::array();
    for (const PerftestResult& result : results)
    {
        Json line{{"size", result.bytes},
                  {"iters", result.iterations > 0 ? result.iterations : result.messages}};
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

std::string
PerftestReport::FindMissedLimit(const PerftestResult& result) const
{
    const auto* summary = std::get_if<BandwidthSummary>(&result.summary);
    if (!summary)
    {
        return "";
    }
    std::ostringstream text;
    const double average = ConvertBandwidth(m_request, summary->average);
    if (average < m_options.leastBandwidth)
    {
        text << "the average bandwidth of " << result.bytes << " bytes, " << average
             << (m_request.isInGigabits ? " Gb/s" : " MiB/s") << ", is below --limit_bw "
             << m_request.leastBandwidth;
    }
    else if (summary->messageRate < m_options.leastMessageRate)
    {
        text << "the message rate of " << result.bytes << " bytes, " << summary->messageRate
             << " Mpps, is below --limit_msgrate " << m_request.leastMessageRate;
    }
    return text.str();
}

std::string
PerftestReport::WriteOwnJson(const PerftestResult& result) const
{
    return rdma::WriteOwnJson(m_request, m_options, result, GetIterations(result));
}

} // namespace ns3::rdma
