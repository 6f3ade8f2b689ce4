// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KV_PROCESSOR_RUN_H
#define RDMA_KV_PROCESSOR_RUN_H

#include "ns3/host-memory.h"
#include "ns3/kv-filling.h"
#include "ns3/kv-processor.h"
#include "ns3/kv-server-parts.h"
#include "ns3/kv-workload.h"
#include "ns3/latency-summary.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// The arguments of "rocelab kv-processor".
struct KvProcessorRequest
{
    uint64_t memoryBytes{uint64_t{64} << 20};
    double utilization{0.5};                 ///< Of the memory, filled before the run.
    std::optional<double> indexRatio;        ///< Unset: by the pairs' size.
    std::optional<uint32_t> inlineThreshold; ///< Unset: by the pairs' size.
    uint32_t pairBytes{10};                  ///< Key and value together.
    std::optional<uint32_t> keyBytes;        ///< Unset: half of the pair, 4 to 8.
    std::string ycsb;                        ///< "a" ...; empty: the shares.
    double getShare{1};                      ///< The rest are PUTs.
    double theta{0};                         ///< Of the plain Zipf distribution; 0: uniform.
    uint64_t atomics{0};                     ///< Keys that fetch-and-adds go to; 0: the mix.
    bool isInTurn{false};                    ///< Atomics go to their keys in turn, not at random.
    bool isCounted{false};                   ///< A KvCountedStore instead of a KvStore.
    uint32_t links{2};                       ///< PCIe links, 1 to 16.
    uint64_t requestRate{KV_REQUEST_RATE};   ///< DMA requests of a link per second; 0: no limit.
    double cacheRatio{1.0 / 16};             ///< NIC DRAM over memory: 4 GiB of 64 GiB.
    std::optional<double> dispatchRatio;     ///< Unset: by the formula of section 3.3.4.
    bool isOutOfOrder{true};
    bool isForwardedMeanwhile{true}; ///< On values that are being written back.
    double rate{0};                  ///< Operations per second that arrive; 0: no limit.
    uint64_t operations{1'000'000};
    /// Unset: as many as the cache has lines, four times. Of a counted store they take no time, and
    /// some that do follow.
    std::optional<uint64_t> warmup;
    uint64_t seed{1};
};

/// What came of a run, after the warm-up.
struct KvProcessorResult
{
    uint64_t operations{0};
    Tick duration{0};
    uint64_t keys{0};
    double utilization{0};
    double dispatchRatio{0};
    LatencySummary latency; ///< From entering the processor to the answer.
    KvProcessorStats processor;
    KvMemoryStats memory;
    uint64_t failures{0}; ///< Answers that are neither OK nor NOT_FOUND.
};

/**
 * @ingroup rdma-kv
 * @brief A KV processor by itself, without a network: `rocelab kv-processor`.
 *
 * Operations are there whenever the processor can take one, or arrive evenly at a rate: what
 * KV-Direct section 5.1 measures of the engine and the load dispatcher.
 */
class KvProcessorRun
{
  public:
    /// @throws InputError with one line for the first fault
    explicit KvProcessorRun(KvProcessorRequest request);

    /// Once. @throws InputError if the memory does not take so many pairs
    KvProcessorResult Run();

    const KvWorkloadSettings& GetWorkload() const
    {
        return m_workload;
    }

    const KvStoreSettings& GetStore() const
    {
        return m_store;
    }

  private:
    void ReadWorkload();
    std::unique_ptr<KvTable> MakeStore(HostMemory& memory, KvProcessorResult& result) const;
    KvFilling GetFilling() const;
    KvMemorySettings MakeMemorySettings() const;

    KvProcessorRequest m_request;
    KvWorkloadSettings m_workload;
    KvStoreSettings m_store;
};

} // namespace ns3::rdma

#endif // RDMA_KV_PROCESSOR_RUN_H
