// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_RUN_PLAN_H
#define RDMA_RUN_PLAN_H

#include "ns3/capture-request.h"
#include "ns3/nic-job.h"
#include "ns3/run-input.h"
#include "ns3/scenario-digest.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Everything about a run that is known before it begins.
struct RunPlan
{
    std::shared_ptr<PreparedScenario> prepared;
    std::filesystem::path folder; ///< Of all NICs' results.
    ScenarioDigest digest;
    CaptureRequest capture;
    bool hasTimeline{false}; ///< Whether runs write timeline.json; PlanRun() leaves it.
    bool isWatched{false};   ///< Whether progress has a RunView; PlanRun() leaves it.
    uint64_t flowsTotal{0};  ///< 0: not known.

    const Scenario& GetScenario() const
    {
        return prepared->scenario;
    }
};

/**
 * Checks all that can be checked before a run.
 *
 * @param out folder of the results of all scenarios
 * @param ranks that will run it together
 * @param poll called now and then, as counting the flows may take seconds; may throw
 * @throws InputError
 */
RunPlan PlanRun(std::shared_ptr<PreparedScenario> prepared,
                const std::string& out,
                const CaptureWords& capture = {},
                uint32_t ranks = 1,
                const std::function<void()>& poll = {});

/// @param plan and @param ranks outlive the job
NicJob MakeJob(const RunPlan& plan, const NicSpec& nic, RankGroup& ranks);

/// Removes what runs that died left behind.
void RemoveLeftovers(const RunPlan& plan);

/// Makes the folder of the scenario; removes it again if nothing was put there.
class ScenarioFolder
{
  public:
    explicit ScenarioFolder(const std::filesystem::path& path);
    ~ScenarioFolder();
    ScenarioFolder(const ScenarioFolder&) = delete;
    ScenarioFolder& operator=(const ScenarioFolder&) = delete;

  private:
    void RemoveEmpty() const;

    std::vector<std::filesystem::path> m_made;
};

} // namespace ns3::rdma

#endif // RDMA_RUN_PLAN_H
