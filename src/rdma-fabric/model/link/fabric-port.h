// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_PORT_H
#define RDMA_FABRIC_PORT_H

#include "ns3/drop-reason.h"
#include "ns3/fabric-engine.h"
#include "ns3/frame-pool.h"
#include "ns3/loss-model.h"
#include "ns3/port-owner.h"
#include "ns3/traced-callback.h"

#include <algorithm>
#include <array>
#include <memory>

namespace ns3::rdma
{

/// What all ports of a fabric share. Outlives them.
struct FabricCore
{
    std::shared_ptr<FabricEngine> engine;
    FramePool pool;
    DropCounters drops;
    uint32_t nodes{0};          ///< Node ids are below this.
    uint64_t packetHops{0};     ///< Frames that crossed a link, MAC control excluded.
    uint64_t ecnMarks{0};       ///< Frames that got CE.
    uint64_t losslessDrops{0};  ///< Frames dropped for want of buffer although PFC protects them.
    uint64_t pfcPauses{0};      ///< Pause frames sent, resumes excluded.
    uint32_t overheadBytes{24}; ///< Per frame on the wire: preamble 8, FCS 4, inter-packet gap 12.
    uint32_t minimumBytes{60};  ///< A shorter frame is padded to this, FCS excluded (IEEE 802.3).
};

/**
 * @ingroup rdma-link
 * @brief One end of a full-duplex link: queues frames by priority, sends them, receives the other
 * end's.
 *
 * The highest priority with a frame and without a pause goes first; MAC control goes before all.
 * The port remembers until when it is busy: a frame that finds it idle costs one event (its arrival
 * at the other end), one that must wait costs a second (the port's wake-up).  A frame arrives when
 * its last bit does (store and forward).
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
    void SetOwner(PortOwner* owner, uint8_t priority = 0);
    /// @param model of the direction that starts here; null: nothing is lost
    void SetLossModel(Ptr<LossModel> model);
    /// Takes both directions down or up: frames sent, or under way, while it is down are lost.
    void SetLinkUp(bool isUp);

    uint16_t GetNumber() const;
    DataRate GetRate() const;
    Tick GetDelay() const;
    FabricPort* GetPeer() const;
    bool IsLinkUp() const;

    /// @return time on the wire of a frame of these bytes, padding and overhead included.
    Tick GetSerialization(uint32_t wireBytes) const
    {
        return m_serialization.GetDuration(std::max(wireBytes, m_core.minimumBytes) +
                                           m_core.overheadBytes);
    }

    /// @return how long a pause of so many quanta lasts at this port's rate.
    Tick GetPauseDuration(uint32_t quanta) const;

    /// @return whether a frame of this priority would leave at once.
    bool IsFree(uint8_t priority) const
    {
        return m_busyUntil <= m_core.engine->Now() && (m_waiting & ~uint32_t{m_paused}) == 0 &&
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
        return m_queues[priority].bytes;
    }

    /// Puts a frame on the wire now. Only if IsFree().
    void Transmit(FrameIndex index);

    /// Sends the frame when its turn comes: at once if the port is free, else from its queue.
    void Enqueue(FrameIndex index);

    /// Sends a PFC frame. @param quanta of 512 bit times at this port's rate; 0 resumes
    void SendPause(uint8_t priority, uint16_t quanta);

    /// The owner has frames: pulls them as soon as the port is idle.
    void Kick();

    void HandleEvent(uint32_t kind, uint32_t argument) override;

    /// @return the EgressHint of frames that will leave here. @param version of the routes
    uint32_t GetEgressHint(uint8_t version) const
    {
        return EgressHint::Make(m_target, version);
    }

    /// Called with each frame as its first bit leaves.
    TracedCallback<const Frame&>& GetTransmitTrace();
    /// Called with each frame as its last bit has arrived, MAC control too, lost ones not.
    TracedCallback<const Frame&>& GetReceiveTrace();
    /// Called with each frame that ends at this port before its time.
    TracedCallback<const Frame&, DropReason>& GetDropTrace();

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
        PLAIN = 0,
        TRACED = 1, ///< Somebody asked for m_transmitTrace.
        DOWN = 2,   ///< The link is.
        LOSSY = 4,  ///< There is a loss model.
        DEPARTURE = TRACED | DOWN | LOSSY,
        WATCHED = 8, ///< Somebody asked for m_receiveTrace, or m_wasDown.
    };

    struct Queue
    {
        FrameIndex head{NO_FRAME};
        FrameIndex tail{NO_FRAME};
        uint32_t bytes{0};
    };

    static constexpr uint32_t CONTROL{PRIORITIES}; ///< Queue of MAC control frames.

    void Append(uint32_t queue, FrameIndex index);
    FrameIndex TakeFrom(uint32_t queue);
    void Occupy(FrameIndex index);
    void Launch(FrameIndex index);
    void LaunchWithAttention(FrameIndex index);
    uint32_t GetPeerArrival(const Frame& frame) const;
    void SetAttention(Attention bit, bool isSet);
    void SufferFate(FrameIndex index, const FrameFate& fate);
    void SendNext();
    void SendWaiting(uint32_t queue);
    bool SendPulled();
    void SendWhenIdle();
    void WakeWhenIdle();
    void Arrive(FrameIndex index);
    void ChooseReceiver();
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
    uint16_t m_waiting{0};      ///< Bit per queue that holds frames.
    uint8_t m_paused{0};        ///< Bit per paused priority; control is never paused.
    uint8_t m_attention{PLAIN}; ///< Of Attention.
    bool m_isWakeScheduled{false};

    // What a frame needs that waits: one more.
    bool m_isOwnerReady{false}; ///< The owner asked to be pulled from, or has more.
    uint8_t m_ownerPriority{0};
    uint16_t m_number;
    PortOwner* m_owner{nullptr};
    std::array<Queue, PRIORITIES + 1> m_queues;

    FabricPort* m_peer{nullptr};
    bool m_isUp{true};
    bool m_wasDown{false};           ///< At least once: m_upSince counts.
    LossModel* m_lossModel{nullptr}; ///< Of m_lossModelHolder.
    TracedCallback<const Frame&> m_transmitTrace;
    TracedCallback<const Frame&> m_receiveTrace;
    TracedCallback<const Frame&, DropReason> m_dropTrace;
    DataRate m_rate;
    Ptr<LossModel> m_lossModelHolder;
    std::array<Tick, PRIORITIES> m_pausedUntil{};
    Tick m_upSince{0}; ///< When the link last came up again.
};

} // namespace ns3::rdma

#endif // RDMA_FABRIC_PORT_H
