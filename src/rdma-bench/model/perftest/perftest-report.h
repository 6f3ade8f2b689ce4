// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PERFTEST_REPORT_H
#define RDMA_PERFTEST_REPORT_H

#include "ns3/bandwidth-summary.h"
#include "ns3/latency-summary.h"
#include "ns3/perftest-measurement.h"
#include "ns3/perftest-options.h"

#include <ostream>
#include <string>
#include <variant>

namespace ns3::rdma
{

/// One line of a test's table.
struct PerftestResult
{
    uint64_t bytes{0};      ///< Per message.
    uint64_t iterations{0}; ///< Per queue pair and direction; 0: the test has a duration.
    std::variant<BandwidthSummary, LatencySummary, LatencyRate> summary;
    double burstRate{0};               ///< Messages per second within bursts; 0: no gaps.
    PerftestMeasurement measurement{}; ///< Not in the table. Empty: no such line.
    uint64_t messages{0};              ///< Measured, of all queue pairs and of one direction.
    std::vector<BandwidthSummary> directions{}; ///< Both, if both ends send.
    std::vector<double> valuesUs{};             ///< Latencies by message; empty with a duration.
};

/**
 * @brief Writes results in perftest's columns, or as JSON.
 */
class PerftestReport
{
  public:
    PerftestReport(const PerftestRequest& request, const PerftestOptions& options);

    /// What is measured, and the head of the table.
    void WriteHead(std::ostream& output) const;

    /// One line of the table.
    void WriteLine(std::ostream& output, const PerftestResult& result) const;

    /// The end of the table, and a note if NICs discard frames of fast senders (IngressMeter).
    /// @param results of all lines
    void WriteFoot(std::ostream& output, const std::vector<PerftestResult>& results) const;

    /// @return all of it, in the names of docs/study/perftest.md.
    std::string WriteJson(const std::vector<PerftestResult>& results) const;

    /// @return the report of perftest's --out_json about a result.
    std::string WriteOwnJson(const PerftestResult& result) const;

    /// @return what is wrong if a result is below a limit of --limit_bw or --limit_msgrate; empty:
    /// nothing.
    std::string FindMissedLimit(const PerftestResult& result) const;

  private:
    const char* GetHead() const;
    /// @return "#iterations": messages of all queue pairs in one direction.
    uint64_t GetIterations(const PerftestResult& result) const;
    void WriteDirections(std::ostream& output, const PerftestResult& result) const;

    PerftestRequest m_request;
    PerftestOptions m_options;
};

} // namespace ns3::rdma

#endif // RDMA_PERFTEST_REPORT_H
