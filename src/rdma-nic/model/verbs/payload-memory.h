// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PAYLOAD_MEMORY_H
#define RDMA_PAYLOAD_MEMORY_H

#include "ns3/simple-ref-count.h"

#include <cstddef>
#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup rdma-verbs
 * @brief Memory that a protection domain's payload is written to and read from: host memory, memory
 * on the card, or the bytes of a kernel.
 *
 * This class has bytes only: callers model the time of an access.  Addresses are those of work
 * requests and packets; callers check them against the domain's regions.
 */
class PayloadMemory : public SimpleRefCount<PayloadMemory>
{
  public:
    virtual ~PayloadMemory() = default;

    virtual void Write(uint64_t address, const uint8_t* bytes, std::size_t count) = 0;
    virtual void Read(uint64_t address, uint8_t* bytes, std::size_t count) const = 0;

    /// Integers are little-endian, as on the hosts that the papers use.
    void Write64(uint64_t address, uint64_t value);
    uint64_t Read64(uint64_t address) const;
};

} // namespace ns3::rdma

#endif // RDMA_PAYLOAD_MEMORY_H
