// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ROUND_ROBIN_LINE_H
#define RDMA_ROUND_ROBIN_LINE_H

#include "ns3/tick.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-hardware
 * @brief The queue pairs of a RoundRobinScheduler, with the calls of SendScheduler: a class of its
 * own, so that these calls can be direct.
 *
 * Paced queue pairs are kept in a heap until they are ready and are then appended to the queue;
 * queue pairs that become ready at the same time keep the order in which they were added.
 *
 * A short queue is stored in the object itself: most NICs of a fabric have few sending queue pairs.
 */
class RoundRobinLine
{
  public:
    void Add(uint32_t queuePair, Tick readyAt, Tick now)
    {
        AppendDue(now);
        readyAt <= now ? Append(queuePair) : AddPaced(queuePair, readyAt);
    }

    void Advance(uint32_t queuePair, Tick readyAt);

    std::optional<uint32_t> Pick(Tick now)
    {
        AppendDue(now);
        if (m_count == 0)
        {
            return std::nullopt;
        }
        --m_count;
        return GetAt(m_first++);
    }

    Tick GetNextReady(Tick now) const
    {
        return m_count > 0 ? now : GetNextPaced(now);
    }

  private:
    struct Paced
    {
        Tick readyAt;
        uint64_t sequence;
        uint32_t queuePair;
    };

    struct Waiting
    {
        std::vector<Paced> heap; ///< Earliest on top.
        uint64_t sequence{0};
    };

    static constexpr uint32_t SHORT{4}; ///< A power of two, like the size of any queue.

    static bool IsLater(const Paced& left, const Paced& right);

    void Append(uint32_t queuePair)
    {
        if (m_count == m_size)
        {
            Grow();
        }
        const uint32_t place = m_first + m_count++;
        (m_longLine ? m_longLine[place & (m_size - 1)] : m_shortLine[place & (SHORT - 1)]) =
            queuePair;
    }

    void AppendDue(Tick now)
    {
        if (m_paced)
        {
            AppendDuePaced(now);
        }
    }

    void AddPaced(uint32_t queuePair, Tick readyAt);
    void AppendDuePaced(Tick now);
    std::optional<uint32_t> GetFirstPaced() const;
    Tick GetNextPaced(Tick now) const;
    void Grow();

    uint32_t GetAt(uint32_t place) const
    {
        return m_longLine ? m_longLine[place & (m_size - 1)] : m_shortLine[place & (SHORT - 1)];
    }

    uint32_t m_first{0}; ///< Index of the next one in the queue.
    uint32_t m_count{0}; ///< Ready queue pairs in the queue, first in, first out.
    std::array<uint32_t, SHORT> m_shortLine{};
    std::unique_ptr<uint32_t[]> m_longLine; ///< Null while the short queue suffices.
    std::unique_ptr<Waiting> m_paced;       ///< Null until a paced queue pair is added.
    uint32_t m_size{SHORT};
};

} // namespace ns3::rdma

#endif // RDMA_ROUND_ROBIN_LINE_H
