// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_STREAM_PACKET_PIPELINE_H
#define FPGA_STREAM_PACKET_PIPELINE_H

#include "ns3/clocked-pipeline.h"
#include "ns3/nstime.h"
#include "ns3/packet-pipelines.h"
#include "ns3/traced-callback.h"

#include <memory>

namespace ns3::rdma
{

/**
 * @ingroup fpga-nic
 * @brief One direction of an FPGA NIC's packet path, by stage and exact to the clock edge.
 *
 * Each block of the configuration is a stage of a ClockedPipeline: a FIFO (one cycle) and a
 * pipelined unit (the block's other cycles).  A block therefore has at least two cycles.  On
 * transmit, words enter at one per cycle when the payload is available, and the port starts when
 * the first word leaves.  On receive, the words have entered at one per cycle, and the packet is
 * handled when its last word leaves.  A store-and-forward stage, such as the check of the ICRC
 * (StRoM section 7.1), delays a packet by its number of words once more.
 *
 * Trace source StageLatency, for each packet and stage in order: the block's index in the
 * configuration; the time from the first word at the stage's FIFO to the first word at its exit.
 *
 * Not modelled: full FIFOs (see ClockedPipeline); the words of acknowledgments, which have the
 * latency of the stages only (ControlPath).
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
