// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_PORT_H
#define RDMA_FABRIC_PORT_H

#include "ns3/fabric-core.h"
#include "ns3/loss-model.h"
#include "ns3/port-owner.h"
#include "ns3/port-queues.h"
#include "ns3/port-traces.h"

#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>
#include <memory>

namespace ns3::rdma
{

/**
 * @ingroup rdma-link
 * @brief One end of a full-duplex link: queues frames by priority, sends them, receives the other
 * end's.
 *
 * The highest priority with a frame and without a pause goes first; MAC control goes before all.
 * The port keeps the time until which it is busy: a frame that finds it idle costs one event (its
 * arrival at the other end), one that must wait costs a second (the port's wake-up).  A frame
 * arrives when its last bit does (store and forward).
 *
 * PFC (IEEE 802.1Qbb): a pause lasts its quanta of 512 bit times unless a resume comes first, so
 * that a lost resume delays but never stops a link.
 *
 * Not modelled: cut-through, frame pre-emption, auto-negotiation, bit errors other than by
 * LossModel.
 */
class alignas(64) FabricPort : public EventTarget
{
  public:
    FabricPort(FabricCore& core, uint16_t number);
    ~FabricPort() override;

    /// Joins both directions of a link.
    static void Connect(FabricPort& a, FabricPort& b, DataRate rate, Tick delay);
    /// @param priority of the frames that Pull() gives: what waits in lower ones lets them go first
    /// @param bookmark of the frame pool: leads to what Pull() will need
    void SetOwner(PortOwner* owner, uint8_t priority = 0, FrameIndex bookmark = 0);
    /// @param model of the direction that starts here; null: nothing is lost
    void SetLossModel(Ptr<LossModel> model);
    /// The other end is simulated by another process: frames go to FabricCore::outbox.
    void SetPeerRank(uint16_t rank);
    /// Switch ports add to the INT stack of each frame that has one from now on (IntHop).
    static void RecordHops(FabricCore& core);
    /// This port belongs to a switch.
    void JoinSwitch();
    /// Takes both directions down or up: frames sent, or under way, while it is down are lost.
    void SetLinkUp(bool isUp);

    uint16_t GetNumber() const
    {
        return m_number;
    }

    DataRate GetRate() const
    {
        return m_rate;
    }

    Tick GetDelay() const
    {
        return m_delay;
    }

    FabricPort* GetPeer() const;

    bool IsLinkUp() const
    {
        return m_isUp;
    }

    /// @return time on the wire of a frame of these bytes, padding and overhead included.
    Tick GetSerialization(uint32_t wireBytes) const
    {
        return m_serialization.GetDuration(m_core.CountOnWire(wireBytes));
    }

    /// @return how long a pause of so many quanta lasts at this port's rate.
    Tick GetPauseDuration(uint32_t quanta) const;

    /// @return whether a frame of this priority would leave at once.
    bool IsFree(uint8_t priority) const
    {
        return m_busyUntil <= m_core.engine->Now() && GetEligible() == 0 &&
               ((m_paused >> priority) & 1) == 0;
    }

    bool IsPaused(uint8_t priority) const
    {
        return ((m_paused >> priority) & 1) != 0;
    }

    bool IsAnyPaused() const
    {
        return m_paused != 0;
    }

    /// @return bytes waiting in a priority's queue, without the frame being sent.
    uint32_t GetQueueBytes(uint8_t priority) const
    {
        return m_queues.GetBytes(priority);
    }

    /// Puts a frame on the wire now. Only if IsFree().
    void Transmit(FrameIndex index)
    {
        Frame& frame = m_core.pool[index];
        Occupy(frame);
        Launch(frame, index);
    }

    /// Sends the frame when its turn comes: at once if the port is free, else from its queue.
    void Enqueue(FrameIndex index)
    {
        IsFree(m_core.pool[index].priority) ? Transmit(index) : Wait(index);
    }

    /// Lets the frame wait for its turn. Only if not IsFree().
    void Wait(FrameIndex index)
    {
        const uint8_t priority = m_core.pool[index].priority;
        m_queues.Append(m_core.pool, priority, index);
        if (m_attention & (WOKEN | OBSERVED))
        {
            if (m_attention & OBSERVED)
            {
                ObserveEnqueue(index);
            }
        }
        else if (!IsPaused(priority))
        {
            ScheduleWake();
        }
    }

    /// Sends a PFC frame. @param quanta of 512 bit times at this port's rate; 0 resumes
    void SendPause(uint8_t priority, uint16_t quanta);

    /// The owner has frames: pulls them as soon as the port is idle.
    void Kick();

    void HandleEvent(uint32_t kind, uint32_t argument) override;

    /// @return this port's id at the engine: Frame::egress of frames that will leave here.
    uint32_t GetTarget() const
    {
        return m_target;
    }

    /// @return as given to SetOwner().
    FrameIndex GetBookmark() const
    {
        return m_bookmark;
    }

    // Signatures of the traces.
    using FrameCallback = void (*)(const Frame& frame);
    using DropCallback = void (*)(const Frame& frame, DropReason reason);
    using QueueCallback = void (*)(const Frame& frame, uint32_t queueBytes);
    using PriorityCallback = void (*)(uint8_t priority);

    /// @return trace sources and counters, made by the first call: packets begin to be observed.
    PortTraces& GetTraces();
    /// The counters begin to count, if they have not.
    void StartCounters();
    /// The same, and arrivals go through the port from here on.
    PortTraces& GetArrivalTraces();
    /// @return null if none was ever connected.
    const PortCounters* GetCounters() const;

    /// @return for how long this port's priorities were paused before a time that is not past,
    /// summed, pauses under way included; 0 unless counters were requested.
    Tick GetPausedTime(Tick until) const
    {
        return m_traces ? m_traces->GetPausedTime(until) : 0;
    }

    /// @return bytes that wait in all queues, MAC control excluded.
    uint32_t GetTotalQueueBytes() const
    {
        return m_queues.GetTotalBytes();
    }

    /// @return the most bytes that waited since the last call, at least what waits now.
    uint32_t TakeMaxQueueBytes();

    /// A frame is dropped at this port, for any reason. It is not freed.
    void CountDrop(const Frame& frame, DropReason reason);

    /// The owner has removed the payload of a frame that will leave from here.
    void CountTrim(const Frame& frame)
    {
        ++m_core.trims;
        if (m_traces)
        {
            m_traces->trim(frame);
        }
    }

    /// The owner has set CE in a frame that leaves from here.
    void CountMark(const Frame& frame)
    {
        if (m_traces)
        {
            m_traces->OnMark(frame);
        }
    }

  private:
    enum Event : uint32_t
    {
        ARRIVAL = PortOwner::ARRIVAL, ///< Argument: frame. Only if WATCHED, else the owner's.
        CONTROL_ARRIVAL,              ///< Argument: a MAC control frame.
        WAKE,                         ///< The frame being sent has left. Argument: likely the next.
        PAUSE_ENDS,                   ///< Argument: priority.
    };

    /// Bits of what a frame's departure or arrival needs beyond the usual.
    enum Attention : uint8_t
    {
        OBSERVED = 1,  ///< There are m_traces.
        CHECKED = 2,   ///< The link is down, or frames take IntHops along from here.
        LOSSY = 4,     ///< There is a loss model.
        REMOTE = 8,    ///< Another process simulates the other end.
        PEERLESS = 64, ///< The target at the other end is unknown.
        DEPARTURE = OBSERVED | CHECKED | LOSSY | REMOTE | PEERLESS,
        WATCHED = 16, ///< Arrivals are traced, or m_wasDown.
        WOKEN = 32,   ///< A WAKE event is under way.
        LAST = 128,   ///< Frames that go from here end at the other end.
    };

    /// @return a bit per queue whose head may leave.
    uint32_t GetEligible() const
    {
        return m_queues.GetWaiting() & ~uint32_t{m_paused};
    }

    void Occupy(const Frame& frame)
    {
        m_busyUntil = m_core.engine->Now() + GetSerialization(frame.wireBytes);
    }

    /// Not of MAC control. @param hasWaited in a queue
    void Launch(Frame& frame, FrameIndex index, bool hasWaited = false)
    {
        frame.ingressPort = m_peerNumber;
        if (m_attention & DEPARTURE)
        {
            if ((m_attention & DEPARTURE) != OBSERVED)
            {
                LaunchWithAttention(index, hasWaited);
                return;
            }
            CountDeparture(frame, hasWaited);
        }
        // The owner of a last hop is not called: it is not in the cache.
        frame.egress = m_attention & LAST ? m_core.destinations.GetTarget(frame.dst, frame.dstQp)
                                          : m_peerOwner->PredictEgress(frame);
        m_core.engine->Schedule(m_busyUntil + m_delay, m_peerArrival, index);
    }

    void CountDeparture(const Frame& frame, bool hasWaited)
    {
        ++m_traces->counters.sentFrames;
        m_traces->counters.sentBytes += m_core.CountOnWire(frame.wireBytes);
        if (m_traces->hasListeners)
        {
            m_traces->OnDeparture(frame, hasWaited, m_queues.GetBytes(frame.priority));
        }
    }

    uint32_t GetPeerArrival(const Frame& frame) const
    {
        constexpr uint32_t CONTROL_OFFSET{FabricEngine::MakeOwner(1, CONTROL_ARRIVAL)};
        const bool isControl = (frame.flags & frame_flag::MAC_CONTROL) != 0;
        return m_peerArrival + (isControl ? CONTROL_OFFSET : 0);
    }

    void WakeWhenIdle()
    {
        if ((m_attention & WOKEN) == 0)
        {
            ScheduleWake();
        }
    }

    /// Only if no WAKE is under way.
    void ScheduleWake()
    {
        m_attention |= WOKEN;
        // The frame that will leave then, mostly: the engine fetches it from memory in time.
        const uint32_t eligible = GetEligible();
        const FrameIndex next =
            eligible ? m_queues.GetHead(31 - __builtin_clz(eligible)) : m_bookmark;
        m_core.engine->Schedule(std::max(m_busyUntil, m_core.engine->Now()),
                                FabricEngine::MakeOwner(m_target, WAKE),
                                next);
    }

    void LaunchWithAttention(FrameIndex index, bool hasWaited);
    void ObserveEnqueue(FrameIndex index);
    void EndPause(uint8_t priority);
    void RecordHop(const Frame& frame);
    uint32_t PredictEgress(Frame& frame) const;
    void SetAttention(Attention bit, bool isSet);

    void SetRecording(bool isRecording)
    {
        m_isRecording = isRecording;
        SetAttention(CHECKED, m_isRecording || !m_isUp);
    }

    void SendOff(FrameIndex index, Tick arrival);
    /// @return what the loss model says, checked. @throws PolicyError
    void ApplyImpairments(FrameIndex index, const FrameImpairment& impairment);
    void SendNext();
    void SendWaiting(uint32_t queue);
    bool SendPulled();
    void SendWhenIdle();
    void Arrive(FrameIndex index);
    void ChooseReceiver();
    void SetPeerOwner(const PortOwner* owner);
    bool IsCutOff(const Frame& frame) const;
    void HandlePause(const Frame& frame);
    void Drop(FrameIndex index, DropReason reason);

    // All that a frame needs which finds the port free: one cache line.
    FabricCore& m_core;
    Tick m_busyUntil{0};
    Tick m_delay{0};
    SerializationRate m_serialization;
    const PortOwner* m_peerOwner{nullptr};
    uint32_t m_peerArrival{0}; ///< Event owner of arrivals at the other end.
    uint32_t m_target;         ///< This port's id at the engine; that of its arrivals is one less.
    uint16_t m_peerNumber{0};
    uint8_t m_paused{0};           ///< Bit per paused priority; control is never paused.
    uint8_t m_attention{PEERLESS}; ///< Of Attention.
    PortQueues m_queues;           ///< Its first word lies in this line, what waits in the next.

    FrameIndex m_bookmark{0}; ///< The owner's.
    PortOwner* m_owner{nullptr};
    uint16_t m_number;
    uint8_t m_ownerPriority{0};
    bool m_isOwnerReady{false}; ///< The owner requested to be pulled from, or has more.
    FabricPort* m_peer{nullptr};
    uint16_t m_peerRank{0}; ///< If REMOTE.
    bool m_isUp{true};
    bool m_wasDown{false};                ///< At least once: m_upSince counts.
    bool m_isRecording{false};            ///< Frames take IntHops along from here.
    LossModel* m_lossModel{nullptr};      ///< Of m_lossModelHolder.
    std::unique_ptr<PortTraces> m_traces; ///< Null until the first connection.
    DataRate m_rate;
    Ptr<LossModel> m_lossModelHolder;
    std::array<Tick, PRIORITIES> m_pausedUntil{};
    Tick m_upSince{0};       ///< When the link last came up again.
    uint64_t m_sentBytes{0}; ///< On the wire, while it is recording.
};

/// The ports that a frame leaves by, in order; on the usual fabrics without memory of its own.
using PortPath = boost::container::small_vector<const FabricPort*, 8>;

} // namespace ns3::rdma

#endif // RDMA_FABRIC_PORT_H
