// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_TRANSMITTER_H
#define RDMA_NIC_TRANSMITTER_H

#include "ns3/fabric-port.h"
#include "ns3/nic-core.h"
#include "ns3/opcode.h"
#include "ns3/payload-services.h"
#include "ns3/policy-error.h"
#include "ns3/send-scheduler.h"

namespace ns3::rdma
{

/// Where the payload of a packet comes from.
struct PayloadSource
{
    uint64_t address{0}; ///< In the host's memory; 0: unknown.
    uint32_t bytes{0};
    PayloadOrigin origin{PayloadOrigin::HOST};
    bool isInline{false};               ///< It may have come with the work request.
    bool isResend{false};               ///< It was sent before.
    PayloadServices* services{nullptr}; ///< That it passes; null: none.
};

/**
 * @ingroup rdma-nic
 * @brief The sending side of a NIC's transport at one of its ports: picks the queue pair whose turn
 * it is, takes its next packet, and looks after the timers of the queue pairs that send by the
 * port.
 *
 * Notifies its path when there is something to pick; the path picks when it has room for a packet.
 */
class NicTransmitter : private EventTarget
{
  public:
    /// All but the scheduler outlive this. @param number of the port @param frames of the port
    NicTransmitter(FabricCore& core,
                   NicCore& nic,
                   FabricPort& port,
                   uint32_t number,
                   FrameMaker& frames,
                   PacketPath& path,
                   Ptr<SendScheduler> scheduler);
    ~NicTransmitter() override;

    /// After any event that may let a queue pair send, or moves its deadline. It has a requester.
    void Activate(QueuePair& queuePair);

    /// @return the queue pair whose turn it is, taken out of the scheduler; null: none is ready.
    QueuePair* Pick(Tick now);

    /// Takes the next packet of a queue pair whose turn it is.
    /// @param[out] source of its payload; set only for packets that have some
    FrameIndex Take(QueuePair& queuePair, Tick now, PayloadSource& source);

    /// The payload of the packet just taken passes its services.
    /// @param source has some @param at when the payload is on the chip
    /// @return when it is behind them
    Tick Serve(const QueuePair& queuePair, FrameIndex index, const PayloadSource& source, Tick at);

    /// A turn has ended. @return whether the queue pair is in the scheduler again.
    bool Return(QueuePair& queuePair)
    {
        return Schedule(queuePair);
    }

    /// Notifies the path then, if not before.
    void WakeAt(Tick when);

    /// Looks again when a queue pair that is paced is ready.
    void WakeWhenReady(Tick now)
    {
        const Tick nextReady = GetNextReady(now);
        if (nextReady <= now)
        {
            FailNextReady("later than now after Pick() has given none", nextReady, now);
        }
        WakeAt(nextReady);
    }

    /// @return whether Pick() will give a queue pair by then; else the path is notified in its
    /// time.
    bool IsReadyBy(Tick when, Tick now)
    {
        const Tick nextReady = GetNextReady(now);
        if (nextReady <= when)
        {
            MarkLikely();
            return true;
        }
        WakeAt(nextReady);
        return false;
    }

    /// A frame's last bit leaves then: a message of an unreliable service ends with it.
    void ExpectLeft(const Frame& frame, Tick when)
    {
        if (opcode::GetService(frame.opcode) != Service::RC && opcode::IsLast(frame.opcode))
        {
            ScheduleLeft(frame.srcQp, when);
        }
    }

    /// Starts loading what Pick() will need.
    [[gnu::always_inline]] void FetchLikely() const
    {
        FetchLines<2>(PeekPointer(m_scheduler));
        if (m_likely)
        {
            FetchLines<4>(m_likely->requester.get());
        }
    }

    /// @return when a queue pair has something to send.
    static Tick GetReadyTime(const QueuePair& queuePair)
    {
        const Tick readyAt = queuePair.requester->GetNextSendTime();
        return queuePair.HasOnlyRequests() ? readyAt
                                           : std::min(readyAt, GetResponseTime(queuePair));
    }

    /// @return the number of its port.
    uint32_t GetPort() const
    {
        return m_number;
    }

    /// @return whether a queue pair sends by this port.
    bool Has(const QueuePair& queuePair) const
    {
        return queuePair.port == m_number;
    }

    /// The queue pairs are observed from here on. @param traces outlives this
    void SetTraces(QueuePairTraces& traces)
    {
        m_traces = &traces;
    }

    /// @return null: the queue pairs are not observed.
    QueuePairTraces* GetTraces() const
    {
        return m_traces;
    }

    /// The queue pair is about to be destroyed, or to send by another port.
    void Forget(const QueuePair& queuePair)
    {
        m_hasGone = m_hasGone || queuePair.isScheduled;
        m_likely = m_likely == &queuePair ? nullptr : m_likely;
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
        MESSAGE_LEFT, ///< Of an unreliable service. Argument: queue pair number.
        READ_ROOM,    ///< Another READ may begin. Argument: queue pair number.
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void OnTimer(uint32_t number);
    void OnMessageLeft(uint32_t number);
    void OnReadRoom(uint32_t number);

    static Tick GetResponseTime(const QueuePair& queuePair);
    static Tick GetDeadline(const QueuePair& queuePair);
    uint32_t GetWireBytes(const Frame& frame) const;
    /// @return the sender of the next frame; null: the queue of responses.
    static Requester* ChooseSource(QueuePair& queuePair, Tick now);
    FrameIndex TakeResponse(QueuePair& queuePair, Tick now, PayloadSource& source);
    FrameIndex TakeData(QueuePair& queuePair,
                        Requester& requester,
                        Tick now,
                        PayloadSource& source);
    void SendObserved(const QueuePair& queuePair,
                      Requester& requester,
                      const Requester::Outgoing& packet,
                      const Frame& frame,
                      Tick now);
    void OnDeadline(QueuePair& queuePair, Tick now, Notices& notices);
    void ScheduleLeft(uint32_t queuePair, Tick when);
    bool Schedule(QueuePair& queuePair); ///< @return whether it joined the scheduler.
    bool Advance(QueuePair& queuePair);  ///< @return whether its turn may be earlier.

    Tick GetNextReady(Tick now) const
    {
        const Tick nextReady = CallPolicy(*m_scheduler, "GetNextReady()", [&] {
            return m_scheduler->GetNextReady(now);
        });
        if (nextReady < now || (nextReady == TICK_NEVER) != (m_waiting == 0))
        {
            FailNextReady("now or later, and never if and only if no queue pair waits",
                          nextReady,
                          now);
        }
        return nextReady;
    }

    [[noreturn, gnu::cold, gnu::noinline]] void FailNextReady(const char* expected,
                                                              Tick nextReady,
                                                              Tick now) const;
    [[noreturn, gnu::cold, gnu::noinline]] void FailPick(const char* expected,
                                                         uint32_t number) const;
    /// A number that the scheduler gave is none of a queue pair that waits.
    void CheckGone(uint32_t number) const;
    void CheckLikely(uint32_t number) const;
    void MarkLikely(); ///< The queue pair that will be pulled from next.
    void ArmTimer(QueuePair& queuePair);

    /// @return null if there is none of that number (any more).
    QueuePair* Find(uint32_t number) const
    {
        return m_nic.ports.Find(m_frames.GetStyle().endpoint, number);
    }

    FabricCore& m_core;
    NicCore& m_nic;
    FabricPort& m_port;
    FrameMaker& m_frames;
    PacketPath& m_path;
    Ptr<SendScheduler> m_scheduler;
    QueuePairTraces* m_traces{nullptr}; ///< Null: the queue pairs are not traced.
    Tick m_wakeAt{TICK_NEVER};          ///< Of the earliest PACING event under way.
    uint64_t m_dataFrames{0};
    const QueuePair* m_likely{nullptr}; ///< The next one to send, probably.
    uint32_t m_waiting{0};              ///< Numbers in the scheduler.
    uint32_t m_target;
    uint8_t m_number; ///< Of the port.
    /// Some numbers in the scheduler may be of queue pairs that are not here any more.
    bool m_hasGone{false};
};

} // namespace ns3::rdma

#endif // RDMA_NIC_TRANSMITTER_H
