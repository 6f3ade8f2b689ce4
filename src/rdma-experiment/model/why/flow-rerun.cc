// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-rerun.h"

#include "ns3/flow-log.h"
#include "ns3/flow-recorder.h"
#include "ns3/input-error.h"
#include "ns3/simulation-run.h"

#include <memory>
#include <set>
#include <sstream>
#include <utility>

namespace ns3::rdma
{

namespace
{

/// Takes the rows of a FlowLog one by one.
class RowReader
{
  public:
    std::ostream& GetStream()
    {
        return m_text;
    }

    /// @return what was written since the last call, without the end of its line.
    std::string Take()
    {
        std::string row = m_text.str();
        m_text.str("");
        row.pop_back();
        return row;
    }

  private:
    std::ostringstream m_text;
};

/// @throws InputError unless a flow has come out as it is recorded. @param row empty: not at all
void
CheckRow(const RecordedRun& run, uint64_t flow, const std::string& row)
{
    if (row != run.GetCompleted(flow))
    {
        throw InputError(run.DescribeDifference(flow, row));
    }
}

} // namespace

RerunOutcome
RepeatRun(const RecordedRun& run,
          std::optional<uint64_t> flow,
          const std::function<void(const RunProgress&)>& onProgress)
{
    const std::vector<uint64_t> numbers = flow ? std::vector{*flow} : run.FindCompleted();
    std::set<uint64_t> wanted(numbers.begin(), numbers.end());
    const Scenario& scenario = run.GetScenario();
    RerunOutcome outcome;
    RowReader reader;
    FlowLog log(reader.GetStream(), run.GetWorkloads());
    reader.Take();                          // The header.
    std::unique_ptr<FlowRecorder> recorder; // Outlives the run, which calls it.
    SimulationRun simulation(run.GetPrepared(), scenario.nics.front());
    recorder = std::make_unique<FlowRecorder>(simulation.GetFabric(), flow);
    simulation.SetFlowObserver(*recorder);
    log.SetListener([&](const FlowRecord& record) {
        const std::string row = reader.Take();
        auto account = recorder->Take(record);
        if (wanted.erase(record.flow) > 0)
        {
            CheckRow(run, record.flow, row);
            outcome.flows.push_back({record, std::move(*account)});
        }
    });
    simulation.Run(log, [&](const RunProgress& progress) {
        onProgress(progress);
        return !wanted.empty();
    });
    if (!wanted.empty())
    {
        CheckRow(run, *wanted.begin(), "");
    }
    for (const PortLog& port : recorder->GetPorts())
    {
        outcome.ports.push_back(port.GetName());
    }
    return outcome;
}

} // namespace ns3::rdma
