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
    /// The target of the access.
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

    /// The operation does not depend on it: the NIC exchanges entries with the host in advance. Set
    /// only for ALLOCATOR, and only if the NIC had entries left.
    bool isBackground{false};
};

/**
 * The accesses in order.  A read depends on the reads before it, which returned its address.  All
 * writes depend on all reads.  The write of a slab precedes that of the bucket that points to it.
 */
using KvAccesses = boost::container::small_vector<KvAccess, 8>;

/// Result of an operation on a store.
enum class KvStatus : uint8_t
{
    OK,
    NOT_FOUND,      ///< The key does not exist.
    NO_MEMORY,      ///< No free slab; the old value is unchanged.
    KEY_EMPTY,      ///< A key has 1 byte at least.
    KEY_TOO_LONG,   ///< More than KvStore::MAX_KEY_BYTES.
    VALUE_TOO_LONG, ///< Key and value exceed the largest slab; the old value is unchanged.
    NO_FUNCTION,    ///< No function has the number, or it does not support the operation.
    BAD_OPERAND,    ///< The length of operand or value does not suit the function.
    MALFORMED,      ///< The batch violates its format from this operation on.
    COUNT
};

/// The change of a pair, which depends on its value.
struct KvChange
{
    enum class Kind : uint8_t
    {
        KEEP,
        STORE, ///< The value is inserted or replaces the old one.
        REMOVE,
    };

    Kind kind{Kind::KEEP};
    ByteView value; ///< Value to store; valid until Visit() returns. It may be part of the old one.
};

/**
 * @ingroup fpga-kv-direct
 * @brief Decides how a pair changes, given its value.  Get, put, delete and atomics differ in this
 * alone.
 */
class KvVisitor
{
  public:
    virtual ~KvVisitor() = default;

    /// Called once per visit, unless the key is invalid.
    /// @param found whether the key exists
    /// @param value empty if not; valid during the call, and as KvChange::value
    virtual KvChange OnValue(bool found, ByteView value) = 0;
};

} // namespace ns3::rdma

#endif // FPGA_KV_ACCESS_H
