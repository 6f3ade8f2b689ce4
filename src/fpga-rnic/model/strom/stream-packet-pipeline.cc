// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-packet-pipeline.h"

#include "ns3/trace-source-accessor.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(StreamPacketPipeline);

TypeId
StreamPacketPipeline::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::StreamPacketPipeline")
            .SetParent<PacketPipeline>()
            .SetGroupName("FpgaRnic")
            .AddConstructor<StreamPacketPipeline>()
            .AddTraceSource("StageLatency",
                            "A packet has been sent through a block: its index, the time from "
                            "first word in to first word out",
                            MakeTraceSourceAccessor(&StreamPacketPipeline::m_stageLatency),
                            "ns3::rdma::StreamPacketPipeline::StageLatencyCallback");
    return tid;
}

std::string
StreamPacketPipeline::FindFault(const PipelineConfig& config) const
{
    if (config.blocks.empty())
    {
        return "a stream pipeline has at least one block";
    }
    for (const PipelineBlock& block : config.blocks)
    {
        if (block.cycles < 2)
        {
            return "pipeline block \"" + block.name +
                   "\": expected at least 2 cycles, a FIFO's and a register's, got " +
                   std::to_string(block.cycles);
        }
    }
    return {};
}

void
StreamPacketPipeline::DoStart()
{
    const PipelineConfig& config = GetConfig();
    m_isTransmit = config.direction == PipelineDirection::TRANSMIT;
    std::vector<ClockedStage> stages;
    for (const PipelineBlock& block : config.blocks)
    {
        ClockedStage stage;
        stage.name = block.name;
        stage.latency = block.cycles - 1; // The FIFO adds the other cycle.
        stage.packetInterval = block.packetCycles;
        stage.isStoreAndForward = block.isStoreAndForward;
        stage.wordCycles = block.beatCycles;
        stages.push_back(stage);
    }
    stages[0].packetInterval = std::max(stages[0].packetInterval, config.packetCycles);
    m_stream = std::make_unique<ClockedPipeline>(std::move(stages), config.busBytes);
}

Tick
StreamPacketPipeline::Enter(Tick now, Tick earliest, uint32_t bytes)
{
    const Tick cycle = GetConfig().cycle;
    const Tick more = GetBeats(bytes) - 1;
    const Cycle edge = (std::max(now, earliest) + cycle - 1) / cycle;
    const uint32_t carried = std::max<uint32_t>(bytes, 1);
    const ClockedDeparture departure = m_stream->Enter(
        m_isTransmit ? ClockedArrival{carried, edge, edge + more}
                     : ClockedArrival{carried, std::max<Cycle>(edge - more, 0), edge});
    if (!m_stageLatency.IsEmpty())
    {
        TraceStages();
    }
    return (m_isTransmit ? departure.first : departure.last) * cycle;
}

HeaderLead
StreamPacketPipeline::GetHeaderLead(std::size_t block) const
{
    HeaderLead lead = PacketPipeline::GetHeaderLead(block);
    lead.perBeat += GetConfig().cycle; // The words follow at the rate of the bus.
    return lead;
}

void
StreamPacketPipeline::TraceStages() const
{
    for (uint32_t block = 0; block < m_stream->GetStages().size(); ++block)
    {
        m_stageLatency(block, ToTime(m_stream->GetLatency(block) * GetConfig().cycle));
    }
}

} // namespace ns3::rdma
