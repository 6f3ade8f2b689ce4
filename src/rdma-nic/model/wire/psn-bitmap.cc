// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/psn-bitmap.h"

#include <algorithm>

namespace ns3::rdma
{

PsnBitmap::PsnBitmap(const PsnBitmap& other)
    : m_ring(other.m_ring ? std::make_unique<Ring>(*other.m_ring) : nullptr)
{
}

PsnBitmap&
PsnBitmap::operator=(const PsnBitmap& other)
{
    m_ring = other.m_ring ? std::make_unique<Ring>(*other.m_ring) : nullptr;
    return *this;
}

bool
PsnBitmap::Mark(Psn base, Psn psn)
{
    const auto window = static_cast<std::size_t>(psn - base) + 1;
    if (!m_ring || window > m_ring->GetSize())
    {
        Resize(base, window);
    }
    m_ring->base = base;
    const bool isNew = !m_ring->Get(psn);
    m_ring->Set(psn);
    m_ring->count += isNew;
    return isNew;
}

bool
PsnBitmap::IsMarked(Psn psn) const
{
    if (IsEmpty())
    {
        return false;
    }
    const int32_t offset = psn - m_ring->base;
    return offset >= 0 && static_cast<std::size_t>(offset) < m_ring->GetSize() && m_ring->Get(psn);
}

uint64_t
PsnBitmap::GetBits(Psn base) const
{
    constexpr int32_t BITS{64};
    if (IsEmpty())
    {
        return 0;
    }
    const int32_t offset = base - m_ring->base;
    const auto size = static_cast<int32_t>(m_ring->GetSize());
    if (offset <= -BITS || offset >= size)
    {
        return 0;
    }
    const uint32_t shift = base.Get() % BITS;
    uint64_t bits = m_ring->words[m_ring->GetWord(base)] >> shift;
    if (shift > 0)
    {
        bits |= m_ring->words[m_ring->GetWord(base + BITS)] << (BITS - shift);
    }
    // The ring has no marks outside its window, but their places belong to other PSNs.
    if (offset < 0)
    {
        bits &= UINT64_MAX << -offset;
    }
    if (size - offset < BITS)
    {
        bits &= (uint64_t{1} << (size - offset)) - 1;
    }
    return bits;
}

void
PsnBitmap::Unmark(Psn first, Psn end)
{
    if (!m_ring)
    {
        return;
    }
    for (Psn psn = first; psn != end && m_ring->count > 0; psn = psn + 1)
    {
        if (IsMarked(psn))
        {
            m_ring->Clear(psn);
            --m_ring->count;
        }
    }
    m_ring->base = end;
}

bool
PsnBitmap::Unmark(Psn psn)
{
    if (!IsMarked(psn))
    {
        return false;
    }
    m_ring->Clear(psn);
    --m_ring->count;
    return true;
}

void
PsnBitmap::Resize(Psn base, std::size_t window)
{
    constexpr std::size_t SMALLEST{128};
    if (!m_ring)
    {
        m_ring = std::make_unique<Ring>();
    }
    std::size_t size = std::max(m_ring->GetSize(), SMALLEST);
    while (size < window)
    {
        size *= 2;
    }
    Ring ring{std::vector<uint64_t>(size / 64, 0), base, m_ring->count};
    for (uint32_t offset = 0; offset < m_ring->GetSize(); ++offset)
    {
        const Psn psn = base + offset;
        if (m_ring->Get(psn))
        {
            ring.Set(psn);
        }
    }
    *m_ring = std::move(ring);
}

} // namespace ns3::rdma
