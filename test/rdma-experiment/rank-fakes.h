// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RANK_PUPPETS_H
#define RDMA_RANK_PUPPETS_H

#include "ns3/rank-group.h"

#include <condition_variable>
#include <mutex>

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

    void Exchange(std::vector<ByteBuffer>& outgoing, std::vector<ByteBuffer>& incoming) override
    {
        incoming[1].Clear();
        incoming[1].PutBytes(outgoing[1].GetData(), outgoing[1].GetSize());
        ++exchanges;
    }

    int exchanges{0};
};

/// Where the ranks of ThreadGroup meet.
struct MeetingPlace
{
    explicit MeetingPlace(uint32_t ranks)
        : messages(ranks, std::vector<std::string>(ranks))
    {
    }

    /// Waits until all ranks are here.
    void Meet()
    {
        std::unique_lock<std::mutex> lock(mutex);
        const uint64_t mine = meetings;
        if (++present == messages.size())
        {
            present = 0;
            ++meetings;
            changed.notify_all();
            return;
        }
        changed.wait(lock, [&] { return meetings != mine; });
    }

    std::vector<std::vector<std::string>> messages; ///< By sender, by receiver.
    std::mutex mutex;
    std::condition_variable changed;
    std::size_t present{0};
    uint64_t meetings{0};
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

    void Exchange(std::vector<ByteBuffer>& outgoing, std::vector<ByteBuffer>& incoming) override
    {
        for (uint32_t rank = 0; rank < GetCount(); ++rank)
        {
            if (rank != m_rank)
            {
                m_place.messages[m_rank][rank].assign(outgoing[rank].GetData(),
                                                      outgoing[rank].GetSize());
            }
        }
        m_place.Meet();
        for (uint32_t rank = 0; rank < GetCount(); ++rank)
        {
            if (rank != m_rank)
            {
                const std::string& message = m_place.messages[rank][m_rank];
                incoming[rank].Clear();
                incoming[rank].PutBytes(message.data(), message.size());
            }
        }
        m_place.Meet();
    }

  private:
    MeetingPlace& m_place;
    uint32_t m_rank;
};

} // namespace ns3::rdma

#endif // RDMA_RANK_PUPPETS_H
