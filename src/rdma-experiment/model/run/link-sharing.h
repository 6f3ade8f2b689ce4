// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LINK_SHARING_H
#define RDMA_LINK_SHARING_H

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// A flow that shares the links of its servers with others.
struct SharingFlow
{
    uint32_t src; ///< Server, as an index of the rates.
    uint32_t dst;
    double wireBytes; ///< Headers included.
    int64_t startPs;
    int64_t endPs; ///< Bytes that would be sent later do not count.
};

/**
 * @ingroup rdma-scenario
 * @brief Bytes that flows send until a run is cut off, without packets.
 *
 * The link of a server is divided equally among the flows that it sends, and among those that it
 * receives; a flow has the smaller of its two shares.  Rates change at the steps of a fixed grid of
 * STEPS steps.
 *
 * Not modeled: congestion inside the fabric; a share that another flow cannot use.
 */
class LinkSharing
{
  public:
    /// Enough that a step is short beside a run, and few enough for a million flows.
    static constexpr int64_t STEPS{400};

    /// @param bitsPerSecond of the link of each server
    /// @param beginPs, endPs of the run
    LinkSharing(const std::vector<uint64_t>& bitsPerSecond, int64_t beginPs, int64_t endPs);

    /// Flows are added in the order of their start.
    void Add(const SharingFlow& flow);

    /// Ends the run. @return the share of its bytes that each flow has sent, from 0 to 1, in the
    /// order in which the flows were added
    std::vector<double> Finish();

  private:
    void Step(); ///< Sends until the end of the next step.

    std::vector<double> m_bytesPerPs; ///< By server, as are the next two.
    std::vector<uint32_t> m_sending;  ///< Flows.
    std::vector<uint32_t> m_receiving;
    std::vector<SharingFlow> m_flows;
    std::vector<double> m_sent;     ///< Bytes, by flow.
    std::vector<uint32_t> m_active; ///< Flows with bytes left.
    int64_t m_nowPs;
    int64_t m_endPs;
    int64_t m_stepPs;
};

} // namespace ns3::rdma

#endif // RDMA_LINK_SHARING_H
