// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TIMED_SEND_PATH_H
#define RDMA_TIMED_SEND_PATH_H

#include "ns3/leaving-frames.h"
#include "ns3/nic-hardware.h"
#include "ns3/nic-transmitter.h"
#include "ns3/payload-prefetch.h"
#include "ns3/rate-limiter.h"

#include <memory>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/// Counts of the event multiplexer of SRNIC's Figure 6.
struct SendPathStats
{
    uint64_t turns{0};      ///< Queue pairs taken from the schedule queue.
    uint64_t emptyTurns{0}; ///< Of these, turns that began with nothing to send.
    uint64_t packets{0};
    uint64_t stallsForBuffer{0}; ///< How often the chip had no room for another turn.
};

/**
 * @ingroup rdma-nic
 * @brief Schedules the turns of queue pairs and models the path of their packets through the chip:
 * context, work request fetch, payload over PCIe, packet pipeline, port.
 *
 * A queue pair is in the schedule queue only while it has work requests that are visible to the NIC
 * and credit of congestion control (SRNIC section 4.3.1: active and credit make ready).  The
 * transmitter is the event multiplexer: doorbells, credit updates and the end of a turn add a queue
 * pair again.  A turn fetches up to n work requests and min(burst, credit) bytes; turns of
 * different queue pairs overlap, turns of one queue pair do not.
 *
 * Not modelled: lists of several pieces (they count as one), inline data in a fetched work request
 * (they are free), the memory access of atomics.
 *
 * With NicHardware::Prefetch, the payload of the next packets is read as soon as their work
 * requests are on the chip, whether congestion control lets them leave or not.
 *
 * Frames leave in the order of their turns.  A packet's PSN, its share of the window and its pacing
 * are taken when its payload is requested.
 */
class TimedSendPath : private EventTarget
{
  public:
    /// All but the limiter outlive this. @param limiter of what leaves the port; null: none
    TimedSendPath(FabricCore& core,
                  FabricPort& port,
                  const QueuePairTable& table,
                  NicTransmitter& transmitter,
                  NicHardware& hardware,
                  std::shared_ptr<RateLimiter> limiter = nullptr);
    ~TimedSendPath() override;

    /// Begins turns while there is room on the chip and a queue pair is ready.
    void Fetch(Tick now);

    /// The port is idle.
    PulledFrame Pull(Tick now)
    {
        return m_leaving.IsEmpty() ? PulledFrame{} : PullFirst(now);
    }

    /// The work requests of a queue pair's packets before `postedEnd` are on the chip.
    void Hold(const QueuePair& queuePair, uint64_t postedEnd);

    /// Reads payload of a queue pair's next packets, as far as there is room for it.
    void ReadAhead(const QueuePair& queuePair, Tick now)
    {
        if (m_prefetchBytes > 0)
        {
            FillPrefetch(queuePair, now);
        }
    }

    /// Drops the work requests of a queue pair that are on the chip.
    void ForgetHeld(const QueuePair& queuePair);

    /// @return null: the port's rate is the limit.
    const std::shared_ptr<RateLimiter>& GetLimiter() const
    {
        return m_limiter;
    }

    const SendPathStats& GetStats() const
    {
        return m_stats;
    }

  private:
    enum Event : uint32_t
    {
        FETCHED, ///< Argument: turn.
        LEAVES,  ///< The oldest frame is at the end of the pipeline.
    };

    /// A queue pair's turn, while its context or work requests are awaited.
    struct Turn
    {
        uint32_t queuePair;
        uint32_t requests; ///< New work requests that it may use.
        uint32_t resends;  ///< Entries of the retry queue that it may use.
        uint32_t reserved; ///< Bytes of the buffer reserved for it.
        bool hasFetched{false};
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;
    /// As Pull(). Only if a frame is on the chip.
    PulledFrame PullFirst(Tick now);
    bool HasRoom() const;
    /// As Fetch(), after a frame has left the chip.
    void FetchAfterLeaving(Tick now);
    void BeginTurn(QueuePair& queuePair, Tick now);

    HeldWqes& GetHeld(uint32_t place)
    {
        return m_fetcher.GetHeld(place);
    }

    /// Removes the oldest frame from the chip.
    void RemoveFirst();
    /// @param held of the queue pair
    static bool IsUnderWay(const QueuePair& queuePair, const HeldWqes& held);
    Tick FetchWorkRequests(const QueuePair& queuePair,
                           HeldWqes& held,
                           Tick now,
                           Tick contextAt,
                           Turn& turn);
    void Prefetch(const QueuePair& queuePair, HeldWqes& held, Tick now);
    void OnFetched(const Turn& turn, Tick now);
    /// @return whether the turn continues; a burst may exceed the queue pair's rate unless READ
    /// responses are pending. @param sentBytes in this turn
    bool MaySend(QueuePair& queuePair, uint64_t sentBytes, Tick now);
    void SendBurst(QueuePair& queuePair, const Turn& turn, Tick now);
    /// @param payloadAt when its payload is on the chip
    void Ship(const QueuePair& queuePair,
              FrameIndex index,
              const PayloadSource& source,
              Tick payloadAt,
              Tick now);
    /// As ReadAhead(). Only with NicHardware::Prefetch.
    void FillPrefetch(const QueuePair& queuePair, Tick now);
    /// As FetchPayload(), for a packet whose payload may have been read ahead.
    /// @param next number of the queue pair's next new packet before this packet was taken
    Tick TakePrefetched(const QueuePair& queuePair,
                        const PayloadSource& source,
                        uint64_t next,
                        Tick now);
    PayloadPrefetch& GetAhead(uint32_t place);
    /// @return when a packet's payload is on the chip.
    Tick FetchPayload(const PayloadSource& source, Tick now);
    /// As FetchPayload(), for any source.
    Tick FetchAnyPayload(const PayloadSource& source, Tick now);
    Tick FetchFromGpu(const PayloadSource& source, Tick now);
    void WakeAt(Tick when);

    FabricCore& m_core;
    FabricPort& m_port;
    const QueuePairTable& m_table;
    NicTransmitter& m_transmitter;
    NicHardware& m_hardware;
    PcieLink& m_pcie;
    PacketPipeline& m_pipeline;
    WqeFetcher& m_fetcher;
    GpuPath* m_gpu;                         ///< Null: the NIC has no GPU.
    std::shared_ptr<RateLimiter> m_limiter; ///< Null: the port's rate is the limit.
    LeavingFrames m_leaving;
    std::vector<PayloadPrefetch> m_ahead; ///< By the queue pairs' places. Empty without prefetch.
    uint64_t m_prefetchBytes;             ///< Per queue pair; 0: nothing is read ahead.
    std::vector<Turn> m_turns;            ///< By event argument.
    std::vector<uint32_t> m_freeTurns;    ///< Of m_turns.
    /// Bytes of frames in m_leaving and bytes reserved for turns.
    uint64_t m_chipBytes{0};
    uint64_t m_capacity;
    Tick m_wakeAt{TICK_NEVER}; ///< Time of the earliest pending LEAVES event.
    bool m_hasStalled{false};  ///< The last Fetch() ended for lack of room.
    uint32_t m_target;
    SendPathStats m_stats;
};

} // namespace ns3::rdma

#endif // RDMA_TIMED_SEND_PATH_H
