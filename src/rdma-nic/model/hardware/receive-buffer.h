// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RECEIVE_BUFFER_H
#define RDMA_RECEIVE_BUFFER_H

#include "ns3/drop-reason.h"
#include "ns3/object.h"

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-hardware
 * @brief Decides whether an arriving packet finds room on the chip and, if payload, credits of the
 * host-facing side.
 *
 * The buffer absorbs bursts between the port and the rest of the NIC, for all queue pairs (SRNIC
 * section 3.2.1).  Credits are BALBOA's (section 4.3): they stand for what the way to the host can
 * still take; a packet that finds too few is dropped and comes again by retransmission.
 *
 * Not modelled: PFC frames sent by the NIC instead of drops.
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

    /// A packet that was taken has been handled.
    void Release(uint32_t frameBytes)
    {
        m_held -= frameBytes;
    }

    /// @return bytes taken and not handled.
    uint64_t GetHeld() const
    {
        return m_held;
    }

  private:
    uint64_t m_capacity{0};
    uint64_t m_credits{0};
    uint64_t m_held{0};
};

} // namespace ns3::rdma

#endif // RDMA_RECEIVE_BUFFER_H
