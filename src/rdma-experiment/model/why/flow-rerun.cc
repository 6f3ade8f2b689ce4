// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-rerun.h"

#include "ns3/flow-log.h"
#include "ns3/flow-recorder.h"
#include "ns3/input-error.h"
#include "ns3/simulation-run.h"

#include <map>
#include <memory>
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

/// @throws InputError unless a flow has come out as it is recorded
void
CheckRows(const RecordedRun& run,
          const std::vector<uint64_t>& wanted,
          const std::map<uint64_t, std::string>& rows)
{
    for (const uint64_t flow : wanted)
    {
        const auto row = rows.find(flow);
        if (row == rows.end() || row->second != run.GetCompleted(flow))
        {
            throw InputError(run.DescribeDifference(flow, row == rows.end() ? "" : row->second));
        }
    }
}

} // namespace

RerunOutcome
RepeatRun(const RecordedRun& run,
          std::optional<uint64_t> flow,
          const std::function<void(const RunProgress&)>& onProgress)
{
    const std::vector<uint64_t> wanted = flow ? std::vector{*flow} : run.FindCompleted();
    const Scenario& scenario = run.GetScenario();
    RerunOutcome outcome;
    std::map<uint64_t, std::string> rows;
    RowReader reader;
    FlowLog log(reader.GetStream());
    reader.Take();                          // The header.
    std::unique_ptr<FlowRecorder> recorder; // Outlives the run, which calls it.
    SimulationRun simulation(scenario, scenario.nics.front());
    recorder = std::make_unique<FlowRecorder>(simulation.GetFabric(), flow);
    simulation.SetFlowObserver(*recorder);
    log.SetListener([&](const FlowRecord& record) {
        const std::string row = reader.Take();
        if (auto account = recorder->Take(record))
        {
            rows[record.flow] = row;
            outcome.flows.push_back({record, std::move(*account)});
        }
    });
    simulation.Run(log, [&](const RunProgress& progress) {
        onProgress(progress);
        return !flow || outcome.flows.empty();
    });
    CheckRows(run, wanted, rows);
    for (const PortLog& port : recorder->GetPorts())
    {
        outcome.ports.push_back(port.GetName());
    }
    return outcome;
}

} // namespace ns3::rdma
