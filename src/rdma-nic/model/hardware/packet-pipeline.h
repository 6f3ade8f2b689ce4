// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PACKET_PIPELINE_H
#define RDMA_PACKET_PIPELINE_H

#include "ns3/tick.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// One block of a pipeline.
struct PipelineBlock
{
    std::string name;
    uint32_t cycles{0};            ///< From first byte in to first byte out.
    bool isStoreAndForward{false}; ///< It waits for the whole packet: so many beats more.
};

/**
 * Reads a list of blocks as "parser=12, arbiter=4+packet, icrc=9": name, cycles, and "+packet" for
 * a block that waits for the whole packet. Empty: no blocks.
 * @throws std::invalid_argument naming what is wrong
 */
std::vector<PipelineBlock> ParsePipelineBlocks(const std::string& text);

/// How one direction of a NIC's packet path is built.
struct PipelineConfig
{
    Tick cycle{0};            ///< Length of a clock cycle, ps. 0: no time passes.
    uint32_t busBytes{64};    ///< Per cycle, at least 1.
    uint32_t packetCycles{1}; ///< At least so many cycles lie between two packets' starts.
    std::vector<PipelineBlock> blocks;
};

/**
 * @ingroup rdma-hardware
 * @brief One direction of a NIC's clocked packet path: each packet takes the blocks' latency, and
 * the bus carries one packet after the other.
 *
 * A timeline: a packet of n beats (bus widths, the last one may be partial) starts when the bus at
 * the entry is free, which it then takes for max(n, packetCycles) cycles; its first byte is at the
 * exit after the cycles of all blocks, and n - 1 cycles more for each block that waits for the
 * whole packet.  The bus at the exit carries one packet after the other, too: a short packet behind
 * a long one that was stored and forwarded waits until that has left.
 *
 * Such are RoCE BALBOA's pipeline, 512 bit at 250 MHz = 128 Gb/s (BALBOA section 4, Figures 1 to
 * 3), StRoM's, 64 bit at 156.25 MHz and 512 bit at 322 MHz (StRoM sections 4 and 7), and SRNIC's,
 * 300 MHz (SRNIC section 5).
 *
 * Not modelled: edges of the clock (a packet starts at any picosecond), back pressure (blocks have
 * room for what is on the way), beats in which an inserted header shifts the payload, the sharing
 * of one block by two directions.
 */
class PacketPipeline
{
  public:
    PacketPipeline() = default;
    explicit PacketPipeline(const PipelineConfig& config);

    /// A packet's first byte is at the entry. @param now never before an earlier call's
    /// @param earliest not before now; @param bytes of the frame
    /// @return when its first byte is at the exit; never before an earlier packet's last.
    Tick Enter(Tick now, Tick earliest, uint32_t bytes)
    {
        const Tick beats = GetBeats(bytes);
        const Tick start = std::max({now, earliest, m_entryFree});
        m_entryFree = start + std::max(beats * m_config.cycle, m_packetTime);
        const Tick latency = m_fixedLatency + (beats - 1) * m_latencyPerBeat;
        const Tick exit = std::max(start + latency, m_exitFree);
        m_exitFree = exit + beats * m_config.cycle;
        return exit;
    }

    /// @return what a packet alone takes in each block, in order: for latency breakdowns.
    std::vector<Tick> GetBreakdown(uint32_t bytes) const;

    const PipelineConfig& GetConfig() const
    {
        return m_config;
    }

  private:
    /// @return cycles that the packet takes on the bus.
    Tick GetBeats(uint32_t bytes) const
    {
        return std::max<Tick>(1, (bytes + m_config.busBytes - 1) / m_config.busBytes);
    }

    Tick m_entryFree{0};
    Tick m_exitFree{0};
    Tick m_packetTime{0};     ///< Between two packets' starts.
    Tick m_fixedLatency{0};   ///< Of all blocks, for a packet of one beat.
    Tick m_latencyPerBeat{0}; ///< Of the blocks that wait for the whole packet.
    PipelineConfig m_config;
};

} // namespace ns3::rdma

#endif // RDMA_PACKET_PIPELINE_H
