// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_INT_STACK_H
#define RDMA_INT_STACK_H

#include "ns3/slab.h"
#include "ns3/tick.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace ns3::rdma
{

/// State of a switch port when it starts to transmit a frame.
struct IntHop
{
    Tick at;
    /// Sent before this frame since recording began; preamble and gap included.
    uint64_t sentBytes;
    uint64_t bitRate;    ///< Of the port, bit/s.
    uint32_t queueBytes; ///< Waiting behind the frame in its priority.
};

inline bool
operator==(const IntHop& left, const IntHop& right)
{
    return left.at == right.at && left.sentBytes == right.sentBytes &&
           left.bitRate == right.bitRate && left.queueBytes == right.queueBytes;
}

/**
 * @ingroup rdma-frame
 * @brief In-band network telemetry of one packet: one record per egress port on its path, in order
 * (as in HPCC, Li et al. 2019).
 *
 * Values are exact; RoceCodec rounds them to the resolution of the header on the wire.  A hop
 * beyond the capacity is not recorded.
 */
class IntStack final : public InSlab<IntStack>
{
  public:
    static constexpr uint32_t MAX_HOPS{15}; ///< The header has four bits for the number of hops.

    /// @param capacity of the header in hops, up to MAX_HOPS
    explicit IntStack(uint32_t capacity)
        : m_capacity(static_cast<uint16_t>(capacity))
    {
    }

    // Copies the hops in use only: a stack takes several cache lines.
    IntStack(const IntStack& other)
        : m_capacity(other.m_capacity)
    {
        *this = other;
    }

    IntStack& operator=(const IntStack& other)
    {
        m_capacity = other.m_capacity;
        m_count = other.m_count;
        std::copy(other.begin(), other.end(), m_hops.begin());
        return *this;
    }

    void Push(const IntHop& hop)
    {
        if (m_count < m_capacity)
        {
            m_hops[m_count++] = hop;
        }
    }

    /// Ends recording: an answer only returns the stack.
    void Close()
    {
        m_capacity = m_count;
    }

    uint32_t GetCapacity() const
    {
        return m_capacity;
    }

    uint32_t GetCount() const
    {
        return m_count;
    }

    const IntHop& operator[](uint32_t hop) const
    {
        return m_hops[hop];
    }

    const IntHop* begin() const
    {
        return m_hops.data();
    }

    const IntHop* end() const
    {
        return m_hops.data() + m_count;
    }

  private:
    std::array<IntHop, MAX_HOPS> m_hops; ///< Unset from m_count on.
    uint16_t m_capacity;
    uint16_t m_count{0};
    [[maybe_unused]] std::array<uint32_t, 7> m_unused; ///< Pads to whole cache lines.
};

static_assert(sizeof(IntStack) % 64 == 0, "a slab has whole cache lines");

} // namespace ns3::rdma

#endif // RDMA_INT_STACK_H
