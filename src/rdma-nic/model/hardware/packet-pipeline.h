// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PACKET_PIPELINE_H
#define RDMA_PACKET_PIPELINE_H

#include "ns3/object.h"
#include "ns3/tick.h"

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
    uint32_t packetCycles{1};      ///< At least so many cycles lie between two packets' starts.
};

/**
 * Reads a list of blocks as "parser=12, state-table=4/5, icrc=9+packet": name, cycles, "/" and the
 * cycles between two packets' starts if they are more than one, "+packet" for a block that waits
 * for the whole packet. Empty: no blocks.
 * @throws std::invalid_argument naming what is wrong
 */
std::vector<PipelineBlock> ParsePipelineBlocks(const std::string& text);

/// Which way a pipeline leads.
enum class PipelineDirection : uint8_t
{
    TRANSMIT, ///< To a port, which begins with the first byte.
    RECEIVE,  ///< From a port, with which a frame has arrived when its last byte has.
};

/// How one direction of a NIC's packet path is built.
struct PipelineConfig
{
    Tick cycle{0};            ///< Length of a clock cycle, ps. 0: no time passes.
    uint32_t busBytes{64};    ///< Per cycle, at least 1.
    uint32_t packetCycles{1}; ///< At least so many cycles lie between two packets' starts.
    std::vector<PipelineBlock> blocks;
    PipelineDirection direction{PipelineDirection::TRANSMIT};
};

/**
 * @ingroup rdma-hardware
 * @brief One direction of a NIC's clocked packet path: how long each packet takes.
 *
 * A timeline; a class of its own per way to count (NicHardware::PipelineClass).
 */
class PacketPipeline : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return what such a pipeline cannot be built of, one line; empty: nothing. Default: nothing.
    virtual std::string FindFault(const PipelineConfig& config) const;

    /// Once, before anything else. @param config without fault
    void Start(const PipelineConfig& config);

    /// A packet is at the entry. @param now never before an earlier call's
    /// @param earliest not before now; @param bytes of the frame
    /// @return when what is behind the pipeline begins with it; never before an earlier packet's.
    virtual Tick Enter(Tick now, Tick earliest, uint32_t bytes) = 0;

    /// @return what a packet alone takes in each block, in order: for latency breakdowns.
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

} // namespace ns3::rdma

#endif // RDMA_PACKET_PIPELINE_H
