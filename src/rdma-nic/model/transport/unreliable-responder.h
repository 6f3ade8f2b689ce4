// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_UNRELIABLE_RESPONDER_H
#define RDMA_UNRELIABLE_RESPONDER_H

#include "ns3/drop-reason.h"
#include "ns3/psn.h"
#include "ns3/request-executor.h"

namespace ns3::rdma
{

/// The result of one packet.
struct UnreliableAnswer
{
    std::optional<DropReason> drop;
    std::optional<WorkCompletion> completion;
    bool isSolicited{false};
    std::optional<AsyncEventType> error; ///< The queue pair must stop.
    uint64_t placedAt{0};                ///< As Execution::placedAt.
};

/**
 * @ingroup rdma-transport
 * @brief The receiving half of an unreliable connection or of a datagram queue pair (IBTA Vol. 1,
 * Sections 9.8.2 and 9.8.3).
 *
 * UC: after a missing packet the rest of its message is dropped, until the first packet of another
 * message. The next message uses the receive request of a dropped one, so that an application can
 * only detect lost messages by immediate data (thesis, section 2.5).  UD: each packet is a message;
 * PSNs are ignored.
 */
class UnreliableResponder
{
  public:
    UnreliableResponder(const RequestContext& config, uint32_t initialPsn);

    /// @param detail null if the frame has none
    UnreliableAnswer OnData(const Frame& frame, const FrameDetail* detail);

    /// Applies changed attributes of the queue pair.
    void SetLimits(uint8_t access, uint32_t queueKey)
    {
        m_executor.SetAccess(access);
        m_executor.SetQueueKey(queueKey);
    }

    /// @return payload of packets that were placed.
    uint64_t GetPlacedBytes() const
    {
        return m_placedBytes;
    }

    /// @return messages that arrived completely.
    uint64_t GetMessages() const
    {
        return m_messages;
    }

    /// @return flush completions.
    std::vector<WorkCompletion> Flush();

  private:
    bool IsInOrder(const Frame& frame);

    RequestExecutor m_executor;
    Psn m_expected;
    uint64_t m_placedBytes{0};
    uint64_t m_messages{0};
    bool m_isDatagram;
};

} // namespace ns3::rdma

#endif // RDMA_UNRELIABLE_RESPONDER_H
