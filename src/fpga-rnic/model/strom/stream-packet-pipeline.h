// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_STREAM_PACKET_PIPELINE_H
#define FPGA_STREAM_PACKET_PIPELINE_H

#include "ns3/clocked-pipeline.h"
#include "ns3/nstime.h"
#include "ns3/packet-pipeline.h"
#include "ns3/traced-callback.h"

#include <memory>

namespace ns3::rdma
{

/**
 * @ingroup fpga-nic
 * @brief One direction of an FPGA NIC's packet path, stage by stage and to the clock edge.
 *
 * Each block of the configuration is a stage of a ClockedPipeline: a FIFO (one cycle) and a
 * pipelined unit that takes the block's other cycles, so a block has at least two.  Towards the
 * port the words come one per cycle from when the payload is there, and the port begins with the
 * first one at the exit.  From the port the words have come one per cycle until now, and the packet
 * is handled when its last word is at the exit: a stage that waits for the whole packet, as the
 * check of the ICRC does (StRoM section 7.1), delays it by the packet's words once more.
 *
 * Trace source StageLatency, of each packet and stage in order: the block's index in the
 * configuration; from the packet's first word at the stage's FIFO to its first word at the exit.
 *
 * Not modelled: full FIFOs (see ClockedPipeline); acknowledgments take the stages' latency, not
 * their words' time (ControlPath).
 */
class StreamPacketPipeline : public PacketPipeline
{
  public:
    using StageLatencyCallback = void (*)(uint32_t block, Time latency);

    static TypeId GetTypeId();
    std::string FindFault(const PipelineConfig& config) const override;
    Tick Enter(Tick now, Tick earliest, uint32_t bytes) override;
    HeaderLead GetHeaderLead(std::size_t block) const override;

  private:
    void DoStart() override;
    void TraceStages() const;

    std::unique_ptr<ClockedPipeline> m_stream;
    TracedCallback<uint32_t, Time> m_stageLatency;
    bool m_isTransmit{true};
};

} // namespace ns3::rdma

#endif // FPGA_STREAM_PACKET_PIPELINE_H
