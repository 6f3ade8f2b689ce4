// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-kind.h"

#include "ns3/gpu-check.h"
#include "ns3/input-error.h"
#include "ns3/psn.h"
#include "ns3/scenario.h"

#include <algorithm>
#include <array>

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

void
FlowKind::Visit(Keys& keys)
{
    static constexpr std::array<std::pair<const char*, MemoryKind>, 2> KINDS{
        {{"host", MemoryKind::HOST}, {"gpu", MemoryKind::GPU}}};
    VisitFlows(keys);
    VisitFlowOperation(keys, m_operation);
    keys.Choice("memory", m_memory.kind, KINDS, "where the payload goes at the receiver")
        .OmitIf(m_memory.kind == MemoryKind::HOST);
    keys.Bytes("gpuMemory", m_memory.gpuBytes, "memory of a GPU that flows go to")
        .Otherwise("1GiB")
        .OnlyIf(m_memory.kind == MemoryKind::GPU, "no such key unless memory is \"gpu\"");
    keys.Check(m_operation == WrOpcode::RDMA_WRITE || m_memory.kind == MemoryKind::HOST,
               "memory",
               "\"host\" with an operation other than write");
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

/// A READ or a SEND is one message, with a PSN for each packet.
void
FlowKind::CheckLargest(const Scenario& scenario, const FlowTargets& targets) const
{
    constexpr uint64_t MAX_MESSAGE{uint64_t{1} << 31}; // IBTA Vol. 1, section 9.7.
    const uint64_t most =
        std::min<uint64_t>(MAX_MESSAGE,
                           uint64_t{Psn::MAX_WINDOW - 1} * scenario.fabric.mtuBytes - 1);
    if (targets.largest > most)
    {
        throw InputError(scenario.file + ": " + GetPath() +
                         ".operation: expected \"write\" for "
                         "flows of more than " +
                         std::to_string(most) + " bytes, the longest message, got a flow of " +
                         std::to_string(targets.largest) + " bytes");
    }
}

std::unique_ptr<FlowSource>
FlowKind::Make(const Scenario& scenario, const TopologyGraph& topology) const
{
    std::unique_ptr<FlowSource> flows = MakeFlows(scenario, topology);
    if (m_memory.kind == MemoryKind::GPU)
    {
        CheckTargets(scenario, FindTargets(scenario, topology));
    }
    if (m_operation != WrOpcode::RDMA_WRITE)
    {
        CheckLargest(scenario, FindTargets(scenario, topology));
    }
    return flows;
}

WrOpcode
FlowKind::GetFlowOperation() const
{
    return m_operation;
}

FlowMemory
FlowKind::GetFlowMemory() const
{
    return m_memory;
}

} // namespace ns3::rdma
