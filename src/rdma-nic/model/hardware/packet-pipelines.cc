// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/packet-pipelines.h"

#include "ns3/abort.h"
#include "ns3/register-type.h"

#include <cctype>
#include <stdexcept>

namespace ns3::rdma
{

namespace
{
std::string
Trim(const std::string& text)
{
    const char* const BLANKS = " \t\n";
    const std::size_t first = text.find_first_not_of(BLANKS);
    return first == std::string::npos
               ? std::string()
               : text.substr(first, text.find_last_not_of(BLANKS) - first + 1);
}

[[noreturn]] void
Refuse(const std::string& block, const std::string& reason)
{
    throw std::invalid_argument("pipeline block \"" + block + "\": " + reason +
                                "; a block is name=CYCLES, name=CYCLES+packet, "
                                "name=CYCLES+BEAT-CYCLES*packet or name=CYCLES/PACKET-CYCLES");
}

uint32_t
ParseCycles(const std::string& digits, const std::string& block)
{
    constexpr std::size_t MOST_DIGITS{6}; // 999,999 cycles are 4 ms at 250 MHz: more is an error.
    if (digits.empty() || digits.size() > MOST_DIGITS ||
        !std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c); }))
    {
        Refuse(block, "cycles must be a number from 0 to 999999");
    }
    return static_cast<uint32_t>(std::stoul(digits));
}

PipelineBlock
ParseBlock(const std::string& text)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
    {
        Refuse(text, "no \"=\"");
    }
    PipelineBlock block;
    block.name = Trim(text.substr(0, equals));
    if (block.name.empty())
    {
        Refuse(text, "no name");
    }
    std::string cycles = text.substr(equals + 1);
    const std::size_t plus = cycles.find('+');
    if (plus != std::string::npos)
    {
        std::string wait = Trim(cycles.substr(plus + 1));
        const std::size_t times = wait.find('*');
        if (times != std::string::npos)
        {
            block.beatCycles = ParseCycles(Trim(wait.substr(0, times)), text);
            wait = Trim(wait.substr(times + 1));
        }
        if (wait != "packet" || block.beatCycles == 0)
        {
            Refuse(text, "only \"packet\" or \"2*packet\" may follow \"+\"");
        }
        block.isStoreAndForward = true;
        cycles.resize(plus);
    }
    const std::size_t slash = cycles.find('/');
    if (slash != std::string::npos)
    {
        block.packetCycles = ParseCycles(Trim(cycles.substr(slash + 1)), text);
        cycles.resize(slash);
    }
    if (block.packetCycles == 0)
    {
        Refuse(text, "two packets cannot start in the same cycle");
    }
    block.cycles = ParseCycles(Trim(cycles), text);
    return block;
}
} // namespace

std::vector<PipelineBlock>
ParsePipelineBlocks(const std::string& text)
{
    std::vector<PipelineBlock> blocks;
    if (Trim(text).empty())
    {
        return blocks;
    }
    for (std::size_t begin = 0; begin <= text.size();)
    {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        PipelineBlock block = ParseBlock(Trim(text.substr(begin, end - begin)));
        for (const PipelineBlock& other : blocks)
        {
            if (other.name == block.name)
            {
                Refuse(block.name, "named twice");
            }
        }
        blocks.push_back(std::move(block));
        begin = end + 1;
    }
    return blocks;
}

RDMA_REGISTER_BASE(PacketPipeline, Object, "RdmaNic");

std::string
PacketPipeline::FindFault(const PipelineConfig&) const
{
    return {};
}

void
PacketPipeline::Start(const PipelineConfig& config)
{
    NS_ABORT_MSG_IF(config.cycle < 0, "A clock cycle of a packet pipeline is negative");
    NS_ABORT_MSG_IF(config.busBytes == 0, "The bus of a packet pipeline carries no bytes");
    m_config = config;
    DoStart();
}

std::size_t
PacketPipeline::FindBlock(const std::string& name) const
{
    const auto found = std::find_if(m_config.blocks.begin(),
                                    m_config.blocks.end(),
                                    [&](const PipelineBlock& block) { return block.name == name; });
    return static_cast<std::size_t>(found - m_config.blocks.begin());
}

HeaderLead
PacketPipeline::GetHeaderLead(std::size_t block) const
{
    // Ethernet 14, IPv4 20, UDP 8, BTH 12, RETH 16 bytes.
    constexpr uint32_t HEADER_BYTES{70};
    HeaderLead lead;
    lead.busBytes = m_config.busBytes;
    lead.headBytes = static_cast<uint32_t>(GetBeats(HEADER_BYTES)) * m_config.busBytes;
    for (std::size_t behind = block + 1; behind < m_config.blocks.size(); ++behind)
    {
        lead.fixed += m_config.blocks[behind].cycles * m_config.cycle;
        const PipelineBlock& one = m_config.blocks[behind];
        lead.perBeat += one.isStoreAndForward ? one.beatCycles * m_config.cycle : 0;
    }
    return lead;
}

std::vector<Tick>
PacketPipeline::GetBreakdown(uint32_t bytes) const
{
    const Tick beats = GetBeats(bytes);
    std::vector<Tick> latencies;
    latencies.reserve(m_config.blocks.size());
    for (const PipelineBlock& block : m_config.blocks)
    {
        const Tick waited = block.isStoreAndForward ? block.beatCycles * beats - 1 : 0;
        latencies.push_back((block.cycles + waited) * m_config.cycle);
    }
    return latencies;
}

RDMA_REGISTER_CLASS(BlockPipeline, PacketPipeline, "RdmaNic");

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
        m_fixedLatency += (block.cycles + block.beatCycles - 1) * config.cycle;
        m_latencyPerBeat += block.isStoreAndForward ? block.beatCycles * config.cycle : 0;
        packetCycles = std::max(packetCycles, block.packetCycles);
    }
    m_packetTime = packetCycles * config.cycle;
}

} // namespace ns3::rdma
