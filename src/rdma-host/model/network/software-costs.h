// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SOFTWARE_COSTS_H
#define RDMA_SOFTWARE_COSTS_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/tick.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-offload
 * @brief What a core needs for the work that kernels take off it, beside posting and polling
 * (HostCpu) and kernel TCP (KernelTcp).
 *
 * Not modelled: caches beyond "a miss per element", other cores' load on the memory.
 */
class SoftwareCosts : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return time of loads that miss all caches and wait for each other.
    Tick GetMisses(uint64_t count) const;

    /// @return time of a CRC64 over so many bytes, the first of which misses the caches.
    Tick GetCrc(uint64_t bytes) const;

    /// @return time of the RPC library at both hosts together, without items of arrays.
    Tick GetRpc() const;

    /// @return bytes on the wire of an RPC's value that has so many bytes in memory.
    uint64_t GetXdrBytes(uint64_t bytes) const;

    /// @return time in which both hosts together encode and decode the items of such a value.
    Tick GetXdr(uint64_t bytes) const;

    /// @return time in which a core puts so many bytes of 8-byte values into the buffers of their
    /// partitions.
    Tick GetPartition(uint64_t bytes) const;

    /// @return time in which one of many threads adds so many bytes of items to its HyperLogLog.
    Tick GetSketch(uint64_t bytes) const;

    /// @return time in which a core prepares so many bytes of a recommendation model's features.
    Tick GetPreprocessing(uint64_t bytes) const;

    /// @return time of a copy of so many bytes from the host's memory to that of a GPU, which the
    /// core waits for.
    Tick GetGpuCopy(uint64_t bytes) const;

  private:
    /// @return items of an array of so many bytes; 0 if the value is opaque data.
    uint64_t GetXdrItems(uint64_t bytes) const;

    Time m_memoryLatency;
    DataRate m_crcRate;
    DataRate m_partitionRate;
    DataRate m_sketchRate;
    Time m_rpcCost;
    uint32_t m_xdrItemBytes{0};
    Time m_xdrItemCost;
    DataRate m_preprocessingRate;
    Time m_gpuCopyTime;
    DataRate m_gpuCopyRate;
};

} // namespace ns3::rdma

#endif // RDMA_SOFTWARE_COSTS_H
