// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RECEIVE_BUFFER_H
#define RDMA_RECEIVE_BUFFER_H

#include "ns3/drop-reason.h"
#include "ns3/object.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::rdma
{

/**
 * @ingroup rdma-hardware
 * @brief Decides whether an arriving packet finds room on the chip and, if payload, credits of the
 * host-facing side.
 *
 * The buffer absorbs bursts between the port and the rest of the NIC, for all queue pairs (SRNIC
 * section 3.2.1), and payload that waits for a service, a translation or a receive request. Credits
 * are BALBOA's (section 4.3): they stand for what the way to the host can still take; a packet that
 * finds too few is dropped and comes again by retransmission.
 *
 * With PauseAt, it says when the other end of the link is to be paused and resumed (PFC), as a port
 * of a lossless fabric does before it drops.
 */
class ReceiveBuffer : public Object
{
  public:
    static TypeId GetTypeId();

    /// @param backlogBytes payload on the chip that waits for PCIe
    /// @return why a packet of these bytes is dropped; unset: it is taken
    std::optional<DropReason> Admit(uint32_t frameBytes,
                                    uint32_t payloadBytes,
                                    uint64_t backlogBytes)
    {
        if (m_capacity > 0 && m_held + backlogBytes + frameBytes > m_capacity)
        {
            return DropReason::RECEIVE_BUFFER_FULL;
        }
        if (m_credits > 0 && payloadBytes > 0 && m_held + backlogBytes + payloadBytes > m_credits)
        {
            return DropReason::NO_RECEIVE_CREDITS;
        }
        m_held += frameBytes;
        return std::nullopt;
    }

    /// Payload of a packet that was taken stays, beyond the packet itself.
    void Hold(uint32_t payloadBytes)
    {
        m_held += payloadBytes;
    }

    /// A packet that was taken has been handled, or payload that stayed leaves.
    void Release(uint32_t bytes)
    {
        m_held -= bytes;
    }

    /// @return what is wrong with the attributes, one line; empty: nothing.
    std::string FindFault() const;

    /// @return whether it ever asks for pauses.
    bool Pauses() const
    {
        return m_pauseAt > 0;
    }

    /// @return whether the link is to be paused. @param backlogBytes as of Admit()
    bool IsHigh(uint64_t backlogBytes) const
    {
        return m_held + backlogBytes > m_pauseAt;
    }

    /// @return bytes beyond what lets the link go on; 0: it may go on.
    uint64_t GetExcess(uint64_t backlogBytes) const
    {
        const uint64_t bytes = m_held + backlogBytes;
        return bytes > m_resumeAt ? bytes - m_resumeAt : 0;
    }

    /// @return bytes taken and not handled, or held.
    uint64_t GetHeld() const
    {
        return m_held;
    }

  private:
    uint64_t m_capacity{0};
    uint64_t m_credits{0};
    uint64_t m_pauseAt{0};
    uint64_t m_resumeAt{0};
    uint64_t m_held{0};
};

} // namespace ns3::rdma

#endif // RDMA_RECEIVE_BUFFER_H
