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
    if (!m_ring || window > m_ring->bits.size())
    {
        Resize(base, window);
    }
    m_ring->base = base;
    auto bit = m_ring->bits[m_ring->GetPlace(psn)];
    const bool isNew = !bit;
    bit = true;
    m_ring->count += isNew;
    return isNew;
}

bool
PsnBitmap::IsMarked(Psn psn) const
{
    if (!m_ring)
    {
        return false;
    }
    const int32_t offset = psn - m_ring->base;
    return offset >= 0 && static_cast<std::size_t>(offset) < m_ring->bits.size() &&
           m_ring->bits[m_ring->GetPlace(psn)];
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
            m_ring->bits[m_ring->GetPlace(psn)] = false;
            --m_ring->count;
        }
    }
    m_ring->base = end;
    if (m_ring->count == 0)
    {
        m_ring = nullptr;
    }
}

bool
PsnBitmap::Unmark(Psn psn)
{
    if (!IsMarked(psn))
    {
        return false;
    }
    m_ring->bits[m_ring->GetPlace(psn)] = false;
    if (--m_ring->count == 0)
    {
        m_ring = nullptr;
    }
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
    std::size_t size = std::max(m_ring->bits.size(), SMALLEST);
    while (size < window)
    {
        size *= 2;
    }
    std::vector<bool> bits(size, false);
    for (uint32_t offset = 0; offset < m_ring->bits.size(); ++offset)
    {
        const Psn psn = base + offset;
        bits[psn.Get() & (size - 1)] = m_ring->bits[m_ring->GetPlace(psn)];
    }
    m_ring->bits = std::move(bits);
}

} // namespace ns3::rdma
