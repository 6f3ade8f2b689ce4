// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_STAGING_COPIES_H
#define RDMA_STAGING_COPIES_H

#include "ns3/operation-graph.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-collective
 * @brief The times at which the data of connections are copied to and from the NICs' buffers.
 *
 * Each end of a connection copies one message after the other, in the order of posting.  The sender
 * copies ahead: a message waits for the copy before it, and for the completion of the message whose
 * buffer it uses.  The first ones of an iteration are copied from the permission of its first
 * message on.  The receiver copies a message when it has arrived.
 */
class StagingCopies
{
  public:
    /// Adds a connection, whose number is the count of those before.
    /// @param messages of an iteration
    void Add(const StagingRule& rule, uint64_t messages);

    /// @return whether messages of a connection are copied.
    bool HasCopies(uint32_t connection) const
    {
        return m_ends[connection].rule.sendBps > 0;
    }

    /// The receiver allows the next message now. @return when it can be posted
    Tick TakeOut(uint32_t connection, uint64_t bytes, Tick now);

    /// The sender's oldest message is complete.
    void OnSent(uint32_t connection, Tick now);

    /// The next message has arrived. @return when the receiver has copied it
    Tick TakeIn(uint32_t connection, uint64_t bytes, Tick now);

  private:
    /// Both ends of a connection; each process uses its own.
    struct Ends
    {
        StagingRule rule;
        uint64_t messages{0}; ///< Of an iteration.
        uint64_t taken{0};    ///< Messages that the receiver has allowed.
        uint64_t sent{0};     ///< Messages that are complete.
        Tick sentUntil{0};    ///< The sender has copied.
        Tick receivedUntil{0};
        Tick begunAt{0};            ///< The first copy of this iteration.
        std::vector<Tick> sentAt{}; ///< Completions, by number modulo slots.
    };

    std::vector<Ends> m_ends;
};

} // namespace ns3::rdma

#endif // RDMA_STAGING_COPIES_H
