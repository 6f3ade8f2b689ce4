// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BLOCK_PIPELINE_H
#define RDMA_BLOCK_PIPELINE_H

#include "ns3/packet-pipeline.h"

#include <algorithm>

namespace ns3::rdma
{

/**
 * @ingroup rdma-hardware
 * @brief A packet path as one timeline: each packet takes the blocks' latency, and the bus carries
 * one packet at a time.
 *
 * A packet of n beats (bus widths, the last one may be partial) starts when the bus at the entry is
 * free, and occupies it for max(n, packetCycles) cycles.  Its first byte is at the exit after the
 * cycles of all blocks, and n - 1 cycles more for each block that needs the whole packet.  The bus
 * at the exit carries one packet at a time, too: a short packet behind a long one that was stored
 * and forwarded leaves after it.  The next stage starts with the first byte, in both directions.
 * From the port, a frame has entered with its last byte; a header alone enters as its bytes arrive
 * (GetHeaderLead()).
 *
 * Examples: RoCE BALBOA's pipeline, 512 bit at 250 MHz = 128 Gb/s (BALBOA section 4, Figures 1 to
 * 3), and SRNIC's, 300 MHz (SRNIC section 5).
 *
 * Not modelled: edges of the clock (a packet starts at any picosecond), back pressure (blocks have
 * room for all packets in flight), beats in which an inserted header shifts the payload, the
 * sharing of one block by two directions.
 */
class BlockPipeline : public PacketPipeline
{
  public:
    static TypeId GetTypeId();

    /// @return when its first byte is at the exit; never before the last byte of an earlier packet.
    Tick Enter(Tick now, Tick earliest, uint32_t bytes) override
    {
        const Tick beats = GetBeats(bytes);
        const Tick start = std::max({now, earliest, m_entryFree});
        const Tick busTime = beats * GetConfig().cycle;
        m_entryFree = start + std::max(busTime, m_packetTime);
        const Tick latency = m_fixedLatency + (beats - 1) * m_latencyPerBeat;
        const Tick exit = std::max(start + latency, m_exitFree);
        m_exitFree = exit + busTime;
        return exit;
    }

    HeaderLead GetHeaderLead(std::size_t block) const override;

  private:
    void DoStart() override;

    Tick m_entryFree{0};
    Tick m_exitFree{0};
    Tick m_packetTime{0};     ///< Between the starts of two packets.
    Tick m_fixedLatency{0};   ///< Of all blocks, for a packet of one beat.
    Tick m_latencyPerBeat{0}; ///< Of the blocks that need the whole packet.
};

} // namespace ns3::rdma

#endif // RDMA_BLOCK_PIPELINE_H
