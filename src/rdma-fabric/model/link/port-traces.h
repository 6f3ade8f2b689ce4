// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PORT_TRACES_H
#define RDMA_PORT_TRACES_H

#include "ns3/drop-reason.h"
#include "ns3/frame.h"
#include "ns3/tick.h"
#include "ns3/traced-callback.h"

#include <array>

namespace ns3::rdma
{

/// Counters of one class of a port.
struct PortClassCounters
{
    uint64_t sentBytes{0}; ///< On the wire.
    uint64_t marks{0};
    uint64_t drops{0};
    uint64_t discards{0}; ///< Of these drops, at a server: see IsFabricDrop().
    Tick pausedTime{0};   ///< Duration of ended pauses.
};

/// Counters of one port, from FabricPort::StartCounters() on.
struct PortCounters
{
    uint64_t sentFrames{0}; ///< MAC control included.
    /// Of these frames, on the wire: padding, preamble, FCS and gap included.
    uint64_t sentBytes{0};
    uint64_t marks{0};      ///< Frames in which this port's switch has set CE.
    uint64_t trims{0};      ///< Frames for this port whose payload its switch has removed.
    uint64_t drops{0};      ///< Frames dropped at this port.
    uint64_t pausesSent{0}; ///< PFC pause frames, refreshes included, resumes excluded.
    uint64_t pauses{0};     ///< Number of times that a priority of this port was paused.
    Tick pausedTime{0};     ///< Duration of ended pauses, summed over priorities.
    /// Most queued bytes since the last FabricPort::TakeMaxQueueBytes().
    uint32_t maxQueueBytes{0};
    std::array<PortClassCounters, PRIORITIES> classes;
};

/**
 * @ingroup rdma-link
 * @brief Trace sources and counters of a port.
 *
 * Created by the first use: before that, the port does no work for them.
 */
struct PortTraces
{
    /// @param paused bit per paused priority; the pauses are counted from now on
    PortTraces(uint8_t paused, Tick now);

    /// The port's switch has set CE.
    void OnMark(const Frame& frame);
    /// The port's switch has removed the payload.
    void OnTrim(const Frame& frame);
    /// Only if hasListeners.
    /// @param hasWaited whether the frame was queued
    /// @param queueBytes still queued in its priority
    void OnDeparture(const Frame& frame, bool hasWaited, uint32_t queueBytes);
    void OnDrop(const Frame& frame, DropReason reason);
    /// A priority is paused, or resumed.
    void OnPause(uint8_t priority, Tick now);
    void OnResume(uint8_t priority, Tick now);

    /// @return the time for which priorities were paused, summed, current pauses included.
    Tick GetPausedTime(Tick until) const;
    /// @return the same of one priority.
    Tick GetPausedTime(uint32_t priority, Tick until) const;

    TracedCallback<const Frame&> transmit;
    TracedCallback<const Frame&> receive;
    TracedCallback<const Frame&, DropReason> drop;
    TracedCallback<const Frame&, uint32_t> enqueue;
    TracedCallback<const Frame&, uint32_t> dequeue;
    TracedCallback<const Frame&> mark;
    TracedCallback<const Frame&> trim;
    TracedCallback<uint8_t> pause;
    TracedCallback<uint8_t> resume;
    bool hasListeners{false}; ///< A trace source was requested.
    PortCounters counters;

  private:
    std::array<Tick, PRIORITIES> m_pausedSince; ///< TICK_NEVER: not paused.
};

} // namespace ns3::rdma

#endif // RDMA_PORT_TRACES_H
