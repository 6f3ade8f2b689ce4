// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_PORT_H
#define RDMA_FABRIC_PORT_H

#include "ns3/egress-scheduler.h"
#include "ns3/fabric-core.h"
#include "ns3/loss-model.h"
#include "ns3/pause-observer.h"
#include "ns3/port-link.h"
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
 * @brief One end of a full-duplex link: queues frames by priority, sends them, and receives frames
 * of the other end.
 *
 * MAC control is sent first, then the highest priority that has frames and is not paused, or the
 * class that an EgressScheduler chooses. The port keeps the time until which it is busy: a frame
 * that finds it idle costs one event (its arrival at the other end); a queued frame costs a second
 * event (the port's wake-up).  A frame arrives when its last bit does (store and forward), or at
 * a switch that cuts through, when its head does.
 *
 * PFC (IEEE 802.1Qbb): a pause lasts its quanta of 512 bit times unless a resume comes first, so
 * that a lost resume delays but never stops a link.
 *
 * LinkPolicy: credits and retransmission of the link. What they hold back counts as paused.
 *
 * Not modelled: frame pre-emption, auto-negotiation, bit errors other than by
 * LossModel.
 */
class alignas(64) FabricPort : public EventTarget
{
  public:
    FabricPort(FabricCore& core, uint16_t number);
    ~FabricPort() override;

    /// Connects both directions of a link.
    static void Connect(FabricPort& a, FabricPort& b, DataRate rate, Tick delay);
    /// @param classes bit per class (priority) of the frames that Pull() returns: they are sent
    /// before queued frames of lower priority
    void SetOwner(PortOwner* owner, uint8_t classes = 1);
    /// Called before any frame is sent.
    /// @param scheduler of this port alone, which was started; null: strict priority
    void SetScheduler(Ptr<EgressScheduler> scheduler);

    /// @return null: strict priority.
    const EgressScheduler* GetScheduler() const
    {
        return m_scheduler;
    }

    /**
     * @brief Gives this end of the link its policies, which are started. The other end needs the
     * same ones. Called once, before any frame is sent.
     *
     * @param policies of this port alone; departures pass them in this order
     * @param largestFrame that the owner makes, as Frame::wireBytes
     */
    void SetLinkPolicies(const std::vector<Ptr<LinkPolicy>>& policies, uint32_t largestFrame);
    /// Declares that the owner calls Release() for each frame that it receives. Else a frame is
    /// released when the owner gets it.
    void ReleaseByOwner();
    /// A frame that arrived by this port has left the owner's buffer.
    /// @param classNumber, wireBytes of the frame as it arrived
    void Release(uint32_t classNumber, uint32_t wireBytes);
    /// @return memory that the owner must set aside for frames of a class that arrive here, bytes.
    uint64_t GetLinkBuffer(uint32_t classNumber) const;
    /// @return whether the policies of the other end hold back a class, as far as is known here.
    bool IsSenderClosed(uint32_t classNumber) const;
    /// @return the shortest time from sending to arrival: of an empty frame or of a message.
    Tick GetShortestFlight() const;
    /// Declares that the other end forwards a frame when its head has arrived. Ignored if a
    /// LinkPolicy checks frames. Called after SetLinkPolicies(), before any frame is sent.
    /// @param headBytes as Frame::wireBytes, above 0
    void SetHead(uint32_t headBytes);

    /// @param model of the direction that starts here; null: nothing is lost
    void SetLossModel(Ptr<LossModel> model);
    /// @return null: nothing is lost.
    LossModel* GetLossModel() const;
    /// Another process simulates the other end: frames are added to FabricCore::outbox.
    void SetPeerRank(uint16_t rank);
    /// Makes all switch ports append an IntHop to the INT stack of each frame that has one.
    static void RecordHops(FabricCore& core);
    /// Declares that this port belongs to a switch.
    void JoinSwitch();
    /// Sets both directions down or up: frames that are sent or in flight while it is down are
    /// lost.
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

    /// @return the serialization time of a frame of this size, padding and overhead included.
    Tick GetSerialization(uint32_t wireBytes) const
    {
        return m_serialization.GetDuration(m_core.CountOnWire(wireBytes));
    }

    /// @return the serialization time of what the other end waits for: the frame, or its head.
    Tick GetHeadTime(uint32_t wireBytes) const
    {
        return GetSerialization(LimitToHead(wireBytes));
    }

    /**
     * @brief Reduces the rate of the direction that starts here, as in a degraded link. Called
     * before any frame is sent.
     * @param rate above 0, at most GetNominalRate()
     */
    void SetReducedRate(DataRate rate);

    /// @return the rate given to Connect().
    DataRate GetNominalRate() const
    {
        const auto reduced = m_core.nominalRates.find(m_target);
        return reduced == m_core.nominalRates.end() ? m_rate : reduced->second;
    }

    /// @return as GetSerialization(), at the nominal rate.
    Tick GetNominalSerialization(uint32_t wireBytes) const
    {
        const SerializationRate rate =
            m_core.nominalRates.empty() ? m_serialization : SerializationRate(GetNominalRate());
        return rate.GetDuration(m_core.CountOnWire(wireBytes));
    }

    /// @return as GetHeadTime(), at the nominal rate.
    Tick GetNominalHeadTime(uint32_t wireBytes) const
    {
        return GetNominalSerialization(LimitToHead(wireBytes));
    }

    /// @return the duration of a pause at this port's rate.
    Tick GetPauseDuration(uint32_t quanta) const;

    /// @return whether a frame of this priority would leave at once.
    bool IsFree(uint8_t priority) const
    {
        return IsFree(priority, m_core.engine->Now());
    }

    /// As IsFree(priority), for a caller that has read the clock.
    bool IsFree(uint8_t priority, Tick now) const
    {
        return m_busyUntil <= now && GetEligible() == 0 && ((m_paused >> priority) & 1) == 0;
    }

    bool IsPaused(uint8_t priority) const
    {
        return ((m_paused >> priority) & 1) != 0;
    }

    bool IsAnyPaused() const
    {
        return m_paused != 0;
    }

    /// @return the bytes in a priority's queue, without the frame being sent.
    uint32_t GetQueueBytes(uint8_t priority) const
    {
        return m_queues.GetBytes(priority);
    }

    /// Puts a frame on the wire now. Only if IsFree().
    /// @param frame that the pool has at this index
    void Transmit(Frame& frame, FrameIndex index, Tick now)
    {
        Occupy(frame, now);
        Launch(frame, index);
    }

    /// Sends the frame at once if the port is free, else appends it to its queue.
    void Enqueue(FrameIndex index)
    {
        Frame& frame = m_core.pool[index];
        const Tick now = m_core.engine->Now();
        IsFree(frame.priority, now) ? Transmit(frame, index, now) : Wait(frame, index, now);
    }

    /// Appends the frame to its queue. Only if not IsFree().
    /// @param frame that the pool has at this index
    void Wait(Frame& frame, FrameIndex index, Tick now)
    {
        const uint8_t priority = frame.priority;
        m_queues.Append(m_core.pool, priority, frame, index);
        if (m_attention & (WOKEN | OBSERVED))
        {
            if (m_attention & OBSERVED)
            {
                ObserveEnqueue(index);
            }
        }
        else if (!IsPaused(priority))
        {
            ScheduleWake(now);
        }
    }

    /// @return the oldest queued frame of a priority, which links to the next one; null if there is
    /// none.
    const Frame* FindOldest(uint8_t priority) const
    {
        return m_queues.GetBytes(priority) == 0 ? nullptr
                                                : &m_core.pool[m_queues.GetHead(priority)];
    }

    /// @return the newest queued frame of a priority; null if there is none.
    const Frame* FindNewest(uint8_t priority) const
    {
        return m_queues.GetBytes(priority) == 0 ? nullptr
                                                : &m_core.pool[m_queues.GetTail(priority)];
    }

    /// Puts a frame in the place of the newest queued frame of its priority. Only if there is one.
    /// The index holds the replaced frame afterwards, which belongs to the caller again.
    void ReplaceNewest(FrameIndex index);

    /// Removes the oldest queued frame of a priority, which will not be sent. Only if there is
    /// one.
    FrameIndex TakeOldest(uint8_t priority)
    {
        return m_queues.Take(m_core.pool, priority);
    }

    /// @param observer null: none
    void SetPauseObserver(PauseObserver* observer);

    /// Ends a pause and ignores later ones, until it is called again with false.
    void IgnorePauses(uint8_t priority, bool isIgnored);

    /// Sends a PFC frame.
    /// @param quanta of 512 bit times at this port's rate; 0 resumes
    void SendPause(uint8_t priority, uint16_t quanta);

    /// Notifies the port that the owner has frames: they are pulled as soon as the port is idle.
    void Kick()
    {
        Kick(m_ownerClasses);
    }

    /// As Kick(), for some classes of the owner.
    /// @param classes bit per class
    void Kick(uint8_t classes);

    void HandleEvent(uint32_t kind, uint32_t argument) override;
    bool IsUpkeep(uint32_t kind, uint32_t argument) const override;

    /// @return this port's id at the engine: Frame::egress of frames that will leave by this port.
    uint32_t GetTarget() const
    {
        return m_target;
    }

    // Signatures of the traces.
    using FrameCallback = void (*)(const Frame& frame);
    using DropCallback = void (*)(const Frame& frame, DropReason reason);
    using QueueCallback = void (*)(const Frame& frame, uint32_t queueBytes);
    using PriorityCallback = void (*)(uint8_t priority);

    /// @return trace sources and counters. The first call creates them and starts the observation
    /// of frames.
    PortTraces& GetTraces();
    /// Starts the counters if they do not count yet.
    void StartCounters();
    /// As GetTraces(), and makes arrivals pass through the port.
    PortTraces& GetArrivalTraces();
    /// @return null if the counters were never started.
    const PortCounters* GetCounters() const;

    /// @param until not in the past
    /// @return the time for which this port's priorities were paused, summed, current pauses
    /// included; 0 if the counters were never started.
    Tick GetPausedTime(Tick until) const
    {
        return m_traces ? m_traces->GetPausedTime(until) : 0;
    }

    /// As GetPausedTime(), for one priority.
    Tick GetPausedTime(uint32_t priority, Tick until) const
    {
        return m_traces ? m_traces->GetPausedTime(priority, until) : 0;
    }

    /// @return the bytes in all queues, MAC control excluded.
    uint32_t GetTotalQueueBytes() const
    {
        return m_queues.GetTotalBytes();
    }

    /// @return the most bytes that were queued since the last call. The next maximum starts at the
    /// bytes queued now.
    uint32_t TakeMaxQueueBytes();

    /// Counts a frame that is dropped at this port, for any reason. The frame is not freed.
    void CountDrop(const Frame& frame, DropReason reason);

    /// Counts a frame whose payload the owner has removed and that will leave by this port.
    void CountTrim(const Frame& frame)
    {
        ++m_core.trims;
        m_core.lastHopTrims += (frame.flags & frame_flag::LAST_HOP) != 0;
        if (m_traces)
        {
            m_traces->OnTrim(frame);
        }
    }

    /// Counts a frame in which the owner has set CE and that leaves by this port.
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
        /// Argument: frame. Without WATCHED the owner gets the event.
        ARRIVAL = PortOwner::ARRIVAL,
        CONTROL_ARRIVAL, ///< Argument: a MAC control frame.
        WAKE,            ///< The frame being sent has left. Argument: the probable next frame.
        PAUSE_ENDS,      ///< Argument: priority.
        LINK_TIMER,      ///< Argument: place in PortLink::slots.
    };

    /// Reasons for more work at a frame's departure or arrival, as bits.
    enum Attention : uint8_t
    {
        OBSERVED = 1,  ///< m_traces is set.
        CHECKED = 2,   ///< The link is down, m_isRecording, or m_scheduler, m_link or m_headBytes.
        LOSSY = 4,     ///< m_lossModel is set.
        REMOTE = 8,    ///< Another process simulates the other end.
        PEERLESS = 64, ///< The owner at the other end is unknown.
        DEPARTURE = OBSERVED | CHECKED | LOSSY | REMOTE | PEERLESS,
        WATCHED = 16, ///< Arrivals are traced, m_wasDown, or m_link is set.
        WOKEN = 32,   ///< A WAKE event is pending.
        /// The egress is not in a table: the other end is the destination of all frames, or
        /// predicts none.
        OFF_TABLE = 128,
    };

    /// @return a bit per queue whose first frame may be sent.
    uint32_t GetEligible() const
    {
        return m_queues.GetWaiting() & ~uint32_t{m_paused};
    }

    /// @return a bit per class with a queued frame or an owner that is ready.
    uint32_t GetWaitingClasses() const
    {
        constexpr uint32_t CLASSES{(1U << PRIORITIES) - 1};
        return (m_queues.GetWaiting() & CLASSES) | m_ownerReady;
    }

    void Occupy(const Frame& frame, Tick now)
    {
        m_busyUntil = now + GetSerialization(frame.wireBytes);
    }

    /// Not for MAC control.
    /// @param hasWaited whether the frame was queued
    void Launch(Frame& frame, FrameIndex index, bool hasWaited = false)
    {
        frame.ingressPort = m_peerNumber;
        if (m_attention & DEPARTURE)
        {
            LaunchWithAttention(index, hasWaited);
            return;
        }
        frame.egress = LookUpEgress(frame);
        m_core.engine->Schedule(m_busyUntil + m_delay, m_peerArrival, index);
    }

    /// @return Frame::egress at the other end. Only without PEERLESS.
    uint32_t LookUpEgress(const Frame& frame) const
    {
        if (m_attention & OFF_TABLE)
        {
            // At a last hop the owner is not read, since it is not in the cache.
            return m_peerRoutes ? NO_EGRESS : m_core.destinations.GetTarget(frame.dst, frame.dstQp);
        }
        return m_peerRoutes->Find(frame);
    }

    uint32_t LimitToHead(uint32_t wireBytes) const
    {
        return m_headBytes == 0 ? wireBytes : std::min(wireBytes, m_headBytes);
    }

    /// @return when the frame that is being sent arrives at the other end.
    Tick GetArrival(const Frame& frame) const
    {
        const Tick stored = m_busyUntil + m_delay;
        return m_headBytes == 0
                   ? stored
                   : stored - GetSerialization(frame.wireBytes) + GetHeadTime(frame.wireBytes);
    }

    void CountDeparture(const Frame& frame, bool hasWaited)
    {
        ++m_traces->counters.sentFrames;
        const uint32_t wireBytes = m_core.CountOnWire(frame.wireBytes);
        m_traces->counters.sentBytes += wireBytes;
        m_traces->counters.classes[frame.priority].sentBytes +=
            (frame.flags & frame_flag::MAC_CONTROL) == 0 ? wireBytes : 0;
        if (m_traces->hasListeners && !IsLinkMessage(frame))
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

    void WakeIfWaiting(Tick now)
    {
        if (GetEligible() != 0 || m_ownerReady != 0)
        {
            WakeWhenIdle(now);
        }
    }

    void WakeWhenIdle(Tick now)
    {
        if ((m_attention & WOKEN) == 0)
        {
            ScheduleWake(now);
        }
    }

    /// Only if no WAKE is pending.
    [[gnu::always_inline]] void ScheduleWake(Tick now)
    {
        m_attention |= WOKEN;
        // Probably the frame that will be sent then: the engine prefetches it.
        const uint32_t eligible = GetEligible();
        const FrameIndex next = eligible ? m_queues.GetHead(31 - __builtin_clz(eligible)) : 0;
        m_core.engine->Schedule(std::max(m_busyUntil, now),
                                FabricEngine::MakeOwner(m_target, WAKE),
                                next);
    }

    [[gnu::noinline]] void LaunchWithAttention(FrameIndex index, bool hasWaited);
    void ObserveEnqueue(FrameIndex index);
    void EndPause(uint8_t priority);
    void RecordHop(const Frame& frame);
    uint32_t PredictEgress(const Frame& frame) const;
    [[gnu::noinline]] void HandleOtherEvent(uint32_t kind, uint32_t argument);
    void SetAttention(Attention bit, bool isSet);

    void SetRecording(bool isRecording)
    {
        m_isRecording = isRecording;
        UpdateChecked();
    }

    void UpdateChecked()
    {
        SetAttention(CHECKED, m_isRecording || !m_isUp || m_scheduler || m_link || m_headBytes > 0);
    }

    void SendOff(FrameIndex index, Tick arrival);
    void ApplyImpairments(FrameIndex index, const FrameImpairment& impairment);
    void SendNext(Tick now);
    void SendWaiting(uint32_t queue, Tick now);
    bool SendPulled(uint32_t classNumber, Tick now);
    [[gnu::noinline]] void SendScheduled(Tick now);
    uint32_t ChooseScheduled();
    void ReportToScheduler(const Frame& frame);
    void SendWhenIdle(Tick now);
    void Arrive(FrameIndex index);
    void ChooseReceiver();
    void SetPeerOwner(const PortOwner* owner);
    bool IsCutOff(const Frame& frame) const;
    void HandlePause(const Frame& frame);
    /// Sets m_paused to what m_pfcPaused and the policies hold back.
    /// @return whether a class was opened
    bool UpdatePaused();
    /// Calls the policies for a frame that begins to leave.
    void PassDeparture(FrameIndex index);
    /// @return whether a frame that a LossModel drops arrives all the same.
    bool Damage(Frame& frame);
    /// Calls the policies for a frame that arrives. @return false: the frame has been freed
    bool PassArrival(FrameIndex index);
    void HandleMessage(const Frame& frame);
    void HandleLinkTimer(uint32_t place);
    void Act(uint32_t place, const LinkAnswer& answer);
    void SendMessage(const LinkMessage& message);
    /// Sends a message, or a frame again, from the queue of MAC control.
    void LaunchControl(FrameIndex index);
    /// @return whether a frame was put into the queue of MAC control.
    bool QueueReplay();
    void UpdateLink();
    void ResetLink();
    void Drop(FrameIndex index, DropReason reason);

    // The members for a frame that finds the port free: one cache line.
    FabricCore& m_core;
    Tick m_busyUntil{0};
    Tick m_delay{0};
    SerializationRate m_serialization;
    const EgressTable* m_peerRoutes{nullptr}; ///< Null: it is a destination, or there is none.
    uint32_t m_peerArrival{0};                ///< Event owner of arrivals at the other end.
    uint32_t m_target; ///< This port's id at the engine; the id for its arrivals is one less.
    uint16_t m_peerNumber{0};
    uint8_t m_paused{0};           ///< Bit per priority that may not send; never MAC control.
    uint8_t m_attention{PEERLESS}; ///< Bits of Attention.
    PortQueues m_queues;           ///< Its first word is in this cache line, the lists in the next.

    PortOwner* m_owner{nullptr};
    uint16_t m_number;
    uint8_t m_ownerClasses{1}; ///< Given to SetOwner().
    /// Bit per class for which the owner has called Kick() or has more frames.
    uint8_t m_ownerReady{0};
    EgressScheduler* m_scheduler{nullptr}; ///< The object of m_schedulerHolder.
    FabricPort* m_peer{nullptr};
    const PortOwner* m_peerOwner{nullptr};
    uint16_t m_peerRank{0};     ///< Valid with REMOTE.
    uint8_t m_ignoredPauses{0}; ///< Bit per priority.
    uint8_t m_pfcPaused{0};     ///< Of m_paused: by PFC.
    bool m_isUp{true};
    bool m_wasDown{false};                ///< At least once: m_upSince is valid.
    bool m_isRecording{false};            ///< This port appends IntHops to frames.
    bool m_isChosen{false};               ///< m_scheduler has chosen the frame to be sent.
    LossModel* m_lossModel{nullptr};      ///< The object of m_lossModelHolder.
    std::unique_ptr<PortTraces> m_traces; ///< Null until the first connection.
    DataRate m_rate;
    Ptr<LossModel> m_lossModelHolder;
    Ptr<EgressScheduler> m_schedulerHolder;
    PauseObserver* m_pauseObserver{nullptr};
    std::unique_ptr<PortLink> m_link; ///< Null: no policies.
    std::array<Tick, PRIORITIES> m_pausedUntil{};
    Tick m_upSince{0};       ///< When the link last came up again.
    uint32_t m_headBytes{0}; ///< See SetHead(); 0: the other end stores frames.
    uint64_t m_sentBytes{0}; ///< On the wire, since recording began.
};

/// The ports by which a frame leaves, in order. Up to 8 ports need no allocation.
using PortPath = boost::container::small_vector<const FabricPort*, 8>;

} // namespace ns3::rdma

#endif // RDMA_FABRIC_PORT_H
