// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_PASS_THROUGH_SERVICE_H
#define FPGA_PASS_THROUGH_SERVICE_H

#include "ns3/stream-service.h"
#include "ns3/stream-timing.h"

namespace ns3::rdma
{

/// Counts of a PassThroughService.
struct PassThroughCounts
{
    uint64_t packets{0};
    uint64_t bytes{0};
    uint64_t messages{0}; ///< First packets.
};

/**
 * @ingroup fpga-balboa
 * @brief A service that only counts, to measure the cost of its position in the stack.
 *
 * With the latency of an inspection it represents one in a parallel slot; with an interval of 2 it
 * represents a design below line rate.
 */
class PassThroughService : public StreamService
{
  public:
    static constexpr uint64_t RPC_CODE{32};

    static TypeId GetTypeId();
    uint64_t GetRpcCode() const override;
    Placement GetPlacement() const override;
    KernelStep OnPacket(const KernelInput& input) override;
    StreamStep OnStream(const StreamInput& input) override;

    const PassThroughCounts& GetSent() const
    {
        return m_sent;
    }

    const PassThroughCounts& GetReceived() const
    {
        return m_received;
    }

  private:
    uint32_t m_code{0};
    uint32_t m_latency{0};
    uint32_t m_interval{0};
    bool m_isParallel{false};
    StreamTiming m_timing;
    PassThroughCounts m_sent;
    PassThroughCounts m_received;
};

} // namespace ns3::rdma

#endif // FPGA_PASS_THROUGH_SERVICE_H
