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

/// Access rights of a memory region, as bits (ibv_access_flags); local reads are always allowed.
namespace memory_access
{
constexpr uint8_t LOCAL_READ{0x00};
constexpr uint8_t LOCAL_WRITE{0x01};
constexpr uint8_t REMOTE_WRITE{0x02};
constexpr uint8_t REMOTE_READ{0x04};
constexpr uint8_t REMOTE_ATOMIC{0x08};
} // namespace memory_access

/// Location of a memory region.
enum class MemoryKind : uint8_t
{
    HOST,
    GPU, ///< In the GPU next to the NIC; accessed like ib_core's peer memory.
};

/// Registered memory (ibv_mr).
struct MemoryRegion
{
    uint64_t address;
    uint64_t length;    ///< Bytes.
    uint8_t access;     ///< Bits of memory_access.
    uint32_t localKey;  ///< L_Key; for the owner only.
    uint32_t remoteKey; ///< R_Key; given to peers.
    MemoryKind kind{MemoryKind::HOST};
};

/**
 * @ingroup rdma-verbs
 * @brief A set of memory regions, and the access checks that protect them (ibv_pd; IBTA Vol. 1,
 * Sections 10.2.3 and 10.6).
 *
 * Keys are never 0 and never the same in two domains of one host: a region's key is its index in
 * the upper 24 bits and a variant in the lower 8, as in the specification, and each domain has its
 * own range of indices.  The variant distinguishes L_Key and R_Key: neither is accepted in place of
 * the other.
 *
 * Bytes are modelled only if the domain has a PayloadMemory; otherwise accesses are checked, but no
 * bytes are copied.
 */
class ProtectionDomain : public SimpleRefCount<ProtectionDomain>
{
  public:
    /// @param memory null: no bytes
    /// @param firstIndex of this domain's range of region indices
    explicit ProtectionDomain(Ptr<PayloadMemory> memory = nullptr, uint32_t firstIndex = 1);

    /// Allows the registration of GPU memory.
    /// @param gpu RdmaNic::GetGpuMemory(); null: none
    void SetGpuMemory(Ptr<GpuMemory> gpu);

    /// Registers memory (ibv_reg_mr). Remote writes and atomics require local write access, and the
    /// region must end at 2^64 at most. GPU memory requires a GPU whose BAR has room. Throws a
    /// VerbsError otherwise, as ibv_reg_mr fails.
    MemoryRegion Register(uint64_t address,
                          uint64_t length,
                          uint8_t access,
                          MemoryKind kind = MemoryKind::HOST);

    /// Removes a region (ibv_dereg_mr): its keys are invalid for ever.
    void Deregister(const MemoryRegion& region);

    /// @param access LOCAL_READ or LOCAL_WRITE
    /// @return whether the owner has this access; zero bytes are always allowed.
    bool CheckLocal(uint32_t localKey, uint64_t address, uint64_t length, uint8_t access) const;

    /// @return whether CheckLocal() is true for all pieces.
    bool CheckLocal(const SgeList& list, uint8_t access) const;

    /// @param access one bit of memory_access
    /// @return whether a peer has this access; zero bytes are always allowed (IBTA Vol. 1, Section
    /// 9.7.4.1.5).
    bool CheckRemote(uint32_t remoteKey, uint64_t address, uint64_t length, uint8_t access) const;

    /// @return null if bytes are not modelled.
    PayloadMemory* GetMemory() const;

    /// Copies bytes into the pieces of a list, from an offset on. No effect without a memory.
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
