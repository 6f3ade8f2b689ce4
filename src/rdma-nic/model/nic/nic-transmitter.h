// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_TRANSMITTER_H
#define RDMA_NIC_TRANSMITTER_H

#include "ns3/fabric-device.h"
#include "ns3/frame-maker.h"
#include "ns3/send-scheduler.h"
#include "ns3/work-reporter.h"

namespace ns3::rdma
{

/// Where the payload of a packet comes from.
struct PayloadSource
{
    uint64_t address{0}; ///< In host memory; 0: unknown.
    uint32_t bytes{0};
    bool isInline{false}; ///< It may have come with the work request.
    bool isResend{false}; ///< It was sent before.
};

/// What both sides of a NIC work with. What packets need is in the first cache line.
struct NicParts
{
    NicParts(FabricCore& core,
             FabricDevice& device,
             const TransportFactory& factory,
             const FrameStyle& style)
        : core(core),
          port(device.GetPort()),
          frames(core.pool, style),
          reporter(table, factory),
          device(device)
    {
    }

    /// @return null if there is none of that number (any more).
    QueuePair* Find(uint32_t number)
    {
        auto* likely =
            static_cast<QueuePair*>(core.destinations.Get(frames.GetStyle().node, number));
        return likely && likely->number == number ? likely : table.Find(number);
    }

    FabricCore& core;
    FabricPort& port;
    FrameMaker frames;
    QueuePairTable table;
    WorkReporter reporter;
    FabricDevice& device;
};

class SendEngine;

/**
 * @ingroup rdma-nic
 * @brief The sending side of a NIC: gives the port one frame after the other, of the queue pair
 * whose turn it is, and looks after the queue pairs' timers.
 *
 * With hardware timing, a SendEngine stands between it and the port.
 */
class NicTransmitter : private EventTarget
{
  public:
    /// @param parts outlive this
    NicTransmitter(NicParts& parts, Ptr<SendScheduler> scheduler);
    ~NicTransmitter() override;

    /// After any event that may let a queue pair send, or moves its deadline. It has a requester.
    void Activate(QueuePair& queuePair);

    /// The port is idle.
    PulledFrame Pull();

    /// Turns go to an engine from here on. Before anything is sent. @param engine outlives this
    void SetEngine(SendEngine* engine);

    /// @return the queue pair whose turn it is, taken out of the scheduler; null: none is ready.
    QueuePair* Pick(Tick now);

    /// Takes the next packet of a queue pair whose turn it is. @param source may be null
    FrameIndex Take(QueuePair& queuePair, Tick now, PayloadSource* source);

    /// A turn has ended. @return whether the queue pair is in the scheduler again.
    bool Return(QueuePair& queuePair)
    {
        return Schedule(queuePair);
    }

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

    /// The last packet of a message of an unreliable service leaves then.
    void ExpectLeft(uint32_t queuePair, Tick when);

    /// @return when a queue pair has something to send.
    static Tick GetReadyTime(const QueuePair& queuePair)
    {
        const Tick readyAt = queuePair.requester->GetNextSendTime();
        return queuePair.HasOnlyRequests() ? readyAt
                                           : std::min(readyAt, GetResponseTime(queuePair));
    }

    /// The queue pair is about to go.
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
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void OnTimer(uint32_t number);
    void OnMessageLeft(uint32_t number);

    static Tick GetResponseTime(const QueuePair& queuePair);
    static Tick GetDeadline(const QueuePair& queuePair);
    uint32_t GetWireBytes(const Frame& frame) const;
    /// @return who sends next; null: the queue of responses.
    static Requester* ChooseSource(QueuePair& queuePair, Tick now);
    FrameIndex TakeResponse(QueuePair& queuePair, Tick now, PayloadSource* source);
    FrameIndex TakeData(QueuePair& queuePair,
                        Requester& requester,
                        Tick now,
                        PayloadSource* source);
    void Start(Tick now);                ///< A queue pair is ready.
    bool Schedule(QueuePair& queuePair); ///< @return whether it joined the scheduler.
    bool Advance(QueuePair& queuePair);  ///< @return whether its turn may be earlier.

    Tick GetNextReady(Tick now) const
    {
        const Tick nextReady = m_scheduler->GetNextReady(now);
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
    void MarkLikely(); ///< Who will be pulled from next.
    void FetchLikely() const;
    void ArmTimer(QueuePair& queuePair);
    void WakeAt(Tick when);

    NicParts& m_parts;
    Ptr<SendScheduler> m_scheduler;
    SendEngine* m_engine{nullptr}; ///< Null: hardware takes no time.
    Tick m_wakeAt{TICK_NEVER};     ///< Of the earliest PACING event under way.
    uint64_t m_dataFrames{0};
    const QueuePair* m_likely{nullptr}; ///< The next one to send, probably.
    uint32_t m_waiting{0};              ///< Numbers in the scheduler.
    uint32_t m_target : 31;
    uint32_t m_hasGone : 1; ///< Some of those numbers may be of destroyed queue pairs.
};

} // namespace ns3::rdma

#endif // RDMA_NIC_TRANSMITTER_H
