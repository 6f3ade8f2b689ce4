// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_PRIORITY_ARBITER_H
#define FPGA_PRIORITY_ARBITER_H

#include "ns3/arbiter.h"

namespace ns3::rdma
{

/**
 * @ingroup fpga-clocked
 * @brief Grants the input of the lowest number: those behind it may starve.
 */
class PriorityArbiter : public Arbiter
{
  public:
    std::optional<uint32_t> Grant(uint64_t requests) override;
};

} // namespace ns3::rdma

#endif // FPGA_PRIORITY_ARBITER_H
