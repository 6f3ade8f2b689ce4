// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CONTROL_PATH_H
#define RDMA_CONTROL_PATH_H

#include "ns3/fabric-port.h"

#include <algorithm>
#include <limits>

namespace ns3::rdma
{

/// @return time since a packet arrived at a timed chip, modulo 2^32 ps.
inline Tick
GetTimeOnChip(FabricCore& core, FrameIndex packet)
{
    return static_cast<uint32_t>(core.engine->Now()) - core.pool.GetArrivalTime(packet);
}

/**
 * @ingroup rdma-nic
 * @brief The path of acknowledgments and CNPs through a chip to its port: a fixed latency.
 *
 * An acknowledgment that is made from a packet's header begins earlier than the packet is handled.
 *
 * Not modelled: their time on the transmit pipeline's bus (one beat each); that an acknowledgment
 * may leave before its packet has been handled.
 */
class ControlPath : private EventTarget
{
  public:
    /// @param core, port outlive this @param latency from the receive pipeline's end to the port
    ControlPath(FabricCore& core, FabricPort& port, Tick latency);
    ~ControlPath() override;

    [[gnu::always_inline]] void Send(FrameIndex frame)
    {
        if (m_latency == 0)
        {
            m_port.Enqueue(frame);
            return;
        }
        m_core.engine->Schedule(m_core.engine->Now() + m_latency,
                                FabricEngine::MakeOwner(m_target, 0),
                                frame);
    }

    /// Sends an acknowledgment, which carries the time that its packet was in this NIC.
    /// @param heldFor time since the arrival of that packet
    void SendAnswer(FrameIndex frame, Tick heldFor)
    {
        SetHostDelay(frame, heldFor + m_latency);
        Send(frame);
    }

    /// As SendAnswer(), for an acknowledgment that was made from the header.
    /// @param lead how long ago
    void SendEarlyAnswer(FrameIndex frame, Tick heldFor, Tick lead);

  private:
    void HandleEvent(uint32_t, uint32_t frame) override;

    void SetHostDelay(FrameIndex frame, Tick delay)
    {
        constexpr Tick LONGEST{std::numeric_limits<uint32_t>::max()};
        m_core.pool[frame].hostDelay = static_cast<uint32_t>(std::min(delay, LONGEST));
    }

    FabricCore& m_core;
    FabricPort& m_port;
    Tick m_latency;
    Tick m_lastAnswer{0}; ///< When the last early one leaves.
    uint32_t m_target;
};

} // namespace ns3::rdma

#endif // RDMA_CONTROL_PATH_H
