// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_ROUND_ROBIN_ARBITER_H
#define FPGA_ROUND_ROBIN_ARBITER_H

#include "ns3/arbiter.h"

namespace ns3::rdma
{

/**
 * @ingroup fpga-clocked
 * @brief Grants the next input behind the one granted last, in a circle.
 */
class RoundRobinArbiter : public Arbiter
{
  public:
    std::optional<uint32_t> Grant(uint64_t requests) override;

  private:
    uint32_t m_first{0}; ///< Asked first in the next call.
};

} // namespace ns3::rdma

#endif // FPGA_ROUND_ROBIN_ARBITER_H
