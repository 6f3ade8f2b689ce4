// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MAX_MIN_SHARES_H
#define RDMA_MAX_MIN_SHARES_H

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-workload
 * @brief Divides the links of servers among flows so that no flow can have more without taking it
 * from one that has less.
 *
 * Progressive filling (Bertsekas and Gallager, "Data Networks", 2nd ed., section 6.5.2).  A flow
 * has two links, the sender's outgoing and the receiver's incoming.  In each round the links on
 * which no flow is limited by its other link are full: their flows get their shares and are
 * removed.
 *
 * Not modelled: links between switches.
 */
class MaxMinShares
{
  public:
    /// A flow, and its share after Divide().
    struct Flow
    {
        uint32_t src; ///< Node id.
        uint32_t dst; ///< Node id.
        double share{0};
    };

    /// @param capacities by node id, of either direction of its link; in any unit
    explicit MaxMinShares(std::vector<double> capacities);

    /// Sets the share of each flow, in the unit of the capacities.
    void Divide(std::vector<Flow>& flows);

  private:
    /// One direction of a server's link.
    struct Direction
    {
        double left{0};   ///< Capacity that is not assigned to a flow.
        uint32_t open{0}; ///< Flows without a share.
        double least{0};  ///< The smallest offer that an open flow has from both of its links.
    };

    double GetOffer(const Flow& flow) const;
    bool IsSettled(const Flow& flow) const;
    void CountOpen(const std::vector<Flow>& flows);

    std::vector<double> m_capacities;
    std::vector<Direction> m_out; ///< By node id.
    std::vector<Direction> m_in;  ///< By node id.
    std::vector<uint32_t> m_open; ///< Places of flows without a share, in order.
    std::vector<double> m_offers; ///< Offers to these flows in this round.
};

} // namespace ns3::rdma

#endif // RDMA_MAX_MIN_SHARES_H
