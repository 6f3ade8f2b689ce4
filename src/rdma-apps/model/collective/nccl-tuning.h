// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NCCL_TUNING_H
#define RDMA_NCCL_TUNING_H

#include "ns3/nccl-protocol.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// A way to carry out an operation.
struct NcclWay
{
    std::string algorithm; ///< Name of a CollectiveAlgorithm.
    NcclProtocol protocol{NcclProtocol::SIMPLE};
};

/**
 * @ingroup rdma-collective
 * @brief The time by which NCCL 2.30 compares algorithms and protocols before it starts a
 * collective, for one rank per server.
 *
 * It is an estimate from tables, not a simulated time: a latency per step and a bandwidth.
 *
 * Source: NCCL 2.30 (commit 5067397), src/graph/tuning.cc, with the constants of Hopper GPUs and
 * Intel CPUs; one GPU per server makes trees of the pattern TREE (src/graph/search.cc), which takes
 * 15 % of their bandwidth.
 *
 * Not modelled: PAT, which NCCL can choose for all-gather and reduce-scatter, NVLS and CollNet;
 * several ranks per server; the classes of speed of the topology search (the bandwidth is the
 * link's rate); fewer channels and threads for small sizes; several operations launched together.
 */
class NcclTuning
{
  public:
    /// @param operation as "all-reduce" @param ranks at least 2
    /// @param channels that the topology search finds (FindNcclRings())
    /// @param linkGBps rate of a rank's link in 10^9 bytes per second
    NcclTuning(std::string operation, uint32_t ranks, uint32_t channels, double linkGBps);

    /// @return microseconds; unset if NCCL does not have this way for the operation.
    /// @param bytes of the full buffer
    std::optional<double> GetTime(const NcclWay& way, uint64_t bytes) const;

    /// @return the fastest way; of equal ones the first. @param ways at least one that NCCL has
    NcclWay Choose(const std::vector<NcclWay>& ways, uint64_t bytes) const;

  private:
    double GetRingTime(NcclProtocol protocol, uint64_t bytes) const;
    double GetTreeTime(NcclProtocol protocol, uint64_t bytes) const;

    std::string m_operation;
    uint32_t m_ranks;
    uint32_t m_channels;
    double m_linkGBps;
};

} // namespace ns3::rdma

#endif // RDMA_NCCL_TUNING_H
