// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-kind.h"

#include "ns3/gpu-check.h"
#include "ns3/input-error.h"
#include "ns3/json-value.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(FlowKind);

TypeId
FlowKind::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::FlowKind").SetParent<WorkloadKind>().SetGroupName("RdmaExperiment");
    return tid;
}

FlowKind::FlowKind() = default;

KindInfo
FlowKind::GetInfo() const
{
    KindInfo info = GetFlowInfo();
    info.keys.insert(info.keys.end(), {"memory", "gpuMemory"});
    return info;
}

void
FlowKind::Read(const JsonValue& value, const Scenario& scenario)
{
    if (const auto memory = value.Find("memory"))
    {
        m_memory.kind =
            memory->GetChoice({"host", "gpu"}) == "gpu" ? MemoryKind::GPU : MemoryKind::HOST;
    }
    if (const auto bytes = value.Find("gpuMemory"))
    {
        if (m_memory.kind != MemoryKind::GPU)
        {
            bytes->Fail("no such key unless memory is \"gpu\"");
        }
        m_memory.gpuBytes = bytes->GetBytesOrNumber();
        if (*m_memory.gpuBytes == 0)
        {
            bytes->Fail("at least 1 byte");
        }
    }
    ReadFlows(value, scenario);
}

void
FlowKind::Write(nlohmann::ordered_json& json) const
{
    WriteFlows(json);
    if (m_memory.kind == MemoryKind::GPU)
    {
        json["memory"] = "gpu";
    }
    if (m_memory.gpuBytes)
    {
        json["gpuMemory"] = *m_memory.gpuBytes;
    }
}

void
FlowKind::CheckTargets(const Scenario& scenario, const FlowTargets& targets) const
{
    constexpr uint64_t MAX_MESSAGE{uint64_t{1} << 31}; // IBTA Vol. 1, section 9.7: a flow is one.
    const uint64_t most =
        std::min(MAX_MESSAGE, m_memory.gpuBytes.value_or(FlowMemory::DEFAULT_GPU_BYTES));
    if (targets.largest > most)
    {
        throw InputError(scenario.file + ": " + GetPath() +
                         ".gpuMemory: expected room for the largest flow (2 GiB at most, 1 GiB "
                         "unless gpuMemory says otherwise), got " +
                         std::to_string(targets.largest) + " bytes of a flow");
    }
    CheckGpus(scenario, targets.servers, GetPath(), m_memory.gpuBytes.value_or(targets.largest));
}

std::unique_ptr<FlowSource>
FlowKind::Make(const Scenario& scenario, const TopologyGraph& topology) const
{
    std::unique_ptr<FlowSource> flows = MakeFlows(scenario, topology);
    if (m_memory.kind == MemoryKind::GPU)
    {
        CheckTargets(scenario, FindTargets(scenario, topology));
    }
    return flows;
}

FlowMemory
FlowKind::GetFlowMemory() const
{
    return m_memory;
}

} // namespace ns3::rdma
