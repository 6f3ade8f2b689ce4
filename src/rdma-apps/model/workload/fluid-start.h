// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLUID_START_H
#define RDMA_FLUID_START_H

#include "ns3/flow-source.h"
#include "ns3/max-min-shares.h"

#include <vector>

namespace ns3::rdma
{

/// Parameters of the network for a FluidStart.
struct FluidParameters
{
    int64_t untilPs;                ///< Flows are a fluid before this time, packets after.
    std::vector<double> bytesPerPs; ///< By node id: payload that its link carries; 0 for switches.
};

/**
 * @ingroup rdma-workload
 * @brief Simulates the first milliseconds of a workload as a fluid, and returns the remaining parts
 * of its flows.
 *
 * A network that starts empty takes milliseconds to fill with flows, about as long for any number
 * of servers.  Until the given time flows share the links of servers fairly (MaxMinShares), in
 * steps, at negligible cost compared with packets.  Flows that are active at that time are returned
 * first, with their sent bytes as fluidBytes; then all later flows.
 *
 * Not modelled: latency, queues, and NIC designs: all designs start from the same flows.
 * docs/study/precision.md measures the resulting error.
 */
class FluidStart : public FlowSource
{
  public:
    /// How long shares are kept constant. A flow that takes one step is small.
    static constexpr int64_t STEP_PS{10'000'000};

    /// @param source outlives this
    FluidStart(FlowSource& source, FluidParameters parameters);

    /// The first call runs the fluid.
    std::optional<FlowArrival> Next() override;

    /**
     * @return payload that a link carries, by its rate, when packets of full size go each way and
     * are acknowledged one by one: the share of payload in a packet and its acknowledgment.
     */
    static double GetPayloadShare(uint32_t mtuBytes,
                                  uint32_t packetOverheadBytes,
                                  uint32_t acknowledgmentBytes);

  private:
    /// An active flow.
    struct Drop
    {
        FlowArrival arrival;
        double leftBytes;
    };

    void RunFluid();
    void RunStep(int64_t beginPs, int64_t endPs);

    FlowSource& m_source;
    FluidParameters m_parameters;
    MaxMinShares m_shares;
    bool m_hasRun{false};
    std::optional<FlowArrival> m_next; ///< Next flow of the source.
    std::vector<Drop> m_active;        ///< In start order.
    std::vector<MaxMinShares::Flow> m_flows;
    std::size_t m_given{0}; ///< How many of m_active were returned after the fluid's end.
};

} // namespace ns3::rdma

#endif // RDMA_FLUID_START_H
