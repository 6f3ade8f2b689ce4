// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CLASS_SCHEDULERS_H
#define RDMA_CLASS_SCHEDULERS_H

#include "ns3/round-robin-line.h"
#include "ns3/send-schedulers.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-hardware
 * @brief Queue pairs in classes: the queue pairs of a class take turns, a subclass selects the
 * class (SRNIC section 4.3.1, schedule policy).
 *
 * The class of a queue pair is its number modulo Classes, so that a program selects it by the order
 * in which it creates queue pairs: a queue pair has no service level here.
 */
class ClassScheduler : public SendScheduler
{
  public:
    static TypeId GetTypeId();
    void Add(uint32_t queuePair, Tick readyAt, Tick now) final;
    void Advance(uint32_t queuePair, Tick readyAt) final;
    std::optional<uint32_t> Pick(Tick now) final;
    Tick GetNextReady(Tick now) const final;

  protected:
    /// @return the class whose queue pair sends next, one that IsReady(). Some class is.
    virtual uint32_t DoSelect(Tick now) = 0;

    bool IsReady(uint32_t classNumber, Tick now) const
    {
        return m_lines[classNumber].GetNextReady(now) == now;
    }

    uint32_t GetClasses() const
    {
        return m_classes;
    }

  private:
    RoundRobinLine& GetLine(uint32_t queuePair);

    uint32_t m_classes{0};               ///< Attribute.
    std::vector<RoundRobinLine> m_lines; ///< By class; empty before the first queue pair.
};

/// A queue pair of class 0 sends before all of class 1, and so on: strict priority.
class StrictScheduler : public ClassScheduler
{
  public:
    static TypeId GetTypeId();

  private:
    uint32_t DoSelect(Tick now) override;
};

/// In each round a class has Ratio times as many turns as the next one, and the last class one
/// turn: weighted round robin. Turns that a class does not use are not kept.
class WeightedScheduler : public ClassScheduler
{
  public:
    static TypeId GetTypeId();

  private:
    uint32_t DoSelect(Tick now) override;
    uint64_t GetWeight(uint32_t classNumber) const;

    uint32_t m_ratio{0}; ///< Attribute.
    uint32_t m_current{0};
    uint64_t m_used{0}; ///< Turns of the current class in this round.
};

} // namespace ns3::rdma

#endif // RDMA_CLASS_SCHEDULERS_H
