// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_BALBOA_DCQCN_H
#define FPGA_BALBOA_DCQCN_H

#include "ns3/congestion-control.h"
#include "ns3/forks.h"

namespace ns3::rdma
{

/**
 * @ingroup fpga-balboa
 * @brief DCQCN in hardware: the congestion control unit in fpgasystems/Coyote
 * (MT_pomsarc_CC_QP_unit_DCQCN.sv), one per queue pair in addition to the credits of BALBOA section
 * 4.4.
 *
 * Rates are cycles between two packets: the unit's current and target period.  Its input is an
 * acknowledgment and whether it echoes CE, not a CNP.
 *
 * - Marked acknowledgment, at most one per MarkInterval: the target becomes the current period.
 *   The period is then multiplied by an entry of a table of 29, in units of 2^-7, from 2 (entry 0)
 *   to 1.086.  The next mark uses the previous entry.
 * - AlphaInterval without a mark: the next entry is selected.
 * - A timer and a counter of acknowledgments generate increase events.  An event moves the period
 *   half way to the target.  Once either has generated FastRecovery events since the last mark, the
 *   target is first reduced by AdditiveIncrease.  There is no hyper increase: the unit does the
 *   same in that case.
 *
 * Not modelled: the test part of the HDL, which generates marks; the queue from which the unit
 * reads; registers that wrap.  The unit's least period of 200 cycles is 800 ns, that is 41 Gb/s of
 * packets of 4096 bytes: a single queue pair cannot fill 100 Gb/s.
 */
class BalboaDcqcn : public Forks<BalboaDcqcn, CongestionControl>
{
  public:
    static TypeId GetTypeId();
    Feedback GetNeededFeedback() const override;
    void Start(const PathInfo& path, Time now) override;
    void OnAck(const AckEvent& ack) override;
    bool NeedsOnSent() const override;
    void OnDeadline(Time now) override;
    SendLimit GetLimit() const override;

    /// @return cycles between two packets.
    uint32_t GetPeriod() const
    {
        return m_period;
    }

    uint32_t GetTargetPeriod() const
    {
        return m_target;
    }

    /// @return the entry of the table that the next mark uses.
    uint32_t GetAlphaEntry() const
    {
        return m_entry;
    }

  private:
    void AdvanceAlpha(Time now);
    void OnMark(Time now);
    void Increase();

    // Attributes.
    Time m_cycle;
    uint32_t m_firstPeriod{0};
    uint32_t m_leastPeriod{0};
    Time m_markInterval;
    Time m_alphaInterval;
    Time m_timerPeriod;
    uint32_t m_acksPerEvent{0};
    uint32_t m_fastRecovery{0};
    uint32_t m_additiveIncrease{0};
    uint64_t m_budgetBytes{0};

    uint32_t m_period{0}; ///< Cycles, as the target.
    uint32_t m_target{0};
    uint32_t m_entry{0};
    Time m_markedAt;    ///< Of the last mark that had an effect.
    Time m_alphaFrom;   ///< Of the last mark or the entry's last step.
    Time m_timerAt;     ///< Of the next timer event.
    uint32_t m_acks{0}; ///< Since the last event.
    uint32_t m_timerEvents{0};
    uint32_t m_ackEvents{0};
    uint64_t m_wireBytes{0}; ///< Of a full packet.
    DataRate m_lineRate;
};

} // namespace ns3::rdma

#endif // FPGA_BALBOA_DCQCN_H
