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
 * Not modelled: their time on the transmit pipeline's bus (one beat each).
 */
class ControlPath : private EventTarget
{
  public:
    /// @param core, port outlive this @param latency from the receive pipeline's end to the port
    ControlPath(FabricCore& core, FabricPort& port, Tick latency);
    ~ControlPath() override;

    void Send(FrameIndex frame)
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
        constexpr Tick LONGEST{std::numeric_limits<uint32_t>::max()};
        m_core.pool[frame].hostDelay =
            static_cast<uint32_t>(std::min(heldFor + m_latency, LONGEST));
        Send(frame);
    }

  private:
    void HandleEvent(uint32_t, uint32_t frame) override;

    FabricCore& m_core;
    FabricPort& m_port;
    Tick m_latency;
    uint32_t m_target;
};

} // namespace ns3::rdma

#endif // RDMA_CONTROL_PATH_H
