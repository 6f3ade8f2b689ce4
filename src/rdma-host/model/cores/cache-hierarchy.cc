// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/cache-hierarchy.h"

#include "ns3/assert.h"
#include "ns3/type-attributes.h"

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
        TypeAttributes::Of<CacheHierarchy, Object>("ns3::rdma::CacheHierarchy", "RdmaHost")
            .Add("L1Bytes",
                 Member(&CacheHierarchy::m_l1Bytes, 32768),
                 "Size of the first-level data cache of each core, bytes (32 KiB: Zen 2)")
            .Add("L2Bytes",
                 Member(&CacheHierarchy::m_l2Bytes, 524288),
                 "Size of the second-level cache of each core, bytes (512 KiB: Zen 2)")
            .Add("L3Bytes",
                 Member(&CacheHierarchy::m_l3Bytes, 16777216),
                 "Size of a third-level cache, shared by CoresPerL3 cores, bytes (16 MiB: Zen 2)")
            .Add("CoresPerL3",
                 Member(&CacheHierarchy::m_coresPerL3, 4, 1, 65536),
                 "Cores that share a third-level cache (4: Zen 2)")
            .Add("L1Time",
                 Member(&CacheHierarchy::m_l1Time, "1429ps", 0, LONGEST_LINE),
                 "Access time of a line in the first level (4 cycles: AnandTech's measurement of "
                 "EPYC 7742, 2019; at 2.8 GHz, thesis Table A.1)")
            .Add("L2Time",
                 Member(&CacheHierarchy::m_l2Time, "4643ps", 0, LONGEST_LINE),
                 "Access time of a line in the second level (13 cycles, as L1Time)")
            .Add("L3Time",
                 Member(&CacheHierarchy::m_l3Time, "12143ps", 0, LONGEST_LINE),
                 "Access time of a line in the third level (34 cycles, as L1Time)")
            .Add("MemoryTime",
                 Member(&CacheHierarchy::m_memoryTime, "122ns", 0, LONGEST_LINE),
                 "Access time of a line in the memory of the core's own NUMA node (122 ns: "
                 "AnandTech's measurement of EPYC 7742 with one node per socket, 2019)")
            .Add("RemoteMemoryTime",
                 Member(&CacheHierarchy::m_remoteTime, "222ns", 0, LONGEST_LINE),
                 "Access time of a line in the memory of the other socket (our estimate: 100 ns "
                 "more)");
    return tid;
}

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
