// SPDX-License-Identifier: GPL-2.0-only
#include "guard-run.h"

#include "../test-files.h"
#include "bare-loop-run.h"
#include "scenario-measurement.h"

#include <stdexcept>

namespace ns3::rdma
{

namespace
{

GuardRunResult
RunModel(const GuardRun& run)
{
    const GuardTraffic& traffic = run.traffic;
    ScenarioCase scenario{run.servers,
                          traffic.nic.c_str(),
                          run.duration.c_str(),
                          traffic.isHardwareTimed,
                          true,
                          run.extraWork,
                          traffic.load,
                          traffic.hasOnePacketFlows};
    const auto measurement =
        MeasureScenario(GetCheckout() / "test/bench/cache-follower.json", scenario);
    if (measurement.violations > 0)
    {
        throw std::runtime_error("the full model's invariants are broken: its speed says nothing");
    }
    return {measurement.packetHops, measurement.flows, measurement.runSeconds};
}

} // namespace

GuardRunResult
RunOnce(const GuardRun& run)
{
    if (run.isModel)
    {
        return RunModel(run);
    }
    const BareLoopMeasurement measurement = MeasureBareLoop(run.servers, run.duration, false);
    return {measurement.result.packetHops,
            measurement.result.completedFlows,
            measurement.runSeconds};
}

} // namespace ns3::rdma
