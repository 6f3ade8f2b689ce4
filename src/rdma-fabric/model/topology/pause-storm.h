// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PAUSE_STORM_H
#define RDMA_PAUSE_STORM_H

#include "ns3/fabric-port.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-topology
 * @brief A NIC that pauses one class of its switch for a time, or for ever: a defect that
 * PfcWatchdog contains.
 *
 * The port sends a pause of 65535 quanta, repeats it every half of this duration, and sends a
 * resume at the end.
 */
class PauseStorm : public EventTarget
{
  public:
    /// @param core which outlives this object, like the port
    /// @param begin, end of the storm; TICK_NEVER: it does not end
    PauseStorm(FabricCore& core, FabricPort& port, uint8_t priority, Tick begin, Tick end);
    ~PauseStorm() override;

    void HandleEvent(uint32_t kind, uint32_t argument) override;
    bool IsUpkeep(uint32_t kind, uint32_t argument) const override;

  private:
    FabricCore& m_core;
    FabricPort& m_port;
    uint8_t m_priority;
    Tick m_end;
    uint32_t m_target;
};

} // namespace ns3::rdma

#endif // RDMA_PAUSE_STORM_H
