// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_TRANSMITTER_H
#define RDMA_NIC_TRANSMITTER_H

#include "ns3/checked-scheduler.h"
#include "ns3/fabric-port.h"
#include "ns3/nic-core.h"
#include "ns3/opcode.h"
#include "ns3/payload-services.h"

namespace ns3::rdma
{

/// Where the payload of a packet comes from.
struct PayloadSource
{
    uint64_t address{0}; ///< In host memory; 0: unknown.
    uint32_t bytes{0};
    PayloadOrigin origin{PayloadOrigin::HOST};
    bool isInline{false};               ///< The work request may contain it.
    bool isResend{false};               ///< It is a retransmission.
    PayloadServices* services{nullptr}; ///< Services that it passes; null: none.
};

/**
 * @ingroup rdma-nic
 * @brief The sending side of a NIC's transport for one class of queue pairs at one of its ports:
 * picks the next queue pair, takes its next packet, and runs the timers of the queue pairs that
 * send by the port.
 *
 * Notifies its path when a queue pair is ready; the path picks when it has room for a packet.
 */
class NicTransmitter : private EventTarget
{
  public:
    /// All but the scheduler outlive this. @param number of the port @param frames of the port
    /// @param classNumber of its queue pairs, as of QueuePair
    NicTransmitter(FabricCore& core,
                   NicCore& nic,
                   FabricPort& port,
                   uint32_t number,
                   FrameMaker& frames,
                   PacketPath& path,
                   Ptr<SendScheduler> scheduler,
                   uint32_t classNumber = 0);
    ~NicTransmitter() override;

    /// Called after any event that may let a queue pair send, or that changes its deadline. The
    /// queue pair has a requester.
    void Activate(QueuePair& queuePair);

    /// The part of Activate() at one of the ports of a queue pair that has all.
    /// @param isSooner as ConsumeEarlierSendTime() has returned
    void ActivateHere(QueuePair& queuePair, bool isSooner);

    /// Takes the next packet of the next queue pair, whose turn ends: for a path that takes no
    /// time. The services of its payload take no time.
    /// @return NO_FRAME: no queue pair is ready.
    FrameIndex TakeTurn(Tick now);

    // The same in steps.

    /// @return the next queue pair, removed from the scheduler; null: none is ready.
    QueuePair* Pick(Tick now);

    /// Takes the next packet of a queue pair that Pick() has returned.
    /// @param[out] source of its payload; set only for packets with payload
    FrameIndex Take(QueuePair& queuePair, Tick now, PayloadSource& source);

    /// @return where the payload of a queue pair's packet is that is not sent yet; without bytes if
    /// it has none. @param number visible to the NIC @param[out] count packet numbers that it
    /// covers
    PayloadSource Peek(const QueuePair& queuePair, uint64_t number, uint32_t& count) const;

    /// The payload of the packet just taken passes its services.
    /// @param source has services @param at when the payload is on the chip
    /// @return when it has passed them
    Tick Serve(const QueuePair& queuePair, FrameIndex index, const PayloadSource& source, Tick at);

    /// A turn has ended. @return whether the queue pair is in the scheduler again.
    bool Return(QueuePair& queuePair);

    /// Notifies the path at that time, unless it is notified earlier.
    void WakeAt(Tick when);

    /// @return when the path is notified next; TICK_NEVER: no time is set.
    Tick GetWakeTime() const
    {
        return m_wakeAt;
    }

    /// Notifies the path when the next paced queue pair is ready.
    void WakeWhenReady(Tick now)
    {
        const Tick nextReady = m_scheduler.GetNextReady(now);
        if (nextReady <= now)
        {
            m_scheduler.FailNextReady("later than now after Pick() has given none", nextReady, now);
        }
        WakeAt(nextReady);
    }

    /// @return whether Pick() returns a queue pair by then; else the path is notified later.
    bool IsReadyBy(Tick when, Tick now)
    {
        const Tick nextReady = m_scheduler.GetNextReady(now);
        if (nextReady <= when)
        {
            return true;
        }
        WakeAt(nextReady);
        return false;
    }

    /// Expects a frame's last bit to leave at that time, which ends a message of an unreliable
    /// service.
    void ExpectLeft(const Frame& frame, Tick when)
    {
        if (opcode::GetService(frame.opcode) != Service::RC && opcode::IsLast(frame.opcode))
        {
            ScheduleLeft(frame.srcQp, when);
        }
    }

    /// Prefetches the memory that Pick() will read.
    [[gnu::always_inline]] void Fetch() const
    {
        m_scheduler.Fetch();
    }

    /// @return when a queue pair has a packet to send; with hasAllPorts, HasRoute() then tells
    /// whether it can leave by this port.
    [[gnu::always_inline]] Tick GetReadyTime(const QueuePair& queuePair) const
    {
        const Tick readyAt = queuePair.GetRequester()->GetNextSendTime();
        return queuePair.HasOnlyRequests() ? readyAt
                                           : std::min(readyAt, GetResponseTime(queuePair));
    }

    /// @return whether a packet that is ready now can leave by this port.
    [[gnu::always_inline]] bool HasRoute(QueuePair& queuePair, Tick now)
    {
        return !queuePair.HasAllPorts() || ChooseSource(queuePair, now).isAny;
    }

    /// @return whether a queue pair is in the scheduler of this port, or in a turn here.
    [[gnu::always_inline]] bool IsScheduled(const QueuePair& queuePair) const
    {
        return queuePair.HasAllPorts() ? m_nic.ports.GetTurns().IsScheduled(queuePair, m_number)
                                       : queuePair.IsScheduled();
    }

    [[gnu::always_inline]] void SetScheduled(QueuePair& queuePair, bool isScheduled)
    {
        if (queuePair.HasAllPorts())
        {
            m_nic.ports.GetTurns().SetScheduled(queuePair, m_number, isScheduled);
            return;
        }
        queuePair.SetScheduled(isScheduled);
    }

    /// Gives a frame the destination's port of this plane.
    void Address(Frame& frame) const
    {
        m_nic.ports.Address(frame, m_number);
    }

    /// @return the number of its port.
    uint32_t GetPort() const
    {
        return m_number;
    }

    /// @return the priority of its class, as a bit.
    uint8_t GetClasses() const
    {
        return m_classes;
    }

    /// @return whether a queue pair has this class, and this port as its own.
    bool IsOwnLane(const QueuePair& queuePair) const
    {
        return queuePair.GetLane() == m_lane;
    }

    /// @return whether a queue pair has this class and sends by this port.
    bool Has(const QueuePair& queuePair) const
    {
        return IsOwnLane(queuePair) ||
               (queuePair.HasAllPorts() &&
                QueuePair::MakeLane(m_number, queuePair.GetClassNumber()) == m_lane);
    }

    /// Connects the trace sources of the queue pairs. @param traces outlives this
    void SetTraces(QueuePairTraces& traces)
    {
        m_traces = &traces;
    }

    /// @return null: the queue pairs are not traced.
    QueuePairTraces* GetTraces() const
    {
        return m_traces;
    }

    /// The queue pair is about to be destroyed, or to send by another port.
    void Forget(const QueuePair& queuePair)
    {
        if (IsScheduled(queuePair))
        {
            m_scheduler.Leave();
        }
    }

    /// @return data frames sent, retransmissions and READ responses included.
    uint64_t GetDataFrames() const
    {
        return m_dataFrames;
    }

  private:
    enum Event : uint32_t
    {
        PACING,       ///< A paced queue pair may send.
        QP_TIMER,     ///< Argument: queue pair number.
        MESSAGE_LEFT, ///< A message of an unreliable service has left. Argument: queue pair number.
        READ_ROOM,    ///< Another READ may begin. Argument: queue pair number.
        PACED_SPREAD, ///< A paced queue pair of all ports may send. Argument: its number.
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void OnTimer(uint32_t number);
    void OnMessageLeft(uint32_t number);
    void OnReadRoom(uint32_t number);
    void OnPacedSpread(uint32_t number);

    // The functions that Pick(), Take() and Return() have in common with TakeTurn(), where they are
    // inlined.
    QueuePair* PickReady(Tick now);
    FrameIndex TakePacket(QueuePair& queuePair, Tick now, PayloadSource& source);
    bool Schedule(QueuePair& queuePair); ///< @return whether it was added to the scheduler.
    void ArmTimer(QueuePair& queuePair);

    /// @param number of a queue pair from the scheduler @return null if it was destroyed
    QueuePair* FindPicked(uint32_t number);
    Tick GetResponseTime(const QueuePair& queuePair) const;
    static Tick GetDeadline(const QueuePair& queuePair);
    uint32_t GetWireBytes(const Frame& frame) const;

    /// Where the next frame of a queue pair comes from.
    struct Choice
    {
        Requester* sender; ///< Null: the queue of responses.
        bool isResponse;
        bool isAny; ///< Something can leave by this port.
    };

    Choice ChooseSource(QueuePair& queuePair, Tick now);
    bool CanTake(const QueuePair& queuePair, Requester& requester, Tick now);
    FrameIndex TakeResponse(QueuePair& queuePair, Tick now, PayloadSource& source);
    FrameIndex TakeData(QueuePair& queuePair,
                        Requester& requester,
                        Tick now,
                        PayloadSource& source);
    void SendObserved(const QueuePair& queuePair,
                      Requester& requester,
                      const OutgoingPacket& packet,
                      const Frame& frame,
                      Tick now);
    void SendProbe(const QueuePair& queuePair, const ReportProbe& probe, Tick now);
    void OnDeadline(QueuePair& queuePair, Tick now, Notices& notices);
    void ScheduleLeft(uint32_t queuePair, Tick when);
    bool Advance(QueuePair& queuePair); ///< @return whether it may be picked earlier.
    void NotifyPath();

    /// @return null if no queue pair has that number.
    QueuePair* Find(uint32_t number) const
    {
        return m_nic.ports.Find(m_frames.GetStyle().endpoint, number);
    }

    FabricCore& m_core;
    NicCore& m_nic;
    FabricPort& m_port;
    FrameMaker& m_frames;
    PacketPath& m_path;
    CheckedScheduler m_scheduler;
    QueuePairTraces* m_traces{nullptr}; ///< Null: the queue pairs are not traced.
    Tick m_wakeAt{TICK_NEVER};          ///< Time of the earliest pending PACING event.
    uint64_t m_dataFrames{0};
    uint32_t m_target;
    uint8_t m_number;  ///< Of the port.
    uint8_t m_lane;    ///< As of QueuePair.
    uint8_t m_classes; ///< The bit of its priority.
};

} // namespace ns3::rdma

#endif // RDMA_NIC_TRANSMITTER_H
