// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/payload-prefetch.h"

namespace ns3::rdma
{

void
PayloadPrefetch::Push(uint64_t number, uint32_t bytes, Tick readyAt)
{
    m_entries.push_back({number, bytes, readyAt});
    m_bytes += bytes;
    m_end = number + 1;
}

std::optional<Tick>
PayloadPrefetch::Take(uint64_t number)
{
    std::optional<Tick> readyAt;
    while (m_begin < m_entries.size() && m_entries[m_begin].number <= number)
    {
        const Entry& oldest = m_entries[m_begin++];
        m_bytes -= oldest.bytes;
        readyAt = oldest.number == number ? std::optional(oldest.readyAt) : std::nullopt;
    }
    // Compacts the list when it is worthwhile, so that the cost per packet is constant.
    constexpr std::size_t COMPACT{32};
    if (m_begin == m_entries.size() || (m_begin > COMPACT && m_begin * 2 > m_entries.size()))
    {
        m_entries.erase(m_entries.begin(),
                        m_entries.begin() + static_cast<std::ptrdiff_t>(m_begin));
        m_begin = 0;
    }
    return readyAt;
}

} // namespace ns3::rdma
