// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RECORDED_RUN_H
#define RDMA_RECORDED_RUN_H

#include "ns3/run-input.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Where a recorded run's files and plug-ins are found.
struct RecordedRunOptions
{
    std::string folder;               ///< Results of one NIC.
    std::string baseDirectory;        ///< Where the scenario's paths start; empty: as recorded.
    std::vector<std::string> plugins; ///< Paths of the plug-ins that are loaded.
};

/**
 * @ingroup rdma-why
 * @brief The run that a result folder records: the scenario, with one NIC, and the lines of its
 * flows.
 */
class RecordedRun
{
  public:
    /// @throws InputError if the folder does not hold the results of one NIC, or a file or plug-in
    /// that its scenario names is another or missing
    explicit RecordedRun(const RecordedRunOptions& options);

    const Scenario& GetScenario() const
    {
        return m_prepared->scenario;
    }

    /// @return the scenario for a run of it, which starts its flows again
    PreparedScenario& GetPrepared() const
    {
        return *m_prepared;
    }

    /// @return the number of a flow in the run, as the functions below take it. @param number in
    /// its workload @param workload name in a list of workloads; empty: there is no list
    /// @throws InputError if there is no such workload
    uint64_t FindFlow(uint64_t number, const std::string& workload) const;

    /// @return names of a list of workloads; none: there is no list.
    const std::vector<std::string>& GetWorkloads() const
    {
        return m_workloads;
    }

    /// @return a flow's line of flows.csv. @throws InputError if there is no such flow, or it has
    /// not completed
    const std::string& GetCompleted(uint64_t flow) const;

    /// @return the flows that have completed, by rising number. @throws InputError if there is none
    std::vector<uint64_t> FindCompleted() const;

    /// @return the error of a flow whose line is another one now. @param line of the repeated run
    std::string DescribeDifference(uint64_t flow, const std::string& line) const;

  private:
    void ReadScenarioFile(const RecordedRunOptions& options);
    void ReadFlows();
    void CheckAnyFlow() const;

    std::string m_folder;
    std::string m_version; ///< Of the program that has made the results.
    std::unique_ptr<PreparedScenario> m_prepared;
    std::vector<std::string> m_workloads;
    std::map<uint64_t, std::string> m_lines; ///< By number of the flow in the run.
};

} // namespace ns3::rdma

#endif // RDMA_RECORDED_RUN_H
