// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pinned-memory.h"

#include "ns3/verbs-error.h"

#include <utility>

namespace ns3::rdma
{

PinnedMemory::PinnedMemory(Ptr<HostMemory> memory, Ptr<Tlb> tlb, uint64_t base)
    : m_memory(std::move(memory)),
      m_tlb(std::move(tlb)),
      m_next(base)
{
    if (base % m_tlb->GetPageBytes() != 0)
    {
        throw VerbsError("pinned memory begins on a page border, not at " + std::to_string(base));
    }
}

std::optional<uint64_t>
PinnedMemory::Allocate(uint64_t bytes)
{
    const uint64_t page = m_tlb->GetPageBytes();
    if (!m_tlb->Pin(m_next, bytes))
    {
        return std::nullopt;
    }
    const uint64_t address = m_next;
    m_next += (bytes + page - 1) / page * page;
    return address;
}

} // namespace ns3::rdma
