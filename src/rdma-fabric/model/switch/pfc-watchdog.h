// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PFC_WATCHDOG_H
#define RDMA_PFC_WATCHDOG_H

#include "ns3/fabric-port.h"
#include "ns3/pause-observer.h"

#include <functional>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/// Configuration of a PfcWatchdog.
struct PfcWatchdogConfig
{
    Tick detection{200'000'000'000};   ///< 200 ms: SONiC's `pfcwd start_default`.
    Tick restoration{200'000'000'000}; ///< 200 ms, as detection.
    bool isForwarding{false};          ///< A storm is ignored; else its queue is dropped.
};

/**
 * @ingroup rdma-switch
 * @brief Detects egress queues of a switch that are paused for too long, and frees them.
 *
 * A queue is in a storm when its class was paused without interruption for the detection time and
 * it holds frames.  Until the storm ends, the switch drops the frames of the queue and all frames
 * that arrive for it, or the port ignores the pauses of the class.  The storm ends when no pause
 * frame of the class has arrived for the restoration time and the last pause is over.
 *
 * Our choices: a queue that is empty at the detection time is examined again every quarter of that
 * time while the pause lasts; a storm does not end within a pause (SONiC's least restoration time,
 * 100 ms, is longer than any pause).  SONiC polls counters of the switch chip, so that its
 * detection can be later by a polling interval; here the time is exact.
 *
 * Not modelled: SONiC drops frames that arrive by the port in a storm, too; alert mode; the big-red
 * switch.
 *
 * Source: sonic-net/SONiC, doc/pfcwd, and pfcwdorch of sonic-swss.
 */
class PfcWatchdog : public EventTarget, public PauseObserver
{
  public:
    /// A storm begins or ends at a port.
    using Action = std::function<void(FabricPort& port, uint8_t priority, bool isStorm)>;

    /// Observes the ports.
    /// @param ports by port number, which outlive this object
    /// @param action of the switch, called when frames are to be dropped
    PfcWatchdog(std::shared_ptr<FabricCore> core,
                const std::vector<FabricPort*>& ports,
                const PfcWatchdogConfig& config,
                Action action);
    ~PfcWatchdog() override;

    /// @return whether frames for this queue are dropped.
    bool IsDropping(uint32_t port, uint32_t priority) const
    {
        return !m_config.isForwarding && GetQueue(port, priority).isStorm;
    }

    /// @return whether frames of any queue are dropped.
    bool IsDroppingAny() const
    {
        return !m_config.isForwarding && m_storms > 0;
    }

    void OnPauseFrame(FabricPort& port, uint8_t priority, Tick until, bool isNew) override;
    void HandleEvent(uint32_t kind, uint32_t argument) override;
    bool IsUpkeep(uint32_t kind, uint32_t argument) const override;

  private:
    enum Event : uint32_t
    {
        EXAMINE, ///< Argument: queue.
        RESTORE, ///< Argument: queue.
    };

    struct Queue
    {
        Tick pausedSince{0};
        Tick lastPause{0};   ///< Arrival of the last pause frame that was no resume.
        Tick pausedUntil{0}; ///< End of this pause, also if the port ignores it.
        bool isStorm{false};
        bool isExamined{false}; ///< An EXAMINE event is pending.
    };

    const Queue& GetQueue(uint32_t port, uint32_t priority) const
    {
        return m_queues[port * PRIORITIES + priority];
    }

    FabricPort& GetPort(uint32_t queue) const
    {
        return *m_ports[queue / PRIORITIES];
    }

    bool HoldsFrames(uint32_t queue) const;
    void Schedule(Tick at, Event event, uint32_t queue);
    void Examine(uint32_t number);
    void Restore(uint32_t number);
    void SetStorm(uint32_t number, bool isStorm);

    std::shared_ptr<FabricCore> m_core;
    std::vector<FabricPort*> m_ports;
    PfcWatchdogConfig m_config;
    Action m_action;
    std::vector<Queue> m_queues; ///< By port and priority.
    uint32_t m_storms{0};
    uint32_t m_target;
};

} // namespace ns3::rdma

#endif // RDMA_PFC_WATCHDOG_H
