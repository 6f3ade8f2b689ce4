// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BUSY_CONGESTION_H
#define RDMA_BUSY_CONGESTION_H

#include "ns3/dcqcn.h"
#include "ns3/window-dctcp.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * @brief A congestion control with needless work: the model is slower by a known amount and has the
 * same results.  Tests of the speed guard use it.
 *
 * @tparam Base the congestion control of the design: see BusyDctcp and BusyDcqcn
 */
template <typename Base>
class BusyCongestion : public Base
{
  public:
    static TypeId GetTypeId();
    Ptr<CongestionControl> Fork() const override;
    void Start(const PathInfo& path, Time now) override;
    void OnAck(const AckEvent& ack) override;

  private:
    void Compute(uint32_t rounds);

    uint32_t m_rounds{0};     ///< Multiply-adds per acknowledgment, each depends on the one before.
    uint32_t m_flowRounds{0}; ///< Multiply-adds per queue pair, at its start.
    uint32_t m_lines{0};      ///< Reads per acknowledgment, spread over more than caches hold.
    uint64_t m_value{1};
};

using BusyDctcp = BusyCongestion<WindowDctcp>; ///< Of srnic.
using BusyDcqcn = BusyCongestion<Dcqcn>;       ///< Of connectx6.

} // namespace ns3::rdma

#endif // RDMA_BUSY_CONGESTION_H
