// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/psn-bitmap.h"

#include <algorithm>

namespace ns3::rdma
{

bool
PsnBitmap::Mark(Psn base, Psn psn)
{
    const auto window = static_cast<std::size_t>(psn - base) + 1;
    if (window > m_bits.size())
    {
        Resize(base, window);
    }
    m_base = base;
    auto bit = m_bits[GetPlace(psn)];
    const bool isNew = !bit;
    bit = true;
    m_count += isNew;
    return isNew;
}

bool
PsnBitmap::IsMarked(Psn psn) const
{
    const int32_t offset = psn - m_base;
    return m_count > 0 && offset >= 0 && static_cast<std::size_t>(offset) < m_bits.size() &&
           m_bits[GetPlace(psn)];
}

void
PsnBitmap::Unmark(Psn first, Psn end)
{
    for (Psn psn = first; psn != end && m_count > 0; psn = psn + 1)
    {
        if (IsMarked(psn))
        {
            m_bits[GetPlace(psn)] = false;
            --m_count;
        }
    }
    m_base = end;
    if (m_count == 0)
    {
        m_bits = {};
    }
}

void
PsnBitmap::Resize(Psn base, std::size_t window)
{
    constexpr std::size_t SMALLEST{128};
    std::size_t size = std::max(m_bits.size(), SMALLEST);
    while (size < window)
    {
        size *= 2;
    }
    std::vector<bool> bits(size, false);
    for (uint32_t offset = 0; offset < m_bits.size(); ++offset)
    {
        const Psn psn = base + offset;
        bits[psn.Get() & (size - 1)] = m_bits[GetPlace(psn)];
    }
    m_bits = std::move(bits);
}

} // namespace ns3::rdma
