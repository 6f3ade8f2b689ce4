// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PACKET_PIPELINES_H
#define RDMA_PACKET_PIPELINES_H

#include "ns3/object.h"
#include "ns3/tick.h"

#include <algorithm>
#include <cstddef>
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
    bool isStoreAndForward{false}; ///< It needs the whole packet, which adds its beats.
    uint32_t packetCycles{1};      ///< Fewest cycles between two packets' starts.
    /// Of a beat of a stored packet, at least 1. As many units take packets in turn.
    uint32_t beatCycles{1};
};

/**
 * Reads a list of blocks as "parser=12, state-table=4/5, icrc=9+packet": name, cycles, "/" and the
 * cycles between two packets' starts if more than one, "+packet" for a block that needs the whole
 * packet, "+2*packet" if it takes two cycles per beat. Empty: no blocks.
 * @throws std::invalid_argument naming the fault
 */
std::vector<PipelineBlock> ParsePipelineBlocks(const std::string& text);

/// The direction of a pipeline.
enum class PipelineDirection : uint8_t
{
    TRANSMIT, ///< To a port, which starts with the first byte.
    RECEIVE,  ///< From a port, where a frame has arrived with its last byte.
};

/// How one direction of a NIC's packet path is built.
struct PipelineConfig
{
    Tick cycle{0};            ///< Length of a clock cycle, ps. 0: no time passes.
    uint32_t busBytes{64};    ///< Per cycle, at least 1.
    uint32_t packetCycles{1}; ///< Fewest cycles between two packets' starts.
    std::vector<PipelineBlock> blocks;
    PipelineDirection direction{PipelineDirection::TRANSMIT};
};

/// How much earlier than a whole packet its header has passed a block of a pipeline.
struct HeaderLead
{
    Tick fixed{0};       ///< Of the blocks behind it.
    Tick perBeat{0};     ///< For each beat of the packet behind the header.
    bool hasWire{false}; ///< And the time in which the bytes behind the header arrive.
    uint32_t headBytes{
        0}; ///< Of the beats that the header is in; 0: packets are handled as a whole.
    uint32_t busBytes{1};

    /// @param bytes of the frame @param wire time on the link of the bytes behind headBytes
    Tick Get(uint32_t bytes, Tick wire) const
    {
        const uint32_t behind = bytes > headBytes ? bytes - headBytes : 0;
        const Tick beats = (behind + busBytes - 1) / busBytes;
        return fixed + beats * perBeat + (hasWire ? wire : 0);
    }
};

/**
 * @ingroup rdma-hardware
 * @brief One direction of a NIC's clocked packet path: how long each packet takes.
 *
 * A timeline. NicHardware::PipelineClass selects the class that computes the cycles.
 */
class PacketPipeline : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return the fault of a configuration, one line; empty if there is none. Default: none.
    virtual std::string FindFault(const PipelineConfig& config) const;

    /// Called once, first. @param config without fault
    void Start(const PipelineConfig& config);

    /// A packet is at the entry. @param now not before an earlier call
    /// @param earliest not before now; @param bytes of the frame
    /// @return when the next stage starts with the packet; not before the time of an earlier
    /// packet.
    virtual Tick Enter(Tick now, Tick earliest, uint32_t bytes) = 0;

    /// @return the lead of a header at the end of a block over the result of Enter(). Only in the
    /// direction RECEIVE. @param block its index
    /// Default: the time of the blocks behind it.
    virtual HeaderLead GetHeaderLead(std::size_t block) const;

    /// @return the index of a block; the number of blocks if there is none of this name.
    std::size_t FindBlock(const std::string& name) const;

    /// @return the time of a lone packet in each block, in order: for latency breakdowns.
    std::vector<Tick> GetBreakdown(uint32_t bytes) const;

    const PipelineConfig& GetConfig() const
    {
        return m_config;
    }

  protected:
    /// @return cycles that the packet takes on the bus.
    Tick GetBeats(uint32_t bytes) const
    {
        return bytes == 0 ? 1 : (bytes + m_config.busBytes - 1) / m_config.busBytes;
    }

  private:
    virtual void DoStart() = 0;

    PipelineConfig m_config;
};

/**
 * @ingroup rdma-hardware
 * @brief A packet path as one timeline: each packet takes the blocks' latency, and the bus carries
 * one packet at a time.
 *
 * A packet of n beats (bus widths, the last one may be partial) starts when the bus at the entry is
 * free, and occupies it for max(n, packetCycles) cycles.  Its first byte is at the exit after the
 * cycles of all blocks, and n - 1 cycles more for each block that needs the whole packet, k n - 1
 * if this block takes k cycles per beat.  The bus at the exit carries one packet at a time, too: a
 * short packet behind a long one that was stored and forwarded leaves after it.  The next stage
 * starts with the first byte, in both directions. From the port, a frame has entered with its last
 * byte; a header alone enters as its bytes arrive (GetHeaderLead()).
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

#endif // RDMA_PACKET_PIPELINES_H
