// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_PIPELINE_REPORT_H
#define RDMA_PIPELINE_REPORT_H

#include "ns3/nic-design.h"
#include "ns3/packet-pipeline.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-accounts
 * @brief What one WRITE packet takes inside an idle NIC of a preset, part by part: for latency
 * breakdowns such as BALBOA's Figure 5.
 *
 * The blocks of both packet pipelines, what PCIe takes, and what the host's core takes.  Each part
 * is asked alone, so they add up only where they follow each other: the packet's way is post,
 * doorbell, work request, payload, transmit blocks, wire, receive blocks, placement.
 *
 * Not modelled: waiting for others.
 */
class PipelineReport
{
  public:
    /// @param nic a preset, with its hardware on; @param payloadBytes 1 to 4096 @throws InputError
    PipelineReport(const std::string& nic, uint32_t payloadBytes);

    void WriteTable(std::ostream& out) const;
    std::string WriteJson() const;

  private:
    struct Part
    {
        std::string name;
        Tick duration;
        uint32_t cycles{0}; ///< Of a block, for one beat.
        bool waitsForPacket{false};
    };

    struct Group
    {
        std::string name;
        std::vector<Part> parts;
    };

    void AddPipeline(const std::string& name, const PacketPipeline& pipeline);
    void AddPcie(const NicDesign& design);
    static bool IsPipeline(const Group& group);
    static Tick GetSum(const Group& group);

    std::string m_nic;
    uint32_t m_payloadBytes;
    uint32_t m_frameBytes{0};
    Tick m_cycle{0};
    uint32_t m_busBytes{0};
    std::vector<Group> m_groups;
};

} // namespace ns3::rdma

#endif // RDMA_PIPELINE_REPORT_H
