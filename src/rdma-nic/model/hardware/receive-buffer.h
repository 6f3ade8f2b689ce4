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
 * @brief Decides whether there is room for an arriving packet on the chip and, for payload, credits
 * of the host side.
 *
 * The buffer absorbs bursts between the port and the rest of the NIC, for all queue pairs (SRNIC
 * section 3.2.1), and holds payload that waits for a service, a translation or a receive request.
 * Credits are those of BALBOA (section 4.3): the free capacity of the path to the host; a packet
 * with too few credits is dropped and retransmitted.
 *
 * With PauseAt, it determines when the other end of the link is to be paused and resumed (PFC), as
 * a port of a lossless fabric does before it drops.
 */
class ReceiveBuffer : public Object
{
  public:
    static TypeId GetTypeId();

    /// Called when the attributes are set: enables AdmitIfAmple().
    void Start();

    /// Accepts a packet if neither a limit nor the level of a pause can be near.
    /// @param frameBytes at least its payload
    /// @param backlogBytes an upper bound of the backlog for Admit()
    /// @return false: Admit() decides, and IsHigh()
    bool AdmitIfAmple(uint32_t frameBytes, uint64_t backlogBytes)
    {
        if (m_held + backlogBytes + frameBytes > m_ample)
        {
            return false;
        }
        m_held += frameBytes;
        return true;
    }

    /// @param backlogBytes payload on the chip that waits for PCIe
    /// @return why a packet of these bytes is dropped; unset: it is accepted
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

    /// Keeps payload of an accepted packet after the packet has been handled.
    void Hold(uint32_t payloadBytes)
    {
        m_held += payloadBytes;
    }

    /// An accepted packet has been handled, or held payload leaves.
    void Release(uint32_t bytes)
    {
        m_held -= bytes;
    }

    /// @return the fault of the attributes, one line; empty if there is none.
    std::string FindFault() const;

    /// @return whether pauses are used.
    bool Pauses() const
    {
        return m_pauseAt > 0;
    }

    /// @return whether the link is to be paused. @param backlogBytes as of Admit()
    bool IsHigh(uint64_t backlogBytes) const
    {
        return m_held + backlogBytes > m_pauseAt;
    }

    /// @return bytes above the level at which the link is resumed; 0: it may be resumed.
    uint64_t GetExcess(uint64_t backlogBytes) const
    {
        const uint64_t bytes = m_held + backlogBytes;
        return bytes > m_resumeAt ? bytes - m_resumeAt : 0;
    }

    /// @return bytes accepted and not handled, or held.
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
    uint64_t m_ample{0}; ///< The least of the limits above; 0 before Start().
};

} // namespace ns3::rdma

#endif // RDMA_RECEIVE_BUFFER_H
