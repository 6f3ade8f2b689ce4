// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KV_DMA_RUN_H
#define RDMA_KV_DMA_RUN_H

#include "ns3/kv-gather.h"
#include "ns3/kv-server-parts.h"
#include "ns3/latency-summary.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// The arguments of "rocelab kv-dma".
struct KvDmaRequest
{
    uint32_t bytes{64};                    ///< Of each access.
    bool isWrite{false};                   ///< Else reads.
    bool isMixed{false};                   ///< Reads and writes in turn; isWrite is not used.
    bool isCached{false};                  ///< Whether the host's cache has the data.
    uint32_t outstanding{256};             ///< Accesses that the NIC has given at most.
    uint32_t cores{0};                     ///< That gather reads; 0: the NIC reads by itself.
    uint64_t requestRate{KV_REQUEST_RATE}; ///< DMA requests per second; 0: no limit.
    uint64_t accesses{200'000};
    uint64_t seed{1};
};

/// What came of a run.
struct KvDmaResult
{
    uint64_t accesses{0};
    Tick duration{0};
    LatencySummary latency;
    std::vector<double> percentiles; ///< Of the latency in us: 1 %, 2 % ... 99 %.
};

/**
 * @ingroup rdma-kv
 * @brief Random accesses of KV-Direct's NIC to its host's memory over one PCIe link: `rocelab
 * kv-dma` (KV-Direct Figures 3 and 18).
 */
class KvDmaRun
{
  public:
    explicit KvDmaRun(const KvDmaRequest& request);

    /// Once.
    KvDmaResult Run();

  private:
    KvDmaResult RunDirect(PcieLink& link);
    KvDmaResult RunGathered(PcieLink& link);

    KvDmaRequest m_request;
};

} // namespace ns3::rdma

#endif // RDMA_KV_DMA_RUN_H
