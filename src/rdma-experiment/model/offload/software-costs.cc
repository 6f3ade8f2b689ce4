// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/software-costs.h"

#include "ns3/bounded-checker.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(SoftwareCosts);

TypeId
SoftwareCosts::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::SoftwareCosts")
            .SetParent<Object>()
            .SetGroupName("RdmaExperiment")
            .AddConstructor<SoftwareCosts>()
            .AddAttribute("MemoryLatency",
                          "Of a load that misses all caches (80 ns: StRoM section 6.2, footnote 7)",
                          TimeValue(NanoSeconds(80)),
                          MakeTimeAccessor(&SoftwareCosts::m_memoryLatency),
                          MakeTimeChecker(Time(0), MilliSeconds(1)))
            .AddAttribute("CrcRate",
                          "At which a core computes CRC64 byte by byte with one table "
                          "(598 MB/s: 6.02 cycles per byte, README of mattsta/crcspeed, at the "
                          "3.6 GHz of StRoM section 7.2; the paper says that more than a byte at a "
                          "time cannot be done, section 6.3, footnote 8)",
                          DataRateValue(DataRate("4784Mbps")),
                          MakeDataRateAccessor(&SoftwareCosts::m_crcRate),
                          MakeRateChecker())
            .AddAttribute("PartitionRate",
                          "At which a core reads values and copies each to its partition's "
                          "buffer (8 Gb/s: our estimate, 29 cycles of 3.6 GHz for a "
                          "value: a load, a mask, a counter and a store to one of 1024 buffers)",
                          DataRateValue(DataRate("8Gbps")),
                          MakeDataRateAccessor(&SoftwareCosts::m_partitionRate),
                          MakeRateChecker())
            .AddAttribute("SketchRate",
                          "At which one thread adds items to a HyperLogLog while data come in "
                          "(3.125 Gb/s: fitted to the 25 Gb/s of 8 threads, StRoM section "
                          "7.2)",
                          DataRateValue(DataRate("3125Mbps")),
                          MakeDataRateAccessor(&SoftwareCosts::m_sketchRate),
                          MakeRateChecker())
            .AddAttribute("RpcCost",
                          "Core time of the RPC library for one call, both hosts together: encode, "
                          "decode, dispatch, one poll() each (1 us: our estimate, two system calls "
                          "of 300 ns as those of KernelTcp, and 400 ns)",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&SoftwareCosts::m_rpcCost),
                          MakeTimeChecker(Time(0), MilliSeconds(10)));
    return tid;
}

SoftwareCosts::SoftwareCosts() = default;

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
SoftwareCosts::GetRpc() const
{
    return ToTick(m_rpcCost);
}

} // namespace ns3::rdma
