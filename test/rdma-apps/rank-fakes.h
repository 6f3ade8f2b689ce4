// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RANK_PUPPETS_H
#define RDMA_RANK_PUPPETS_H

#include "ns3/rank-group.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>

namespace ns3::rdma
{

/// Two ranks of which the second sends back what it gets: a sender receives its own messages.
class MirrorGroup : public RankGroup
{
  public:
    uint32_t GetCount() const override
    {
        return 2;
    }

    void Send(std::vector<ByteBuffer>& outgoing) override
    {
        m_underWay.emplace_back(outgoing[1].GetData(), outgoing[1].GetSize());
        mostUnderWay = std::max(mostUnderWay, m_underWay.size());
    }

    void Receive(std::vector<ByteBuffer>& incoming) override
    {
        incoming[1].Clear();
        incoming[1].PutBytes(m_underWay.front().data(), m_underWay.front().size());
        m_underWay.pop_front();
        ++exchanges;
    }

    std::size_t CountUnderWay() const
    {
        return m_underWay.size();
    }

    int exchanges{0};
    std::size_t mostUnderWay{0}; ///< Messages that were sent and not yet received.

  private:
    std::deque<std::string> m_underWay;
};

/// Where the messages of ThreadGroup are.
struct MeetingPlace
{
    explicit MeetingPlace(uint32_t ranks)
        : messages(ranks, std::vector<std::deque<std::string>>(ranks))
    {
    }

    std::vector<std::vector<std::deque<std::string>>> messages; ///< By sender, by receiver.
    std::mutex mutex;
    std::condition_variable changed;
};

/// A rank that is a thread.
class ThreadGroup : public RankGroup
{
  public:
    ThreadGroup(MeetingPlace& place, uint32_t rank)
        : m_place(place),
          m_rank(rank)
    {
    }

    uint32_t GetRank() const override
    {
        return m_rank;
    }

    uint32_t GetCount() const override
    {
        return static_cast<uint32_t>(m_place.messages.size());
    }

    void Send(std::vector<ByteBuffer>& outgoing) override
    {
        const std::lock_guard<std::mutex> lock(m_place.mutex);
        for (uint32_t rank = 0; rank < GetCount(); ++rank)
        {
            m_place.messages[m_rank][rank].emplace_back(outgoing[rank].GetData(),
                                                        outgoing[rank].GetSize());
        }
        m_place.changed.notify_all();
    }

    void Receive(std::vector<ByteBuffer>& incoming) override
    {
        std::unique_lock<std::mutex> lock(m_place.mutex);
        for (uint32_t rank = 0; rank < GetCount(); ++rank)
        {
            auto& queue = m_place.messages[rank][m_rank];
            m_place.changed.wait(lock, [&queue] { return !queue.empty(); });
            incoming[rank].Clear();
            incoming[rank].PutBytes(queue.front().data(), queue.front().size());
            queue.pop_front();
        }
    }

  private:
    MeetingPlace& m_place;
    uint32_t m_rank;
};

} // namespace ns3::rdma

#endif // RDMA_RANK_PUPPETS_H
