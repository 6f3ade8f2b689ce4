// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_ACCESS_H
#define FPGA_KV_ACCESS_H

#include "ns3/byte-view.h"

#include <boost/container/small_vector.hpp>
#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup fpga-kv-direct
 * @brief One access to the memory of a key-value store: one DMA request, whatever its length.
 */
struct KvAccess
{
    /// What is read or written.
    enum class Cause : uint8_t
    {
        BUCKET,    ///< The primary bucket of a key.
        CHAIN,     ///< A chained bucket.
        SLAB,      ///< A pair that is not inline.
        ALLOCATOR, ///< Entries of a stack of free slabs.
    };

    uint64_t address{0};
    uint32_t bytes{0};
    bool isWrite{false};
    Cause cause{Cause::BUCKET};

    /// The operation does not wait for it: the NIC exchanges entries with the host ahead of need.
    /// Never set for another cause than ALLOCATOR, and not if the NIC had run out of entries.
    bool isBackground{false};
};

/**
 * In order.  A read depends on the reads before it: its address was in what they returned.  All
 * writes depend on all reads; those of a slab come before that of the bucket that points to it.
 */
using KvAccesses = boost::container::small_vector<KvAccess, 8>;

/// How an operation on a store ended.
enum class KvStatus : uint8_t
{
    OK,
    NOT_FOUND,      ///< No such key: there was nothing to keep or to remove.
    NO_MEMORY,      ///< No free slab; the old value is still there.
    KEY_EMPTY,      ///< A key has 1 byte at least.
    KEY_TOO_LONG,   ///< More than KvStore::MAX_KEY_BYTES.
    VALUE_TOO_LONG, ///< Key and value do not fit into the largest slab; the old value is there.
    NO_FUNCTION,    ///< None has the number, or it is not for this kind of operation.
    BAD_OPERAND,    ///< Its length, or the value's, is not the function's.
    MALFORMED,      ///< The batch violates its format from this operation on.
    COUNT
};

/// What is to be done with a pair once its value has been seen.
struct KvChange
{
    enum class Kind : uint8_t
    {
        KEEP,
        STORE, ///< Inserted, or put in place of the old value.
        REMOVE,
    };

    Kind kind{Kind::KEEP};
    ByteView value; ///< To store; valid until Visit() returns. It may be part of the value seen.
};

/**
 * @ingroup fpga-kv-direct
 * @brief Decides about a pair from its value: get, put, delete and atomics differ in this alone.
 */
class KvVisitor
{
  public:
    virtual ~KvVisitor() = default;

    /// Called once per visit, unless the key is at fault. @param found whether the key is there
    /// @param value empty if not; valid during the call, and as KvChange::value
    virtual KvChange OnValue(bool found, ByteView value) = 0;
};

} // namespace ns3::rdma

#endif // FPGA_KV_ACCESS_H
