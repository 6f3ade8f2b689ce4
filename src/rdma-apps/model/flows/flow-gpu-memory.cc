// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-gpu-memory.h"

#include "ns3/gpu-bytes.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{
constexpr uint64_t BASE{uint64_t{1} << 52}; ///< Above the addresses of streams' memory.
constexpr uint64_t ALIGNMENT{256};
constexpr uint8_t ACCESS{memory_access::LOCAL_WRITE | memory_access::REMOTE_WRITE};
} // namespace

FlowGpuMemory::FlowGpuMemory(const FlowMemory& memory,
                             const std::vector<Ptr<RdmaNic>>& nics,
                             std::function<bool(uint32_t id)> isHere)
    : m_memory(memory),
      m_nics(nics),
      m_isHere(std::move(isHere))
{
}

FlowGpuMemory::Region
FlowGpuMemory::MakeRegion(uint32_t endpoint) const
{
    const Ptr<RdmaNic> nic = m_nics[endpoint];
    Region region;
    region.bytes = std::min(m_memory.gpuBytes.value_or(FlowMemory::DEFAULT_GPU_BYTES),
                            GetGpuBytes(nic->GetDesign()));
    region.domain = Create<ProtectionDomain>();
    const bool isHere = m_isHere(endpoint);
    if (isHere)
    {
        region.domain->SetGpuMemory(nic->GetGpuMemory());
    }
    // Another rank's NIC: registered here for its keys alone.
    const MemoryKind kind = isHere ? MemoryKind::GPU : MemoryKind::HOST;
    region.remoteKey = region.domain->Register(BASE, region.bytes, ACCESS, kind).remoteKey;
    return region;
}

GpuPlace
FlowGpuMemory::TakePlace(uint32_t endpoint, uint64_t bytes)
{
    const RdmaNic* const nic = PeekPointer(m_nics[endpoint]);
    auto found = m_regions.find(nic);
    if (found == m_regions.end())
    {
        found = m_regions.emplace(nic, MakeRegion(endpoint)).first;
    }
    Region& region = found->second;
    if (bytes > region.bytes - region.used)
    {
        region.used = 0;
    }
    const GpuPlace place{BASE + region.used, region.remoteKey};
    const uint64_t next = region.used + (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    region.used = std::min(next, region.bytes);
    return place;
}

const Ptr<ProtectionDomain>&
FlowGpuMemory::GetDomain(uint32_t endpoint) const
{
    return m_regions.at(PeekPointer(m_nics[endpoint])).domain;
}

} // namespace ns3::rdma
