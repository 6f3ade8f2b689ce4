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
 * @brief Which share of the lines of memory the NIC's DRAM should cache: the formulas of KV-Direct
 * section 3.3.4.
 *
 * With l that share, k the size of the DRAM over that of the memory, n the number of pairs, r the
 * throughput of DRAM over that of PCIe, and h(l) the probability that a line of the share is in the
 * DRAM: k / l if all pairs are alike, log(k n) / log(l n) under a long tail; 1 if k > l.  PCIe and
 * DRAM are both in full use where l / r = (1 - l) + l (1 - h(l)).
 *
 * Not in the formulas: accesses of the DRAM that fill the cache or write back from it.
 */
struct KvLoadDispatch
{
    double memoryRatio{0};      ///< k, greater than 0.
    double throughputRatio{0};  ///< r, greater than 0.
    std::optional<double> keys; ///< n, more than 1 / k, under a long tail; unset: all are alike.

    /// @return h(l). @param share l, greater than 0, at most 1
    double GetHitProbability(double share) const;

    /// @return the l at which the two are balanced; 1 if PCIe has more to do even then.
    double FindShare() const;

    /// @return accesses per access that PCIe could carry alone. @param share l
    double GetThroughput(double share) const;

    /// @return the same if pairs are divided for good: as much as fits on the DRAM, or as balances
    /// the two if that is less (section 6.3.1, what Table 6 compares with).
    double GetPartitionedThroughput() const;
};

/**
 * @return the balanced share of a memory engine; 0 without a cache.
 * @param throughputRatio of the DRAM to all links @param keys under a long tail; 0: all are alike
 */
double FindKvDispatchRatio(const KvMemorySettings& settings, double throughputRatio, double keys);

} // namespace ns3::rdma

#endif // FPGA_KV_LOAD_DISPATCH_H
