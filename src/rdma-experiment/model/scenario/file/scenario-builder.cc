// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/scenario-builder.h"

#include "ns3/checked-flow-source.h"
#include "ns3/default-buffer.h"
#include "ns3/fabric-keys.h"
#include "ns3/input-error.h"
#include "ns3/link-policy-keys.h"
#include "ns3/rdma-nic.h"
#include "ns3/run-design.h"
#include "ns3/scenario-file.h"
#include "ns3/server-ports-keys.h"
#include "ns3/topology-check.h"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

namespace ns3::rdma
{

TopologyGraph
MakeTopology(const Scenario& scenario)
{
    const FabricSpec& fabric = scenario.fabric;
    TopologyGraph graph = fabric.topology->Make(scenario);
    CheckTopology(graph, scenario.file + ": $.fabric");
    graph = AtPlace(scenario.file, "$.fabric: ", [&] {
        return AddEndpoints(graph,
                            MakeServerPorts(fabric.ports, scenario.groups, graph.isSwitch.size()));
    });
    ApplyLossRate(fabric, graph);
    return graph;
}

uint32_t
GetMaxFrame(const Scenario& scenario, const NicSpec& nic)
{
    uint32_t bytes = 0;
    for (const DesignSpec* design : GetDesigns(nic))
    {
        const auto prototype = MakeNicDesign(scenario, *design).Create<RdmaNic>();
        bytes = std::max(bytes,
                         prototype->GetHeaderSizes().GetWriteFrame(true, prototype->GetPathMtu()));
    }
    return bytes;
}

namespace
{
/// GetMaxFrame() before any run: what its policies throw is reported with the NIC's name, as in a
/// run.
uint32_t
GetNamedMaxFrame(const Scenario& scenario, const NicSpec& nic)
{
    try
    {
        return GetMaxFrame(scenario, nic);
    }
    catch (const std::bad_alloc&)
    {
        throw;
    }
    catch (const std::exception& error)
    {
        throw std::runtime_error(nic.name + ": " + error.what());
    }
}
} // namespace

void
CheckPfc(const Scenario& scenario)
{
    const std::string name = "ns3::rdma::FabricSwitch::LosslessPriorities";
    for (const NicSpec& nic : scenario.nics)
    {
        const auto lossless = MakeFabricAttributes(scenario, nic).Find(name);
        const auto classes = ChangeFabric(scenario, nic).classes;
        const bool hasLosslessClass =
            std::any_of(classes.begin(), classes.end(), [](const auto& entry) {
                return entry.second.isLossless.value_or(false);
            });
        if (lossless && std::stoull(*lossless) == 0 && !hasLosslessClass && HasPfc(scenario, nic))
        {
            const bool isOwn = nic.fabric && nic.fabric->attributes.count(name) > 0;
            throw InputError(scenario.file + ": " + (isOwn ? nic.path : "$") +
                             ".fabric.attributes." + name +
                             ": expected at least one priority, since " + nic.name +
                             " is run with PFC, got 0; \"pfc\": false turns PFC off");
        }
    }
}

void
CheckCredits(const Scenario& scenario)
{
    const std::vector<LinkPolicySpec>& links = scenario.fabric.links;
    for (const NicSpec& nic : scenario.nics)
    {
        if (links.empty())
        {
            return;
        }
        FabricConfig config = MakeFabricConfig(ChangeFabric(scenario, nic),
                                               scenario.run.seed,
                                               GetNamedMaxFrame(scenario, nic));
        config.attributes = MakeFabricAttributes(scenario, nic);
        for (std::size_t i = 0; i < links.size(); ++i)
        {
            if (const auto fault = FindCreditFault(links[i], config, nic.name); !fault.empty())
            {
                throw InputError(scenario.file + ": $.fabric.links[" + std::to_string(i) + "]." +
                                 fault);
            }
        }
    }
}

void
CompleteBuffer(Scenario& scenario, const TopologyGraph& graph)
{
    uint64_t bytes = 0;
    for (const NicSpec& nic : scenario.nics)
    {
        const FabricSpec fabric = ChangeFabric(scenario, nic);
        FabricConfig config =
            MakeFabricConfig(fabric, scenario.run.seed, GetNamedMaxFrame(scenario, nic));
        config.attributes = MakeFabricAttributes(scenario, nic);
        config.linkPolicies = MakeLinkPolicies(fabric.links, graph);
        const uint64_t setAside = Fabric::GetSetAside(graph, config);
        if (fabric.bufferBytes && *fabric.bufferBytes <= setAside)
        {
            const bool isOwn = nic.fabric && nic.fabric->bufferBytes;
            throw InputError(scenario.file + ": " + (isOwn ? nic.path : "$") +
                             ".fabric.buffer: expected more than the " + std::to_string(setAside) +
                             " bytes that a switch sets aside as reserve" +
                             (fabric.pools.empty() ? " and headroom" : ", headroom and pools") +
                             (fabric.links.empty() ? "" : ", or as credits") + ", got " +
                             std::to_string(*fabric.bufferBytes));
        }
        bytes = std::max(bytes, GetDefaultBuffer(graph, config));
    }
    scenario.fabric.bufferBytes = scenario.fabric.bufferBytes.value_or(bytes);
}

std::unique_ptr<MergedFlowSource>
MakeFlowSource(const Scenario& scenario, const TopologyGraph& graph)
{
    std::vector<WorkloadFlows> flows;
    for (const auto& workload : scenario.workloads)
    {
        const WorkloadPlace& place = workload->GetPlace();
        WorkloadFlows& one = flows.emplace_back();
        one.source = CheckedFlowSource::Make(workload, scenario, graph);
        one.startPs = place.start.GetPicoSeconds();
        if (place.end)
        {
            one.endPs = place.end->GetPicoSeconds();
        }
    }
    return std::make_unique<MergedFlowSource>(std::move(flows));
}

FabricPartition
MakePartition(const Scenario& scenario,
              const TopologyGraph& graph,
              uint32_t ranks,
              const std::vector<double>& serverLoads)
{
    try
    {
        return FabricPartition(graph, ranks, serverLoads);
    }
    catch (const InputError& error)
    {
        throw InputError(scenario.file + ": $.fabric: " + error.what());
    }
}

} // namespace ns3::rdma
