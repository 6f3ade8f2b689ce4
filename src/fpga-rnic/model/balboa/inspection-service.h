// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_INSPECTION_SERVICE_H
#define FPGA_INSPECTION_SERVICE_H

#include "ns3/inspection-network.h"
#include "ns3/stream-service.h"
#include "ns3/stream-timing.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <optional>
#include <string>

namespace ns3::rdma
{

/// Result of the inspection of one packet.
struct InspectionVerdict
{
    uint32_t queuePair{0};
    uint64_t address{0};          ///< Destination of the packet's first byte.
    uint32_t bytes{0};            ///< Of the packet.
    uint32_t beats{0};            ///< Full beats, which are inspected.
    uint32_t badBeats{0};         ///< Classified as fragments of an executable.
    std::optional<int32_t> score; ///< Highest score of its beats; unset without a full beat.
    bool isBad{false};
};

/// Counts of packet inspection.
struct InspectionStats
{
    uint64_t packets{0};
    uint64_t badPackets{0};
    uint64_t beats{0};
    uint64_t badBeats{0};
};

/**
 * @ingroup fpga-balboa
 * @brief Inspects packets of WRITEs for fragments of executables, in parallel with the packet
 * pipeline (BALBOA section 5.1.2).
 *
 * An InspectionNetwork classifies each full beat of 64 bytes; the rest of a packet is not
 * inspected.  A packet with BadBeats bad beats is bad.  The host then gets an interrupt whose tag
 * is the packet's address.  The data are dropped or, as in the paper's text, written to memory all
 * the same (Drop).  One beat enters per cycle; its verdict follows Latency cycles later.  Beats are
 * copied where the packet enters the parallel pipeline, so a verdict delays a packet only if
 * Latency exceeds PipelineCycles.
 *
 * A packet is inspected once: KernelHost passes new packets in order only.  Requests with its code
 * are answered with its counts: parameters are the address of the answer (8 bytes), the value is
 * the four words of InspectionStats.
 *
 * Source of details that the paper does not state: fpgasystems/AMD-OHC-2024,
 * intrusion_detection_decider.sv (beats that are not full are ignored, one bad beat is enough).
 */
class InspectionService : public StreamService
{
  public:
    // Signature of the trace.
    using VerdictCallback = void (*)(const InspectionVerdict& verdict);

    static constexpr uint64_t RPC_CODE{34}; ///< Ours: no public source names one.

    static TypeId GetTypeId();
    ~InspectionService() override;

    uint64_t GetRpcCode() const override;
    std::string FindFault() const override;
    Placement GetPlacement() const override;
    Tick GetHidden() const override;
    KernelStep OnPacket(const KernelInput& input) override;
    StreamStep OnStream(const StreamInput& input) override;

    const InspectionStats& GetStats() const
    {
        return m_stats;
    }

  private:
    void SetWeights(std::string path);
    InspectionVerdict Judge(const StreamInput& input) const;
    void Count(const InspectionVerdict& verdict);

    // Attributes.
    std::string m_weights;
    int32_t m_margin{0};
    uint32_t m_badBeats{0};
    bool m_drops{false};
    uint32_t m_latency{0};
    uint32_t m_pipelineCycles{0};

    std::unique_ptr<InspectionNetwork> m_network; ///< Null without weights.
    StreamTiming m_timing;
    InspectionStats m_stats;
    TracedCallback<const InspectionVerdict&> m_verdictTrace;
};

} // namespace ns3::rdma

#endif // FPGA_INSPECTION_SERVICE_H
