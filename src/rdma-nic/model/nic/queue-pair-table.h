// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_QUEUE_PAIR_TABLE_H
#define RDMA_QUEUE_PAIR_TABLE_H

#include "ns3/queue-pair.h"

#include <memory>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief Owner of a NIC's queue pairs, found by their 24-bit number.
 *
 * A number is a place (low 16 bits) and how often the place was used (high 8 bits), so that a late
 * frame for a destroyed queue pair does not reach the next one in its place.  The first two places
 * stay empty: numbers 0 and 1 are management's (IBTA Vol. 1, Section 3.5.8), and Wireshark reads
 * packets for them so.
 */
class QueuePairTable
{
  public:
    static constexpr uint32_t RESERVED{2};
    static constexpr uint32_t MAX_QUEUE_PAIRS{(1U << 16) - RESERVED};

    QueuePairTable();

    /// @return a new queue pair with its number. Aborts beyond MAX_QUEUE_PAIRS at a time.
    QueuePair& Create();

    void Destroy(uint32_t number);

    /// @return null if there is none of that number (any more).
    QueuePair* Find(uint32_t number) const
    {
        const uint32_t place = number & PLACE_MASK;
        if (place >= m_places.size())
        {
            return nullptr;
        }
        QueuePair* queuePair = m_places[place].get();
        return queuePair && queuePair->number == number ? queuePair : nullptr;
    }

    /// @return the place of a queue pair: small, dense, and not another's while it lives.
    static constexpr uint32_t GetPlace(uint32_t number)
    {
        return number & PLACE_MASK;
    }

    /// Starts loading a queue pair. @param number of any
    void Prefetch(uint32_t number) const
    {
        const uint32_t place = number & PLACE_MASK;
        if (place < m_places.size())
        {
            __builtin_prefetch(m_places[place].get());
        }
    }

    uint32_t GetCount() const
    {
        return static_cast<uint32_t>(m_places.size() - m_free.size() - RESERVED);
    }

    void Clear();

  private:
    static constexpr uint32_t PLACE_MASK{0xffff};

    std::vector<std::unique_ptr<QueuePair>> m_places; ///< Null: free or reserved.
    std::vector<uint8_t> m_uses;                      ///< By place.
    std::vector<uint32_t> m_free;                     ///< Places.
};

} // namespace ns3::rdma

#endif // RDMA_QUEUE_PAIR_TABLE_H
