// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/protection-domain.h"

#include "ns3/assert.h"
#include "ns3/verbs-error.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

using namespace memory_access;

// A key is an index in the upper bits and a variant in the lower bits (IBTA Vol. 1, Section
// 10.6.3.3).
constexpr uint32_t VARIANT_BITS{8};
constexpr uint32_t MAX_INDEX{(1U << (32 - VARIANT_BITS)) - 1};
constexpr uint32_t LOCAL_VARIANT{0};
/// Differs from the local one, so that a confusion of keys is an error.
constexpr uint32_t REMOTE_VARIANT{1};

constexpr uint8_t NEEDS_LOCAL_WRITE{REMOTE_WRITE | REMOTE_ATOMIC};

/// Computed without sums, which could wrap at 2^64.
bool
Allows(const MemoryRegion& region, uint64_t address, uint64_t length, uint8_t access)
{
    const uint64_t offset = address - region.address;
    return address >= region.address && offset <= region.length &&
           length <= region.length - offset && (region.access & access) == access;
}

/// Calls visit(address, offset in the caller's bytes, bytes) for each part of a range of a list.
template <typename Visit>
void
ForEachPart(const SgeList& list, uint64_t offset, uint64_t count, const Visit& visit)
{
    uint64_t done = 0;
    for (const Sge& piece : list)
    {
        if (offset >= piece.length)
        {
            offset -= piece.length;
            continue;
        }
        const uint64_t part = std::min(piece.length - offset, count - done);
        visit(piece.address + offset, done, part);
        done += part;
        offset = 0;
    }
    NS_ASSERT_MSG(done == count, "a scatter/gather list is shorter than what is copied");
}

} // namespace

ProtectionDomain::ProtectionDomain(Ptr<PayloadMemory> memory, uint32_t firstIndex)
    : m_memory(memory),
      m_nextIndex(firstIndex)
{
    if (firstIndex == 0)
    {
        throw VerbsError("memory region index 0 is reserved: it makes keys of 0");
    }
}

void
ProtectionDomain::SetGpuMemory(Ptr<GpuMemory> gpu)
{
    m_gpu = gpu;
}

MemoryRegion
ProtectionDomain::Register(uint64_t address, uint64_t length, uint8_t access, MemoryKind kind)
{
    if ((access & NEEDS_LOCAL_WRITE) != 0 && (access & LOCAL_WRITE) == 0)
    {
        throw VerbsError("remote writing and atomics need local writing");
    }
    if (length > 0 && address + (length - 1) < address)
    {
        throw VerbsError("a memory region ends beyond the address space");
    }
    if (m_nextIndex > MAX_INDEX)
    {
        throw VerbsError("all indices of memory regions are taken");
    }
    if (kind == MemoryKind::GPU)
    {
        if (!m_gpu)
        {
            throw VerbsError("GPU memory needs a NIC whose hardware is on and whose "
                             "ns3::rdma::GpuPath::BarBytes is not 0");
        }
        m_gpu->Pin(address, length);
    }
    const uint32_t index = m_nextIndex++; // Indices are never reused: old keys stay invalid.
    const uint32_t key = index << VARIANT_BITS;
    const MemoryRegion region{address,
                              length,
                              access,
                              key | LOCAL_VARIANT,
                              key | REMOTE_VARIANT,
                              kind};
    m_regions.emplace(index, region);
    return region;
}

void
ProtectionDomain::Deregister(const MemoryRegion& region)
{
    const bool wasThere = m_regions.erase(region.localKey >> VARIANT_BITS) > 0;
    if (wasThere && region.kind == MemoryKind::GPU)
    {
        m_gpu->Unpin(region.address, region.length);
    }
}

bool
ProtectionDomain::CheckLocal(uint32_t localKey,
                             uint64_t address,
                             uint64_t length,
                             uint8_t access) const
{
    if (length == 0)
    {
        return true;
    }
    const MemoryRegion* region = Find(localKey);
    return region != nullptr && region->localKey == localKey &&
           Allows(*region, address, length, access);
}

bool
ProtectionDomain::CheckLocal(const SgeList& list, uint8_t access) const
{
    return std::all_of(list.begin(), list.end(), [this, access](const Sge& piece) {
        return CheckLocal(piece.localKey, piece.address, piece.length, access);
    });
}

bool
ProtectionDomain::CheckRemote(uint32_t remoteKey,
                              uint64_t address,
                              uint64_t length,
                              uint8_t access) const
{
    NS_ASSERT_MSG((access & (REMOTE_READ | REMOTE_WRITE | REMOTE_ATOMIC)) != 0,
                  "a peer's access is remote");
    if (length == 0)
    {
        return true;
    }
    const MemoryRegion* region = Find(remoteKey);
    return region != nullptr && region->remoteKey == remoteKey &&
           Allows(*region, address, length, access);
}

PayloadMemory*
ProtectionDomain::GetMemory() const
{
    return PeekPointer(m_memory);
}

void
ProtectionDomain::Scatter(const SgeList& list,
                          uint64_t offset,
                          const uint8_t* bytes,
                          uint64_t count) const
{
    if (m_memory)
    {
        ForEachPart(list, offset, count, [this, bytes](auto address, auto done, auto part) {
            m_memory->Write(address, bytes + done, part);
        });
    }
}

void
ProtectionDomain::Gather(const SgeList& list, uint64_t offset, uint8_t* bytes, uint64_t count) const
{
    NS_ASSERT_MSG(m_memory, "a domain without memory has no bytes to gather");
    ForEachPart(list, offset, count, [this, bytes](auto address, auto done, auto part) {
        m_memory->Read(address, bytes + done, part);
    });
}

const MemoryRegion*
ProtectionDomain::Find(uint32_t key) const
{
    const auto found = m_regions.find(key >> VARIANT_BITS);
    return found == m_regions.end() ? nullptr : &found->second;
}

} // namespace ns3::rdma
