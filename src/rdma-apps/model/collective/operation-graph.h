// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_OPERATION_GRAPH_H
#define RDMA_OPERATION_GRAPH_H

#include "ns3/tick.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::rdma
{

/// A message from one rank of a collective to another.
struct RankMessage
{
    uint32_t src;          ///< Rank.
    uint32_t dst;          ///< Rank, never src.
    uint64_t bytes;        ///< 0: a notification without data.
    uint32_t connection;   ///< Index in OperationGraph::MakeConnections().
    uint32_t predecessors; ///< Messages that must end before it is posted.
    /// The data have no immediate data; a message of 0 bytes that has follows them.
    bool hasSeparateNotice{false};
    bool isControl{false}; ///< Its receiver has nothing to process.
};

/// Copies of a connection's data between the user's buffers and buffers that the NICs access.
struct StagingRule
{
    uint64_t sendBps{0};    ///< Bits per second of the sender's copy; 0: no copies.
    uint64_t receiveBps{0}; ///< Of the receiver's.
    uint32_t slots{0};      ///< Messages for which the sender has buffers.
};

/// A queue pair of each of two ranks, for the whole run. Messages go from `src` to `dst`.
struct RankConnection
{
    uint32_t src;
    uint32_t dst;
    uint64_t messages; ///< Of the graph.
    /// Index of a connection with smaller index whose queue pairs it uses in the other direction.
    uint32_t reverseOf{UINT32_MAX};
    StagingRule staging{}; ///< Of the messages of this direction.
};

/// Times of messages in the empty network.
class PathTimes
{
  public:
    virtual ~PathTimes() = default;

    /// @return from the posting of a message to its end at the receiver.
    virtual Tick GetArrival(uint32_t src, uint32_t dst, uint64_t bytes) const = 0;

    /// @return how long the sender's link is busy with a message.
    virtual Tick GetDuration(uint32_t src, uint32_t dst, uint64_t bytes) const = 0;

    /// @return whether messages stay in a server; then no link of the receiver is busy with them.
    virtual bool IsLocal(uint32_t src, uint32_t dst) const = 0;
};

/**
 * @ingroup rdma-collective
 * @brief The messages of a collective among n ranks and their dependencies, by number.
 *
 * A message is posted when its predecessors have ended.  A predecessor that was sent to this
 * message's sender ends with its arrival; one that this message's sender has sent ends with the
 * sender's completion.  No other server is a predecessor's end, so that dependencies need no
 * messages of their own.
 *
 * Regular graphs compute their messages: a ring of 4,096 ranks has 33 million.
 */
class OperationGraph
{
  public:
    using Visitor = std::function<void(uint64_t id)>;

    virtual ~OperationGraph() = default;

    /// @return n.
    virtual uint32_t GetRanks() const = 0;

    /// @return messages; their numbers are below it.
    virtual uint64_t GetCount() const = 0;

    virtual RankMessage Get(uint64_t id) const = 0;

    /// Calls for the messages of a sender that have no predecessor, in the order of posting.
    virtual void ForEachFirst(uint32_t rank, const Visitor& visit) const = 0;

    /// Calls for the messages that have a message as predecessor, in the order of posting.
    virtual void ForEachDependent(uint64_t id, const Visitor& visit) const = 0;

    /// @return whether a message waits for the completion of one of the same sender. Default: no.
    virtual bool HasSenderDependencies() const
    {
        return false;
    }

    virtual std::vector<RankConnection> MakeConnections() const = 0;

    /// @return how many messages of its connection have smaller numbers.
    virtual uint64_t GetPlace(uint64_t id) const = 0;

    /// @return the message of a connection with a place below RankConnection::messages.
    virtual uint64_t Find(uint32_t connection, uint64_t place) const = 0;

    /// @return a time that the collective takes at least from the posting of the first messages to
    /// the last arrival; the class says where it is exact.
    virtual Tick FindBound(const PathTimes& times) const = 0;
};

/// @return size of a part of a buffer that is cut into `count` parts, which differ by one byte at
/// most. @param first, @param parts how many adjacent ones
constexpr uint64_t
GetPartBytes(uint64_t bytes, uint64_t count, uint64_t first, uint64_t parts = 1)
{
    // As floor(bytes * i / count), without overflow.
    const auto begin = [bytes, count](uint64_t i) {
        return bytes / count * i + bytes % count * i / count;
    };
    return begin(first + parts) - begin(first);
}

} // namespace ns3::rdma

#endif // RDMA_OPERATION_GRAPH_H
