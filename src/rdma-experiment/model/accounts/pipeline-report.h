// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_PIPELINE_REPORT_H
#define RDMA_PIPELINE_REPORT_H

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>

namespace ns3::rdma
{

/**
 * The time of each part of one WRITE packet inside an idle NIC of a preset, for latency breakdowns
 * such as BALBOA's Figure 5: the blocks of both packet pipelines, PCIe, and the host's core.
 *
 * Each part is measured alone on the model's own units, so the times add up only where parts follow
 * each other: post, doorbell, work request, payload, transmit blocks, wire, receive blocks,
 * placement.
 *
 * Not modelled: waiting for other packets.
 *
 * @param nic a preset, with its hardware on
 * @param payloadBytes 1 to 4096
 * @return {"nic", "payload_bytes", "frame_bytes", "cycle_ns", "bus_bytes", "transmit", "receive",
 * "pcie", "host"}; the last four are lists of {"name", "ns"}
 * @throws InputError
 */
nlohmann::ordered_json MakePipelineReport(const std::string& nic, uint32_t payloadBytes);

/// Prints a report as a table.
void PrintPipelineReport(const nlohmann::ordered_json& report, std::ostream& out);

} // namespace ns3::rdma

#endif // RDMA_PIPELINE_REPORT_H
