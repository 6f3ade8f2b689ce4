// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/cache-hierarchy.h"

#include "ns3/assert.h"
#include "ns3/bounded-checker.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(CacheHierarchy);

namespace
{
constexpr Tick LONGEST_LINE{10'000'000}; ///< 10 us.
} // namespace

TypeId
CacheHierarchy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::CacheHierarchy")
            .SetParent<Object>()
            .SetGroupName("RdmaHost")
            .AddConstructor<CacheHierarchy>()
            .AddAttribute("L1Bytes",
                          "Size of the first-level data cache of each core, bytes (32 KiB: Zen 2)",
                          UintegerValue(32768),
                          MakeUintegerAccessor(&CacheHierarchy::m_l1Bytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("L2Bytes",
                          "Size of the second-level cache of each core, bytes (512 KiB: Zen 2)",
                          UintegerValue(524288),
                          MakeUintegerAccessor(&CacheHierarchy::m_l2Bytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("L3Bytes",
                          "Size of a third-level cache, shared by CoresPerL3 cores, bytes (16 "
                          "MiB: Zen 2)",
                          UintegerValue(16777216),
                          MakeUintegerAccessor(&CacheHierarchy::m_l3Bytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("CoresPerL3",
                          "Cores that share a third-level cache (4: Zen 2)",
                          UintegerValue(4),
                          MakeUintegerAccessor(&CacheHierarchy::m_coresPerL3),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute("L1Time",
                          "Access time of a line in the first level (4 cycles: AnandTech's "
                          "measurement of EPYC 7742, 2019; at 2.8 GHz, thesis Table A.1)",
                          StringValue("1429ps"),
                          MakeTimeAccessor(&CacheHierarchy::m_l1Time),
                          MakeTickChecker(0, LONGEST_LINE))
            .AddAttribute("L2Time",
                          "Access time of a line in the second level (13 cycles, as L1Time)",
                          StringValue("4643ps"),
                          MakeTimeAccessor(&CacheHierarchy::m_l2Time),
                          MakeTickChecker(0, LONGEST_LINE))
            .AddAttribute("L3Time",
                          "Access time of a line in the third level (34 cycles, as L1Time)",
                          StringValue("12143ps"),
                          MakeTimeAccessor(&CacheHierarchy::m_l3Time),
                          MakeTickChecker(0, LONGEST_LINE))
            .AddAttribute("MemoryTime",
                          "Access time of a line in the memory of the core's own NUMA node (122 "
                          "ns: AnandTech's measurement of EPYC 7742 with one node per socket, "
                          "2019)",
                          StringValue("122ns"),
                          MakeTimeAccessor(&CacheHierarchy::m_memoryTime),
                          MakeTickChecker(0, LONGEST_LINE))
            .AddAttribute("RemoteMemoryTime",
                          "Access time of a line in the memory of the other socket (our estimate: "
                          "100 ns more)",
                          StringValue("222ns"),
                          MakeTimeAccessor(&CacheHierarchy::m_remoteTime),
                          MakeTickChecker(0, LONGEST_LINE));
    return tid;
}

CacheHierarchy::CacheHierarchy() = default;

Tick
CacheHierarchy::GetLineTime(uint64_t coreBytes, uint64_t sharedBytes, bool isRemote) const
{
    NS_ASSERT_MSG(coreBytes <= sharedBytes, "a core's data are among those of its neighbours");
    if (coreBytes <= m_l1Bytes)
    {
        return ToTick(m_l1Time);
    }
    if (coreBytes <= m_l2Bytes)
    {
        return ToTick(m_l2Time);
    }
    if (sharedBytes <= m_l3Bytes)
    {
        return ToTick(m_l3Time);
    }
    return ToTick(isRemote ? m_remoteTime : m_memoryTime);
}

} // namespace ns3::rdma
