// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PROTECTION_DOMAIN_H
#define RDMA_PROTECTION_DOMAIN_H

#include "ns3/gpu-memory.h"
#include "ns3/payload-memory.h"
#include "ns3/ptr.h"
#include "ns3/work-request.h"

#include <map>

namespace ns3::rdma
{

/// Bits that say what a memory region allows (ibv_access_flags); local reading always is.
namespace memory_access
{
constexpr uint8_t LOCAL_READ{0x00};
constexpr uint8_t LOCAL_WRITE{0x01};
constexpr uint8_t REMOTE_WRITE{0x02};
constexpr uint8_t REMOTE_READ{0x04};
constexpr uint8_t REMOTE_ATOMIC{0x08};
} // namespace memory_access

/// Where a memory region lies.
enum class MemoryKind : uint8_t
{
    HOST,
    GPU, ///< Of the GPU beside the NIC; reached as ib_core's peer memory is.
};

/// Registered memory (ibv_mr).
struct MemoryRegion
{
    uint64_t address;
    uint64_t length;    ///< Bytes.
    uint8_t access;     ///< Of memory_access.
    uint32_t localKey;  ///< L_Key; its owner's only.
    uint32_t remoteKey; ///< R_Key; handed to peers.
    MemoryKind kind{MemoryKind::HOST};
};

/**
 * @ingroup rdma-verbs
 * @brief Memory regions that belong together, and the checks that protect them (ibv_pd; IBTA Vol.
 * 1, Sections 10.2.3 and 10.6).
 *
 * Keys are never 0 and never the same in two domains of one host: a region's key is its index in
 * the upper 24 bits and a variant in the lower 8, as in the specification, and the domain draws
 * indices from its own range.  The variant tells the L_Key from the R_Key: neither does the other's
 * work.
 *
 * Bytes are real only if the domain has a PayloadMemory; otherwise accesses are checked and move
 * nothing.
 */
class ProtectionDomain : public SimpleRefCount<ProtectionDomain>
{
  public:
    /// @param memory null: no bytes; @param firstIndex of this domain's region indices
    explicit ProtectionDomain(Ptr<PayloadMemory> memory = nullptr, uint32_t firstIndex = 1);

    /// GPU memory can be registered from now on. @param gpu RdmaNic::GetGpuMemory(); null: none
    void SetGpuMemory(Ptr<GpuMemory> gpu);

    /// Registers memory (ibv_reg_mr). Remote writing and atomics need local writing, and the region
    /// ends at 2^64 at most; GPU memory needs a GPU whose BAR has room: throws a VerbsError
    /// otherwise, as ibv_reg_mr refuses it.
    MemoryRegion Register(uint64_t address,
                          uint64_t length,
                          uint8_t access,
                          MemoryKind kind = MemoryKind::HOST);

    /// Forgets a region: its keys are no longer valid, now and for good (ibv_dereg_mr).
    void Deregister(const MemoryRegion& region);

    /// @return whether the owner may do this; zero bytes are always allowed. @param access
    /// LOCAL_READ or LOCAL_WRITE
    bool CheckLocal(uint32_t localKey, uint64_t address, uint64_t length, uint8_t access) const;

    /// @return whether CheckLocal() holds for all pieces.
    bool CheckLocal(const SgeList& list, uint8_t access) const;

    /// @return whether a peer may do this; zero bytes are always allowed (IBTA Vol. 1, Section
    /// 9.7.4.1.5). @param access of memory_access, one bit
    bool CheckRemote(uint32_t remoteKey, uint64_t address, uint64_t length, uint8_t access) const;

    /// @return null if bytes are not modelled.
    PayloadMemory* GetMemory() const;

    /// Copies bytes into the pieces of a list, from an offset on. Nothing without a memory.
    void Scatter(const SgeList& list, uint64_t offset, const uint8_t* bytes, uint64_t count) const;

    /// Copies bytes out of the pieces of a list, from an offset on. Only with a memory.
    void Gather(const SgeList& list, uint64_t offset, uint8_t* bytes, uint64_t count) const;

  private:
    const MemoryRegion* Find(uint32_t key) const;

    std::map<uint32_t, MemoryRegion> m_regions; ///< By index.
    Ptr<PayloadMemory> m_memory;
    Ptr<GpuMemory> m_gpu;
    uint32_t m_nextIndex;
};

} // namespace ns3::rdma

#endif // RDMA_PROTECTION_DOMAIN_H
