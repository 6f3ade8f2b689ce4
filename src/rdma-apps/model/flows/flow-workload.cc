// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-workload.h"

#include "ns3/per-flow-queue-pairs.h"
#include "ns3/persistent-queue-pairs.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

FlowWorkload::FlowWorkload(uint32_t index,
                           const FlowWorkloadSpec& spec,
                           const FlowWorkloadContext& context,
                           QueuePairNumbers& numbers,
                           StartHandler onStart)
    : m_spec(spec),
      m_isHere([&context](uint32_t id) {
          return context.partition->GetRank(id) == context.ranks->GetRank();
      }),
      m_endpoints(context.fabric->GetCore().endpoints, *context.nics)
{
    if (spec.graph)
    {
        UseGraph(index, context, numbers, std::move(onStart));
    }
    else
    {
        UseTimes(context, numbers);
    }
}

void
FlowWorkload::UseTimes(const FlowWorkloadContext& context, QueuePairNumbers& numbers)
{
    if (m_spec.memory.kind == MemoryKind::GPU)
    {
        m_gpuMemory = std::make_unique<FlowGpuMemory>(m_spec.memory, *context.nics, m_isHere);
    }
    m_queuePairs = std::make_unique<PerFlowQueuePairs>(m_endpoints,
                                                       *context.nics,
                                                       m_isHere,
                                                       numbers,
                                                       m_spec.pathBase,
                                                       m_spec.operation,
                                                       m_spec.trafficClass,
                                                       context.services,
                                                       m_gpuMemory.get());
}

void
FlowWorkload::UseGraph(uint32_t index,
                       const FlowWorkloadContext& context,
                       QueuePairNumbers& numbers,
                       StartHandler onStart)
{
    const FlowGraph& graph = *m_spec.graph;
    const auto first = std::find_if(context.nics->begin(),
                                    context.nics->end(),
                                    [](const auto& nic) { return nic != nullptr; });
    FabricEngine& engine = *context.fabric->GetCore().engine;
    GraphStarterConfig config;
    config.fabric = context.fabric;
    config.graph = &graph;
    config.ackFrameBytes = (*first)->GetHeaderSizes().GetAckFrame();
    config.ranks = context.ranks->GetCount();
    config.ownRank = context.ranks->GetRank();
    config.getRank = [&context](uint32_t node) { return context.partition->GetRank(node); };
    config.onStart = [&graph, &engine, index, start = std::move(onStart)](uint32_t operation) {
        const FlowOperation& one = graph.Get(operation);
        start(flow_number::Make(index, operation),
              {one.src, one.dst, one.bytes, engine.Now(), 0, index});
    };
    config.onExpect = [this](uint32_t operation) { m_queuePairs->Expect(operation); };
    config.pathBase = m_spec.pathBase;
    config.start = m_spec.start;
    config.end = m_spec.end;
    m_queuePairs = std::make_unique<PersistentQueuePairs>(
        graph,
        m_endpoints,
        *context.nics,
        m_isHere,
        numbers,
        m_spec.pathBase,
        m_spec.trafficClass,
        [this](uint32_t operation) { m_graph->OnReceived(operation); });
    m_graph = std::make_unique<GraphStarter>(std::move(config));
}

void
FlowWorkload::Pack(uint32_t rank, ByteBuffer& buffer, bool isAlone)
{
    if (!m_graph)
    {
        return;
    }
    m_graph->Pack(rank, buffer);
    if (!isAlone)
    {
        buffer.Put(m_started);
    }
}

void
FlowWorkload::Unpack(ByteReader& reader, bool isAlone)
{
    if (!m_graph)
    {
        return;
    }
    m_graph->Unpack(reader);
    if (!isAlone)
    {
        m_startedElsewhere += reader.Get<uint64_t>();
    }
}

void
FlowWorkload::EndWindow(const WindowState& all, bool isAlone)
{
    m_state = all;
    if (!isAlone)
    {
        m_state.started = m_started + m_startedElsewhere;
        m_startedElsewhere = 0;
    }
    if (m_graph)
    {
        m_graph->ForgetSent();
    }
}

} // namespace ns3::rdma
