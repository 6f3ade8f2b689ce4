// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KV_STORE_RUN_H
#define RDMA_KV_STORE_RUN_H

#include "ns3/random-stream.h"

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// What "rocelab kv-store" is asked for.
struct KvStoreRequest
{
    std::string table{"kv-direct"}; ///< Or "cuckoo", "hopscotch".
    std::string memory{"16MiB"};
    std::string sizes{"10"}; ///< Bytes of key and value: "10", or "5-30" with equal shares.
    double hashIndexRatio{0.5};
    uint32_t inlineThreshold{20};          ///< kv-direct's.
    uint32_t maxSlabBytes{512};            ///< kv-direct's.
    std::vector<double> utilizations{0.5}; ///< Of the memory, where accesses are measured.
    uint64_t operations{100'000};          ///< Of each kind, at each utilization.
    bool isFilled{false};                  ///< Go on until no further pair fits.
    uint64_t seed{1};
};

/// Numbers of accesses of operations of one kind.
class AccessSummary
{
  public:
    void Add(uint32_t accesses);

    /// @return {"mean", "p5", "p95", "max", "operations"}; null without operations
    nlohmann::ordered_json Describe() const;

  private:
    uint64_t FindPercentile(uint64_t perMille) const;

    std::vector<uint64_t> m_counts; ///< Of operations, by accesses.
    uint64_t m_operations{0};
};

/**
 * @ingroup rdma-kv
 * @brief A table under the experiment: KV-Direct's, or one that it is compared with.
 */
class KvTableUnderTest
{
  public:
    virtual ~KvTableUnderTest() = default;

    /// Inserts pair number so many. @param accesses those it took @return whether there was room
    virtual bool Insert(uint64_t number, uint32_t& accesses) = 0;

    /// @return accesses of a get, of a put of a pair that is there (0: not counted).
    virtual uint32_t Get(uint64_t number) = 0;
    virtual uint32_t Update(uint64_t number) = 0;

    virtual double GetUtilization() const = 0;

    /// @return numbers of the table's own kind.
    virtual nlohmann::ordered_json Describe() const = 0;
};

/**
 * @ingroup rdma-kv
 * @brief Fills a hash table step by step and counts memory accesses (KV-Direct, section 5.1.1).
 *
 * At each utilization: puts of new pairs on the last 2 % of the memory before it, gets and puts of
 * random pairs that are there.
 */
class KvStoreRun
{
  public:
    /// @throws InputError if the request makes no sense
    explicit KvStoreRun(const KvStoreRequest& request);

    nlohmann::ordered_json Run();

  private:
    bool FillTo(double utilization, AccessSummary* puts);
    nlohmann::ordered_json Measure(const AccessSummary& puts);

    KvStoreRequest m_request;
    std::unique_ptr<KvTableUnderTest> m_table;
    RandomStream m_random;
    uint64_t m_pairs{0};
};

} // namespace ns3::rdma

#endif // RDMA_KV_STORE_RUN_H
