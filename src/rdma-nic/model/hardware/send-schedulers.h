// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SEND_SCHEDULERS_H
#define RDMA_SEND_SCHEDULERS_H

#include "ns3/object.h"
#include "ns3/round-robin-line.h"
#include "ns3/tick.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-hardware
 * @brief Decides which queue pair sends the next packet.  One instance per NIC.
 *
 * It knows the number of each queue pair and when it may send, not its packets.
 */
class SendScheduler : public Object
{
  public:
    static TypeId GetTypeId();

    /// Adds a queue pair that has a packet to send and is not in the scheduler.
    /// @param readyAt earliest time at which it may send
    virtual void Add(uint32_t queuePair, Tick readyAt, Tick now) = 0;

    /// A queue pair may send earlier than announced. No effect if it is not in the scheduler or the
    /// new time is not earlier.
    virtual void Advance(uint32_t queuePair, Tick readyAt) = 0;

    /// @return the next queue pair, which is removed; unset if none is ready.
    virtual std::optional<uint32_t> Pick(Tick now) = 0;

    /// @return when Pick() will return a queue pair: now or later; TICK_NEVER if the scheduler is
    /// empty.
    virtual Tick GetNextReady(Tick now) const = 0;
};

/**
 * @ingroup rdma-hardware
 * @brief One packet of each ready queue pair in turn.
 */
class RoundRobinScheduler : public SendScheduler
{
  public:
    static TypeId GetTypeId();
    void Add(uint32_t queuePair, Tick readyAt, Tick now) override;
    void Advance(uint32_t queuePair, Tick readyAt) override;
    std::optional<uint32_t> Pick(Tick now) override;
    Tick GetNextReady(Tick now) const override;

    /// @return the object to which all calls go.
    RoundRobinLine& GetLine()
    {
        return m_line;
    }

  private:
    RoundRobinLine m_line;
};

/**
 * @ingroup rdma-hardware
 * @brief One packet of each ready queue pair, in the order of their numbers.
 *
 * The search begins behind the queue pair that sent last, as in HPCC's simulator
 * (RdmaEgressQueue::GetNextQindex in alibaba-edu/High-Precision-Congestion-Control, 9f4be2a, where
 * the order is that of creation).  A paced queue pair that becomes ready is therefore served, in
 * the mean, after half of the other ready ones, while RoundRobinScheduler serves all of them first.
 *
 * Not modelled: the order of that simulator when the places of ended queue pairs are closed.
 */
class RingScheduler : public SendScheduler
{
  public:
    static TypeId GetTypeId();
    void Add(uint32_t queuePair, Tick readyAt, Tick now) override;
    void Advance(uint32_t queuePair, Tick readyAt) override;
    std::optional<uint32_t> Pick(Tick now) override;
    Tick GetNextReady(Tick now) const override;

  private:
    struct Paced
    {
        Tick readyAt;
        uint32_t queuePair;
    };

    static bool IsLater(const Paced& left, const Paced& right);
    void AddReady(uint32_t queuePair);

    std::vector<uint32_t> m_ready; ///< Numbers, rising.
    std::vector<Paced> m_paced;    ///< A heap, earliest on top.
    uint32_t m_last{0};            ///< The queue pair that sent last.
};

} // namespace ns3::rdma

#endif // RDMA_SEND_SCHEDULERS_H
