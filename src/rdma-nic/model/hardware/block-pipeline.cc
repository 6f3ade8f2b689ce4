// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/block-pipeline.h"

#include <algorithm>

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

HeaderLead
BlockPipeline::GetHeaderLead(std::size_t block) const
{
    HeaderLead lead = PacketPipeline::GetHeaderLead(block);
    const auto& blocks = GetConfig().blocks;
    // Behind a block that stores the packet, its first bytes leave when the last one has arrived.
    lead.hasWire = std::none_of(blocks.begin(),
                                blocks.begin() + static_cast<std::ptrdiff_t>(block) + 1,
                                [](const PipelineBlock& one) { return one.isStoreAndForward; });
    return lead;
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
