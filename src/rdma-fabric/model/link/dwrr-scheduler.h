// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_DWRR_SCHEDULER_H
#define RDMA_DWRR_SCHEDULER_H

#include "ns3/egress-scheduler.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-link
 * @brief Strict levels, and deficit weighted round robin among the weighted classes.
 *
 * The weighted classes take turns in the order of their numbers.  A turn adds the class's quantum,
 * Quantum times its weight, to its deficit.  The class sends while its first frame is not larger
 * than the deficit, and the deficit falls by the bytes of each frame.  The deficit remains while
 * the class has frames, and is zero when it has none.  All weighted classes are on one level: the
 * highest of their ClassSchedule::level.
 *
 * Our choices: bytes are those on the wire, preamble and gap included.  A class that is paused
 * keeps its deficit, and gets no quantum.  A frame of unknown size, which a NIC has not made yet,
 * is sent if the deficit is above zero, and the deficit may then fall below zero (surplus round
 * robin); an empty class keeps this debt, which the rounds of the other classes repay.  A quantum
 * may be smaller than a frame: the rounds in which no class sends are computed, not executed.
 *
 * Source: Shreedhar and Varghese, "Efficient Fair Queueing using Deficit Round Robin", SIGCOMM
 * 1995; Adiseshu, Parulkar and Varghese, "A Reliable and Scalable Striping Protocol", SIGCOMM 1996
 * (surplus round robin).
 */
class DwrrScheduler : public EgressScheduler
{
  public:
    static TypeId GetTypeId();

    /// @return the bytes that a weighted class may still send in its turn; below zero: a debt.
    int64_t GetDeficit(uint32_t classNumber) const
    {
        return m_deficits[classNumber];
    }

  private:
    void DoStart(const PortSchedule& schedule) override;
    uint32_t DoChoose(const EgressQueues& queues) override;
    void DoOnSend(uint32_t classNumber, uint32_t wireBytes) override;

    uint32_t ChooseWeighted(const EgressQueues& queues, uint32_t candidates);
    bool MaySend(const EgressQueues& queues, uint32_t classNumber) const;
    /// @return the turns until the class may send, at least 1.
    int64_t CountTurns(const EgressQueues& queues, uint32_t classNumber) const;
    /// Gives each candidate the quanta of its turns up to the turn in which a class sends.
    /// @param turns of the class that sends
    /// @param distance of this class from m_turn
    void AddQuanta(const EgressQueues& queues,
                   uint32_t candidates,
                   int64_t turns,
                   uint32_t distance);

    uint32_t m_quantumUnit{256};
    uint32_t m_weighted{0};                       ///< Bit per weighted class.
    std::array<uint32_t, PRIORITIES> m_levels{};  ///< Bits of the classes of each level.
    std::array<int64_t, PRIORITIES> m_quanta{};   ///< Bytes.
    std::array<int64_t, PRIORITIES> m_deficits{}; ///< Bytes.
    uint32_t m_turn{0};                           ///< The class that had the last turn.
};

} // namespace ns3::rdma

#endif // RDMA_DWRR_SCHEDULER_H
