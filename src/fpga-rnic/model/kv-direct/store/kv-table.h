// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_TABLE_H
#define FPGA_KV_TABLE_H

#include "ns3/kv-access.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup fpga-kv-direct
 * @brief Pairs as a KV processor accesses them: KvStore has their bytes, KvCountedStore only
 * counts.
 *
 * Nothing takes time: an operation is carried out at once, and the caller plays its accesses.
 */
class KvTable
{
  public:
    virtual ~KvTable() = default;

    /// Finds a key, shows its value, and does what the visitor answers.
    /// @param key part of no memory that the table writes @param accesses gets those made, appended
    virtual KvStatus Visit(ByteView key, KvVisitor& visitor, KvAccesses& accesses) = 0;

    /// @return a hash whose lower 32 bits are the number of the primary bucket; the upper ones are
    /// independent of it.
    virtual uint64_t GetHash(ByteView key) const = 0;
};

} // namespace ns3::rdma

#endif // FPGA_KV_TABLE_H
