// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_LOAD_DISPATCH_H
#define FPGA_KV_LOAD_DISPATCH_H

#include "ns3/kv-memory-engine.h"

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/**
 * @ingroup fpga-kv-direct
 * @brief The share of the memory's lines that the NIC's DRAM should cache, by the formulas of
 * KV-Direct section 3.3.4.
 *
 * Let l be that share, k the size of the DRAM over that of the memory, n the number of pairs, and r
 * the throughput of DRAM over that of PCIe. h(l) is the probability that a line of the share is in
 * the DRAM: k / l under uniform accesses, log(k n) / log(l n) under a long tail, 1 if k >= l.  PCIe
 * and DRAM are both in full use at l / r = (1 - l) + l (1 - h(l)).
 *
 * The formulas omit DRAM accesses that fill the cache or write back from it.
 */
struct KvLoadDispatch
{
    double memoryRatio{0};      ///< k, greater than 0.
    double throughputRatio{0};  ///< r, greater than 0.
    std::optional<double> keys; ///< n, above 1 / k, under a long tail; unset: uniform.

    /// @param share l, greater than 0, at most 1
    /// @return h(l).
    double GetHitProbability(double share) const;

    /// @return the l at which both are balanced; 1 if PCIe has more load even then.
    double FindShare() const;

    /// @param share l
    /// @return throughput relative to that of PCIe alone.
    double GetThroughput(double share) const;

    /// @return the same for a static partition of the pairs: the DRAM has as many as fit, or as
    /// many as balance both if these are fewer (section 6.3.1, baseline of Table 6).
    double GetPartitionedThroughput() const;
};

/**
 * @param throughputRatio of the DRAM to all links
 * @param keys under a long tail; 0: uniform accesses
 * @return the balanced share of a memory engine; 0 without a cache.
 */
double FindKvDispatchRatio(const KvMemorySettings& settings, double throughputRatio, double keys);

} // namespace ns3::rdma

#endif // FPGA_KV_LOAD_DISPATCH_H
