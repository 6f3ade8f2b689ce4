// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/software-costs.h"

#include "ns3/type-attributes.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(SoftwareCosts);

namespace
{
constexpr uint32_t XDR_UNIT{4}; ///< Bytes (RFC 4506, section 3).
} // namespace

TypeId
SoftwareCosts::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<SoftwareCosts, Object>("ns3::rdma::SoftwareCosts", "RdmaHost")
            .Add("MemoryLatency",
                 Member(&SoftwareCosts::m_memoryLatency, NanoSeconds(80), Time(0), MilliSeconds(1)),
                 "Latency of a load that misses all caches (80 ns: StRoM section 6.2, footnote 7)")
            .Add("CrcRate",
                 Member(&SoftwareCosts::m_crcRate, DataRate("4784Mbps")),
                 "Rate at which a core computes CRC64 byte by byte with one table (598 MB/s: 6.02 "
                 "cycles per byte, README of mattsta/crcspeed, at the 3.6 GHz of StRoM section "
                 "7.2; the paper excludes more than one byte at a time, section 6.3, "
                 "footnote 8)")
            .Add("PartitionRate",
                 Member(&SoftwareCosts::m_partitionRate, DataRate("8Gbps")),
                 "Rate at which a core reads values and copies each to its partition's buffer (8 "
                 "Gb/s: our estimate, 29 cycles of 3.6 GHz for a value: a load, a mask, a counter "
                 "and a store to one of 1024 buffers)")
            .Add("SketchRate",
                 Member(&SoftwareCosts::m_sketchRate, DataRate("3125Mbps")),
                 "Rate at which one thread adds items to a HyperLogLog while data come in (3.125 "
                 "Gb/s: fitted to the 25 Gb/s of 8 threads, StRoM section 7.2)")
            .Add("RpcCost",
                 Member(&SoftwareCosts::m_rpcCost, MicroSeconds(1), Time(0), MilliSeconds(10)),
                 "Core time of the RPC library for one call, both hosts together: encode, decode, "
                 "dispatch, one poll() each (1 us: our estimate, two system calls of 300 ns as "
                 "those of KernelTcp, and 400 ns)")
            .Add(
                "XdrItemBytes",
                Member(&SoftwareCosts::m_xdrItemBytes, 0, 0, XDR_UNIT),
                "Bytes in memory of one item of the array that an RPC's value is declared as: 1 "
                "for char, 2 for short, 4 for int; XDR encodes each in 4 bytes (RFC 4506, sections "
                "3, 4.1 and 4.13); 0: the value is opaque data, which XDR copies (section 4.10)")
            .Add("XdrItemCost",
                 Member(&SoftwareCosts::m_xdrItemCost, NanoSeconds(10), Time(0), MicroSeconds(10)),
                 "Core time of one item of the array of an RPC's value, both hosts together: "
                 "xdr_array() calls a function for each item (10 ns: our measurement, xdr_char() "
                 "on a record stream of libtirpc 1.3.3, 4.8 to 6.3 ns to encode and 3.9 to 6.9 ns "
                 "to decode in arrays of 1 to 16 KiB)")
            .Add("PreprocessingRate",
                 Member(&SoftwareCosts::m_preprocessingRate, DataRate("6220Mbps")),
                 "Rate at which a core prepares features, without the copy to the GPU (6.22 Gb/s, "
                 "778 MB/s: fitted to the 700 MB/s with the copy, BALBOA section 8.2; README of "
                 "fpgasystems/BALBOA_AE: about 1190 MB/s)")
            .Add("GpuCopyTime",
                 Member(&SoftwareCosts::m_gpuCopyTime, MicroSeconds(20), Time(0), MilliSeconds(10)),
                 "Time of a copy from host memory to GPU memory without the transfer of its bytes: "
                 "the call, the start of DMA, and its end (20 us: fitted to the smallest saving in "
                 "BALBOA section 8.2)")
            .Add("GpuCopyRate",
                 Member(&SoftwareCosts::m_gpuCopyRate, DataRate("56Gbps")),
                 "Rate of the bytes of such a copy (56 Gb/s, 7 GB/s: fitted to the largest saving "
                 "in BALBOA section 8.2; the memory is pinned for the NIC and not for the GPU, so "
                 "the core copies it into a buffer first)");
    return tid;
}

Tick
SoftwareCosts::GetMisses(uint64_t count) const
{
    return static_cast<Tick>(count) * ToTick(m_memoryLatency);
}

Tick
SoftwareCosts::GetCrc(uint64_t bytes) const
{
    return GetMisses(1) + SerializationRate(m_crcRate).GetDuration(bytes);
}

Tick
SoftwareCosts::GetPartition(uint64_t bytes) const
{
    return SerializationRate(m_partitionRate).GetDuration(bytes);
}

Tick
SoftwareCosts::GetSketch(uint64_t bytes) const
{
    return SerializationRate(m_sketchRate).GetDuration(bytes);
}

Tick
SoftwareCosts::GetPreprocessing(uint64_t bytes) const
{
    return SerializationRate(m_preprocessingRate).GetDuration(bytes);
}

Tick
SoftwareCosts::GetGpuCopy(uint64_t bytes) const
{
    return ToTick(m_gpuCopyTime) + SerializationRate(m_gpuCopyRate).GetDuration(bytes);
}

Tick
SoftwareCosts::GetRpc() const
{
    return ToTick(m_rpcCost);
}

uint64_t
SoftwareCosts::GetXdrItems(uint64_t bytes) const
{
    return m_xdrItemBytes == 0 ? 0 : (bytes + m_xdrItemBytes - 1) / m_xdrItemBytes;
}

uint64_t
SoftwareCosts::GetXdrBytes(uint64_t bytes) const
{
    const uint64_t items = GetXdrItems(bytes);
    return items == 0 ? bytes : items * XDR_UNIT;
}

Tick
SoftwareCosts::GetXdr(uint64_t bytes) const
{
    return static_cast<Tick>(GetXdrItems(bytes)) * ToTick(m_xdrItemCost);
}

} // namespace ns3::rdma
