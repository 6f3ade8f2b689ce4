// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_TABLE_H
#define FPGA_KV_TABLE_H

#include "ns3/kv-access.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup fpga-kv-direct
 * @brief The pairs of a KV processor: KvStore has their bytes, KvCountedStore only counts.
 *
 * Operations take no time: an operation is executed at once, and the caller times its accesses.
 */
class KvTable
{
  public:
    virtual ~KvTable() = default;

    /// Finds a key, passes its value to the visitor, and applies the visitor's change.
    /// @param key not part of memory that the table writes
    /// @param accesses the accesses made are appended
    virtual KvStatus Visit(ByteView key, KvVisitor& visitor, KvAccesses& accesses) = 0;

    /// @return a hash whose lower 32 bits are the number of the primary bucket; the upper ones are
    /// independent of it.
    virtual uint64_t GetHash(ByteView key) const = 0;
};

} // namespace ns3::rdma

#endif // FPGA_KV_TABLE_H
