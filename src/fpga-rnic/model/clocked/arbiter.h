// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_ARBITER_H
#define FPGA_ARBITER_H

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/**
 * @ingroup fpga-clocked
 * @brief Chooses which of several inputs passes to a shared output.
 */
class Arbiter
{
  public:
    static constexpr uint32_t MAX_INPUTS{64};

    virtual ~Arbiter() = default;

    /// @param requests bit i: input i has something
    /// @return the input that passes; unset: there is none.
    virtual std::optional<uint32_t> Grant(uint64_t requests) = 0;
};

} // namespace ns3::rdma

#endif // FPGA_ARBITER_H
