// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/software-costs.h"

#include "ns3/abort.h"

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
                          "At which a core computes CRC64 byte by byte with one table, above 0 "
                          "(410 MB/s: mattsta/crc64-compare, the table of Redis, which has the "
                          "polynomial of fpgasystems/davos)",
                          DataRateValue(DataRate("3280Mbps")),
                          MakeDataRateAccessor(&SoftwareCosts::m_crcRate),
                          MakeDataRateChecker())
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
    NS_ABORT_MSG_IF(m_crcRate.GetBitRate() == 0, "SoftwareCosts::CrcRate is zero");
    return GetMisses(1) + SerializationRate(m_crcRate).GetDuration(bytes);
}

Tick
SoftwareCosts::GetRpc() const
{
    return ToTick(m_rpcCost);
}

} // namespace ns3::rdma
