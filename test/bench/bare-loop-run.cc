// SPDX-License-Identifier: GPL-2.0-only
#include "bare-loop-run.h"

#include "../test-files.h"
#include "cpu-clock.h"

#include "ns3/fat-tree-topology.h"
#include "ns3/poisson-workload.h"

namespace ns3::rdma
{

namespace
{

constexpr double LOAD{0.7};

/// All of them are made before time counts.
std::vector<BareLoopFlow>
MakeFlows(uint32_t servers, Time duration)
{
    FatTreeParameters parameters;
    parameters.servers = servers;
    parameters.linkDelay = MicroSeconds(1);
    PoissonWorkload workload(
        FatTreeTopology::Build(parameters),
        FlowSizeCdf::Read((GetCheckout() / "traces/cache-follower.cdf").string()),
        {LOAD, duration, 1});
    std::vector<BareLoopFlow> flows;
    while (const auto flow = workload.Next())
    {
        flows.push_back({flow->src, flow->dst, flow->bytes, flow->startPs});
    }
    return flows;
}

} // namespace

BareLoopShape
MakeBareLoopShape(uint32_t servers)
{
    const FatTreeShape& shape = FatTreeTopology::GetShape(servers);
    return {shape.pods,
            shape.torsPerPod,
            shape.serversPerTor,
            shape.aggregatesPerPod,
            shape.coresPerAggregate};
}

BareLoopMeasurement
MeasureBareLoop(uint32_t servers, const std::string& duration, bool hasSwitchModel)
{
    const Time end(duration);
    const auto loop =
        BareLoop::Create(MakeBareLoopShape(servers), MakeFlows(servers, end), hasSwitchModel);
    BareLoopMeasurement measurement;
    const double begin = GetCpuSeconds();
    measurement.result = loop->Run(end.GetPicoSeconds());
    measurement.runSeconds = GetCpuSeconds() - begin;
    return measurement;
}

} // namespace ns3::rdma
