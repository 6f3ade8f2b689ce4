// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/block-pipeline.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(BlockPipeline);

TypeId
BlockPipeline::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::BlockPipeline")
                            .SetParent<PacketPipeline>()
                            .SetGroupName("RdmaNic")
                            .AddConstructor<BlockPipeline>();
    return tid;
}

void
BlockPipeline::DoStart()
{
    const PipelineConfig& config = GetConfig();
    uint32_t packetCycles = config.packetCycles;
    for (const PipelineBlock& block : config.blocks)
    {
        m_fixedLatency += block.cycles * config.cycle;
        m_latencyPerBeat += block.isStoreAndForward ? config.cycle : 0;
        packetCycles = std::max(packetCycles, block.packetCycles);
    }
    m_packetTime = packetCycles * config.cycle;
}

} // namespace ns3::rdma
