// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TIMED_SEND_PATH_H
#define RDMA_TIMED_SEND_PATH_H

#include "ns3/nic-hardware.h"
#include "ns3/nic-transmitter.h"
#include "ns3/rate-limiter.h"

#include <boost/circular_buffer.hpp>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/// Send work requests of a queue pair that are on the chip, by packet number.
struct HeldWqes
{
    /// What has come until now is here.
    void Arrive(Tick now)
    {
        if (comeAt <= now)
        {
            until = comingUntil;
        }
    }

    uint64_t until{0};       ///< Those before it are here.
    uint64_t comingUntil{0}; ///< Those before it are here or being fetched; not before until.
    Tick comeAt{0};          ///< When they are here.
};

/// What the event multiplexer of SRNIC's Figure 6 saw.
struct SendPathStats
{
    uint64_t turns{0};      ///< Queue pairs taken from the schedule queue.
    uint64_t emptyTurns{0}; ///< Of these, with nothing to send any more when it began.
    uint64_t packets{0};
    uint64_t stallsForBuffer{0}; ///< The chip had no room for another turn.
};

/**
 * @ingroup rdma-nic
 * @brief Gives each queue pair its turn and takes its packets through the chip: context, work
 * request fetch, payload over PCIe, packet pipeline, port.
 *
 * A queue pair is in the schedule queue only while it has work requests that the NIC knows of and
 * credit of congestion control (SRNIC section 4.3.1: active and credit make ready).  The
 * transmitter is the event multiplexer: doorbells, credit updates and the end of a turn put a queue
 * pair back.  A turn fetches up to n work requests and min(burst, credit) bytes; turns of different
 * queue pairs overlap, those of one do not.
 *
 * Not modelled: lists of several pieces (they count as one), inline data in a fetched work request
 * (they are free), the memory access of atomics.
 *
 * Frames leave in the order of their turns.  A packet's PSN, its share of the window and its pacing
 * are taken when its payload is requested.
 */
class TimedSendPath : private EventTarget
{
  public:
    /// All but the limiter outlive this. @param limiter of what leaves the port; unset: none
    TimedSendPath(FabricCore& core,
                  FabricPort& port,
                  const QueuePairTable& table,
                  NicTransmitter& transmitter,
                  NicHardware& hardware,
                  const std::optional<RateLimiter>& limiter = std::nullopt);
    ~TimedSendPath() override;

    /// Begins turns while there is room on the chip and a queue pair is ready.
    void Fetch(Tick now);

    /// The port is idle.
    PulledFrame Pull(Tick now);

    /// All that was posted to a queue pair before a packet is on the chip now.
    void Hold(const QueuePair& queuePair, uint64_t postedEnd);

    /// The chip holds no work requests of a queue pair any more.
    void ForgetHeld(const QueuePair& queuePair);

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
        uint32_t resends;  ///< Entries of the retry queue, likewise.
        uint32_t reserved; ///< Bytes kept free for it.
        bool hasFetched{false};
    };

    struct Leaving
    {
        FrameIndex index;
        Tick readyAt; ///< First byte at the port.
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;
    bool HasRoom() const;
    void BeginTurn(QueuePair& queuePair, Tick now);
    HeldWqes& GetHeld(uint32_t place);
    /// @param held of the queue pair
    static bool IsUnderWay(const QueuePair& queuePair, const HeldWqes& held);
    Tick FetchWorkRequests(const QueuePair& queuePair,
                           HeldWqes& held,
                           Tick now,
                           Tick contextAt,
                           Turn& turn);
    void Prefetch(const QueuePair& queuePair, HeldWqes& held, Tick now);
    void OnFetched(const Turn& turn, Tick now);
    /// @return whether the turn goes on, for a burst before the queue pair's rate lets it: not with
    /// READ responses. @param sentBytes in this turn
    bool MaySend(const QueuePair& queuePair, uint64_t sentBytes, Tick now) const;
    void SendBurst(QueuePair& queuePair, const Turn& turn, Tick now);
    void Ship(const QueuePair& queuePair, FrameIndex index, const PayloadSource& source, Tick now);
    /// @return when a packet's payload is on the chip.
    Tick FetchPayload(const PayloadSource& source, Tick now);
    Tick FetchFromGpu(const PayloadSource& source, Tick now);
    void WakeAt(Tick when);

    FabricCore& m_core;
    FabricPort& m_port;
    const QueuePairTable& m_table;
    NicTransmitter& m_transmitter;
    NicHardware& m_hardware;
    WqeFetcher& m_fetcher;
    std::optional<RateLimiter> m_limiter; ///< Unset: the port's rate is the limit.
    boost::circular_buffer<Leaving> m_leaving;
    std::vector<HeldWqes> m_held;      ///< By the queue pairs' places.
    std::vector<Turn> m_turns;         ///< By event argument.
    std::vector<uint32_t> m_freeTurns; ///< Of m_turns.
    uint64_t m_chipBytes{0};           ///< Of frames in m_leaving, and reserved for turns.
    uint64_t m_capacity;
    Tick m_wakeAt{TICK_NEVER}; ///< Of the earliest LEAVES event under way.
    uint32_t m_target;
    SendPathStats m_stats;
};

} // namespace ns3::rdma

#endif // RDMA_TIMED_SEND_PATH_H
