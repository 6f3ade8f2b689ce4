// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KV_TABLES_UNDER_TEST_H
#define RDMA_KV_TABLES_UNDER_TEST_H

#include "ns3/measured-rows.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3::rdma
{

/// A hash table to measure.
struct KvTableRequest
{
    std::string table{"kv-direct"}; ///< Or "cuckoo", "hopscotch".
    uint64_t memoryBytes{uint64_t{16} << 20};
    std::string sizes{"10"}; ///< Bytes of key and value: "10", or "5-30" with equal shares.
    double hashIndexRatio{0.5};
    uint32_t inlineThreshold{20}; ///< kv-direct's.
    uint32_t maxSlabBytes{512};   ///< kv-direct's.
    uint64_t seed{1};
};

/**
 * @ingroup rdma-kv
 * @brief A table under the experiment: KV-Direct's, or one that it is compared with.
 */
class KvTableUnderTest
{
  public:
    virtual ~KvTableUnderTest() = default;

    /// Inserts a pair. @param number of the pair @param accesses of the insertion
    /// @return whether there was room
    virtual bool Insert(uint64_t number, uint32_t& accesses) = 0;

    /// @return accesses of a get.
    virtual uint32_t Get(uint64_t number) = 0;

    /// @return accesses of a put of a pair that is there; 0: not counted.
    virtual uint32_t Update(uint64_t number) = 0;

    virtual double GetUtilization() const = 0;

    /// Sets columns of the table's own kind. Default: none.
    virtual void SetColumns(MeasuredRows& rows) const;
};

/// @return the table of a request. @throws InputError
std::unique_ptr<KvTableUnderTest> MakeKvTable(const KvTableRequest& request);

} // namespace ns3::rdma

#endif // RDMA_KV_TABLES_UNDER_TEST_H
