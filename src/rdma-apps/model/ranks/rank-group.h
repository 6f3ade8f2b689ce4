// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RANK_GROUP_H
#define RDMA_RANK_GROUP_H

#include "ns3/byte-buffer.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/// What a rank has sent to the others, and how long it has waited for their messages.
struct RankTraffic
{
    uint64_t exchanges{0};
    uint64_t bytes{0}; ///< Sent.
    double waitSeconds{0};
};

/// What went wrong on one of several ranks, thrown on all of them alike.
class RankError : public std::runtime_error
{
  public:
    /// @param whose rank; the first one's failures are reported as if it were alone
    RankError(uint32_t whose, const std::string& text, bool isInput)
        : std::runtime_error(whose == 0 ? text : "rank " + std::to_string(whose) + ": " + text),
          m_isInput(isInput)
    {
    }

    /// @return whether it was an InputError.
    bool IsInput() const
    {
        return m_isInput;
    }

  private:
    bool m_isInput;
};

/**
 * @ingroup rdma-ranks
 * @brief The processes that simulate one fabric together, from the view of one of them.
 *
 * All that ranks do together is to exchange bytes, all with all; every rank takes part in every
 * exchange, and in the same order.  Without MPI there is one rank, which exchanges nothing.
 */
class RankGroup
{
  public:
    virtual ~RankGroup() = default;

    virtual uint32_t GetRank() const
    {
        return 0;
    }

    virtual uint32_t GetCount() const
    {
        return 1;
    }

    /**
     * @brief Sends bytes to each other rank. At most two messages to a rank are under way.
     * @param outgoing by rank, the own one ignored; taken, other buffers are left in their place
     * @throws std::runtime_error if another rank is gone
     */
    virtual void Send(std::vector<ByteBuffer>& outgoing);

    /**
     * @brief Takes what each other rank has sent, once for each Send() and in its order.
     * @param[out] incoming by rank, the own one ignored
     * @throws std::runtime_error if another rank is gone
     */
    virtual void Receive(std::vector<ByteBuffer>& incoming);

    /// Send() and Receive(); then no message is under way.
    virtual void Exchange(std::vector<ByteBuffer>& outgoing, std::vector<ByteBuffer>& incoming);

    /// Lets each other rank pack something and the first rank unpack it, in order of the ranks.
    void CollectAtFirst(const std::function<void(ByteBuffer&)>& pack,
                        const std::function<void(ByteReader&)>& unpack);

    /// Moves the records of the other ranks, in their order, behind those of the first rank.
    template <typename Record>
    void CollectAtFirst(std::vector<Record>& records)
    {
        CollectAtFirst([&records](ByteBuffer& buffer) { buffer.Put(std::exchange(records, {})); },
                       [&records](ByteReader& reader) {
                           auto others = reader.Get<std::vector<Record>>();
                           std::move(others.begin(), others.end(), std::back_inserter(records));
                       });
    }

    /// @return what each rank has sent, in order.
    std::vector<std::string> Share(const std::string& text);

    /// @return the values of all ranks, in their order. The same on all ranks.
    template <typename Value>
    std::vector<Value> ShareAll(const std::vector<Value>& own)
    {
        ByteBuffer buffer;
        buffer.Put(own);
        std::vector<Value> all;
        for (const std::string& text : Share({buffer.GetData(), buffer.GetSize()}))
        {
            const auto part = ByteReader(text.data(), text.size()).Get<std::vector<Value>>();
            all.insert(all.end(), part.begin(), part.end());
        }
        return all;
    }

    /**
     * @brief Does something that may fail on any rank alone, and goes on only if no rank failed.
     * @throws RankError on all ranks if work has thrown on one; with one rank, what it has thrown
     */
    void Try(const std::function<void()>& work);

    /// @return a group of this process alone.
    static RankGroup& GetSolo();

    const RankTraffic& GetTraffic() const
    {
        return m_traffic;
    }

  protected:
    RankTraffic m_traffic;
};

} // namespace ns3::rdma

#endif // RDMA_RANK_GROUP_H
