// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KERNEL_TCP_RUN_H
#define RDMA_KERNEL_TCP_RUN_H

#include "ns3/kernel-tcp.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <queue>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-tcp
 * @brief One stream test of kernel TCP: the cores of two hosts and the link between them, each
 * doing one thing after the other.
 *
 * A thread writes to its connections in turn; the stack passes a segment on when it is full or the
 * NIC has reported all that the connection sent, else it waits for more (tcp_autocorking, Linux):
 * so small messages share segments as long as their connection is written to often.  The receiver
 * polls what has arrived, merges it by connection, acknowledges it and reads it.
 *
 * Keeps a clock of its own: nothing is scheduled in the simulator.
 *
 * Not modelled: see KernelTcp.
 */
class KernelTcpRun
{
  public:
    /// @param load that Check() accepts, with messages
    KernelTcpRun(const KernelTcpCosts& costs, const KernelTcpLoad& load);

    /// @throws std::runtime_error if the stream comes to a halt: a fault of the model
    KernelTcpBandwidth Run();

  private:
    enum class Kind : uint8_t
    {
        WRITE,  ///< A thread goes on.
        FLUSH,  ///< The NIC reports what a connection has sent.
        ARRIVE, ///< A segment is in the receiver's memory.
        POLL,   ///< A softirq looks for packets.
        ACK     ///< An acknowledgment is in the sender's memory.
    };

    struct Event
    {
        Tick time;
        uint64_t number; ///< Of its making: breaks ties.
        Kind kind;
        uint32_t id; ///< Of the thread or connection.
        uint32_t bytes;

        bool operator>(const Event& other) const
        {
            return time != other.time ? time > other.time : number > other.number;
        }
    };

    /// Does one thing after the other.
    struct Core
    {
        Tick freeAt{0};
        Tick busy{0};

        Tick Work(Tick now, Tick cost)
        {
            freeAt = std::max(freeAt, now) + cost;
            busy += cost;
            return freeAt;
        }

        /// @return how long it was busy until now: without what it has been given for later.
        Tick GetBusy(Tick now) const
        {
            return busy - std::max<Tick>(freeAt - now, 0);
        }
    };

    struct Connection
    {
        uint64_t unsent{0};      ///< Written and not passed on.
        uint64_t unacked{0};     ///< Passed on and not acknowledged.
        uint64_t messageLeft{0}; ///< Of the message that is being written.
        Tick inNicUntil{0};
        bool isFlushPlanned{false};
        bool isReady{false}; ///< In its thread's queue, or being written to.
    };

    /// Bytes of one connection that wait for the receiver's softirq.
    struct Arrived
    {
        uint32_t connection;
        uint32_t bytes;
    };

    /// What one softirq poll takes, merged by connection.
    struct Poll
    {
        std::vector<Arrived> merged;
        uint64_t bytes{0};
        uint32_t packets{0};
    };

    struct Sender
    {
        Core core;
        std::deque<uint32_t> ready;
        uint32_t writing{0};
        uint32_t burstLeft{0}; ///< 0: between two connections.
        bool isAsleep{false};
        Tick lastInterrupt{-1};
    };

    struct Receiver
    {
        Core core;
        std::deque<Arrived> arrived;
        bool isPolling{false};
        bool isWoken{false}; ///< The next poll is the first after a sleep.
    };

    /// At one time of the run.
    struct Mark
    {
        Tick time{0};
        uint64_t delivered{0};
        uint64_t wireBytes{0};
        Tick senderBusy{0};
        Tick receiverBusy{0};
    };

    void Plan(Tick time, Kind kind, uint32_t id, uint32_t bytes = 0);
    void Handle(const Event& event);
    void OnWrite(uint32_t thread, Tick now);
    void OnArrive(uint32_t connection, uint32_t bytes, Tick now);
    void OnPoll(uint32_t thread, Tick now);
    void OnAck(uint32_t connection, uint32_t bytes, Tick now);

    bool HasRoom(const Connection& connection) const;
    bool TurnToNext(Sender& sender, Tick now);
    void TrySend(uint32_t id, Tick now);
    void SendSegment(uint32_t id, uint32_t bytes, Tick now);
    Poll TakeArrived(Receiver& receiver) const;
    Tick GetMiss() const;
    uint32_t CountPackets(uint64_t bytes) const;
    void Deliver(uint64_t bytes, Tick now);
    Mark MakeMark(Tick now) const;

    KernelTcpCosts m_costs;
    KernelTcpLoad m_load;
    SerializationRate m_rate;
    uint32_t m_fullSegment; ///< The largest multiple of the MSS.
    uint64_t m_limit;       ///< Of a connection's unacknowledged bytes.
    uint64_t m_left;        ///< Messages that no thread has begun.
    uint64_t m_total;       ///< Bytes of all messages.

    std::priority_queue<Event, std::vector<Event>, std::greater<>> m_events;
    uint64_t m_planned{0};
    std::vector<Connection> m_connections;
    std::vector<Sender> m_senders;
    std::vector<Receiver> m_receivers;
    Tick m_linkFree{0};
    Tick m_queueTime;
    uint64_t m_segments{0};
    uint64_t m_delivered{0};
    uint64_t m_wireBytes{0}; ///< That have been received, without preamble and gap.
    Mark m_begin;
    Mark m_end;
};

} // namespace ns3::rdma

#endif // RDMA_KERNEL_TCP_RUN_H
