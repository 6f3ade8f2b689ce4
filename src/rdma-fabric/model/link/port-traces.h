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

/// Counts of one port, from the time at which they are first connected for them.
struct PortCounters
{
    uint64_t sentFrames{0};    ///< MAC control included.
    uint64_t sentBytes{0};     ///< Of these at the wire: padding, preamble, FCS and gap included.
    uint64_t marks{0};         ///< Frames in which this port's switch has set CE.
    uint64_t drops{0};         ///< Frames dropped at this port.
    uint64_t pausesSent{0};    ///< PFC frames that pause, refreshes included; resumes not.
    uint64_t pauses{0};        ///< Times that a priority of this port was paused.
    Tick pausedTime{0};        ///< Of pauses that are over, summed over priorities.
    uint32_t maxQueueBytes{0}; ///< Most that waited since FabricPort::TakeMaxQueueBytes().
};

/**
 * @ingroup rdma-link
 * @brief What is observed of a port: its trace sources and its counters.
 *
 * Made by the first connection: until then the port does nothing for it.
 */
struct PortTraces
{
    /// @param paused bit per priority that is; their pauses count from now on
    PortTraces(uint8_t paused, Tick now);

    /// The port's switch has set CE.
    void OnMark(const Frame& frame);
    /// Only if hasListeners. @param hasWaited in a queue, where bytes of its priority still wait
    void OnDeparture(const Frame& frame, bool hasWaited, uint32_t queueBytes);
    void OnDrop(const Frame& frame, DropReason reason);
    /// A priority may not send any more, or may again.
    void OnPause(uint8_t priority, Tick now);
    void OnResume(uint8_t priority, Tick now);

    /// @return for how long priorities were paused, summed, pauses under way included.
    Tick GetPausedTime(Tick until) const;

    TracedCallback<const Frame&> transmit;
    TracedCallback<const Frame&> receive;
    TracedCallback<const Frame&, DropReason> drop;
    TracedCallback<const Frame&, uint32_t> enqueue;
    TracedCallback<const Frame&, uint32_t> dequeue;
    TracedCallback<const Frame&> mark;
    TracedCallback<const Frame&> trim;
    TracedCallback<uint8_t> pause;
    TracedCallback<uint8_t> resume;
    bool hasListeners{false}; ///< One of the above was connected.
    PortCounters counters;

  private:
    std::array<Tick, PRIORITIES> m_pausedSince; ///< TICK_NEVER: it is not.
};

} // namespace ns3::rdma

#endif // RDMA_PORT_TRACES_H
