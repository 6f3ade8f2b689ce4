// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LINK_PAUSER_H
#define RDMA_LINK_PAUSER_H

#include "ns3/fabric-port.h"
#include "ns3/nic-hardware.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief Pauses the priorities of a NIC's data while its receive buffer, which they share, is
 * nearly full (PFC, IEEE 802.1Qbb).
 *
 * It checks the buffer when a packet is accepted and, while the link is paused, when the buffer may
 * have drained at the link's rate.  A pause is repeated after half of its duration.
 */
class LinkPauser : private EventTarget
{
  public:
    /// All outlive this.
    /// @param priorities of the NIC's data, one bit per priority
    LinkPauser(FabricCore& core,
               FabricPort& port,
               const uint8_t& priorities,
               NicHardware& hardware);
    ~LinkPauser() override;

    /// A packet was accepted. @param backlogBytes as of ReceiveBuffer::Admit()
    void OnTaken(Tick now, uint64_t backlogBytes)
    {
        if (m_buffer.Pauses() && !m_isPaused && m_buffer.IsHigh(backlogBytes))
        {
            Pause(now);
        }
    }

  private:
    void HandleEvent(uint32_t, uint32_t) override;
    void Pause(Tick now);
    /// @param quanta as of FabricPort::SendPause()
    void SendPauses(uint16_t quanta);
    void LookAgain(Tick now, uint64_t excessBytes);

    FabricCore& m_core;
    FabricPort& m_port;
    NicHardware& m_hardware;
    ReceiveBuffer& m_buffer;
    Tick m_sentAt{0}; ///< When the last pause frame was sent.
    uint32_t m_target;
    const uint8_t& m_priorities;
    uint8_t m_paused{0}; ///< Bits of the priorities that the last pause was for.
    bool m_isPaused{false};
};

} // namespace ns3::rdma

#endif // RDMA_LINK_PAUSER_H
