// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PSN_H
#define RDMA_PSN_H

#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief Packet sequence number: 24 bits, circular (IBTA Vol. 1, Section 9.7.2).
 *
 * Of two PSNs the later one is less than half a circle ahead; no window may be longer than that.
 */
class Psn
{
  public:
    static constexpr uint32_t MASK{0xffffff};
    /// Longest window: the number of PSNs that are after a given one.
    static constexpr uint32_t MAX_WINDOW{1U << 23};

    constexpr Psn() = default;

    /// @param value its low 24 bits are used
    constexpr explicit Psn(uint64_t value)
        : m_value(static_cast<uint32_t>(value) & MASK)
    {
    }

    constexpr uint32_t Get() const
    {
        return m_value;
    }

    constexpr Psn operator+(uint32_t steps) const
    {
        return Psn(m_value + steps);
    }

    /// @return steps from other to this, in [-2^23, 2^23).
    constexpr int32_t operator-(Psn other) const
    {
        return static_cast<int32_t>((m_value - other.m_value) << 8) >> 8;
    }

    constexpr bool operator==(Psn other) const
    {
        return m_value == other.m_value;
    }

    constexpr bool operator!=(Psn other) const
    {
        return m_value != other.m_value;
    }

    constexpr bool IsBefore(Psn other) const
    {
        return *this - other < 0;
    }

    /// @return the packet number nearest to reference whose PSN this is.
    constexpr uint64_t Expand(uint64_t reference) const
    {
        return reference + static_cast<int64_t>(*this - Psn(reference));
    }

  private:
    uint32_t m_value{0};
};

/// PSNs from first up to, not including, end.
struct PsnRange
{
    Psn first;
    Psn end;

    constexpr bool operator==(const PsnRange& other) const
    {
        return first == other.first && end == other.end;
    }
};

} // namespace ns3::rdma

#endif // RDMA_PSN_H
